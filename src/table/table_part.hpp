/// @file
/// A part of a lattice table that is stored in parts: its entries, and the place of its file.
///
/// A part holds consecutive *slabs*: positions with the same size of the heap that changes slowest.
/// This is the first heap of a box, and the largest heap of a sorted table. So the entries of a
/// part are consecutive, and the parts follow each other in the order of entries. The parts of the
/// table `t.h5` are the files `t.parts/part-0000.h5`, `t.parts/part-0001.h5` and so on beside it;
/// `t.h5` itself (table_of_parts.hpp) names them and holds no values.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <grundy/layout.hpp>
#include <grundy/sink.hpp>
#include <grundy/stats.hpp>

#include "core/digest.hpp"

namespace grundy {

/// HDF5 keeps the file of every part open while a table is read, and a process may open about 1000.
inline constexpr std::uint64_t kMostPartsOfTable = 512;

struct TablePart {
  std::uint64_t number = 0;  ///< from 0
  std::uint64_t parts = 1;   ///< all parts of the table
  /// The slabs of the part: sizes of the first heap of a box, or of the largest heap of a sorted
  /// table.
  std::uint64_t first_slab = 0;
  std::uint64_t end_slab = 0;  ///< exclusive

  /// The number of the first entry in the table.
  [[nodiscard]] std::uint64_t begin(const Layout& layout) const noexcept {
    return layout.slab_begin(first_slab);
  }
  /// The number of the first entry behind the part.
  [[nodiscard]] std::uint64_t end(const Layout& layout) const noexcept {
    return layout.slab_begin(end_slab);
  }
  [[nodiscard]] std::uint64_t entries(const Layout& layout) const noexcept {
    return end(layout) - begin(layout);
  }

  friend bool operator==(const TablePart&, const TablePart&) = default;
};

/// Empty if a table with this layout has such a part, else the reason as a clause.
std::string contradiction(const TablePart& part, const Layout& layout);

/// The directory of the parts of a table: `t.parts` beside `t.h5`.
std::filesystem::path parts_directory(const std::filesystem::path& table);
/// The name of a part in its directory: `part-0003.h5`.
std::string part_name(std::uint64_t number);
/// Whether a part may have this name.
bool is_part_name(std::string_view name);
/// The file of a part of a table.
std::filesystem::path part_path(const std::filesystem::path& table, std::uint64_t number);

/// Sections of a table, the units of its digest: first .. end - 1.
struct SectionRange {
  std::uint64_t first = 0;
  std::uint64_t end = 0;

  friend bool operator==(const SectionRange&, const SectionRange&) = default;
};
/// The sections that lie wholly in the entries begin .. end - 1 of a table of `total` entries. The
/// last section of a table may be shorter than the others. An empty range begins at the first
/// section behind `begin`.
SectionRange sections_within(std::uint64_t begin, std::uint64_t end, std::uint64_t total) noexcept;

/// Takes entries in their order, numbered as in the table, and keeps the digest of every section
/// that comes as a whole.
class SectionDigests final : public ValueSink {
 public:
  /// @pre the entries begin .. end - 1 of a table of `total` entries will come
  SectionDigests(std::uint64_t begin, std::uint64_t end, std::uint64_t total)
      : sections_(sections_within(begin, end, total)), total_(total) {}

  Flow put(const Stretch& entries) override;
  /// The digests in the order of their sections.
  [[nodiscard]] const std::vector<Digest128>& digests() const noexcept { return digests_; }

 private:
  SectionRange sections_;
  std::uint64_t total_;
  SequentialDigest section_;  ///< of the section that is not complete yet
  std::vector<Digest128> digests_;
};

}  // namespace grundy
