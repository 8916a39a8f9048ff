// SPDX-License-Identifier: MIT
#include "verify/table_subject.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/digest.hpp"
#include "core/value_copy.hpp"
#include "theory/stats_collector.hpp"
#include "verify/samples.hpp"

namespace grundy {
namespace {

[[noreturn]] void damaged(const std::string& path, const std::string& what) {
  throw Error(ErrorCode::kCorrupt, fmt::format("'{}' is damaged: {}", path, what));
}

/// Counts and keeps the values while they pass by.
class Intake final : public ValueSink {
 public:
  Intake(const StoredTable& table, const Work& work, ValueBuffer& kept)
      : table_(table), work_(work), collector_(work.kernels), kept_(kept) {}

  Flow put(const Stretch& block) override {
    if (work_.hooks.stop.stop_requested()) return Flow::kStop;
    check_written(block);
    collector_.put(block);
    if (table_.info().sequential_digest) sequential_.update(block.values);
    keep(block);
    // Every rank reads all values. With a team, progress is that of the proof that the ranks share.
    if (work_.hooks.progress != nullptr && work_.request.team == nullptr) {
      const HeapSize done = block.begin + block.values.size();
      const HeapSize count = table_.info().stats.count;
      work_.hooks.progress->report(
          {done, count, static_cast<double>(done) / static_cast<double>(count)});
    }
    return Flow::kContinue;
  }

  /// The statistics, with the kind of digest that a file in the format of the table records.
  [[nodiscard]] TableStats stats() const {
    TableStats stats = collector_.stats();
    if (table_.info().sequential_digest) stats.digest = sequential_.value();
    return stats;
  }

 private:
  void check_written(const Stretch& block) const {
    const Nimber reserved = reserved_value(block.values.width());
    block.values.visit([&]<class T>(std::span<const T> written) {
      if (work_.kernels.of<T>().maximum(written.data(), written.size()) != reserved) return;
      const auto at = std::find(written.begin(), written.end(), static_cast<T>(reserved));
      const HeapSize n = block.begin + static_cast<HeapSize>(at - written.begin());
      damaged(table_.path(), fmt::format("{} holds {}, which marks values that were never written",
                                         name_of(n), reserved));
    });
  }

  [[nodiscard]] std::string name_of(HeapSize n) const {
    const ValueOrder* const order = table_.order();
    if (order == nullptr) return fmt::format("heap {}", n);
    return fmt::format("position {}", position_name(*order, n));
  }

  void keep(const Stretch& block) {
    if (block.begin >= kept_.size()) return;
    const HeapSize size = std::min<HeapSize>(block.values.size(), kept_.size() - block.begin);
    copy_to_width(block.values.subspan(0, size), kept_.width(),
                  kept_.data<std::byte>() + block.begin * byte_count(kept_.width()));
  }

  const StoredTable& table_;
  const Work& work_;
  StatsCollector collector_;
  SequentialDigest sequential_;  ///< of all values, for the older kind of digest
  ValueBuffer& kept_;
};

/// Compares the counted statistics of a table, in `unit` (heaps, entries), with those that the file
/// at `path` records. @throws Error(kCorrupt) that names the first difference
void compare_statistics(const std::string& path, const TableStats& recorded,
                        const TableStats& counted, const char* unit) {
  if (counted.digest != recorded.digest) {
    damaged(path, fmt::format("the digest of its values is {}, where {} is recorded",
                              to_hex(counted.digest), to_hex(recorded.digest)));
  }
  if (counted.max_value != recorded.max_value || counted.argmax != recorded.argmax) {
    damaged(
        path,
        fmt::format("its maximum is {} at number {} of its {}, where {} at number {} is recorded",
                    counted.max_value, counted.argmax, unit, recorded.max_value, recorded.argmax));
  }
  const auto [mine, theirs] = std::ranges::mismatch(counted.histogram, recorded.histogram);
  if (mine != counted.histogram.end() && theirs != recorded.histogram.end()) {
    damaged(path, fmt::format("{} {} have value {}, where {} are recorded", *mine, unit,
                              mine - counted.histogram.begin(), *theirs));
  }
  if (counted != recorded) damaged(path, "its records are not those of its values");
}

/// Reads every value once. Compares all values with their digests, looks for values that were never
/// written, and counts histogram, records, maximum and digest, which it compares with the recorded
/// ones. Leaves the first `keep` values in `kept`, at the width of the table.
/// @return the counted statistics; nothing if it was stopped
/// @throws Error(kCorrupt) that names the first fault
std::optional<TableStats> check_content(const StoredTable& table, const Work& work, HeapSize keep,
                                        ValueBuffer& kept) {
  if (table.width() > kept.width()) kept.promote(table.width());
  kept.resize(std::min(keep, table.info().stats.count));
  Intake intake(table, work, kept);
  if (table.scan(*work.executor, intake) == Flow::kStop) return std::nullopt;
  TableStats counted = intake.stats();
  if (table.recorded() != nullptr) {
    compare_statistics(table.path(), *table.recorded(), counted, table.unit());
  }
  return counted;
}

}  // namespace

TableSubject::TableSubject(const Work& work, std::unique_ptr<StoredTable> table)
    : work_(work), table_(std::move(table)) {
  info_ = table_->info();
}

bool TableSubject::load(HeapSize keep) {
  auto counted = check_content(*table_, work_, keep, kept_);
  if (counted) info_.stats = std::move(*counted);
  return counted.has_value();
}

std::vector<HeapSize> TableSubject::conspicuous() const {
  return conspicuous_heaps(info_, table_->borders(), kept_.values());
}

}  // namespace grundy
