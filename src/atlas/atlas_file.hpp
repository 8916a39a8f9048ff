/// @file
/// The HDF5 file of a family: a group for every class, sealed like a table. README.md in this
/// directory is its specification.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <grundy/atlas.hpp>

#include "atlas/game_run.hpp"
#include "table/file_kind.hpp"

namespace grundy::atlas {

/// Writes `report` and, for each of its classes, the values that `values` returns. The file appears
/// under its name only when it is complete. Equal reports give equal bytes.
/// @throws Error
void write_atlas_file(const std::filesystem::path& path, const AtlasReport& report,
                      const std::function<KeptValues(std::size_t)>& values, bool overwrite);

/// A file, class by class.
class AtlasReader {
 public:
  /// @throws Error(kCorrupt) if the file is damaged, Error(kUsage) if there is none
  explicit AtlasReader(const std::filesystem::path& path);

  [[nodiscard]] std::size_t classes() const noexcept { return classes_.size(); }
  [[nodiscard]] std::uint64_t games() const noexcept { return games_; }
  [[nodiscard]] HeapSize last() const noexcept { return last_; }
  /// Whether the file keeps what proves the periods of its classes again, as files from version 2.1
  /// on do. In older ones `verified_to` is the number of values, and no period has a window
  /// certificate.
  [[nodiscard]] bool keeps_proofs() const noexcept { return keeps_proofs_; }
  /// The table of classes, as CSV with a head.
  [[nodiscard]] std::string summary() const { return sealed_.root.document("summary_csv"); }
  /// The place of a game: the number of its class, and its index among the members.
  struct Place {
    std::size_t number, member;
  };
  /// Nothing if the family has no such game. @param code canonical notation
  [[nodiscard]] std::optional<Place> find(std::string_view code) const noexcept;
  /// Class `i` and its values. All that follows from the values is compared with the file; the
  /// results of engines and theorems are taken as they are. @throws Error(kCorrupt)
  [[nodiscard]] AtlasClass read(std::size_t i, std::vector<Nimber>& values);

 private:
  SealedFile sealed_;
  std::vector<AtlasClass> classes_;  ///< code and members, whose leads are shifts
  std::uint64_t games_ = 0;
  HeapSize last_ = 0;
  bool keeps_proofs_ = false, is_format_1_ = false;
};

}  // namespace grundy::atlas
