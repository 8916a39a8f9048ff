/// @file
/// The fields that tables of heaps, lattice tables and files of statistics share: the game, its
/// statistics, its period, its sparse space. What is known of a period atlases keep in the same
/// fields.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <grundy/table.hpp>

#include "table/fields.hpp"
#include "table/schema.hpp"

namespace grundy {

inline constexpr const char* kNormalPlay = "normal";
inline constexpr const char* kMiserePlay = "misere";

/// Fields of a TableInfo that have other types in the file.
struct StoredInfo {
  std::string conventions;
  std::string play_convention;
  std::string digest;
  std::string status;
  std::vector<std::uint64_t> records;
  std::uint64_t records_complete = 1;
};

/// The conventions that a file follows. Files of a release follow others too, behind a comma.
inline constexpr const char* kConventions = "grundy-1.0";

StoredInfo stored_info(const TableInfo& info);
/// Completes `info` from what was read. @throws Error(kCorrupt) if a value does not fit its field
void take_stored(const h5::Object& root, const StoredInfo& stored, TableInfo& info);

/// Checks the extents that were read, and completes a layout whose heaps and planes were read.
/// @param least_heaps of a position in a file of this kind @throws Error(kCorrupt)
void complete_layout(const h5::Object& root, unsigned least_heaps,
                     const std::vector<std::uint64_t>& extent, std::uint64_t sorted,
                     Layout& layout);

/// The status of that name. @throws Error(kCorrupt) if `at` has a word that is none
PeriodStatus stored_status(const h5::Object& at, const std::string& word);

/// What the digest of a table is, in a file with this format.
std::string digest_definition(std::uint64_t format_major);

/// Shows those attributes of the root to `io` that say what the file holds.
template <class Io, class Meta, class Stored>
void traverse_game(Io& io, h5::Object& root, Meta& meta, Stored& stored) {
  auto& info = meta.info;
  io.text(root, "Conventions", stored.conventions);
  io.text(root, "title", info.title);
  io.text(root, "summary", meta.summary);
  io.text(root, "source", meta.source);
  io.text(root, "references", meta.references);
  io.optional_text(root, "date_created", meta.date_created);
  io.text(root, "game", info.game);
  io.text(root, "rule", info.canonical);
  io.text(root, "description", info.description);
  io.optional_text(root, "game_reference", info.reference);
  io.text(root, "play_convention", stored.play_convention);
  io.text(root, "engine", info.engine);
  io.text(root, "kernel", info.kernel);
}

/// Shows the digest of all values to `io`.
template <class Io, class Stored>
void traverse_digest(Io& io, h5::Object& root, Stored& stored, std::uint64_t format_major) {
  io.text(root, "table_xxh3_128", stored.digest);
  io.implied(root, "table_xxh3_128_definition", digest_definition(format_major));
}

/// Fields of a Layout that have other types in the file.
struct StoredLayout {
  std::vector<std::uint64_t> extent;  ///< heap by heap
  std::uint64_t sorted = 0;
};

StoredLayout stored_layout(const Layout& layout);

/// What the file says of the ranks of sorted positions, and of the entries of a layout.
extern const char* const kRanking;
std::string lattice_convention(const Layout& layout);

/// Shows the layout of the positions of several heaps to `io`, and completes it.
template <class Io, class Layout, class Stored>
void traverse_layout(Io& io, h5::Object& root, Layout& layout, Stored& stored) {
  h5::Object group = io.group(root, kLatticeName);
  io.number(group, "heaps", layout.heaps);
  io.number(group, "planes", layout.planes);
  io.number(group, "sorted", stored.sorted);
  io.column(group, "extent", stored.extent);
  if (stored.sorted != 0) io.implied(group, "ranking", std::string(kRanking));
  group.close();
  if constexpr (std::is_same_v<Io, FieldReader>) {
    complete_layout(root, kMinLatticeHeaps, stored.extent, stored.sorted, layout);
  }
  io.implied(root, "index_convention", lattice_convention(layout));
}

template <class Io, class Facts>
void traverse_facts(Io& io, h5::Object& root, const char* name, Facts& facts) {
  h5::Object window = io.group(root, name);
  io.number(window, "mask", facts.mask);
  io.number(window, "position_parity", facts.parity);
  io.number(window, "rare_heaps", facts.rare);
  io.number(window, "last_rare_heap", facts.last_rare);
  io.number(window, "depth", facts.depth);
  io.number(window, "heaps", facts.count);
  window.close();
}

/// Shows what is known of a period to `io`, its status excepted: numbers at `at`.
/// @param proof whether they say what proves the period again; atlases do since version 2.1
template <class Io, class Period>
void traverse_pattern(Io& io, h5::Object& at, Period& report, bool proof = true) {
  io.number(at, "preperiod", report.preperiod);
  io.number(at, "period", report.period);
  io.number(at, "saltus", report.saltus);
  if (proof) io.number(at, "verified_to", report.verified_to);
  io.text(at, "theorem", report.theorem);
  if (const auto last = report.last_exception(); last && proof) {
    io.implied(at, "last_exception", std::uint64_t{*last});
  }
}

/// Shows the window certificate of a period to `io`, if it has one: a group of `at`.
template <class Io, class Period>
void traverse_window(Io& io, h5::Object& at, Period& report) {
  if constexpr (std::is_same_v<Io, FieldReader>) {
    report.sparse.reset();
    if (at.has_member(kWindowName)) report.sparse.emplace();
  }
  if (report.sparse) traverse_facts(io, at, kWindowName, *report.sparse);
}

template <class Io, class Period, class Stored>
void traverse_period(Io& io, h5::Object& root, Period& report, Stored& stored) {
  h5::Object period = io.group(root, "period");
  io.text(period, "status", stored.status);
  traverse_pattern(io, period, report);
  period.close();
  traverse_window(io, root, report);
}

template <class Io, class Info, class Stored>
void traverse_stats(Io& io, h5::Object& root, Info& info, Stored& stored) {
  h5::Object group = io.group(root, "stats");
  io.column(group, "value_counts", info.stats.histogram);
  io.column(group, "records", stored.records, {}, 2);
  io.number(group, "records_complete", stored.records_complete);
  group.close();

  h5::Object provenance = io.group(root, "provenance");
  io.document(provenance, "run_json", info.provenance_json);
  provenance.close();
}

}  // namespace grundy
