// SPDX-License-Identifier: MIT
#include "table/table_file.hpp"

#include <algorithm>
#include <bit>
#include <deque>
#include <utility>

#include <fmt/format.h>

#include "core/digest.hpp"
#include "table/chunk_file.hpp"
#include "table/file_checks.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

h5::Dataset open_values(const h5::Object& root, const fs::path& path) {
  h5::Dataset values = h5::Dataset::open(root, kValuesName);
  const HeapSize chunk = values.grid().chunk_size();
  const bool heaps = !root.has_member(kLatticeName);
  if (chunk == 0 || chunk > kLargestChunk || (heaps && !std::has_single_bit(chunk))) {
    refuse(ErrorCode::kCorrupt, path,
           fmt::format("has chunks of {} values, where a power of two up to {} is right", chunk,
                       kLargestChunk));
  }
  return values;
}

Frame frame_of(SealedFile& sealed, const fs::path& path) {
  h5::Dataset values = open_values(sealed.root, path);
  return {std::move(sealed.root), std::move(sealed.integrity), std::move(values)};
}

}  // namespace

TableFile::TableFile(const fs::path& path, FileKind kind)
    : sealed_(open_sealed(path, kind)),
      frame_(frame_of(sealed_, path)),
      metadata_(read_metadata(frame_, kind)),
      codec_(width()) {
  if (chunk_count() != grid().chunk_count()) {
    refuse(ErrorCode::kCorrupt, path,
           fmt::format("is damaged: {} chunk digests for {} chunks", chunk_count(),
                       grid().chunk_count()));
  }
  if (width_for(info().stats.max_value) > width()) {
    refuse(ErrorCode::kCorrupt, path, "is damaged: the maximum does not fit the stored width");
  }
}

Bytes TableFile::decode(const Bytes& encoded) const {
  try {
    return codec_.decode(encoded, frame_.values.chunk_bytes());
  } catch (const Error& error) {
    refuse(error.code(), path(), fmt::format("is damaged: {}", error.what()));
  }
}

void TableFile::verify(std::uint64_t chunk, const Bytes& decoded) const {
  if (hash64(decoded) != metadata_.chunk_digests[chunk]) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("'{}' is damaged: chunk {} ({} {} and on) does not match its digest",
                            path(), chunk, info().layout.is_lattice() ? "entries" : "heaps",
                            grid().entry_at(grid().origin_of(chunk))));
  }
}

void TableFile::check_padding(Values padding) const {
  const Nimber reserved = reserved_value(width());
  padding.visit([&](auto rest) {
    if (std::ranges::all_of(rest, [&](auto value) { return value == reserved; })) return;
    refuse(ErrorCode::kCorrupt, path(), "is damaged: there are values behind its last heap");
  });
}

Flow TableFile::scan(Executor& executor,
                     const std::function<Flow(const StoredChunk&)>& take) const {
  std::deque<Bytes> under_way;
  const auto read = [&](std::uint64_t chunk) {
    under_way.push_back(read_encoded(chunk));
    return under_way.back();
  };
  const auto check = [&](std::uint64_t chunk, const Bytes& raw) {
    verify(chunk, raw);
    const HeapSize begin = chunk * chunk_size();
    const HeapSize size = std::min(chunk_size(), info().stats.count - begin);
    const Values all(raw.data(), chunk_size(), width());
    check_padding(all.subspan(size));
    const StoredChunk stored{begin, chunk_digests()[chunk], under_way.front(),
                             all.subspan(0, size)};
    const Flow flow = take(stored);
    under_way.pop_front();
    return flow;
  };
  return decode_in_order(
      executor, buffers(), chunk_count(), read,
      [&](const Bytes& encoded) { return decode(encoded); }, check);
}

}  // namespace grundy
