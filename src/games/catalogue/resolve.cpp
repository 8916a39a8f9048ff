/// @file
/// Finds the game that a text means. The text is a rules file, a rule of several heaps, a name with
/// or without parameters, or else the notation of a game of one heap.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>
#include <grundy/games.hpp>

#include "core/advice.hpp"
#include "core/names.hpp"
#include "core/text.hpp"
#include "core/text_cursor.hpp"
#include "games/catalogue/rows.hpp"
#include "games/graph/small_graph.hpp"
#include "games/heap/formula.hpp"

namespace grundy {
namespace {

constexpr std::array kKinds = {GameKind::kHeap, GameKind::kLattice, GameKind::kGraph};

[[noreturn]] void refuse(const std::string& reason) {
  throw Error(ErrorCode::kUsage, reason);
}

/// The two parts of a text: `moore` and `(4,2)`, or `cram` and `:5x6`.
struct NameAndRest {
  std::string_view name, rest;

  explicit NameAndRest(std::string_view text)
      : name(trimmed(text.substr(0, text.find_first_of("(:")))),
        rest(text.substr(std::min(text.find_first_of("(:"), text.size()))) {}
};

/// The entries that have the name, those of the preferred kind first.
std::vector<const NamedGame*> entries(std::string_view name, GameKind preferred) {
  std::vector<const NamedGame*> found;
  for (const GameKind kind : kKinds) {
    if (const NamedGame* game = find_game(name, kind)) found.push_back(game);
  }
  // Clang 14 does not compile the return value of std::ranges::stable_partition.
  std::stable_partition(found.begin(), found.end(),
                        [&](const NamedGame* game) { return game->kind == preferred; });
  return found;
}

/// Whether the text begins like `2:`, with the number of heaps of a rule.
bool is_lattice_rule(std::string_view text) {
  TextCursor cursor(text, Blanks::kSkip);
  const bool number = cursor.at_digit();
  while (cursor.at_digit()) cursor.step();
  cursor.skip_blanks();
  return number && cursor.peek() == ':';
}

/// Whether the name begins with two letters and has only letters and digits. No notation is like
/// that, except the two that are tested for.
bool looks_like_a_name(const NameAndRest& text) {
  const std::string name = folded_name(text.name);
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const bool announces_a_notation = (name == "hex" && text.rest.starts_with(':')) ||
                                    (name == "allbut" && !text.rest.starts_with(':'));
  return name.size() > 1 && is_letter(name[0]) && is_letter(name[1]) && !announces_a_notation &&
         std::ranges::all_of(name, [&](char c) { return is_letter(c) || is_digit(c); });
}

bool is_heap_notation(std::string_view text) {
  try {
    static_cast<void>(HeapRule::parse(text));
    return true;
  } catch (const Error&) {
    return false;
  }
}

[[noreturn]] void unknown_game(const NameAndRest& text) {
  const std::string message = fmt::format("there is no game called {}", in_quotes(text.name));
  if (const NamedGame* nearest = nearest_game(folded_name(text.name))) {
    refuse(fmt::format("{}; did you mean {}?", message, nearest->name));
  }
  if (text.rest.starts_with(':') && is_heap_notation(text.rest.substr(1))) {
    refuse(fmt::format("{}; did you mean {}?", message, in_quotes(trimmed(text.rest.substr(1)))));
  }
  refuse(fmt::format(
      "{}; {}, and a notation looks like 0.77, S{{1,2}}, n -> n - 1, floor(n/2) or 2: sym (1,0)*",
      message, kCatalogueLists));
}

/// The numbers in `(4,2)`, with the usual numbers for those that are left out.
std::vector<std::uint32_t> parameters_of(const NamedGame& game, std::string_view text) {
  std::vector<std::uint32_t> values;
  if (!text.empty()) {
    const auto malformed = [&] {
      refuse(fmt::format("{} is written {}, not {}{}", game.name, game.form, game.name, text));
    };
    TextCursor cursor(text, Blanks::kSkip);
    cursor.eat('(');
    do {
      if (!cursor.at_digit() || values.size() == game.parameters.size()) malformed();
      const GameParameter& parameter = game.parameters[values.size()];
      const std::uint64_t value = cursor.number(parameter.name);
      if (value < parameter.least || value > parameter.most) {
        refuse(fmt::format("{} of {}: {} to {}, not {}", parameter.name, game.name, parameter.least,
                           parameter.most, value));
      }
      values.push_back(static_cast<std::uint32_t>(value));
    } while (cursor.eat(','));
    if (!cursor.eat(')') || !cursor.done()) malformed();
  }
  for (std::size_t i = values.size(); i < game.parameters.size(); ++i) {
    values.push_back(game.parameters[i].usual);
  }
  return values;
}

AnyGame of_rule(HeapRule rule) {
  std::string notation = rule.canonical();
  return {.rule = std::move(rule), .notation = notation, .title = notation};
}

AnyGame of_rule(LatticeRule rule) {
  std::string notation = rule.canonical();
  return {.rule = std::move(rule), .notation = notation, .title = notation};
}

AnyGame of_entry(AnyGame game, const NamedGame& named) {
  game.title = named.title;
  game.rules = named.rules;
  game.reference = named.reference;
  game.named = &named;
  return game;
}

/// Sizes of a board have one notation, `3x4`, however they are typed: `3 X 4`, `3×4`; and so has
/// the name of a graph, `path:5`. Any other text stays as it is.
std::string in_one_notation(std::string_view parameters) {
  if (const std::string_view family = graph::family_of(parameters); !family.empty()) {
    return std::string(family) + in_one_notation(trimmed(parameters.substr(family.size())));
  }
  try {
    const std::vector<std::uint64_t> sizes = parse_sizes(parameters);
    if (sizes.size() > 1) return fmt::format("{}", fmt::join(sizes, "x"));
  } catch (const Error&) {  // it is another text
  }
  return std::string(parameters);
}

AnyGame graph_game(const NamedGame& named, std::string_view parameters, Reduction reduction) {
  const std::string typed = in_one_notation(trimmed(parameters));
  std::shared_ptr<const GraphGame> game = row_of(named).make(typed, reduction);
  return of_entry({.rule = std::move(game),
                   .notation = typed.empty() ? std::string(named.name)
                                             : fmt::format("{}:{}", named.name, typed),
                   .title = {}},
                  named);
}

/// The game of the entry with the text after the name; nothing if the entry is not written that
/// way.
std::optional<AnyGame> with_rest(const NamedGame& named, std::string_view rest,
                                 Reduction reduction) {
  switch (named.kind) {
    case GameKind::kHeap:
      if (!rest.empty()) return std::nullopt;
      return of_entry(of_rule(HeapRule::parse(named.notation)), named);
    case GameKind::kLattice: {
      if (rest.starts_with(':')) return std::nullopt;
      const auto parameters = parameters_of(named, rest);
      return of_entry(of_rule(LatticeRule::parse(row_of(named).notation(parameters))), named);
    }
    case GameKind::kGraph:
      break;
  }
  const bool has_parameters = named.form != named.name;
  if (rest.starts_with('(') || rest.starts_with(':') != has_parameters) return std::nullopt;
  return graph_game(named, rest.substr(has_parameters ? 1 : 0), reduction);
}

AnyGame named_game(const std::vector<const NamedGame*>& entries, std::string_view text,
                   std::string_view rest, Reduction reduction) {
  std::vector<std::string_view> forms;
  bool has_heaps = false;
  for (const NamedGame* named : entries) {
    if (auto game = with_rest(*named, rest, reduction)) return std::move(*game);
    forms.push_back(named->form);
    has_heaps = has_heaps || named->kind != GameKind::kGraph;
  }
  refuse(fmt::format(
      "{} is no game; {} is written {}{}", in_quotes(text), entries.front()->name,
      fmt::join(forms, " or "),
      has_heaps && rest.starts_with(':') ? ", and only in a sum do heaps follow it" : ""));
}

template <class T>
const T& rule_of(const AnyGame& game, GameKind wanted) {
  if (const T* rule = std::get_if<T>(&game.rule)) return *rule;
  refuse(
      fmt::format("{} is {}; {} is needed here",
                  game.named != nullptr ? std::string(game.named->name) : in_quotes(game.notation),
                  to_words(game.kind()), to_words(wanted)));
}

}  // namespace

std::string_view to_words(GameKind kind) noexcept {
  switch (kind) {
    case GameKind::kHeap:
      return "a game of one heap";
    case GameKind::kLattice:
      return "a game of several heaps";
    case GameKind::kGraph:
      break;
  }
  return "a game on positions";
}

const HeapRule& AnyGame::heap() const& {
  return rule_of<HeapRule>(*this, GameKind::kHeap);
}

HeapRule AnyGame::heap() && {
  return rule_of<HeapRule>(*this, GameKind::kHeap);
}

const LatticeRule& AnyGame::lattice() const& {
  return rule_of<LatticeRule>(*this, GameKind::kLattice);
}

LatticeRule AnyGame::lattice() && {
  return rule_of<LatticeRule>(*this, GameKind::kLattice);
}

const GraphGame& AnyGame::graph() const& {
  return *rule_of<std::shared_ptr<const GraphGame>>(*this, GameKind::kGraph);
}

AnyGame resolve_game(std::string_view typed, GameKind preferred, Reduction reduction) {
  const std::string_view text = trimmed(typed);
  if (text.ends_with(".toml")) return read_rules_file(text);
  if (text.ends_with(".h5") || text.ends_with(".h5.run")) {
    refuse(fmt::format("{} is the name of a file with results, not of a game", in_quotes(text)));
  }
  if (is_lattice_rule(text)) return of_rule(LatticeRule::parse(text));
  if (begins_formula(text)) return of_rule(HeapRule::parse(text));
  const NameAndRest parts(text);
  if (const auto named = entries(parts.name, preferred); !named.empty()) {
    return named_game(named, text, parts.rest, reduction);
  }
  if (looks_like_a_name(parts)) unknown_game(parts);
  return of_rule(HeapRule::parse(text));
}

AnyGame in_misere_play(AnyGame game) {
  LatticeMoves moves = game.lattice().written();
  if (moves.misere) return game;
  moves.misere = true;
  const bool has_title = game.title != game.notation;
  const LatticeRule rule(std::move(moves));
  game.notation = rule.canonical();
  game.title = has_title ? misere_title(game.title) : game.notation;
  game.rule = rule;
  return game;
}

}  // namespace grundy
