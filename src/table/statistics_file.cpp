// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/statistics.hpp>

#include "core/atomic_file.hpp"
#include "core/digest.hpp"
#include "table/fields.hpp"
#include "table/file_kind.hpp"
#include "table/info_fields.hpp"
#include "table/schema.hpp"
#include "table/seal.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSparseName = "sparse_space";
constexpr const char* kExceptionName = "last_exception";

/// Fields of the file that have other types in memory.
struct StoredStatistics : StoredInfo {
  /// One row for each milestone: heaps, maximum, and the first heap with it.
  std::vector<std::uint64_t> milestones;
  /// One row for each milestone: entries with value v, padded with 0.
  std::vector<std::uint64_t> counts;
  std::uint64_t values = 0;                     ///< numbers in such a row
  std::vector<std::uint8_t> milestone_digests;  ///< one row for each milestone
  std::vector<std::uint64_t> seals;
  std::vector<std::uint8_t> seal_digests;
};

/// Shows every field to `io`.
template <class Io, class Meta, class Statistics, class Stored>
void traverse(Io& io, h5::Object& root, Meta& meta, Statistics& statistics, Stored& stored) {
  auto& info = meta.info;
  traverse_game(io, root, meta, stored);
  traverse_digest(io, root, stored, format_of(FileKind::kTable).major);
  io.implied(root, "index_convention", std::string("heap n has n tokens, from n = 0 on"));
  io.number(root, "heaps", info.stats.count);
  io.number(root, "computed_end", info.computed);
  io.nimber(root, "max_value", info.stats.max_value);
  io.number(root, "argmax", info.stats.argmax);
  traverse_period(io, root, info.period, stored);
  if (statistics.sparse) traverse_facts(io, root, kSparseName, *statistics.sparse);
  traverse_stats(io, root, info, stored);
  if (statistics.last_exception) {
    auto& last = *statistics.last_exception;
    h5::Object exception = io.group(root, kExceptionName);
    io.number(exception, "heap", last.heap);
    io.nimber(exception, "value", last.value);
    io.nimber(exception, "value_a_period_later", last.later);
    exception.close();
  }

  h5::Object milestones = io.group(root, "milestones");
  io.number(milestones, "values", stored.values);
  io.column(milestones, "heaps_maximum_argmax", stored.milestones, {}, 3);
  io.column(milestones, "value_counts", stored.counts, {}, stored.values);
  io.column(milestones, "xxh3_128", stored.milestone_digests, {}, sizeof(Digest128));
  milestones.close();
  io.column(root, "zeros", statistics.zeros);
  io.column(root, "rare_heaps", statistics.rare_heaps);
  io.narrow_column(root, "tail", statistics.tail);
  h5::Object seals = io.group(root, "seals");
  io.column(seals, "heap", stored.seals);
  io.column(seals, "xxh3_128", stored.seal_digests, {}, sizeof(Digest128));
  seals.close();
}

void append(const Digest128& digest, std::vector<std::uint8_t>& bytes) {
  bytes.insert(bytes.end(), digest.begin(), digest.end());
}

Digest128 digest_at(const std::vector<std::uint8_t>& bytes, std::size_t row) {
  Digest128 digest;
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(row * digest.size()), digest.size(),
              digest.begin());
  return digest;
}

StoredStatistics stored_forms(const StatisticsFile& file) {
  StoredStatistics stored;
  static_cast<StoredInfo&>(stored) = stored_info(file.info);
  stored.values = std::max<std::size_t>(1, file.info.stats.histogram.size());
  for (const TableStats& stats : file.statistics.milestones) {
    stored.milestones.insert(stored.milestones.end(), {stats.count, stats.max_value, stats.argmax});
    stored.counts.insert(stored.counts.end(), stats.histogram.begin(), stats.histogram.end());
    stored.counts.resize(stored.milestones.size() / 3 * stored.values, 0);
    append(stats.digest, stored.milestone_digests);
  }
  for (const SealedAt& seal : file.statistics.seals) {
    stored.seals.push_back(seal.heap);
    append(seal.digest, stored.seal_digests);
  }
  return stored;
}

/// The statistics of a power of two. Their records are the records of the whole run below it.
TableStats milestone_of(const StoredStatistics& stored, std::size_t row, const TableStats& whole) {
  TableStats stats;
  stats.count = stored.milestones[3 * row];
  stats.max_value = static_cast<Nimber>(stored.milestones[3 * row + 1]);
  stats.argmax = stored.milestones[3 * row + 2];
  const auto begin = stored.counts.begin() + static_cast<std::ptrdiff_t>(row * stored.values);
  const std::uint64_t bins = std::min(std::uint64_t{stats.max_value} + 1, stored.values);
  stats.histogram.assign(begin, begin + static_cast<std::ptrdiff_t>(bins));
  const auto later = std::ranges::lower_bound(whole.records, stats.count, {}, &ValueRecord::entry);
  stats.records.assign(whole.records.begin(), later);
  stats.records_complete = stats.records.empty() || stats.records.back().value == stats.max_value;
  stats.digest = digest_at(stored.milestone_digests, row);
  return stats;
}

/// What in the file contradicts itself, as a clause; empty if nothing does.
std::string disagreement(const StoredStatistics& stored, const StatisticsFile& file) {
  const HeapSize count = file.info.stats.count;
  const std::size_t rows = stored.milestones.size() / 3;
  if (stored.values == 0 || stored.counts.size() != rows * stored.values ||
      stored.milestone_digests.size() != rows * sizeof(Digest128) ||
      stored.seal_digests.size() != stored.seals.size() * sizeof(Digest128)) {
    return "its columns differ in length";
  }
  for (std::size_t row = 0; row < rows; ++row) {
    if (stored.milestones[3 * row] > count ||
        stored.milestones[3 * row + 1] > file.info.stats.max_value) {
      return "a power of two lies beyond the end";
    }
  }
  const auto& lists = {file.statistics.zeros, file.statistics.rare_heaps, stored.seals};
  for (const std::vector<std::uint64_t>& list : lists) {
    if (!std::ranges::is_sorted(list) || (!list.empty() && list.back() > count)) {
      return "a list of heaps does not ascend, or leads beyond the end";
    }
  }
  const auto& last = file.statistics.last_exception;
  if (last && file.info.period.last_exception() != last->heap) {
    return "its last exception is not that of its period";
  }
  return file.statistics.tail.size() > count ? "its tail is longer than the run" : "";
}

void put_file(h5::Object& root, const StatisticsFile& file, bool reproducible) {
  put_format(root, FileKind::kStatistics);
  const Metadata metadata = describe(file.info, {}, reproducible);
  const StoredStatistics stored = stored_forms(file);
  FieldWriter writer;
  traverse(writer, root, metadata, file.statistics, stored);
  if (!reproducible && !file.extension_state.empty()) {
    write_extension_state(writer, root, file.extension_state);
  }
}

}  // namespace

void write_statistics(const fs::path& path, const StatisticsFile& file, bool overwrite,
                      bool reproducible, const fs::path& workplace) {
  AtomicFile place(path, overwrite, workplace);
  write_sealed(place.path(), [&](h5::Object& root) { put_file(root, file, reproducible); });
  place.publish_if([&] {
    const StatisticsFile back = read_statistics(place.path());
    return back.info == file.info && back.statistics == file.statistics &&
           back.extension_state == (reproducible ? std::string() : file.extension_state);
  });
}

StatisticsFile read_statistics(const fs::path& path) {
  SealedFile sealed = open_sealed(path, FileKind::kStatistics);
  h5::Object& root = sealed.root;
  StatisticsFile file;
  Metadata metadata;
  if (root.has_member(kSparseName)) file.statistics.sparse.emplace();
  if (root.has_member(kExceptionName)) file.statistics.last_exception.emplace();
  StoredStatistics stored;
  FieldReader reader;
  traverse(reader, root, metadata, file.statistics, stored);
  take_stored(root, stored, metadata.info);
  file.info = std::move(metadata.info);
  file.info.layout = Layout::of_heaps(file.info.stats.count);
  std::string clause = contradiction(file.info, file.info.stats.count);
  if (clause.empty()) clause = disagreement(stored, file);
  if (!clause.empty()) root.context().corrupt(clause);
  for (std::size_t row = 0; row < stored.milestones.size() / 3; ++row) {
    file.statistics.milestones.push_back(milestone_of(stored, row, file.info.stats));
  }
  for (std::size_t row = 0; row < stored.seals.size(); ++row) {
    file.statistics.seals.push_back({stored.seals[row], digest_at(stored.seal_digests, row)});
  }
  file.extension_state = read_extension_state(root);
  return file;
}

}  // namespace grundy
