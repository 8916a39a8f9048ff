// SPDX-License-Identifier: MIT
#include "session/recomputed_values.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/statistics.hpp>

#include "core/text.hpp"
#include "core/value_collector.hpp"
#include "run/run_directory.hpp"
#include "session/sealed_recomputation.hpp"
#include "session/setup.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

/// The run beside a file, opened to compute values again.
class BesideFile {
 public:
  BesideFile(const fs::path& directory, const std::function<void(const std::string&)>& narrate)
      : request_(request_of_run(directory)),
        narrate_(narrate),
        setup_(request_),
        segments_(read_run(directory).segments),
        values_(setup_, segments_, hooks_) {}
  BesideFile(const BesideFile&) = delete;
  BesideFile& operator=(const BesideFile&) = delete;

  [[nodiscard]] std::string rule() const { return setup_.game.rule.canonical(); }
  /// The values from `begin` on, at most those below `end`, and at least one.
  void compute(HeapSize begin, HeapSize end, ValueSink& sink) {
    // The last state before a heap may be far below it, where a run went on from a file.
    const auto state = std::ranges::find_if(segments_, [&](const Segment& segment) {
      const SegmentHeader& header = segment.header;
      return header.is_state() && header.first() <= begin && begin < header.end();
    });
    if (state != segments_.end()) {
      replay_segment(*state, begin, end, sink);
      return;
    }
    const std::vector<HeapSize> seals = values_.seals();
    const auto behind = std::ranges::upper_bound(seals, begin);
    const HeapSize from = behind == seals.begin() ? 0 : *std::prev(behind);
    if (begin - from > kMoment) {
      narrate_(fmt::format("{} heaps are computed again, from heap {} on", format_count(end - from),
                           format_count(from)));
    }
    values_.compute(begin, end, sink, nullptr);
  }

 private:
  static constexpr HeapSize kMoment = HeapSize{1} << 22;

  Request request_;
  std::function<void(const std::string&)> narrate_;
  Hooks hooks_;  // the engine has nothing to say
  HeapSetup setup_;
  std::vector<Segment> segments_;
  SealedRecomputation values_;
};

class ReaderWithRun final : public TableReader {
 public:
  ReaderWithRun(const fs::path& path, std::function<void(const std::string&)> narrate)
      : path_(path),
        file_(TableReader::open(path)),
        run_(run_directory_for(path)),
        narrate_(std::move(narrate)) {}

  [[nodiscard]] const TableInfo& info() const noexcept override { return file_->info(); }
  [[nodiscard]] ValueWidth width() const noexcept override { return file_->width(); }
  [[nodiscard]] HeapSize chunk_size() const noexcept override { return kBlock; }

  void read(HeapSize begin, std::span<Nimber> out) const override {
    const HeapSize count = info().stats.count;
    const HeapSize tail = count - std::min<HeapSize>(count, kTailValues);
    if (begin >= tail || begin + out.size() > count) return file_->read(begin, out);
    while (!out.empty()) {
      if (begin < first_ || begin - first_ >= block_.size()) compute_block(begin);
      const auto known = std::span(block_).subspan(begin - first_);
      const std::size_t size = std::min(known.size(), out.size());
      std::ranges::copy(known.first(size), out.begin());
      out = out.subspan(size);
      begin += size;
    }
  }

 private:
  /// The largest number of values that are computed at a time.
  static constexpr HeapSize kBlock = HeapSize{1} << 16;

  void compute_block(HeapSize begin) const {
    if (!beside_) open_run();
    ValueCollector values;
    beside_->compute(begin, std::min(begin + kBlock, info().stats.count), values);
    block_ = std::move(values.values);
    first_ = begin;
  }

  void open_run() const {
    std::error_code error;
    if (!fs::is_directory(run_, error)) {
      const HeapSize count = info().stats.count;
      throw Error(ErrorCode::kUsage,
                  fmt::format("'{}' has values of heaps {} to {} only; others are computed again "
                              "from its run, and '{}' is not there",
                              path_.string(), count - std::min<HeapSize>(count, kTailValues),
                              count - 1, run_.string()));
    }
    beside_.emplace(run_, narrate_);
    if (beside_->rule() == info().canonical) return;
    const std::string rule = beside_->rule();
    beside_.reset();
    throw Error(ErrorCode::kCorrupt,
                fmt::format("'{}' is a run of {}, and '{}' is of {}", run_.string(), rule,
                            path_.string(), info().canonical));
  }

  fs::path path_;
  std::unique_ptr<TableReader> file_;
  fs::path run_;
  std::function<void(const std::string&)> narrate_;
  mutable std::optional<BesideFile> beside_;  ///< opened when it is first needed
  mutable std::vector<Nimber> block_;         ///< the block that was computed last
  mutable HeapSize first_ = 0;                ///< its first heap
};

}  // namespace

std::unique_ptr<TableReader> open_with_run(const fs::path& statistics,
                                           std::function<void(const std::string&)> narrate) {
  return std::make_unique<ReaderWithRun>(statistics, std::move(narrate));
}

}  // namespace grundy
