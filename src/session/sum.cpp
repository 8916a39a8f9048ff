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
#include "core/text_cursor.hpp"
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

/// A game and numbers: heaps of it, or one position of several heaps.
struct TypedComponent {
  std::string game;
  std::vector<HeapSize> heaps;
};

bool is_game(std::string_view text) {
  try {
    if (!names_a_table(std::string(text))) static_cast<void>(resolve_game(text));
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// @throws Error if the text is a game and numbers with colons between them, as `nim:5:6`
void refuse_colons(std::string_view text) {
  if (text.find(':') == text.rfind(':')) return;
  std::string heaps;
  for (std::string_view game = text;;) {
    const auto colon = game.rfind(':');
    if (colon == std::string_view::npos) return;
    const std::string_view last = trimmed(game.substr(colon + 1));
    game = game.substr(0, colon);
    try {
      static_cast<void>(parse_counts(last));
    } catch (const Error&) {
      return;
    }
    const bool is_one_of_several = !heaps.empty();
    heaps = fmt::format("{}{}{}", last, is_one_of_several ? "," : "", heaps);
    if (!is_game(game)) continue;
    if (!is_one_of_several) return;
    throw Error(ErrorCode::kUsage,
                fmt::format("in the component {}: commas stand between heaps; write {}:{}",
                            in_quotes(text), game, heaps));
  }
}

/// What is wrong with a component whose heaps cannot be read.
[[noreturn]] void refuse_component(std::string_view text, std::string_view game,
                                   const Error& error) {
  if (!is_game(game)) {
    // The colon was part of the game, as in `hex:0.8`, or there is no such game.
    static_cast<void>(resolve_game(text));
    throw Error(ErrorCode::kUsage,
                fmt::format("the component {} has no heaps; they follow a colon, as in {}:5",
                            in_quotes(text), text));
  }
  throw Error(error.code(), fmt::format("in the component {}: {}", in_quotes(text), error.what()));
}

/// Notations may hold colons and commas (`hex:0.8`, `S{1,2}`), so the heaps follow the last colon.
TypedComponent parse_component(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == text.size()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} is not a component; write a game and its heaps as in kayles:12,7",
                            in_quotes(text)));
  }
  refuse_colons(text);
  TypedComponent component{.game = std::string(text.substr(0, colon)), .heaps = {}};
  try {
    component.heaps = parse_counts(text.substr(colon + 1));
  } catch (const Error& error) {
    refuse_component(text, component.game, error);
  }
  return component;
}

/// Nimbers with their stars, `*5 + *6`: heaps of Nim.
TypedComponent parse_nimbers(std::string_view text) {
  TypedComponent component{.game = "nim", .heaps = {}};
  TextCursor cursor(text, Blanks::kSkip);
  do {
    cursor.expect("*", "a nimber such as *5");
    component.heaps.push_back(cursor.number("the number after the star"));
  } while (cursor.eat('+'));
  cursor.expect_end("'+' or the end of the sum");
  return component;
}

/// The position that the numbers of a component are.
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

/// Whether the whole text is a game on positions, as `cram:3x4`.
bool is_graph_game(std::string_view text) {
  return find_game(text.substr(0, text.find(':')), GameKind::kGraph) != nullptr;
}

/// The games of one heap of a sum. The values of each are found once, as far as its largest heap
/// needs.
class HeapGames {
 public:
  [[nodiscard]] bool knows(const std::string& game) const { return games_.contains(game); }
  void add(const std::string& game, ValueSource source) {
    games_.emplace(game, Game{.source = std::move(source)});
  }
  /// The values will reach as far as this component needs. @pre knows(component.game)
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

/// The component as a position of several heaps; null if its game has one heap, which `games` then
/// knows.
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

GameSum GameSum::read(const std::vector<std::string>& components, ProgressSink* progress) {
  if (components.empty()) {
    throw Error(ErrorCode::kUsage, "a sum needs a component, such as kayles:12");
  }
  // Either a component is read at once, or it is heaps, whose values are found when all are known.
  std::vector<std::variant<std::unique_ptr<const SumComponent>, TypedComponent>> read;
  HeapGames games;
  for (const std::string& typed : components) {
    const std::string_view text = trimmed(typed);
    if (text == "+") continue;
    if (is_graph_game(text)) {
      read.emplace_back(std::make_unique<GraphComponent>(resolve_game(text, GameKind::kGraph)));
      continue;
    }
    TypedComponent component = text.starts_with('*') ? parse_nimbers(text) : parse_component(text);
    if (auto position = lattice_component(component, games, progress)) {
      read.emplace_back(std::move(position));
      continue;
    }
    games.need(component);
    read.emplace_back(std::move(component));
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
