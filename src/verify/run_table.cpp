// SPDX-License-Identifier: MIT
#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/heap/rule.hpp>
#include <grundy/lattice/rule.hpp>

#include "core/advice.hpp"
#include "core/text.hpp"
#include "run/run_directory.hpp"
#include "session/run_terms.hpp"
#include "session/sealed_stripes.hpp"
#include "verify/heap/statistics_check.hpp"
#include "verify/stored_table.hpp"

namespace grundy {
namespace {

/// The moves in words. @throws Error(kCorrupt) if the rule is not one of one heap
std::string description_of(const RunRecord& record) {
  try {
    return HeapRule::parse(record.rule).describe();
  } catch (const Error& error) {
    throw Error(ErrorCode::kCorrupt, fmt::format("{} is no rule of a run of one heap: {}",
                                                 in_quotes(record.rule), error.what()));
  }
}

class RunTable final : public StoredTable {
 public:
  RunTable(const std::filesystem::path& directory, RunContents contents)
      : path_(directory.string()),
        segments_(std::move(contents.segments)),
        checked_(segments_.size()) {
    const RunRecord& record = *contents.record;
    info_.game = record.game;
    info_.title = record.title.empty() ? record.rule : record.title;
    info_.canonical = record.rule;
    info_.stats.count = info_.computed = segments_.back().header.end();
    info_.engine = fmt::format("{}", fmt::join(makers_of(segments_, &SegmentHeader::engine), ", "));
    info_.kernel = fmt::format("{}", fmt::join(makers_of(segments_, &SegmentHeader::kernel), ", "));
    if (!record.lattice) {
      info_.layout = Layout::of_heaps(info_.stats.count);
      info_.description = description_of(record);
      if (auto file = statistics_beside(directory, record)) {
        info_.period = std::move(file->info.period);
      }
      return;
    }
    order_.emplace(order_of(record));
    info_.layout = table_layout(record);
    info_.description = LatticeRule::parse(record.rule).describe();
    if (info_.stats.count > order_->count()) {
      throw Error(ErrorCode::kCorrupt, fmt::format("'{}' holds {} values of a table of {}", path_,
                                                   info_.stats.count, order_->count()));
    }
  }

  [[nodiscard]] const TableInfo& info() const noexcept override { return info_; }
  [[nodiscard]] ValueWidth width() const noexcept override {
    const auto width = [](const Segment& segment) { return segment.header.width; };
    return std::ranges::max_element(segments_, {}, width)->header.width;
  }
  [[nodiscard]] HeapSize chunk_size() const noexcept override { return HeapSize{1} << 17; }

  void read(HeapSize begin, std::span<Nimber> out) const override {
    if (begin > info_.computed || out.size() > info_.computed - begin) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("'{}' has sealed only {} below {}", path_, unit(), info_.computed));
    }
    while (!out.empty()) {
      const Segment& segment = segment_of(segments_, begin);
      if (segment.header.is_raw()) {
        std::call_once(checked_[segment.header.index], [&segment] { check_segment(segment); });
      }
      const auto size =
          static_cast<std::size_t>(std::min<HeapSize>(out.size(), segment.header.end() - begin));
      auto reader = take_reader(segment);
      reader->read(begin, out.first(size));
      give_back(std::move(reader));
      out = out.subspan(size);
      begin += size;
    }
  }

  [[nodiscard]] const std::string& path() const noexcept override { return path_; }
  [[nodiscard]] const TableStats* recorded() const noexcept override { return nullptr; }

  [[nodiscard]] const ValueOrder* order() const noexcept override {
    return order_ ? &*order_ : nullptr;
  }

  [[nodiscard]] std::vector<HeapSize> borders() const override {
    std::vector<HeapSize> begins;
    for (const Segment& segment : segments_) begins.push_back(segment.header.begin);
    return begins;
  }

  Flow scan(Executor& /*executor*/, ValueSink& sink) const override {
    // No value depends on the text of a state, but the next life of the run does.
    for (const Segment& segment : segments_) {
      if (segment.header.is_state()) static_cast<void>(read_state_text(segment));
    }
    return replay(segments_, 0, info_.computed, sink);
  }

 private:
  using Reader = std::unique_ptr<SegmentReader>;

  /// A reader that no other thread uses. A reader keeps its last chunk for reads that go on after
  /// it.
  [[nodiscard]] Reader take_reader(const Segment& segment) const {
    const std::lock_guard lock(mutex_);
    const auto idle = std::ranges::find_if(idle_, [&](const Reader& reader) {
      return reader->segment().header.index == segment.header.index;
    });
    if (idle == idle_.end()) return std::make_unique<SegmentReader>(segment);
    Reader reader = std::move(*idle);
    idle_.erase(idle);
    return reader;
  }
  void give_back(Reader reader) const {
    constexpr std::size_t kMost = 16;
    const std::lock_guard lock(mutex_);
    if (idle_.size() == kMost) idle_.erase(idle_.begin());
    idle_.push_back(std::move(reader));
  }

  std::string path_;
  std::vector<Segment> segments_;
  mutable std::vector<std::once_flag>
      checked_;  ///< by segment of raw values: its digest has been compared
  mutable std::mutex mutex_;
  mutable std::vector<Reader> idle_;
  TableInfo info_;
  std::optional<ValueOrder> order_;  ///< of several heaps
};

}  // namespace

std::unique_ptr<StoredTable> open_run_table(const std::filesystem::path& directory) {
  refuse_stripe(directory);
  if (is_of_stripes(directory)) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("'{}' holds stripes, which are proved when they are a table; the run {}",
                    directory.string(), kCanGoOn));
  }
  RunContents contents = read_run(directory);
  if (!contents.record) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("'{}' is no run directory, or nothing is sealed in it", directory.string()));
  }
  if (contents.record->lattice && contents.record->stats_only) {
    throw Error(ErrorCode::kUsage,
                fmt::format("'{}' holds what was counted, and no values that could be proved; the "
                            "file is verified when the run is finished, and the run {}",
                            directory.string(), kCanGoOn));
  }
  if (contents.segments.empty()) {
    throw Error(ErrorCode::kUsage, fmt::format("the run in '{}' of {} has sealed nothing yet",
                                               directory.string(), contents.record->rule));
  }
  return std::make_unique<RunTable>(directory, std::move(contents));
}

}  // namespace grundy
