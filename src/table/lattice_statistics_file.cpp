// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/statistics.hpp>

#include "core/atomic_file.hpp"
#include "table/fields.hpp"
#include "table/file_kind.hpp"
#include "table/info_fields.hpp"
#include "table/schema.hpp"
#include "table/seal.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

struct StoredLatticeStatistics : StoredInfo, StoredLayout {};

/// Shows every field to `io`.
template <class Io, class Meta, class Zeros, class Stored>
void traverse_counts(Io& io, h5::Object& root, Meta& meta, Zeros& zeros, Stored& stored) {
  auto& info = meta.info;
  traverse_game(io, root, meta, stored);
  traverse_layout(io, root, info.layout, stored);
  io.number(root, format_of(FileKind::kLatticeStatistics).mark, info.stats.count);
  io.nimber(root, "max_value", info.stats.max_value);
  io.number(root, "argmax", info.stats.argmax);
  traverse_stats(io, root, info, stored);
  io.column(root, "zeros", zeros);
}

/// What in the file contradicts itself, as a clause; empty if nothing does.
std::string fault_of(const LatticeStatistics& file) {
  const std::vector<std::uint64_t>& zeros = file.zeros;
  const TableStats& stats = file.info.stats;
  if (stats.in_order()) return "it has a digest of values that came in no order";
  const bool ascends = std::ranges::adjacent_find(zeros, std::greater_equal()) == zeros.end();
  if (!ascends || (!zeros.empty() && zeros.back() >= stats.count)) {
    return "its list of entries does not ascend, or leads beyond the end";
  }
  return zeros.size() == std::min<std::uint64_t>(stats.zeros(), kMilestoneZeros)
             ? ""
             : "its list of entries of value 0 has another length than its statistics say";
}

void put_counts(h5::Object& root, const LatticeStatistics& file, bool reproducible) {
  put_format(root, FileKind::kLatticeStatistics);
  const Metadata metadata = describe(file.info, {}, reproducible);
  StoredLatticeStatistics stored;
  static_cast<StoredInfo&>(stored) = stored_info(file.info);
  static_cast<StoredLayout&>(stored) = stored_layout(file.info.layout);
  FieldWriter writer;
  traverse_counts(writer, root, metadata, file.zeros, stored);
}

}  // namespace

void write_lattice_statistics(const fs::path& path, const LatticeStatistics& file, bool overwrite,
                              bool reproducible, const fs::path& workplace) {
  AtomicFile place(path, overwrite, workplace);
  write_sealed(place.path(), [&](h5::Object& root) { put_counts(root, file, reproducible); });
  place.publish_if([&] {
    const LatticeStatistics back = read_lattice_statistics(place.path());
    return back.info == file.info && back.zeros == file.zeros;
  });
}

LatticeStatistics read_lattice_statistics(const fs::path& path) {
  SealedFile sealed = open_sealed(path, FileKind::kLatticeStatistics);
  h5::Object& root = sealed.root;
  LatticeStatistics file;
  Metadata metadata;
  StoredLatticeStatistics stored;
  // Positions of several heaps have no period, and values that came in no order have no digest.
  static_cast<StoredInfo&>(stored) = stored_info({});
  FieldReader reader;
  traverse_counts(reader, root, metadata, file.zeros, stored);
  take_stored(root, stored, metadata.info);
  file.info = std::move(metadata.info);
  file.info.computed = file.info.stats.count;
  std::string clause = contradiction(file.info, file.info.layout.entries());
  if (clause.empty()) clause = fault_of(file);
  if (!clause.empty()) root.context().corrupt(clause);
  return file;
}

}  // namespace grundy
