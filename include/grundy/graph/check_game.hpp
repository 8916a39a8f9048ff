/// @file
/// Checks on samples that a class which claims to be a game keeps the contract of game.hpp.
///
/// Random lines of play are followed from the start. At every position that is met:
/// - moves, canonical form and components do not change from call to call;
/// - every move lowers the potential; the canonical form has no larger potential and is its own
///   canonical form; components have no larger potential, and a canonical component has no further
///   components;
/// - contains() accepts the position, its canonical form and its components;
/// - parse(text(p)) is p, if the game has both;
/// - the moves of a position and of its canonical form lead to the same positions, up to canonical
///   forms.
///
/// If a position is small enough, values are computed by the definition and compared: a position,
/// its canonical form and the nim-sum of its components must have one value, and so must two
/// positions with the same canonical form, and canonical forms that are said to play alike.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <grundy/graph/game.hpp>
#include <grundy/graph/graph_game.hpp>
#include <grundy/machine.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// How much check_game() looks at.
struct CheckOptions {
  unsigned plays = 100;  ///< lines of play from the start
  std::uint64_t seed = 1;
  /// What play goes on with: components (of games that have them), or whole positions.
  Reduction reduction = Reduction::kComponents;
  std::size_t most_valued = 20000;  ///< positions that are valued for one comparison, at most
};

namespace detail {

template <Game G>
class GameChecker {
 public:
  using Position = typename G::Position;

  GameChecker(const G& game, const CheckOptions& options)
      : game_(game), options_(options), random_(options.seed) {}

  std::vector<std::string> run() {
    for (unsigned play = 0; play < options_.plays && faults_.empty(); ++play) {
      Position p = game_.start();
      for (;;) {
        check(p);
        const std::vector<Position> moves = options(p);
        if (moves.empty() || !faults_.empty()) break;
        const std::vector<Position> met = parts_met(moves[random_() % moves.size()]);
        if (met.empty()) break;
        p = met[random_() % met.size()];
      }
    }
    if constexpr (DenseGame<G>) check_numbers();
    return faults_;
  }

 private:
  using Values = std::map<KeyOf<Position>, Nimber>;

  void fault(const Position& p, const std::string& what) {
    std::string name;
    if constexpr (ReadableGame<G>) {
      name = game_.text(p);
    } else {
      for (const std::uint64_t word : to_key(p))
        name += (name.empty() ? "" : " ") + std::to_string(word);
    }
    faults_.push_back("at " + name + ": " + what);
  }

  [[nodiscard]] std::vector<Position> options(const Position& p) const {
    std::vector<Position> all;
    game_.options(p, [&](const Position& option) { all.push_back(option); });
    return all;
  }

  [[nodiscard]] std::vector<Position> components(const Position& p) const {
    std::vector<Position> all;
    if constexpr (SplittingGame<G>) {
      game_.components(p, [&](const Position& component) { all.push_back(component); });
    } else {
      all.push_back(p);
    }
    return all;
  }

  /// The positions that play goes on with.
  [[nodiscard]] std::vector<Position> parts_met(const Position& option) const {
    return options_.reduction == Reduction::kComponents ? components(option)
                                                        : std::vector<Position>{option};
  }

  void check(const Position& p) {
    const std::vector<Position> moves = options(p);
    const std::vector<Position> parts = components(p);
    const Position canonical = game_.canonical(p);
    if (moves != options(p)) fault(p, "its moves change from call to call");
    if constexpr (HintedGame<G>) {
      std::vector<Position> hinted;
      game_.options(p, hint_, [&](const Position& option) { hinted.push_back(option); });
      if (hinted != moves || game_.potential(p, hint_) != game_.potential(p)) {
        fault(p, "its moves or potential change with the hint");
      }
    }
    if (canonical != game_.canonical(p)) fault(p, "its canonical form changes from call to call");
    if (parts != components(p)) fault(p, "its components change from call to call");
    if (game_.canonical(canonical) != canonical) {
      fault(p, "its canonical form has another canonical form");
    }
    if constexpr (BoundedGame<G>) {
      if (!game_.contains(p)) fault(p, "the game says that it is no position");
      if (!game_.contains(canonical)) fault(p, "its canonical form is no position");
      if (!std::ranges::all_of(parts, [&](const Position& q) { return game_.contains(q); })) {
        fault(p, "a component is no position");
      }
    }
    const auto potential = [&](const Position& q) {
      return static_cast<std::uint32_t>(game_.potential(q));
    };
    if (potential(p) >= kPotentialLimit) fault(p, "its potential is 2^20 or more");
    if (potential(canonical) > potential(p)) fault(p, "its canonical form has a larger potential");
    for (const Position& option : moves) {
      for (const Position& q : parts_met(option)) {
        if (potential(q) >= potential(p)) return fault(p, "a move does not lower the potential");
      }
    }
    for (const Position& part : parts) {
      if (potential(part) > potential(p)) fault(p, "a component has a larger potential");
      const Position key = game_.canonical(part);
      if (const auto again = components(key); again.size() > 1) {
        fault(p, "a component falls into more components");
      }
    }
    if constexpr (ReadableGame<G>) {
      if (!(Position(game_.parse(game_.text(p))) == p)) fault(p, "its text is read as another");
    }
    if (option_keys(p) != option_keys(canonical)) {
      fault(p, "its moves and those of its canonical form lead to different positions");
    }
    if (faults_.empty()) compare_values(p, canonical, parts);
  }

  /// The options as sorted lists of the keys of their components.
  [[nodiscard]] std::set<std::vector<KeyOf<Position>>> option_keys(const Position& p) const {
    std::set<std::vector<KeyOf<Position>>> all;
    for (const Position& option : options(p)) {
      std::vector<KeyOf<Position>> keys;
      for (const Position& part : components(option)) keys.push_back(to_key(game_.canonical(part)));
      std::sort(keys.begin(), keys.end());
      all.insert(std::move(keys));
    }
    return all;
  }

  void compare_values(const Position& p, const Position& canonical,
                      const std::vector<Position>& parts) {
    Values known;
    const auto value = [&](const Position& q) { return value_of(q, known); };
    const std::optional<Nimber> whole = value(p);
    if (!whole) return;  // too many positions below this one
    if (value(canonical) != whole) fault(p, "its canonical form has another value");
    Nimber sum = 0;
    for (const Position& part : parts) {
      const auto part_value = value(part);
      if (!part_value) return;
      sum ^= *part_value;
    }
    if (sum != *whole) fault(p, "the values of its components do not add up to its own");
    const auto [seen, is_new] = valued_.emplace(to_key(canonical), *whole);
    if (!is_new && seen->second != *whole) {
      fault(p, "another position with its canonical form has another value");
    }
    if constexpr (AlikeTellingGame<G>) compare_alike(canonical, *whole);
  }

  /// Compares a position with those of its likeness, and with those that play like it.
  void compare_alike(const Position& p, Nimber value) {
    const KernelSet& kernels = select_kernels("auto");
    if (!game_.tells_alike(kernels)) return;
    std::uint64_t likeness = 0;
    game_.likeness(kernels, {&p, 1}, {&likeness, 1});
    for (const auto& [key, its_value] : valued_) {
      const Position other = key[0];
      if (!game_.are_alike(kernels, p, other)) continue;
      std::uint64_t its_likeness = 0;
      game_.likeness(kernels, {&other, 1}, {&its_likeness, 1});
      if (its_likeness != likeness) fault(p, "a position that plays like it has another likeness");
      if (its_value != value) fault(p, "a position that plays like it has another value");
    }
  }

  /// The value by the definition; nothing if that takes too many positions.
  std::optional<Nimber> value_of(const Position& p, Values& known) const {
    const KeyOf<Position> key = to_key(p);
    if (const auto at = known.find(key); at != known.end()) return at->second;
    std::set<Nimber> values;
    for (const Position& option : options(p)) {
      const auto value = value_of(option, known);
      if (!value || known.size() >= options_.most_valued) return std::nullopt;
      values.insert(*value);
    }
    Nimber mex = 0;
    while (values.contains(mex)) ++mex;
    known.emplace(key, mex);
    return mex;
  }

  void check_numbers() {
    const auto size = static_cast<std::uint64_t>(game_.size());
    if (size == 0) return;
    const Position start = game_.start();
    if (start >= size) fault(start, "its number is not below size()");
    for (const Position& option : options(start)) {
      if (option >= size) fault(option, "its number is not below size()");
    }
  }

  struct NoHint {};
  template <class H>
  struct HintOf {
    using Type = NoHint;
  };
  template <HintedGame H>
  struct HintOf<H> {
    using Type = typename H::Hint;
  };

  const G& game_;
  CheckOptions options_;
  typename HintOf<G>::Type hint_{};  ///< of the previous position, perhaps in another play
  std::mt19937_64 random_;
  Values valued_;
  std::vector<std::string> faults_;
};

}  // namespace detail

/// The ways in which the game breaks its contract on the samples, each with the position at which
/// it was seen; empty if none was found. Ends at the first play that shows a fault.
template <Game G>
std::vector<std::string> check_game(const G& game, const CheckOptions& options = {}) {
  return detail::GameChecker<G>(game, options).run();
}

}  // namespace grundy
