// SPDX-License-Identifier: MIT
#include "session/stored_graph.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/text.hpp"
#include "table/file_checks.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

AnyGame resolve(const GraphFileInfo& info, const fs::path& path) {
  std::string reason;
  try {
    AnyGame game = resolve_game(info.game, GameKind::kGraph, info.reduction);
    if (game.kind() == GameKind::kGraph) return game;
    reason = "which is no game on positions";
  } catch (const Error& error) {
    reason = fmt::format("which cannot be played here: {}", error.what());
  }
  refuse(ErrorCode::kCorrupt, path, fmt::format("is of {}, {}", in_quotes(info.game), reason));
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

}  // namespace

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

AnyGame game_of(const PPositions& file, const fs::path& path) {
  AnyGame resolved = resolve(file.info, path);
  if (resolved.graph().key_words() != file.list.key_words) {
    refuse(ErrorCode::kCorrupt, path,
           fmt::format("is no list of {} as it is now: its keys have another width",
                       in_quotes(file.info.game)));
  }
  return resolved;
}

AnyGame game_of(const GraphFile& file, const fs::path& path) {
  const GraphTable& table = file.table;
  AnyGame resolved = resolve(file.info, path);
  const GraphGame& game = resolved.graph();
  const std::string name = in_quotes(file.info.game);
  std::vector<std::uint64_t> start;
  game.start(start);
  if (game.key_words() != table.key_words || start != start_keys(table)) {
    refuse(ErrorCode::kCorrupt, path,
           fmt::format("is no table of {} as it is now: its start position is another", name));
  }
  if (!table.misere.empty() && game.splits()) {
    refuse(ErrorCode::kCorrupt, path,
           fmt::format("is no table of {}: it records misère values of components, and misère "
                       "values do not add up",
                       name));
  }
  return resolved;
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
         fmt::format("is no table of {}: the key of row {} is {}", in_quotes(name), wrong, what));
}

}  // namespace grundy
