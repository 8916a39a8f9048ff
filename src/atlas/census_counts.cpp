/// @file
/// Counts of common features of the sets of a census.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/census.hpp>

namespace grundy {
namespace {

bool is_additive(std::span<const HeapSize> moves) noexcept {
  return moves.size() > 2 &&
         std::accumulate(moves.begin(), moves.end() - 1, HeapSize{0}) == moves.back();
}

/// Whether the period divides the sum of two different moves.
bool divides_sum(std::span<const HeapSize> moves, HeapSize period) noexcept {
  for (std::size_t i = 0; i < moves.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if ((moves[i] + moves[j]) % period == 0) return true;
    }
  }
  return false;
}

std::string row_text(const SetRow& row, std::uint32_t number) {
  return fmt::format("{},{}", number, fmt::join(row.moves, " "));
}

}  // namespace

void CensusCounts::add(const MoveSet& moves, const SetPeriod& found) {
  ++sets;
  if (found.period == 0) {
    ++open;
    return;
  }
  const bool pure = found.preperiod == 0;
  if (pure) ++purely_periodic;
  if (is_additive(moves)) {
    ++additive;
    if (pure) ++additive_purely;
  } else if (divides_sum(moves, found.period)) {
    ++sums;
  }
  if (found.period > longest.found.period) longest = {moves, found};
  if (farthest.moves.empty() || found.preperiod > farthest.found.preperiod) {
    farthest = {moves, found};
  }
}

std::string CensusReport::csv() const {
  std::string text =
      "largest_move,sets,open,purely_periodic,additive,additive_purely_periodic,"
      "not_additive_period_divides_sum_of_two_moves,longest_period,its_set,longest_preperiod,"
      "its_first_set\n";
  for (std::size_t i = 0; i < by_largest.size(); ++i) {
    const CensusCounts& c = by_largest[i];
    text += fmt::format("{},{},{},{},{},{},{},{},{}\n", family.size + i, c.sets, c.open,
                        c.purely_periodic, c.additive, c.additive_purely, c.sums,
                        row_text(c.longest, c.longest.found.period),
                        row_text(c.farthest, c.farthest.found.preperiod));
  }
  return text;
}

}  // namespace grundy
