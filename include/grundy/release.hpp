/// @file
/// A release: a directory with tables, lists and all that makes them a data set that can be
/// published, cited and checked from the directory alone.
///
/// src/release/README.md says what is in it. A release is made whole or not at all. The values of
/// its tables, and so their digests, are those of the tables it is made from; only attributes of
/// the files are added (ACDD 1.3, the Attribute Convention for Data Discovery).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/hooks.hpp>
#include <grundy/machine.hpp>
#include <grundy/table.hpp>

namespace grundy {

/// Who made a data set: a person, or an organisation.
struct ReleaseCreator {
  std::string family{}, given{};  ///< of a person; empty for an organisation
  std::string organisation{};     ///< its name; empty for a person
  std::string orcid{};            ///< `0000-0002-1825-0097`; may be empty, like the members below
  std::string email{};
  std::string affiliation{};  ///< of a person

  /// `Family, Given`, or the name of the organisation.
  [[nodiscard]] std::string name() const;
  friend bool operator==(const ReleaseCreator&, const ReleaseCreator&) = default;
};

/// Reads `Family, Given` or the name of an organisation. After it come, behind semicolons and in
/// any order, an ORCID (with or without https://orcid.org/), an address with `@`, and the
/// affiliation of a person.
/// @throws Error(kUsage) if there is no name, if the check digit of the ORCID is wrong, or if a
///   field comes twice
ReleaseCreator parse_creator(std::string_view text);

/// Stands for the DOI of a data set that has none yet. DOI agencies keep the prefix 10.5072 for
/// tests; it leads nowhere.
inline constexpr std::string_view kDoiPlaceholder = "10.5072/not-yet-assigned";

/// What a release is made from.
struct ReleaseRequest {
  std::filesystem::path directory;  ///< to be made
  /// Files: tables of one heap, of several heaps or of positions; misère play of one heap; lists of
  /// P-positions; censuses; families of games.
  std::vector<std::filesystem::path> tables;
  std::vector<ReleaseCreator> creators;  ///< at least one
  std::string title{};                   ///< of the data set; empty: made from the games
  std::string licence = "CC0-1.0";       ///< SPDX identifier of one of the licences for data
  std::string doi{};                     ///< empty: kDoiPlaceholder
  std::uint64_t entries = 100'000;  ///< values of a table in its b-file and its CSV file, at most
  double seconds = 10;  ///< time for each of the two proofs of a table: samples, and a range
  bool force = false;   ///< replace a release that has the name of the directory
  Machine machine{};    ///< for proofs
  /// Draws a table, or a list of P-positions, into a new file, and returns whether it could. Null:
  /// there are no figures.
  std::function<bool(const TableInfo& info, const std::filesystem::path& table,
                     const std::filesystem::path& picture)>
      draw{};
};

/// One table of a release.
struct ReleasedTable {
  std::string file;           ///< within the directory: `tables/kayles.h5`
  std::string digest;         ///< XXH3-128 of its values, as `grundy info` prints it
  std::string unit;           ///< what entries are: heaps, entries, positions, rows or games
  std::uint64_t proved = 0;   ///< entries that its certificate proves
  std::uint64_t entries = 0;  ///< of the table; positions of a list's game; rows of a census
  friend bool operator==(const ReleasedTable&, const ReleasedTable&) = default;
};

struct ReleaseReport {
  bool complete = false;  ///< false: it was stopped, and there is no directory
  std::string doi;
  std::vector<ReleasedTable> tables;
  std::vector<std::string> files;  ///< all of them, in order
  std::vector<std::string>
      undrawn{};  ///< tables of which ReleaseRequest::draw could make no figure
};

/// Makes a release. Each table is verified first: its content, random values, and a range from its
/// first entry on, as long as the time allows. If certificates of its values lie beside it, they
/// are joined in place of that range. It uses the hooks `stop`, `progress` and `narrate`.
/// @throws Error(kUsage) if the directory exists (with `force`, if it is no release or holds other
///   files as well) or if the request cannot be met, Error(kCorrupt) if a table is damaged or not
///   complete, Error(kMismatch) if a value is wrong, Error(kFailure)
ReleaseReport make_release(const ReleaseRequest& request, const Hooks& hooks = {});

/// Puts a DOI in the place of kDoiPlaceholder (with `force`, of any DOI) wherever a release names
/// it, and makes its checksums anew. Texts may have been changed by hand; nothing else may. The
/// values of the tables and their digests stay.
/// @throws Error(kUsage) if the directory is no release, if `doi` is no DOI, or if another DOI is
///   in its place; Error(kCorrupt) if a table or a file made from it does not match the checksums
ReleaseReport stamp_doi(const std::filesystem::path& directory, const std::string& doi,
                        bool force = false);

}  // namespace grundy
