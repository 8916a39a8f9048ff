// SPDX-License-Identifier: MIT
#include "table/schema.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <type_traits>

#include <fmt/format.h>

#include <grundy/version.hpp>

#include "core/digest.hpp"
#include "core/text.hpp"
#include "table/fields.hpp"
#include "table/file_kind.hpp"
#include "table/info_fields.hpp"
#include "table/seal.hpp"

namespace grundy {
namespace {

/// Fields of the file that have other types in memory.
struct StoredForms : StoredInfo, StoredLayout {
  std::uint64_t format_major = format_of(FileKind::kTable).major;
  bool lattice = false;                ///< the table is one of a lattice game
  std::vector<std::uint8_t> sections;  ///< digests, 16 bytes each
};

/// Shows the fields of a part to `io`.
template <class Io, class Part, class Stored>
void traverse_part(Io& io, h5::Object& root, const Layout& layout, Part& part, Stored& stored) {
  h5::Object group = io.group(root, kPartName);
  io.number(group, "number", part.number);
  io.number(group, "parts", part.parts);
  io.number(group, "first_slab", part.first_slab);
  io.number(group, "end_slab", part.end_slab);
  if constexpr (std::is_same_v<Io, FieldReader>) {
    if (const std::string clause = contradiction(part, layout); !clause.empty()) {
      root.context().corrupt(clause);
    }
  }
  io.implied(group, "first_entry", part.begin(layout));
  io.column(group, "section_xxh3_128", stored.sections, {}, sizeof(Digest128));
  group.close();
}

/// Shows the fields of a master that say where its values are to `io`.
template <class Io, class Parts>
void traverse_parts(Io& io, h5::Object& root, Parts& parts) {
  h5::Object group = io.group(root, kPartsName);
  io.text(group, "directory", parts.directory);
  io.column(group, "end_slab", parts.end_slab);
  io.column(group, "tail_xxh3", parts.seal);
  group.close();
}

/// Names of the axes of /grundy.
std::vector<std::string> axis_names(const Layout& layout) {
  if (!layout.is_lattice()) return {"heap_size"};
  std::vector<std::string> names;
  if (layout.sorted) names.emplace_back("rank");
  for (unsigned i = 0; names.size() < layout.heaps && !layout.sorted;) {
    names.push_back(fmt::format("heap_{}", ++i));
  }
  if (layout.planes > 1) names.emplace_back("pass_left");
  return names;
}

/// Shows the fields of a table of heaps to `io`.
template <class Io, class Info, class Stored>
void traverse_heaps(Io& io, Frame& frame, Info& info, Stored& stored) {
  auto& [root, integrity, values] = frame;
  const std::uint64_t count = values.grid().size();
  io.implied(root, "index_convention", std::string("entry n is a heap of n tokens, from n = 0 on"));
  io.implied(values, "long_name", std::string("Grundy value of a heap of n tokens"));
  io.implied(values, "begin", std::uint64_t{0});
  io.implied(values, "end", count);
  io.number(values, "computed_end", info.computed);

  traverse_period(io, root, info.period, stored);
}

/// Shows the fields of a lattice table to `io`.
template <class Io, class Layout, class Stored>
void traverse_lattice(Io& io, Frame& frame, Layout& layout, Stored& stored) {
  auto& [root, integrity, values] = frame;
  traverse_layout(io, root, layout, stored);
  io.implied(values, "long_name", std::string("Grundy value of a position"));
}

/// Shows every field to `io`, always in the same order: this is the table of contents of a file.
template <class Io, class Meta, class Stored>
void traverse(Io& io, Frame& frame, Meta& meta, Stored& stored) {
  auto& [root, integrity, values] = frame;
  auto& info = meta.info;
  auto& stats = info.stats;

  traverse_game(io, root, meta, stored);
  traverse_digest(io, root, stored, stored.format_major);
  if (stored.lattice) {
    traverse_lattice(io, frame, info.layout, stored);
  } else {
    traverse_heaps(io, frame, info, stored);
  }
  io.number(values, "max_value", stats.max_value);
  io.number(values, "argmax", stats.argmax);
  io.implied(values, "value_reserved", std::uint64_t{reserved_value(values.width())});

  traverse_stats(io, root, info, stored);
  if (meta.part) traverse_part(io, root, info.layout, *meta.part, stored);
  if (meta.parts) {
    traverse_parts(io, root, *meta.parts);
  } else {
    io.column(integrity, "chunk_xxh3", meta.chunk_digests);
  }
}

std::string contradiction(const TableStats& stats) {
  if (stats.count == 0) {
    const bool empty = stats.max_value == 0 && stats.argmax == 0 && stats.records.empty() &&
                       std::ranges::all_of(stats.histogram, [](auto n) { return n == 0; });
    return empty ? "" : "an empty table has statistics";
  }
  if (stats.argmax >= stats.count) return "the maximum lies beyond the end";
  const std::uint64_t bins =
      std::min(std::uint64_t{stats.max_value} + 1, std::uint64_t{TableStats::kHistogramLimit});
  if (stats.histogram.size() != bins) return "the histogram does not end at the maximum";
  const std::uint64_t sum =
      std::accumulate(stats.histogram.begin(), stats.histogram.end(), std::uint64_t{0});
  const bool all_counted = stats.max_value < TableStats::kHistogramLimit;
  if (all_counted ? sum != stats.count : sum > stats.count) {
    return "the histogram does not add up to the number of values";
  }
  if (all_counted && stats.histogram.back() == 0) return "the maximum is not in the histogram";

  const auto& records = stats.records;
  if (!stats.in_order()) {
    return records.empty() && !stats.records_complete ? "" : "records without an order of values";
  }
  const auto rises = [](const ValueRecord& a, const ValueRecord& b) {
    return a.entry < b.entry && a.value < b.value;
  };
  const auto bad_step = [&](const ValueRecord& a, const ValueRecord& b) { return !rises(a, b); };
  if (records.empty() || records.front().entry != 0 ||
      std::ranges::adjacent_find(records, bad_step) != records.end()) {
    return "the records are not a rising sequence from entry 0 on";
  }
  const ValueRecord last{stats.argmax, stats.max_value};
  if (stats.records_complete ? records.back() != last : !rises(records.back(), last)) {
    return "the records do not lead to the maximum";
  }
  return "";
}

}  // namespace

std::string contradiction(const PeriodReport& period, HeapSize computed) {
  if (period.sparse && period.status != PeriodStatus::kCertified) {
    return "a window certificate without a certified period";
  }
  if (period.status == PeriodStatus::kNone) return "";
  if (period.period == 0) return "a period of 0";
  if (period.preperiod > computed || period.period > computed - period.preperiod) {
    return "the period does not lie within the computed values";
  }
  return "";
}

std::string contradiction(const TableInfo& info, std::uint64_t entries) {
  const Layout& layout = info.layout;
  const auto end = layout.extent.begin() + layout.heaps;
  if (layout.sorted && !std::equal(layout.extent.begin() + 1, end, layout.extent.begin())) {
    return "a sorted table has heaps of different extents";
  }
  if (entries != info.stats.count) {
    return "the shape does not have as many positions as there are values";
  }
  if (info.computed > info.stats.count) return "more values were computed than there are";
  if (info.computed < info.stats.count && info.period.status != PeriodStatus::kCertified) {
    return "values are extended without a certified period";
  }
  std::string clause = contradiction(info.stats);
  return clause.empty() ? contradiction(info.period, info.computed) : clause;
}

/// Writes the list of P-positions, one row each: the heaps and, if the game has a pass, whether a
/// pass is left.
void write_p_positions(FieldWriter& writer, Frame& frame, const Metadata& metadata) {
  const Layout& layout = metadata.info.layout;
  const unsigned heaps = layout.heaps;
  const unsigned columns = heaps + (layout.planes > 1 ? 1 : 0);
  std::vector<std::uint32_t> rows;
  rows.reserve(metadata.p_positions.size() * columns);
  for (const std::uint64_t entry : metadata.p_positions) {
    const LatticePoint p = layout.position_at(entry);
    rows.insert(rows.end(), p.begin(), p.begin() + heaps);
    if (columns > heaps) rows.push_back(static_cast<std::uint32_t>(entry % layout.planes));
  }
  writer.column(frame.root, kPPositionsName, rows, {"p_position", "p_coordinate"}, columns);
  const std::uint64_t all = metadata.info.stats.zeros();
  h5::Object list = frame.root.open_dataset(kPPositionsName);
  list.put_text("long_name", "positions of value 0: the player to move loses");
  list.put_number("complete", metadata.p_positions.size() == all ? 1 : 0);
  list.close();
}

const char* const kRanking =
    "combinatorial number system in colexicographic order: the rank of x1 <= x2 <= .. <= xk is "
    "C(x1, 1) + C(x2 + 1, 2) + .. + C(xk + k - 1, k)";

std::string lattice_convention(const Layout& layout) {
  std::string text =
      layout.sorted
          ? "entry r is the position of rank r among those with x1 <= x2 <= .. (see "
            "/lattice@ranking)"
          : "entry (x1, x2, ..) is the position with heaps of x1, x2, .. tokens, from 0 on";
  if (layout.planes > 1) text += "; along the last axis: no pass is left, a pass is left";
  return text;
}

std::string digest_definition(std::uint64_t format_major) {
  if (format_major == 1) return "XXH3-128, seed 0, of all values as 32-bit little-endian integers";
  return fmt::format(
      "d_k is XXH3-128, seed 0, of the values of section k, {} each, as 32-bit little-endian "
      "integers; D_1 = d_1, D_k = XXH3-128 of the 32 bytes of D_(k-1) and d_k; the last D",
      kDigestSection);
}

void complete_layout(const h5::Object& root, unsigned least_heaps,
                     const std::vector<std::uint64_t>& extent, std::uint64_t sorted,
                     Layout& layout) {
  constexpr std::uint64_t kMostTokens = std::numeric_limits<std::uint32_t>::max();
  const bool lattice = layout.is_lattice();
  const std::uint64_t most = lattice ? kMostTokens : kMostTokens + 1;  // as in a LatticeShape
  const bool possible = layout.heaps >= least_heaps && layout.heaps <= kMaxLatticeHeaps &&
                        extent.size() == layout.heaps && layout.planes >= 1 &&
                        layout.planes <= (lattice ? 2u : 1u) && sorted <= (lattice ? 1u : 0u) &&
                        std::ranges::all_of(extent, [&](auto n) { return n >= 1 && n <= most; }) &&
                        (sorted == 0 || std::ranges::count(extent, extent.front()) == layout.heaps);
  if (!possible) root.context().corrupt("its shape is not that of positions of heaps");
  std::ranges::copy(extent, layout.extent.begin());
  layout.sorted = sorted == 1;
  if (!layout.is_countable()) {
    root.context().corrupt("its shape has more positions than 60 bits can count");
  }
}

StoredLayout stored_layout(const Layout& layout) {
  return {.extent = {layout.extent.begin(), layout.extent.begin() + layout.heaps},
          .sorted = layout.sorted ? 1u : 0u};
}

StoredInfo stored_info(const TableInfo& info) {
  const TableStats& stats = info.stats;
  StoredInfo stored;
  stored.conventions = kConventions;
  stored.play_convention = info.is_misere() ? kMiserePlay : kNormalPlay;
  stored.digest = to_hex(stats.digest);
  stored.status = to_string(info.period.status);
  stored.records_complete = stats.records_complete ? 1 : 0;
  stored.records.reserve(2 * stats.records.size());
  for (const ValueRecord& record : stats.records) {
    stored.records.push_back(record.entry);
    stored.records.push_back(record.value);
  }
  return stored;
}

void take_stored(const h5::Object& root, const StoredInfo& stored, TableInfo& info) {
  const std::string& conventions = stored.conventions;
  if (conventions.substr(0, conventions.find(',')) != kConventions) {
    root.context().corrupt(fmt::format("it follows the conventions {}, where {} come first",
                                       in_quotes(conventions), kConventions));
  }
  // Files of early versions say `normal` for every game.
  const std::string& play = stored.play_convention;
  if (play != kNormalPlay && !(play == kMiserePlay && info.is_misere())) {
    root.context().corrupt(
        fmt::format("its rule is not one of {} play, which it says it is of", in_quotes(play)));
  }
  info.stats.digest = digest_from_hex(stored.digest);
  info.stats.records_complete = stored.records_complete != 0;
  for (std::size_t i = 0; i < stored.records.size(); i += 2) {
    if (stored.records[i + 1] > info.stats.max_value) {
      root.context().corrupt("a record exceeds the maximum");
    }
    info.stats.records.push_back({stored.records[i], static_cast<Nimber>(stored.records[i + 1])});
  }
  info.period.status = stored_status(root, stored.status);
}

PeriodStatus stored_status(const h5::Object& at, const std::string& word) {
  const std::optional<PeriodStatus> status = period_status(word);
  if (!status) at.context().corrupt(fmt::format("'{}' is no status of a period", word));
  return *status;
}

Metadata describe(const TableInfo& info, std::vector<std::uint64_t> chunk_digests,
                  bool reproducible) {
  const HeapSize count = info.stats.count;
  const std::string range = info.layout.is_lattice()
                                ? fmt::format("{} positions", info.layout.positions())
                                : fmt::format("{} heap sizes from 0 on", count);
  return {
      .info = info,
      .source = "grundy " GRUNDY_VERSION,
      .date_created = reproducible ? "" : utc_now(),
      .summary = fmt::format("Grundy values (nimbers) of {}, rule {}: {}", info.title,
                             info.canonical, range),
      .references =
          "R. P. Sprague, Über mathematische Kampfspiele, 1935; P. M. Grundy, Mathematics and "
          "games, 1939; R. K. Guy and C. A. B. Smith, The G-values of various games, 1956",
      .chunk_digests = std::move(chunk_digests),
  };
}

void write_metadata(Frame& frame, const Metadata& metadata) {
  StoredForms stored;
  static_cast<StoredInfo&>(stored) = stored_info(metadata.info);
  h5::Object& root = frame.root;
  const FileKind kind = metadata.part    ? FileKind::kPart
                        : metadata.parts ? FileKind::kMaster
                                         : FileKind::kTable;
  put_format(root, kind);
  stored.format_major = format_of(FileKind::kTable).major;
  const Layout& layout = metadata.info.layout;
  stored.lattice = layout.is_lattice();
  static_cast<StoredLayout&>(stored) = stored_layout(layout);
  for (const Digest128& section : metadata.sections) {
    stored.sections.insert(stored.sections.end(), section.begin(), section.end());
  }
  FieldWriter writer;
  traverse(writer, frame, metadata, stored);
  if (layout.is_lattice()) write_p_positions(writer, frame, metadata);
  if (!metadata.extension_state.empty()) {
    write_extension_state(writer, root, metadata.extension_state);
  }
  const std::vector<std::string> axes = axis_names(layout);
  for (unsigned axis = 0; axis < axes.size(); ++axis) {
    writer.name_axis(root, frame.values, axis, axes[axis], frame.values.grid().extent()[axis]);
  }
  root.put_number("complete", 1);
}

std::vector<std::uint64_t> read_p_positions(const h5::Object& root, const Layout& layout) {
  const unsigned columns = layout.heaps + (layout.planes > 1 ? 1 : 0);
  const std::vector<std::uint32_t> rows =
      h5::read_column<std::uint32_t>(root, kPPositionsName, columns);
  std::vector<std::uint64_t> entries;
  entries.reserve(rows.size() / columns);
  for (std::size_t row = 0; row < rows.size(); row += columns) {
    LatticePoint p{};
    std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(row), layout.heaps, p.begin());
    const unsigned plane = columns > layout.heaps ? rows[row + layout.heaps] : 0;
    if (!layout.contains(p) || plane >= layout.planes) {
      root.context().corrupt(fmt::format("'{}' lists what is no position", kPPositionsName));
    }
    entries.push_back(layout.entry_of(p, plane));
  }
  return entries;
}

void write_extension_state(FieldWriter& writer, h5::Object& root, const std::string& state) {
  h5::Object group = writer.group(root, kExtensionName);
  writer.column(group, "state", std::vector<std::uint8_t>(state.begin(), state.end()), {"byte"});
  group.close();
}

std::string read_extension_state(const h5::Object& root) {
  if (!root.has_member(kExtensionName)) return {};
  const h5::Object group = root.open_group(kExtensionName);
  const std::vector<std::uint8_t> bytes = h5::read_column<std::uint8_t>(group, "state");
  return {bytes.begin(), bytes.end()};
}

void close_frame(h5::File& file, Frame& frame, const std::filesystem::path& path,
                 std::uint64_t end_of_values) {
  frame.values.close();
  frame.root.close();
  file.flush();
  close_seal(frame.integrity, path, end_of_values);
  file.close();
}

Metadata read_metadata(Frame& frame, FileKind kind) {
  Metadata metadata;
  StoredForms stored;
  TableInfo& info = metadata.info;
  if (kind == FileKind::kTable) stored.format_major = frame.root.number("format_major");
  if (kind == FileKind::kPart) metadata.part.emplace();
  if (kind == FileKind::kMaster) metadata.parts.emplace();
  stored.lattice = frame.root.has_member(kLatticeName);
  if (!stored.lattice && kind != FileKind::kTable) {
    frame.root.context().corrupt("only tables of several heaps are stored in parts");
  }
  if (!stored.lattice) info.layout = Layout::of_heaps(frame.values.grid().size());
  FieldReader reader;
  traverse(reader, frame, metadata, stored);

  info.stats.count = frame.values.grid().size();
  info.sequential_digest = stored.format_major == 1 && info.stats.count > kDigestSection;
  if (stored.lattice) {
    info.computed = info.stats.count;
    stored.status = to_string(PeriodStatus::kNone);
    const auto extent =
        metadata.part ? array_extent(info.layout, *metadata.part) : array_extent(info.layout);
    if (!std::ranges::equal(extent, frame.values.grid().extent())) {
      frame.root.context().corrupt("its values have another shape than its positions");
    }
  }
  take_stored(frame.root, stored, info);
  if (!info.stats.in_order()) frame.root.context().corrupt("it has no digest of its values");
  const std::uint64_t entries =
      metadata.part ? metadata.part->entries(info.layout) : info.layout.entries();
  if (const std::string clause = contradiction(info, entries); !clause.empty()) {
    frame.root.context().corrupt(clause);
  }
  metadata.sections.resize(stored.sections.size() / sizeof(Digest128));
  for (std::size_t i = 0; i < stored.sections.size(); ++i) {
    metadata.sections[i / sizeof(Digest128)][i % sizeof(Digest128)] = stored.sections[i];
  }
  return metadata;
}

}  // namespace grundy
