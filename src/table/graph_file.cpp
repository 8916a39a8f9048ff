// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/graph/file.hpp>
#include <grundy/version.hpp>

#include "core/atomic_file.hpp"
#include "core/digest.hpp"
#include "core/text.hpp"
#include "table/file_checks.hpp"
#include "table/h5_columns.hpp"
#include "table/schema.hpp"
#include "table/seal.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPositionsFormat = "grundy-positions";
constexpr std::uint64_t kPositionsMajor = 1;
constexpr std::uint64_t kPositionsMinor = 0;
/// Marks a file of positions; a number, so that it can be looked at before the seal.
constexpr const char* kPositionsMark = "positions";

/// Of the values; misère values are a column of their own.
constexpr const char* kConvention = "normal";

constexpr const char* kMisereNote =
    "misere: the value by the same recursion with terminal positions of value 1. It is 0 exactly "
    "for the positions that the next player loses when the last move loses. It says nothing about "
    "sums: misere values do not add up.";

/// Texts of the root, in both directions.
template <class Root, class Info, class Visit>
void for_each_text(Root& root, Info& info, const Visit& visit) {
  visit(root, "game", info.game);
  visit(root, "title", info.title);
  visit(root, "description", info.rules);
  visit(root, "references", info.reference);
  visit(root, "position_notation", info.positions);
  visit(root, "engine", info.engine);
  visit(root, "kernel", info.kernel);
}

template <class Root, class Info, class Visit>
void for_each_number(Root& root, Info& info, const Visit& visit) {
  visit(root, kPositionsMark, info.stats.positions);
  visit(root, "terminal_positions", info.stats.terminal);
  visit(root, "p_positions", info.stats.p_positions);
  visit(root, "moves", info.stats.moves);
}

void put_info(h5::Object& root, const GraphFileInfo& info, bool reproducible) {
  root.put_text("format", kPositionsFormat);
  root.put_number("format_major", kPositionsMajor);
  root.put_number("format_minor", kPositionsMinor);
  root.put_text("source", "grundy " GRUNDY_VERSION);
  if (!reproducible) root.put_text("date_created", utc_now());
  for_each_text(root, info, [](h5::Object& object, const char* name, const std::string& text) {
    object.put_text(name, text);
  });
  for_each_number(root, info, [](h5::Object& object, const char* name, std::uint64_t number) {
    object.put_number(name, number);
  });
  root.put_number("max_value", info.stats.max_value);
  root.put_number("root_value", info.root_value);
  root.put_text("reduction", std::string(to_string(info.reduction)));
  root.put_text("play_convention", kConvention);
  root.put_text("table_xxh3_128", to_hex(info.stats.digest));
  h5::Object provenance = root.create_group("provenance");
  provenance.put_document("run_json", info.provenance_json);
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

void put_table(h5::Object& root, const GraphTable& table) {
  h5::put_column<std::uint64_t>(root, "key", table.keys, table.key_words);
  h5::put_narrow_column(root, "grundy", table.values);
  h5::put_column<std::uint8_t>(root, "is_p_position", outcomes(table));
  h5::put_narrow_column(root, "options", table.options);
  h5::put_column<std::uint32_t>(root, "layer", potentials(table));
  h5::put_column<std::uint64_t>(root, "start", table.start);
  if (table.misere.empty()) return;
  h5::put_narrow_column(root, "misere", table.misere);
  root.put_text("misere_convention", kMisereNote);
}

void put_adjacency(h5::Object& root, const GraphAdjacency& adjacency) {
  const h5::Object group = root.create_group("adjacency");
  h5::put_column<std::uint64_t>(group, "position_end", adjacency.position_end);
  h5::put_column<std::uint64_t>(group, "option_end", adjacency.option_end);
  h5::put_column<std::uint64_t>(group, "targets", adjacency.targets);
}

/// A number that must be a value. @throws Error(kCorrupt)
Nimber nimber(const h5::Object& root, const char* name) {
  const std::uint64_t number = root.number(name);
  if (number > largest_value(ValueWidth::kU32)) {
    refuse(ErrorCode::kCorrupt, root.context().path,
           fmt::format("is damaged: its {} is {}, which is no Grundy value", name, number));
  }
  return static_cast<Nimber>(number);
}

GraphFileInfo read_info(const h5::Object& root) {
  GraphFileInfo info;
  for_each_text(root, info, [](const h5::Object& object, const char* name, std::string& text) {
    text = object.text(name);
  });
  for_each_number(root, info, [](const h5::Object& object, const char* name, std::uint64_t& n) {
    n = object.number(name);
  });
  info.stats.max_value = nimber(root, "max_value");
  info.root_value = nimber(root, "root_value");
  info.stats.digest = digest_from_hex(root.text("table_xxh3_128"));
  info.provenance_json = root.open_group("provenance").document("run_json");
  return info;
}

/// Bytes of a column in memory; as a floating-point number, because its rows may be forged.
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
  if (limit == 0) return;
  const double bytes = bytes_in_memory(root, words);
  if (bytes <= static_cast<double>(limit)) return;
  refuse(ErrorCode::kFailure, root.context().path,
         fmt::format("needs {} of memory to be read, and {} may be used",
                     format_bytes(static_cast<std::uint64_t>(std::min(bytes, 1e18))),
                     format_bytes(limit)));
}

GraphTable read_table(const h5::Object& root, std::uint64_t words) {
  GraphTable table;
  table.key_words = static_cast<unsigned>(words);
  table.keys = h5::read_column<std::uint64_t>(root, "key", words);
  table.values = h5::read_column<std::uint32_t>(root, "grundy");
  table.options = h5::read_column<std::uint32_t>(root, "options");
  table.start = h5::read_column<std::uint64_t>(root, "start");
  if (root.has_member("misere")) table.misere = h5::read_column<std::uint32_t>(root, "misere");
  const auto layer = h5::read_column<std::uint32_t>(root, "layer");
  for (std::uint64_t row = 0; row < layer.size(); ++row) {
    if (row == 0 || layer[row] != layer[row - 1]) table.layers.push_back({layer[row], 0});
    table.layers.back().end = row + 1;
  }
  return table;
}

/// What is wrong with the order of rows, by (layer, key); empty if nothing is.
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

/// Whether each run of an adjacency ends where or behind the one before it, the last at the end.
bool are_ends(const std::vector<std::uint64_t>& ends, std::uint64_t end) {
  return std::ranges::is_sorted(ends) && (ends.empty() ? 0 : ends.back()) == end;
}

/// What in a file contradicts itself; empty if nothing does.
std::string contradiction(const GraphFile& file) {
  const GraphTable& table = file.table;
  const std::uint64_t size = table.size();
  if (table.keys.size() != size * table.key_words || table.options.size() != size ||
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

h5::Object open_positions(const h5::File& file, const fs::path& path) {
  h5::Object root = file.root();
  if (!root.has_attribute(kPositionsMark) || !root.has_member(kIntegrityName)) {
    refuse(ErrorCode::kCorrupt, path, "is not a grundy table of positions");
  }
  if (const std::uint64_t major = root.number("format_major"); major != kPositionsMajor) {
    refuse(ErrorCode::kCorrupt, path,
           fmt::format("has format {}; this program reads format {}", major, kPositionsMajor));
  }
  if (!root.has_attribute("complete") || root.number("complete") != 1) {
    refuse(ErrorCode::kCorrupt, path, "is not complete: the run that wrote it did not finish");
  }
  return root;
}

}  // namespace

Reduction parse_reduction(std::string_view name) {
  for (const Reduction reduction :
       {Reduction::kNone, Reduction::kSymmetry, Reduction::kComponents}) {
    if (to_string(reduction) == name) return reduction;
  }
  throw Error(
      ErrorCode::kUsage,
      fmt::format("there is no reduction '{}'; there are none, symmetry and components", name));
}

bool is_graph_file(const fs::path& path) {
  check_outside(path);
  return h5::File::open(path).root().has_attribute(kPositionsMark);
}

void write_graph_file(const fs::path& path, const GraphFileInfo& info, const GraphTable& table,
                      const GraphAdjacency* adjacency, bool overwrite, bool reproducible) {
  AtomicFile place(path, overwrite);
  write_sealed(place.path(), [&](h5::Object& root) {
    put_info(root, info, reproducible);
    root.put_number("key_words", table.key_words);
    put_table(root, table);
    if (adjacency != nullptr) put_adjacency(root, *adjacency);
  });
  place.sync();
  const GraphFile back = read_graph_file(place.path());
  const bool same_adjacency = adjacency == nullptr ? !back.adjacency : back.adjacency == *adjacency;
  if (back.info != info || back.table != table || back.outcomes != outcomes(table) ||
      !same_adjacency) {
    throw Error(
        ErrorCode::kFailure,
        fmt::format("'{}' was not written: it does not read back as it was", path.string()));
  }
  place.publish();
}

GraphFile read_graph_file(const fs::path& path, std::uint64_t memory_limit) {
  check_outside(path);
  const h5::File file = h5::File::open(path);
  const h5::Object root = open_positions(file, path);
  const h5::Object integrity = open_sealed(root, path);
  GraphFile out;
  out.info = read_info(root);
  try {
    out.info.reduction = parse_reduction(root.text("reduction"));
  } catch (const Error& error) {
    refuse(ErrorCode::kCorrupt, path, fmt::format("is damaged: {}", error.what()));
  }
  const std::uint64_t words = root.number("key_words");
  if (words != 1 && words != 2 && words != 4) {
    refuse(ErrorCode::kCorrupt, path, "is damaged: it has keys of an impossible width");
  }
  if (const std::string convention = root.text("play_convention"); convention != kConvention) {
    refuse(ErrorCode::kCorrupt, path,
           fmt::format("is damaged: its values are those of {} play, and tables hold those of {} "
                       "play",
                       in_quotes(convention), kConvention));
  }
  check_memory(root, words, memory_limit);
  out.table = read_table(root, words);
  out.outcomes = h5::read_column<std::uint8_t>(root, "is_p_position");
  if (root.has_member("adjacency")) {
    const h5::Object group = root.open_group("adjacency");
    out.adjacency = {h5::read_column<std::uint64_t>(group, "position_end"),
                     h5::read_column<std::uint64_t>(group, "option_end"),
                     h5::read_column<std::uint64_t>(group, "targets")};
  }
  if (const std::string clause = contradiction(out); !clause.empty()) {
    refuse(ErrorCode::kCorrupt, path, fmt::format("is damaged: {}", clause));
  }
  if (rows_digest(out.table.keys, out.table.values, out.table.misere) != out.info.stats.digest) {
    refuse(ErrorCode::kCorrupt, path, "is damaged: its rows do not match the digest of the table");
  }
  return out;
}

}  // namespace grundy
