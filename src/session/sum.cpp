// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
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
  /// Null if it was stopped.
  std::shared_ptr<const GameValues> values(const std::string& name, const Hooks& hooks) {
    Game& game = games_.at(name);
    if (game.values == nullptr) {
      auto values = game.source.values(game.largest, hooks);
      if (values) game.values = std::make_shared<const GameValues>(*std::move(values));
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

/// Where the values of a position of several heaps come from.
using LatticeSource = std::variant<AnyGame, std::shared_ptr<const TableReader>>;

/// The source for the game of a component, if that has several heaps; else nothing, and `games`
/// knows the game.
/// @throws Error(kUsage) if it is in misère play
std::optional<LatticeSource> lattice_source(const std::string& name, HeapGames& games) {
  if (games.knows(name)) return std::nullopt;
  if (names_a_table(name)) {
    std::shared_ptr<const TableReader> table = TableReader::open(name);
    if (!table->info().layout.is_lattice()) {
      games.add(name, ValueSource(std::move(table)));
      return std::nullopt;
    }
    require_normal_play(LatticeRule::parse(table->info().canonical), name);
    return table;
  }
  AnyGame game = resolve_game(name);
  if (game.kind() != GameKind::kLattice) {
    games.add(name, ValueSource(game));
    return std::nullopt;
  }
  require_normal_play(game.lattice(), name);
  return game;
}

/// Null if it was stopped.
std::unique_ptr<const SumComponent> lattice_component(const LatticeSource& source,
                                                      const TypedComponent& component,
                                                      const Hooks& hooks) {
  if (const auto* table = std::get_if<std::shared_ptr<const TableReader>>(&source)) {
    const unsigned heaps = (*table)->info().layout.heaps;
    return std::make_unique<LatticeComponent>(*table, point_of(component, heaps));
  }
  const auto& game = std::get<AnyGame>(source);
  return LatticeComponent::compute(game, point_of(component, game.lattice().heaps()), hooks);
}

}  // namespace

GameSum GameSum::read(const std::vector<std::string>& texts) {
  return read(texts, Hooks{}).value();
}

std::optional<GameSum> GameSum::read(const std::vector<std::string>& texts, const Hooks& hooks) {
  // Either a component is read at once, or it is heaps, whose values are found when all are known.
  std::vector<std::variant<std::unique_ptr<const SumComponent>, TypedComponent>> read;
  HeapGames games;
  for (ComponentText& component : read_components(texts)) {
    std::unique_ptr<const SumComponent> position;
    if (const auto* graph = std::get_if<AnyGame>(&component)) {
      position = GraphComponent::compute(*graph, hooks.stop);
    } else {
      auto& heaps = std::get<TypedComponent>(component);
      const auto source = lattice_source(heaps.game, games);
      if (!source) {
        games.need(heaps);
        read.emplace_back(std::move(heaps));
        continue;
      }
      position = lattice_component(*source, heaps, hooks);
    }
    if (position == nullptr) return std::nullopt;
    read.emplace_back(std::move(position));
  }
  GameSum sum;
  for (auto& component : read) {
    if (auto* position = std::get_if<std::unique_ptr<const SumComponent>>(&component)) {
      sum.components_.push_back(std::move(*position));
      continue;
    }
    const auto& [game, heaps] = std::get<TypedComponent>(component);
    const auto values = games.values(game, hooks);
    if (values == nullptr) return std::nullopt;
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
  return winning_moves(std::stop_token()).value();
}

std::optional<std::vector<SumMoves>> GameSum::winning_moves(const std::stop_token& stop) const {
  const std::uint64_t total = value();
  std::vector<SumMoves> winning(components_.size());
  if (total == 0) return winning;
  for (std::size_t i = 0; i < winning.size(); ++i) {
    auto moves = components_[i]->moves_to(components_[i]->value() ^ total, stop);
    if (!moves) return std::nullopt;
    winning[i] = *std::move(moves);
  }
  return winning;
}

}  // namespace grundy
