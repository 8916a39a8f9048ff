// SPDX-License-Identifier: MIT
#include "verify/content.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "analysis/stats_collector.hpp"
#include "core/digest.hpp"
#include "store/chunk_file.hpp"

namespace grundy {
namespace {

[[noreturn]] void damaged(const std::string& path, const std::string& what) {
  throw Error(ErrorCode::kCorrupt, fmt::format("'{}' is damaged: {}", path, what));
}

/// Ends the pass over the chunks from inside.
struct Stopped {};

/// The values of one chunk have all been written, and nothing else has.
void check_written(const TableFile& file, Values values, Values padding, HeapSize begin,
                   const KernelSet& kernels) {
  const Nimber reserved = reserved_value(file.width());
  values.visit([&]<class T>(std::span<const T> written) {
    if (kernels.of<T>().maximum(written.data(), written.size()) != reserved) return;
    const auto at = std::find(written.begin(), written.end(), static_cast<T>(reserved));
    damaged(file.path(),
            fmt::format("heap {} holds {}, which marks values that were never written",
                        begin + static_cast<HeapSize>(at - written.begin()), reserved));
  });
  padding.visit([&](auto rest) {
    if (std::ranges::all_of(rest, [&](auto v) { return v == reserved; })) return;
    damaged(file.path(), "there are values behind its last heap");
  });
}

}  // namespace

bool check_content(const TableFile& file, Executor& executor, const KernelSet& kernels,
                   HeapSize keep, ValueBuffer& kept, const std::stop_token& stop,
                   ProgressSink* progress) {
  const HeapSize count = file.info().stats.count;
  if (file.width() > kept.width()) kept.promote(file.width());
  kept.resize(std::min(keep, count));
  StatsCollector collector(kernels);
  const auto take = [&](std::uint64_t chunk, const Bytes& raw) {
    if (stop.stop_requested()) throw Stopped();
    file.verify(chunk, raw);
    const HeapSize begin = chunk * file.chunk_size();
    const HeapSize size = std::min(file.chunk_size(), count - begin);
    const Values all(raw.data(), file.chunk_size(), file.width());
    const Values values = all.subspan(0, size);
    check_written(file, values, all.subspan(size, file.chunk_size() - size), begin, kernels);
    collector.put({begin, values, {}});
    if (begin < kept.size()) {
      const std::size_t bytes = byte_count(file.width());
      std::memcpy(kept.data<std::byte>() + begin * bytes, raw.data(),
                  std::min(size, kept.size() - begin) * bytes);
    }
    if (progress != nullptr) {
      const HeapSize done = begin + size;
      progress->report({done, count, static_cast<double>(done) / static_cast<double>(count)});
    }
  };
  try {
    decode_in_order(
        executor, file.chunk_count(), [&](std::uint64_t chunk) { return file.read_encoded(chunk); },
        [&](const Bytes& encoded) { return file.decode(encoded); }, take);
  } catch (const Stopped&) {
    return false;
  }
  compare_statistics(file.path(), file.info().stats, collector.stats());
  return true;
}

void compare_statistics(const std::string& path, const TableStats& recorded,
                        const TableStats& counted) {
  if (counted.digest != recorded.digest) {
    damaged(path, fmt::format("the digest of its values is {}, where {} is recorded",
                              to_hex(counted.digest), to_hex(recorded.digest)));
  }
  if (counted.max_value != recorded.max_value || counted.argmax != recorded.argmax) {
    damaged(path,
            fmt::format("its maximum is {} at heap {}, where {} at heap {} is recorded",
                        counted.max_value, counted.argmax, recorded.max_value, recorded.argmax));
  }
  const auto [mine, theirs] = std::ranges::mismatch(counted.histogram, recorded.histogram);
  if (mine != counted.histogram.end() && theirs != recorded.histogram.end()) {
    damaged(path, fmt::format("{} heaps have value {}, where {} are recorded", *mine,
                              mine - counted.histogram.begin(), *theirs));
  }
  if (counted != recorded) damaged(path, "its records are not those of its values");
}

}  // namespace grundy
