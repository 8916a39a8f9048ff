// SPDX-License-Identifier: MIT
#include "table/parts_statistics.hpp"

#include <algorithm>
#include <functional>
#include <span>

#include "core/digest.hpp"
#include "table/file_checks.hpp"

namespace grundy {
namespace {

/// Extends the list of records, in the order of the table.
class RecordList {
 public:
  /// @param stats statistics without values; it receives the records and the maximum
  explicit RecordList(TableStats& stats) : stats_(stats) {}

  void see(HeapSize entry, Nimber value) {
    if (!first_ && value <= stats_.max_value) return;
    first_ = false;
    stats_.max_value = value;
    stats_.argmax = entry;
    if (stats_.records.size() < TableStats::kRecordLimit) {
      stats_.records.push_back({entry, value});
    } else {
      stats_.records_complete = false;
    }
  }
  [[nodiscard]] bool full() const noexcept {
    return stats_.records.size() == TableStats::kRecordLimit;
  }

 private:
  TableStats& stats_;
  bool first_ = true;
};

/// Adds the records of a part after those that its file lists, as long as the list has room.
void see_unlisted(const ValuesOfFiles& values, HeapSize begin, HeapSize end, RecordList& records) {
  std::vector<Nimber> block;
  while (begin < end && !records.full()) {
    block.resize(std::min<HeapSize>(kDigestSection, end - begin));
    values.read(begin, block);
    for (std::size_t i = 0; i < block.size(); ++i) records.see(begin + i, block[i]);
    begin += block.size();
  }
}

Digest128 digest_of(const ValuesOfFiles& values) {
  const HeapSize total = values.count();
  std::vector<Digest128> sections;
  std::vector<Nimber> block;
  const auto read_sections = [&](HeapSize end) {
    for (HeapSize at = sections.size() * kDigestSection; at < end; at += block.size()) {
      block.resize(std::min(kDigestSection, total - at));
      values.read(at, block);
      SequentialDigest digest;
      digest.update(Values(std::span<const Nimber>(block)));
      sections.push_back(digest.value());
    }
  };
  HeapSize begin = 0;
  for (const auto& file : values.files()) {
    const HeapSize end = begin + file->info().stats.count;
    const SectionRange within = sections_within(begin, end, total);
    const std::vector<Digest128>& known = file->metadata().sections;
    if (known.size() != within.end - within.first) {
      refuse(ErrorCode::kCorrupt, file->path(),
             "is damaged: it has not the digests of its sections");
    }
    if (!known.empty()) {
      read_sections(within.first * kDigestSection);
      sections.insert(sections.end(), known.begin(), known.end());
    }
    begin = end;
  }
  read_sections(total);
  return digest_of_sections(sections);
}

}  // namespace

TableStats statistics_of(const ValuesOfFiles& parts) {
  TableStats all;
  RecordList records(all);
  for (const auto& file : parts.files()) {
    const TableStats& part = file->info().stats;
    const HeapSize begin = all.count;
    for (const ValueRecord& record : part.records) records.see(begin + record.entry, record.value);
    if (!part.records_complete) {
      see_unlisted(parts, begin + part.records.back().entry + 1, begin + part.count, records);
      records.see(begin + part.argmax, part.max_value);
    }
    all.count += part.count;
    all.histogram.resize(std::max(all.histogram.size(), part.histogram.size()));
    std::ranges::transform(part.histogram, all.histogram, all.histogram.begin(), std::plus<>());
  }
  all.digest = digest_of(parts);
  return all;
}

std::vector<std::uint64_t> p_positions_of(const ValuesOfFiles::Files& parts) {
  std::vector<std::uint64_t> all;
  for (const auto& part : parts) {
    const std::vector<std::uint64_t> some = part->p_positions();
    const std::size_t room =
        std::min<std::uint64_t>(some.size(), kMostListedPPositions - all.size());
    all.insert(all.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(room));
    if (room < part->info().stats.zeros()) break;
  }
  return all;
}

}  // namespace grundy
