// SPDX-License-Identifier: MIT
#include <algorithm>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/heap/rule.hpp>

#include "run/run_directory.hpp"
#include "verify/stored_table.hpp"

namespace grundy {
namespace {

/// The rule in words. @throws Error(kUsage) if it is none of one heap
std::string description_of(const std::filesystem::path& directory, const std::string& rule) {
  try {
    return HeapRule::parse(rule).describe();
  } catch (const Error&) {
    throw Error(ErrorCode::kUsage,
                fmt::format("'{}' is a run of {}; only runs of games of one heap can be verified "
                            "before they are finished",
                            directory.string(), rule));
  }
}

/// Takes values whose only use is that they were compared with their digest.
class Unused final : public BlockSink {
 public:
  Flow put(const Block& /*block*/) override { return Flow::kContinue; }
};

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
    info_.description = description_of(directory, record.rule);
    info_.stats.count = info_.computed = segments_.back().header.end();
    info_.engine = fmt::format("{}", fmt::join(makers_of(segments_, &SegmentHeader::engine), ", "));
    info_.kernel = fmt::format("{}", fmt::join(makers_of(segments_, &SegmentHeader::kernel), ", "));
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
                  fmt::format("'{}' has sealed only heaps below {}", path_, info_.computed));
    }
    while (!out.empty()) {
      const auto end = [](const Segment& segment) { return segment.header.end(); };
      const auto found = std::ranges::upper_bound(segments_, begin, {}, end);
      std::call_once(checked_[static_cast<std::size_t>(found - segments_.begin())], [&] {
        Unused unused;
        replay_segment(*found, found->header.begin, unused);
      });
      const auto size =
          static_cast<std::size_t>(std::min<HeapSize>(out.size(), found->header.end() - begin));
      read_segment(*found, begin, out.first(size));
      out = out.subspan(size);
      begin += size;
    }
  }

  [[nodiscard]] const std::string& path() const noexcept override { return path_; }
  [[nodiscard]] const TableStats* recorded() const noexcept override { return nullptr; }

  [[nodiscard]] std::vector<HeapSize> borders() const override {
    std::vector<HeapSize> begins;
    for (const Segment& segment : segments_) begins.push_back(segment.header.begin);
    return begins;
  }

  Flow scan(Executor& /*executor*/, BlockSink& sink) const override {
    return replay(segments_, 0, info_.computed, sink);
  }

 private:
  std::string path_;
  std::vector<Segment> segments_;
  mutable std::vector<std::once_flag> checked_;  ///< by segment: its digest, before read()
  TableInfo info_;
};

}  // namespace

std::unique_ptr<StoredTable> open_run_table(const std::filesystem::path& directory) {
  RunContents contents = read_run(directory);
  if (!contents.record) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("'{}' is no run directory, or nothing is sealed in it", directory.string()));
  }
  if (contents.segments.empty()) {
    throw Error(ErrorCode::kUsage, fmt::format("the run in '{}' of {} has sealed nothing yet",
                                               directory.string(), contents.record->rule));
  }
  return std::make_unique<RunTable>(directory, std::move(contents));
}

}  // namespace grundy
