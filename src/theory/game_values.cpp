// SPDX-License-Identifier: MIT
#include "theory/game_values.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>

namespace grundy {

bool GameValues::periodic() const noexcept {
  return period.status == PeriodStatus::kCertified &&
         first.size() >= period.preperiod + period.period;
}

std::uint64_t GameValues::value(HeapSize n) const {
  if (n < first.size()) return first[n];
  if (periodic()) return periodic_value(period, std::span(first), n);
  if (beyond) return beyond(n);
  throw Error(ErrorCode::kUsage,
              fmt::format("the value of heap {} of {} is not known; heaps below {} are", n, name,
                          first.size()));
}

std::uint64_t GameValues::value(const HeapMove& move) const {
  std::uint64_t sum = 0;
  for (const HeapSize heap : move.left) sum ^= value(heap);
  return sum;
}

namespace {

/// The set X if any number of tokens may be taken except those in X.
std::optional<SubtractionRule> all_but(const HeapRule& rule) {
  auto set = rule.as_subtraction();
  if (!set || set->kind != SubtractionRule::Kind::kAllBut) return std::nullopt;
  return set;
}

/// The moves of an all-but set with a saltus. Heap e + i + k p has the value of heap e + i plus k
/// times the saltus, so at most one heap of every residue has the value wanted.
std::vector<HeapMove> moves_by_saltus(const GameValues& game, const SubtractionRule& excluded,
                                      HeapSize n, std::uint64_t wanted) {
  const PeriodReport& p = game.period;
  std::vector<HeapMove> moves;
  for (HeapSize residue = 0; residue < std::min(n, p.preperiod + p.period); ++residue) {
    const Nimber base = game.first[residue];
    if (base > wanted || (wanted - base) % p.saltus != 0) continue;
    const HeapSize periods = (wanted - base) / p.saltus;
    if (periods > 0 && (residue < p.preperiod || periods > (n - 1 - residue) / p.period)) continue;
    const HeapSize left = residue + periods * p.period;
    if (std::ranges::binary_search(excluded.elements, n - left)) continue;
    moves.push_back({n - left, std::vector<HeapSize>(left == 0 ? 0 : 1, left)});
  }
  std::ranges::sort(moves, {}, &HeapMove::taken);
  return moves;
}

/// Looks through options until it has seen `most` of them, or has found one where one is enough, or
/// is stopped.
struct Search {
  std::vector<HeapMove> found;
  bool complete = true;

  Search(const GameValues& game, HeapSize n, std::uint64_t wanted, HeapSize most_small,
         std::uint64_t most, bool stop_at_first, const std::stop_token& stop) {
    for_each_option(
        game.rule, n,
        [&](const HeapMove& move) {
          if (most-- == 0 || stop.stop_requested()) {
            complete = false;
            return Flow::kStop;
          }
          if (game.value(move) != wanted) return Flow::kContinue;
          found.push_back(move);
          return stop_at_first ? Flow::kStop : Flow::kContinue;
        },
        most_small);
  }
};

}  // namespace

std::optional<MovesToValue> moves_to_value(const GameValues& game, HeapSize n, std::uint64_t wanted,
                                           std::uint64_t most_options,
                                           const std::stop_token& stop) {
  MovesToValue result;
  // A heap with a pass has options of all values below its own but one: its value without a pass.
  const bool passes_unless_reached = game.rule.pass() == n && wanted < game.value(n);
  if (game.periodic() && game.period.saltus > 0) {
    if (const auto excluded = all_but(game.rule)) {
      result.moves = moves_by_saltus(game, *excluded, n, wanted);
      return result;
    }
  }
  Search every(game, n, wanted, kNoBound, most_options, false, stop);
  if (every.complete) {
    result.moves = std::move(every.found);
    result.pass = passes_unless_reached && result.moves.empty();
    return result;
  }
  std::vector<HeapMove> found = std::move(every.found);
  if (found.empty() && game.periodic() && game.period.saltus == 0) {
    const HeapSize most_small = game.period.preperiod + game.period.period;
    Search one(game, n, wanted, most_small, most_options, true, stop);
    if (one.complete && one.found.empty()) {  // no other move reaches the value
      result.pass = passes_unless_reached;
      return result;
    }
    found = std::move(one.found);
  }
  if (stop.stop_requested()) return std::nullopt;
  result.complete = false;
  if (!found.empty()) result.moves.push_back(std::move(found.front()));
  return result;
}

}  // namespace grundy
