// SPDX-License-Identifier: MIT
#include "table/parts_statistics.hpp"

#include <algorithm>
#include <span>

#include "core/digest.hpp"
#include "core/stats_counts.hpp"
#include "table/file_checks.hpp"

namespace grundy {
namespace {

/// Adds the records of a part after those that its file lists, as long as the list has room.
void note_unlisted(const ValuesOfFiles& values, HeapSize begin, HeapSize end, TableStats& stats) {
  std::vector<Nimber> block;
  while (begin < end && stats.records.size() < TableStats::kRecordLimit) {
    block.resize(std::min<HeapSize>(kDigestSection, end - begin));
    values.read(begin, block);
    for (std::size_t i = 0; i < block.size(); ++i) note_record(begin + i, block[i], stats);
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
  for (const auto& file : parts.files()) {
    const TableStats& part = file->info().stats;
    const HeapSize begin = all.count;
    for (const ValueRecord& record : part.records) {
      note_record(begin + record.entry, record.value, all);
    }
    if (!part.records_complete) {
      note_unlisted(parts, begin + part.records.back().entry + 1, begin + part.count, all);
      note_record(begin + part.argmax, part.max_value, all);
    }
    all.count += part.count;
    add_counts(part.histogram, all.histogram);
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
