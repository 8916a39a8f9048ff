// SPDX-License-Identifier: MIT
#include "cli/sum_text.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <grundy/error.hpp>
#include <grundy/games.hpp>

#include "cli/progress_bar.hpp"
#include "core/text.hpp"
#include "core/text_cursor.hpp"
#include "session/graph_position.hpp"
#include "session/lattice_position.hpp"
#include "session/value_source.hpp"

namespace grundy::cli {
namespace {

/// One component: a game and its heaps.
struct Component {
  std::string game;
  std::vector<HeapSize> heaps;
};

/// Notations may hold colons and commas (`hex:0.8`, `S{1,2}`), so the heaps follow the last colon.
Component parse_component(const std::string& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == text.size()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} is not a component; write a game and its heaps as in kayles:12,7",
                            in_quotes(text)));
  }
  Component component{.game = text.substr(0, colon), .heaps = {}};
  for (std::size_t begin = colon + 1; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    try {
      component.heaps.push_back(
          parse_count(trimmed(std::string_view(text).substr(begin, comma - begin))));
    } catch (const Error& error) {
      throw Error(error.code(),
                  fmt::format("in the component {}: {}", in_quotes(text), error.what()));
    }
    begin = comma + 1;
  }
  return component;
}

/// Nimbers with their stars, `*5 + *6`: heaps of Nim.
Component parse_nimbers(std::string_view text) {
  Component component{.game = "nim", .heaps = {}};
  TextCursor cursor(text, Blanks::kSkip);
  do {
    cursor.expect("*", "a nimber such as *5");
    component.heaps.push_back(cursor.number("the number after the star"));
  } while (cursor.eat('+'));
  cursor.expect_end("'+' or the end of the sum");
  return component;
}

/// The position that the numbers of a component are.
Point position_of(const Component& component, unsigned heaps) {
  if (component.heaps.size() != heaps) {
    throw Error(ErrorCode::kUsage, fmt::format("a position of {} has {} heaps, not {}",
                                               component.game, heaps, component.heaps.size()));
  }
  Point p{};
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

/// The component as a position of several heaps; null if its game has one heap.
std::unique_ptr<SumPosition> read_position(const Component& component, bool quiet) {
  if (names_a_table(component.game)) {
    std::shared_ptr<const TableReader> table = TableReader::open(component.game);
    if (!table->info().layout.is_lattice()) return nullptr;
    const unsigned heaps = table->info().layout.heaps;
    return std::make_unique<LatticePosition>(std::move(table), position_of(component, heaps));
  }
  const AnyGame game = resolve_game(component.game);
  if (game.kind() != GameKind::kLattice) return nullptr;
  ProgressBar bar(quiet, "positions");
  return std::make_unique<LatticePosition>(game, position_of(component, game.lattice().heaps()),
                                           &bar);
}

}  // namespace

Nimber Sum::value() const {
  Nimber value = sum_value(heaps);
  for (const auto& position : positions) value ^= position->value();
  return value;
}

Sum read_sum(const std::vector<std::string>& components, bool quiet) {
  if (components.empty()) {
    throw Error(ErrorCode::kUsage, "a sum needs a component, such as kayles:12");
  }
  Sum sum;
  std::vector<Component> parsed;   // of games of one heap
  std::vector<std::string> names;  // distinct, in the order of first use
  for (const std::string& typed : components) {
    const std::string text(trimmed(typed));
    if (text == "+") continue;
    if (is_graph_game(text)) {
      sum.positions.push_back(
          std::make_unique<GraphPosition>(resolve_game(text, GameKind::kGraph)));
      continue;
    }
    Component component = text.starts_with('*') ? parse_nimbers(text) : parse_component(text);
    if (auto position = read_position(component, quiet)) {
      sum.positions.push_back(std::move(position));
      continue;
    }
    parsed.push_back(std::move(component));
    if (std::ranges::find(names, parsed.back().game) == names.end()) {
      names.push_back(parsed.back().game);
    }
  }
  for (const std::string& name : names) {
    HeapSize largest = 0;
    for (const Component& component : parsed) {
      if (component.game != name) continue;
      largest = std::max(largest, std::ranges::max(component.heaps));
    }
    ProgressBar bar(quiet);
    sum.games.push_back(ValueSource::open(name).values(largest, &bar));
  }
  for (const Component& component : parsed) {
    const auto game = std::ranges::find(names, component.game) - names.begin();
    for (const HeapSize heap : component.heaps) {
      sum.heaps.push_back({&sum.games[static_cast<std::size_t>(game)], heap});
    }
  }
  return sum;
}

std::vector<std::string> split_components(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> components;
  for (std::string word; in >> word;) components.push_back(word);
  return components;
}

std::string outcome_sentence(Nimber value) {
  return value == 0 ? "P: the player to move loses" : "N: the player to move wins";
}

std::string heap_text(const SumHeap& heap) {
  return fmt::format("the {} heap of {}", heap.game->name, heap.size);
}

std::string move_text(const SumHeap& heap, const HeapMove& move) {
  if (move.left.empty()) return "take the whole of " + heap_text(heap);
  const std::string left = fmt::format("{}", fmt::join(move.left, " + "));
  if (move.taken == 0) return fmt::format("split {} into {}", heap_text(heap), left);
  return fmt::format("from {} take {}, leaving {}", heap_text(heap), move.taken, left);
}

std::string move_text(const SumPosition& position, const PositionMove& move) {
  if (move.pass) return "pass in " + position.sentence();
  return fmt::format("in {} leave {}", position.sentence(), move.left.text);
}

Json written_json(const WrittenPosition& position) {
  return position.heaps.empty() ? Json(position.text) : Json(position.heaps);
}

Json sum_json(const Sum& sum) {
  Json heaps = Json::array();
  for (const SumHeap& heap : sum.heaps) {
    heaps.push_back({{"game", heap.game->name},
                     {"notation", heap.game->rule.canonical()},
                     {"heap", heap.size},
                     {"value", heap.game->value(heap.size)}});
  }
  Json positions = Json::array();
  for (const auto& position : sum.positions) {
    positions.push_back({{"game", position->name()},
                         {"notation", position->notation()},
                         {"position", written_json(position->position())},
                         {"value", position->value()}});
  }
  const Nimber value = sum.value();
  return {{"heaps", heaps},
          {"positions", positions},
          {"value", value},
          {"outcome", value == 0 ? "P" : "N"}};
}

}  // namespace grundy::cli
