// SPDX-License-Identifier: MIT
#include "session/stored_graph.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/games.hpp>

#include "core/text.hpp"
#include "session/component_text.hpp"
#include "table/file_checks.hpp"
#include "table/key_text.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

/// The game that a file names; null if the catalogue has none of that name.
std::shared_ptr<const GraphGame> named_game(const GraphFileInfo& info, const fs::path& path) {
  if (!is_graph_game(info.game)) return nullptr;
  try {
    const AnyGame game = resolve_game(info.game, GameKind::kGraph, info.reduction);
    const auto* const graph = std::get_if<std::shared_ptr<const GraphGame>>(&game.rule);
    return graph != nullptr ? *graph : nullptr;
  } catch (const Error& error) {
    refuse(ErrorCode::kCorrupt, path,
           fmt::format("is of {}, which cannot be played here: {}", quoted_game(info.game),
                       error.what()));
  }
}

/// The game that is given for a file, or else the one that the file names; null if there is none.
std::shared_ptr<const GraphGame> given_or_named(std::shared_ptr<const GraphGame> given,
                                                const GraphFileInfo& info, const fs::path& path) {
  if (given == nullptr) return named_game(info, path);
  if (given->reduction() != info.reduction) {
    refuse(ErrorCode::kUsage, path,
           fmt::format("has positions of {} by the reduction {}, and the game that is given has "
                       "the reduction {}",
                       quoted_game(info.game), to_string(info.reduction),
                       to_string(given->reduction())));
  }
  return given;
}

/// What is said, behind its path, of a file whose game is not at hand.
std::string without_game(const GraphFileInfo& info) {
  return fmt::format(
      "is of {}, which is not in the catalogue; a C++ program that has the game hands it to the "
      "library (VerifyRequest, ListCheckRequest, GraphTable::find)",
      quoted_game(info.game));
}

/// The keys of the rows that are the start position.
std::vector<std::uint64_t> start_keys(const GraphTable& table) {
  std::vector<std::uint64_t> keys;
  for (const std::uint64_t row : table.start) {
    const auto key = table.key(row);
    keys.insert(keys.end(), key.begin(), key.end());
  }
  return keys;
}

/// The row of a key of which nothing else is known. O(layers log n)
std::optional<std::uint64_t> find_in_any_layer(const GraphTable& table,
                                               std::span<const std::uint64_t> key) {
  for (const GraphLayer& layer : table.layers) {
    if (const auto row = table.find(key, layer.potential)) return row;
  }
  return std::nullopt;
}

}  // namespace

std::string quoted_game(const std::string& name) {
  return name.empty() ? kNamelessGame : in_quotes(name);
}

GraphFile read_stored_graph(const fs::path& path, std::optional<std::uint64_t> memory_limit) {
  GraphFile file = read_graph_file(path, memory_limit);
  if (file.table.stats() != file.info.stats) {
    refuse(ErrorCode::kCorrupt, path, "is damaged: its counts are not those of its rows");
  }
  if (file.table.root_value() != file.info.root_value) {
    refuse(ErrorCode::kCorrupt, path,
           "is damaged: the value of its start position is not that of its rows");
  }
  return file;
}

std::shared_ptr<const GraphGame> game_of(const GraphFile& file, const fs::path& path,
                                         std::shared_ptr<const GraphGame> given) {
  const GraphTable& table = file.table;
  auto game = given_or_named(std::move(given), file.info, path);
  if (game == nullptr) return game;
  const std::string name = quoted_game(file.info.game);
  std::vector<std::uint64_t> start;
  game->start(start);
  if (game->key_words() != table.key_words || start != start_keys(table)) {
    refuse(ErrorCode::kCorrupt, path,
           fmt::format("is no table of {} as it is now: its start position is another", name));
  }
  if (!table.misere.empty() && game->splits()) {
    refuse(ErrorCode::kCorrupt, path,
           fmt::format("is no table of {}: it records misère values of components, and misère "
                       "values do not add up",
                       name));
  }
  return game;
}

std::shared_ptr<const GraphGame> game_of(const PPositions& file, const fs::path& path,
                                         std::shared_ptr<const GraphGame> given) {
  auto game = given_or_named(std::move(given), file.info, path);
  if (game != nullptr && game->key_words() != file.list.key_words) {
    refuse(ErrorCode::kCorrupt, path,
           fmt::format("is no list of {} as it is now: its keys have another width",
                       quoted_game(file.info.game)));
  }
  return game;
}

std::shared_ptr<const GraphGame> required_game(std::shared_ptr<const GraphGame> game,
                                               const GraphFileInfo& info, const fs::path& path) {
  if (game == nullptr) refuse(ErrorCode::kUsage, path, without_game(info));
  return game;
}

std::vector<std::uint64_t> rows_of(const GraphFile& file, const GraphGame* game,
                                   std::string_view position, const fs::path& path) {
  const GraphTable& table = file.table;
  std::vector<std::uint64_t> keys, rows;
  if (game != nullptr) {
    game->parse(position, keys);
  } else if (auto key = parse_key(position, table.key_words)) {
    keys = std::move(*key);
  } else {
    refuse(ErrorCode::kUsage, path,
           fmt::format("is asked for {}, which is no key such as 0x2f, and {}", in_quotes(position),
                       without_game(file.info)));
  }
  for (std::size_t i = 0; i < keys.size(); i += table.key_words) {
    const auto key = std::span(keys).subspan(i, table.key_words);
    const auto row = game != nullptr ? table.find(key, *game) : find_in_any_layer(table, key);
    if (!row) {
      throw Error(ErrorCode::kUsage, fmt::format("{} is not reached from the start position of {}",
                                                 in_quotes(position), quoted_game(file.info.game)));
    }
    rows.push_back(*row);
  }
  return rows;
}

void check_keys(const GraphTable& table, const std::string& name, const GraphGame& game,
                Executor& executor, const fs::path& path) {
  constexpr std::uint64_t kRun = 4096;
  std::mutex mutex;
  std::uint64_t wrong = table.size();
  executor.parallel_for((table.size() + kRun - 1) / kRun, [&](std::size_t run) {
    std::vector<std::uint64_t> reduced;
    const std::uint64_t end = std::min((run + 1) * kRun, table.size());
    for (std::uint64_t row = run * kRun; row < end; ++row) {
      const auto key = table.key(row);
      reduced.clear();
      if (game.contains(key)) game.reduce(key, reduced);
      if (std::ranges::equal(key, reduced)) continue;
      const std::lock_guard lock(mutex);
      wrong = std::min(wrong, row);
      return;
    }
  });
  if (wrong == table.size()) return;
  const char* const what = game.contains(table.key(wrong))
                               ? "not the one that stands for those that count as one with it"
                               : "no position of it";
  refuse(ErrorCode::kCorrupt, path,
         fmt::format("is no table of {}: the key of row {} is {}", quoted_game(name), wrong, what));
}

}  // namespace grundy
