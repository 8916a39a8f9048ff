/// @file
/// Tables of positions, written and read as a whole.
///
/// Kind, seal and fields are as in every file (file_kind.hpp, fields.hpp). The rest differs from a
/// table of heaps or of a lattice. Rows have keys, and the place of a row is known only when all
/// rows are. Columns belong together and are compared with one digest. So there are no chunks that
/// are read one by one, and no TableReader.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/graph/file.hpp>
#include <grundy/version.hpp>

#include "core/atomic_file.hpp"
#include "core/digest.hpp"
#include "core/names.hpp"
#include "core/text.hpp"
#include "table/fields.hpp"
#include "table/file_checks.hpp"
#include "table/file_kind.hpp"
#include "table/h5_columns.hpp"
#include "table/info_fields.hpp"
#include "table/seal.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

/// The dimension of all columns with one number a row.
constexpr const char* kRow = "position";

constexpr const char* kMisereNote =
    "misere: the value by the same recursion with terminal positions of value 1. It is 0 exactly "
    "for the positions that the next player loses when the last move loses. It says nothing about "
    "sums: misere values do not add up.";

/// Fields of the file that have other types in memory.
struct StoredGraph {
  std::string source, date_created;
  std::string reduction, play_convention, digest;
  std::uint64_t key_words = 0;
  std::vector<std::uint32_t> layer;  ///< of each row
  std::vector<std::uint8_t> outcomes;
};

/// Shows every attribute of the root to `io`.
template <class Io, class Info, class Stored>
void traverse_info(Io& io, h5::Object& root, Info& info, Stored& stored) {
  io.text(root, "source", stored.source);
  io.optional_text(root, "date_created", stored.date_created);
  io.text(root, "game", info.game);
  io.text(root, "title", info.title);
  io.text(root, "description", info.rules);
  io.text(root, "references", info.reference);
  io.text(root, "position_notation", info.positions);
  io.text(root, "engine", info.engine);
  io.text(root, "kernel", info.kernel);
  io.text(root, "reduction", stored.reduction);
  io.text(root, "play_convention", stored.play_convention);
  io.text(root, "table_xxh3_128", stored.digest);
  io.number(root, "positions", info.stats.positions);
  io.number(root, "terminal_positions", info.stats.terminal);
  io.number(root, "p_positions", info.stats.p_positions);
  io.number(root, "moves", info.stats.moves);
  io.nimber(root, "max_value", info.stats.max_value);
  io.nimber(root, "root_value", info.root_value);
  io.number(root, "key_words", stored.key_words);
  h5::Object provenance = io.group(root, "provenance");
  io.document(provenance, "run_json", info.provenance_json);
}

/// Shows every column of the rows to `io`, and what the misère values mean.
/// @param misere whether there are misère values
template <class Io, class Table, class Stored>
void traverse_rows(Io& io, h5::Object& root, Table& table, Stored& stored, bool misere) {
  io.column(root, "key", table.keys, {kRow, "key_word"}, table.key_words);
  io.narrow_column(root, "grundy", table.values, {kRow});
  io.column(root, "is_p_position", stored.outcomes, {kRow});
  io.narrow_column(root, "options", table.moves, {kRow});
  io.column(root, "layer", stored.layer, {kRow});
  io.column(root, "start", table.start, {"start_component"});
  if (!misere) return;
  io.narrow_column(root, "misere", table.misere, {kRow});
  io.implied(root, "misere_convention", std::string(kMisereNote));
}

/// Shows the fields of a list of positions to `io`.
template <class Io, class Table, class Stored>
void traverse_list(Io& io, h5::Object& root, Table& list, Stored& stored) {
  io.column(root, "key", list.keys, {kRow, "key_word"}, list.key_words);
  io.column(root, "layer", stored.layer, {kRow});
}

template <class Io, class Adjacency>
void traverse_adjacency(Io& io, h5::Object& group, Adjacency& adjacency) {
  io.column(group, "position_end", adjacency.position_end, {kRow});
  io.column(group, "option_end", adjacency.option_end, {"option"});
  io.column(group, "targets", adjacency.targets, {"target"});
}

std::vector<std::uint32_t> potentials(const GraphTable& table) {
  std::vector<std::uint32_t> all;
  all.reserve(table.size());
  for (const GraphLayer& layer : table.layers) all.resize(layer.end, layer.potential);
  return all;
}

std::vector<std::uint8_t> outcomes(const GraphTable& table) {
  std::vector<std::uint8_t> all(table.size());
  std::ranges::transform(table.values, all.begin(), [](Nimber value) { return value == 0; });
  return all;
}

StoredGraph stored_forms(const GraphFileInfo& info, const GraphTable& table, const char* convention,
                         bool reproducible) {
  return {.source = "grundy " GRUNDY_VERSION,
          .date_created = reproducible ? "" : utc_now(),
          .reduction = std::string(to_string(info.reduction)),
          .play_convention = convention,
          .digest = to_hex(info.stats.digest),
          .key_words = table.key_words,
          .layer = potentials(table),
          .outcomes = {}};
}

void put_file(h5::Object& root, const GraphFileInfo& info, const GraphTable& table,
              const GraphAdjacency* adjacency, bool reproducible) {
  put_format(root, FileKind::kPositions);
  // Misère values are a column beside the values of normal play.
  StoredGraph stored = stored_forms(info, table, kNormalPlay, reproducible);
  stored.outcomes = outcomes(table);
  FieldWriter writer;
  traverse_info(writer, root, info, stored);
  traverse_rows(writer, root, table, stored, !table.misere.empty());
  if (adjacency == nullptr) return;
  h5::Object group = root.create_group("adjacency");
  traverse_adjacency(writer, group, *adjacency);
}

/// Reads every attribute of the root.
void read_info(FieldReader& reader, h5::Object& root, GraphFileInfo& info, StoredGraph& stored) {
  traverse_info(reader, root, info, stored);
  info.stats.digest = digest_from_hex(stored.digest);
  try {
    info.reduction = parse_reduction(stored.reduction);
  } catch (const Error& error) {
    root.context().corrupt(error.what());
  }
  if (const std::uint64_t words = stored.key_words; words != 1 && words != 2 && words != 4) {
    root.context().corrupt("it has keys of an impossible width");
  }
}

/// Bytes of a column in memory, as a floating-point number, because its rows may be forged.
template <class T>
double column_bytes(const h5::Object& parent, const char* name, std::size_t columns = 1) {
  if (!parent.has_member(name)) return 0;
  return static_cast<double>(h5::column_rows<T>(parent, name, columns)) *
         static_cast<double>(sizeof(T) * columns);
}

double bytes_in_memory(const h5::Object& root, std::uint64_t words) {
  double bytes = column_bytes<std::uint64_t>(root, "key", words) +
                 column_bytes<std::uint8_t>(root, "is_p_position") +
                 column_bytes<std::uint64_t>(root, "start");
  for (const char* name : {"grundy", "options", "layer", "misere"}) {
    bytes += column_bytes<std::uint32_t>(root, name);
  }
  if (root.has_member("adjacency")) {
    const h5::Object group = root.open_group("adjacency");
    for (const char* name : {"position_end", "option_end", "targets"}) {
      bytes += column_bytes<std::uint64_t>(group, name);
    }
  }
  return bytes;
}

void check_memory(const h5::Object& root, std::uint64_t words, std::uint64_t limit) {
  const double bytes = bytes_in_memory(root, words);
  if (bytes <= static_cast<double>(limit)) return;
  refuse(ErrorCode::kFailure, root.context().path,
         fmt::format("needs {} of memory to be read, and {} may be used",
                     format_bytes(static_cast<std::uint64_t>(std::min(bytes, 1e18))),
                     format_bytes(limit)));
}

std::vector<GraphLayer> layers_of(const std::vector<std::uint32_t>& potentials) {
  std::vector<GraphLayer> layers;
  for (std::uint64_t row = 0; row < potentials.size(); ++row) {
    if (row == 0 || potentials[row] != potentials[row - 1]) layers.push_back({potentials[row], 0});
    layers.back().end = row + 1;
  }
  return layers;
}

/// Makes the title of a list say that play is misère.
void name_play(GraphFileInfo& info, bool misere) {
  if (misere) info.title = misere_title(std::move(info.title));
}

/// What is wrong with the order of rows, which is by (layer, key); empty if nothing is.
std::string disorder(const GraphTable& table) {
  std::uint64_t row = 0;
  for (std::size_t i = 0; i < table.layers.size(); ++i) {
    const GraphLayer& layer = table.layers[i];
    if (layer.potential >= kPotentialLimit) {
      return fmt::format("row {} is in layer {}, and layers are below {}", row, layer.potential,
                         kPotentialLimit);
    }
    if (i > 0 && layer.potential <= table.layers[i - 1].potential) {
      return fmt::format("row {} is in layer {}, behind a row of layer {}", row, layer.potential,
                         table.layers[i - 1].potential);
    }
    for (++row; row < layer.end; ++row) {
      if (!std::ranges::lexicographical_compare(table.key(row - 1), table.key(row))) {
        return fmt::format("the key of row {} is not larger than that of the row before it", row);
      }
    }
  }
  return {};
}

/// Whether each list of an adjacency ends at or behind the one before it, and the last at `end`.
bool are_ends(const std::vector<std::uint64_t>& ends, std::uint64_t end) {
  return std::ranges::is_sorted(ends) && (ends.empty() ? 0 : ends.back()) == end;
}

/// What in a file contradicts itself; empty if nothing does.
std::string contradiction(const GraphFile& file) {
  const GraphTable& table = file.table;
  const std::uint64_t size = table.size();
  if (table.keys.size() != size * table.key_words || table.moves.size() != size ||
      file.outcomes.size() != size || (!table.misere.empty() && table.misere.size() != size) ||
      (table.layers.empty() ? 0 : table.layers.back().end) != size) {
    return "its columns differ in length";
  }
  if (const std::string clause = disorder(table); !clause.empty()) return clause;
  if (std::ranges::any_of(table.start, [&](std::uint64_t row) { return row >= size; })) {
    return "its start position is not in it";
  }
  if (file.adjacency) {
    const GraphAdjacency& a = *file.adjacency;
    if (a.position_end.size() != size || !are_ends(a.position_end, a.option_end.size()) ||
        !are_ends(a.option_end, a.targets.size()) ||
        std::ranges::any_of(a.targets, [&](std::uint64_t row) { return row >= size; })) {
      return "its adjacency is not one of its rows";
    }
  }
  return {};
}

}  // namespace

Reduction parse_reduction(std::string_view name) {
  std::vector<std::string> names;
  for (const Reduction reduction :
       {Reduction::kNone, Reduction::kSymmetry, Reduction::kComponents}) {
    names.emplace_back(to_string(reduction));
    if (same_name(name, names.back())) return reduction;
  }
  throw Error(ErrorCode::kUsage,
              no_such_name("reduction", name, names, "there are none, symmetry and components"));
}

void write_p_positions(const fs::path& path, const PPositions& outcomes, bool overwrite,
                       bool reproducible) {
  GraphFileInfo info = outcomes.info;
  name_play(info, outcomes.misere);
  AtomicFile place(path, overwrite);
  write_sealed(place.path(), [&](h5::Object& root) {
    put_format(root, FileKind::kPPositions);
    const StoredGraph stored = stored_forms(
        info, outcomes.list, outcomes.misere ? kMiserePlay : kNormalPlay, reproducible);
    FieldWriter writer;
    traverse_info(writer, root, info, stored);
    writer.number(root, "listed_positions", outcomes.list.size());
    traverse_list(writer, root, outcomes.list, stored);
  });
  place.publish_if([&] {
    const PPositions back = read_p_positions(place.path());
    return back.info == info && back.misere == outcomes.misere &&
           back.list.keys == outcomes.list.keys && back.list.layers == outcomes.list.layers;
  });
}

PPositions read_p_positions(const fs::path& path, std::optional<std::uint64_t> memory_limit) {
  SealedFile sealed = open_sealed(path, FileKind::kPPositions);
  h5::Object& root = sealed.root;
  PPositions out;
  StoredGraph stored;
  FieldReader reader;
  read_info(reader, root, out.info, stored);
  if (stored.play_convention != kNormalPlay && stored.play_convention != kMiserePlay) {
    root.context().corrupt(
        fmt::format("its outcomes are those of {} play", in_quotes(stored.play_convention)));
  }
  out.misere = stored.play_convention == kMiserePlay;
  name_play(out.info, out.misere);  // early files have the title of normal play
  if (memory_limit) check_memory(root, stored.key_words, *memory_limit);
  GraphTable& list = out.list;
  list.key_words = static_cast<unsigned>(stored.key_words);
  traverse_list(reader, root, list, stored);
  list.layers = layers_of(stored.layer);
  const std::uint64_t size = stored.layer.size();
  if (list.keys.size() != size * list.key_words || out.info.stats.p_positions != size ||
      size > out.info.stats.positions) {
    root.context().corrupt("its list has another length than it says");
  }
  list.values.resize(size);
  list.moves.resize(size);
  if (const std::string clause = disorder(list); !clause.empty()) root.context().corrupt(clause);
  if (rows_digest(list.keys, {}, {}) != out.info.stats.digest) {
    root.context().corrupt("its list does not match its digest");
  }
  if (out.info.reduction == Reduction::kComponents) {
    root.context().corrupt("it lists components, whose outcomes do not tell those of sums");
  }
  return out;
}

bool has_misere_values(const fs::path& path) {
  return open_sealed(path, FileKind::kPositions).root.has_member("misere");
}

void write_graph_file(const fs::path& path, const GraphFileInfo& info, const GraphTable& table,
                      const GraphAdjacency* adjacency, bool overwrite, bool reproducible) {
  AtomicFile place(path, overwrite);
  write_sealed(place.path(),
               [&](h5::Object& root) { put_file(root, info, table, adjacency, reproducible); });
  place.publish_if([&] {
    const GraphFile back = read_graph_file(place.path());
    const bool same_adjacency =
        adjacency == nullptr ? !back.adjacency : back.adjacency == *adjacency;
    return back.info == info && back.table == table && back.outcomes == outcomes(table) &&
           same_adjacency;
  });
}

GraphFile read_graph_file(const fs::path& path, std::optional<std::uint64_t> memory_limit) {
  SealedFile sealed = open_sealed(path, FileKind::kPositions);
  h5::Object& root = sealed.root;
  GraphFile out;
  StoredGraph stored;
  FieldReader reader;
  read_info(reader, root, out.info, stored);
  if (stored.play_convention != kNormalPlay) {
    root.context().corrupt(
        fmt::format("its values are those of {} play, and tables hold those of {} play",
                    in_quotes(stored.play_convention), kNormalPlay));
  }
  if (memory_limit) check_memory(root, stored.key_words, *memory_limit);
  out.table.key_words = static_cast<unsigned>(stored.key_words);
  traverse_rows(reader, root, out.table, stored, root.has_member("misere"));
  out.table.layers = layers_of(stored.layer);
  out.outcomes = std::move(stored.outcomes);
  if (root.has_member("adjacency")) {
    h5::Object group = root.open_group("adjacency");
    traverse_adjacency(reader, group, out.adjacency.emplace());
  }
  if (const std::string clause = contradiction(out); !clause.empty()) {
    root.context().corrupt(clause);
  }
  if (rows_digest(out.table.keys, out.table.values, out.table.misere) != out.info.stats.digest) {
    root.context().corrupt("its rows do not match the digest of the table");
  }
  return out;
}

}  // namespace grundy
