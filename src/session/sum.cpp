// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/games.hpp>
#include <grundy/sum.hpp>

#include "core/text.hpp"
#include "session/component_text.hpp"
#include "session/sum_components.hpp"
#include "session/value_source.hpp"

namespace grundy {
namespace {

void require_normal_play(const LatticeRule& rule, const std::string& name) {
  if (!rule.moves().misere) return;
  throw Error(ErrorCode::kUsage, fmt::format("{} is in misère play, where values do not add up; a "
                                             "sum is of games in normal play",
                                             in_quotes(name)));
}

/// The numbers of a component as a position.
LatticePoint point_of(const TypedComponent& component, unsigned heaps) {
  if (component.heaps.size() != heaps) {
    throw Error(ErrorCode::kUsage, fmt::format("a position of {} has {} heaps, not {}",
                                               component.game, heaps, component.heaps.size()));
  }
  LatticePoint p{};
  for (unsigned i = 0; i < heaps; ++i) {
    if (component.heaps[i] > std::numeric_limits<std::uint32_t>::max()) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("a heap of {} tokens is too large", component.heaps[i]));
    }
    p[i] = static_cast<std::uint32_t>(component.heaps[i]);
  }
  return p;
}

/// The games of one heap in a sum. The values of each game are found once, up to its largest heap.
class HeapGames {
 public:
  [[nodiscard]] bool knows(const std::string& game) const { return games_.contains(game); }
  void add(const std::string& game, ValueSource source) {
    games_.emplace(game, Game{.source = std::move(source)});
  }
  /// Makes the values reach as far as this component needs. @pre knows(component.game)
  void need(const TypedComponent& component) {
    HeapSize& largest = games_.at(component.game).largest;
    largest = std::max(largest, std::ranges::max(component.heaps));
  }
  std::shared_ptr<const GameValues> values(const std::string& name, ProgressSink* progress) {
    Game& game = games_.at(name);
    if (game.values == nullptr) {
      game.values = std::make_shared<const GameValues>(game.source.values(game.largest, progress));
    }
    return game.values;
  }

 private:
  struct Game {
    ValueSource source;
    HeapSize largest = 0;
    std::shared_ptr<const GameValues> values{};
  };
  std::map<std::string, Game> games_;
};

/// The component as a position of several heaps. Null if its game has one heap; `games` then knows
/// the game.
std::unique_ptr<SumComponent> lattice_component(const TypedComponent& component, HeapGames& games,
                                                ProgressSink* progress) {
  const std::string& name = component.game;
  if (games.knows(name)) return nullptr;
  if (names_a_table(name)) {
    std::shared_ptr<const TableReader> table = TableReader::open(name);
    if (!table->info().layout.is_lattice()) {
      games.add(name, ValueSource(std::move(table)));
      return nullptr;
    }
    require_normal_play(LatticeRule::parse(table->info().canonical), name);
    const unsigned heaps = table->info().layout.heaps;
    return std::make_unique<LatticeComponent>(std::move(table), point_of(component, heaps));
  }
  const AnyGame game = resolve_game(name);
  if (game.kind() != GameKind::kLattice) {
    games.add(name, ValueSource(game));
    return nullptr;
  }
  require_normal_play(game.lattice(), name);
  return std::make_unique<LatticeComponent>(game, point_of(component, game.lattice().heaps()),
                                            progress);
}

}  // namespace

GameSum GameSum::read(const std::vector<std::string>& texts, ProgressSink* progress) {
  // A component is read at once, or consists of heaps. Their values are found when all are known.
  std::vector<std::variant<std::unique_ptr<const SumComponent>, TypedComponent>> read;
  HeapGames games;
  for (ComponentText& component : read_components(texts)) {
    if (const auto* graph = std::get_if<AnyGame>(&component)) {
      read.emplace_back(std::make_unique<GraphComponent>(*graph));
      continue;
    }
    auto& heaps = std::get<TypedComponent>(component);
    if (auto position = lattice_component(heaps, games, progress)) {
      read.emplace_back(std::move(position));
      continue;
    }
    games.need(heaps);
    read.emplace_back(std::move(heaps));
  }
  GameSum sum;
  for (auto& component : read) {
    if (auto* position = std::get_if<std::unique_ptr<const SumComponent>>(&component)) {
      sum.components_.push_back(std::move(*position));
      continue;
    }
    const auto& [game, heaps] = std::get<TypedComponent>(component);
    const auto values = games.values(game, progress);
    for (const HeapSize heap : heaps) {
      sum.components_.push_back(std::make_unique<HeapComponent>(values, heap));
    }
  }
  return sum;
}

std::uint64_t GameSum::value() const noexcept {
  std::uint64_t value = 0;
  for (const auto& component : components_) value ^= component->value();
  return value;
}

std::vector<SumMoves> GameSum::winning_moves() const {
  const std::uint64_t total = value();
  std::vector<SumMoves> winning;
  for (const auto& component : components_) {
    winning.push_back(total == 0 ? SumMoves{} : component->moves_to(component->value() ^ total));
  }
  return winning;
}

}  // namespace grundy
