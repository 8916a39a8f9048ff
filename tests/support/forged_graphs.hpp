/// @file
/// Files of positions that only a forger writes: any rows, with digests and counts made to match.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <grundy/graph/file.hpp>

#include "core/digest.hpp"
#include "table/h5_columns.hpp"
#include "table/seal.hpp"

namespace grundy::testing_support {

/// Attributes of the root that are written instead of the true ones.
struct ForgedAttributes {
  std::map<std::string, std::string> texts;
  std::map<std::string, std::uint64_t> numbers;
};

/// Writes a file as table/README.md has it, with nothing looked at.
inline void forge_graph_file(const std::filesystem::path& path, const GraphFile& file,
                             const ForgedAttributes& forged = {}) {
  const GraphTable& table = file.table;
  const GraphFileInfo& info = file.info;
  const GraphStats stats = table.stats();
  std::map<std::string, std::string> texts{{"format", "grundy-positions"},
                                           {"source", "a forger"},
                                           {"game", info.game},
                                           {"title", info.title},
                                           {"description", info.rules},
                                           {"references", info.reference},
                                           {"position_notation", info.positions},
                                           {"engine", info.engine},
                                           {"kernel", info.kernel},
                                           {"reduction", std::string(to_string(info.reduction))},
                                           {"play_convention", "normal"},
                                           {"table_xxh3_128", to_hex(stats.digest)}};
  std::map<std::string, std::uint64_t> numbers{{"format_major", 1},
                                               {"format_minor", 0},
                                               {"positions", stats.positions},
                                               {"terminal_positions", stats.terminal},
                                               {"p_positions", stats.p_positions},
                                               {"moves", stats.moves},
                                               {"max_value", stats.max_value},
                                               {"root_value", table.root_value()},
                                               {"key_words", table.key_words}};
  for (const auto& [name, text] : forged.texts) texts[name] = text;
  for (const auto& [name, number] : forged.numbers) numbers[name] = number;
  std::vector<std::uint32_t> layers;
  for (const GraphLayer& layer : table.layers) layers.resize(layer.end, layer.potential);
  std::filesystem::remove(path);
  write_sealed(path, [&](h5::Object& root) {
    for (const auto& [name, text] : texts) root.put_text(name, text);
    for (const auto& [name, number] : numbers) root.put_number(name, number);
    h5::Object provenance = root.create_group("provenance");
    provenance.put_document("run_json", info.provenance_json);
    h5::put_column<std::uint64_t>(root, "key", table.keys, table.key_words);
    h5::put_column<std::uint32_t>(root, "grundy", table.values);
    h5::put_column<std::uint8_t>(root, "is_p_position", file.outcomes);
    h5::put_column<std::uint32_t>(root, "options", table.moves);
    h5::put_column<std::uint32_t>(root, "layer", layers);
    h5::put_column<std::uint64_t>(root, "start", table.start);
    if (!table.misere.empty()) {
      h5::put_column<std::uint32_t>(root, "misere", table.misere);
      root.put_text("misere_convention",
                    "misere: the value by the same recursion with terminal positions of value 1. "
                    "It is 0 exactly for the positions that the next player loses when the last "
                    "move loses. It says nothing about sums: misere values do not add up.");
    }
    if (!file.adjacency) return;
    const h5::Object adjacency = root.create_group("adjacency");
    h5::put_column<std::uint64_t>(adjacency, "position_end", file.adjacency->position_end);
    h5::put_column<std::uint64_t>(adjacency, "option_end", file.adjacency->option_end);
    h5::put_column<std::uint64_t>(adjacency, "targets", file.adjacency->targets);
  });
}

}  // namespace grundy::testing_support
