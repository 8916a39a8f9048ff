/// @file
/// Sums as they are typed and told: `kayles:12,7 nim:5` in, "from the Kayles heap of 12 take 2,
/// leaving 4 + 6" out.
// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include <grundy/sum.hpp>

#include "cli/console.hpp"
#include "session/sum_position.hpp"

namespace grundy::cli {

/// A sum of heaps together with the games whose heaps they are, and of positions of other games.
struct Sum {
  std::deque<GameValues> games;                         ///< never moved: heaps point here
  std::vector<SumHeap> heaps;                           ///< in the order in which they were typed
  std::vector<std::unique_ptr<SumPosition>> positions;  ///< likewise

  [[nodiscard]] Nimber value() const;
};

/// Reads components `GAME:n,n,…` or `FILE.h5:n,n,…`, separated by white space in one text or
/// given one by one, and finds the values of their heaps. Of a game of several heaps the numbers
/// are one position; a game on positions, `cram:3x4`, stands for its start. `*5` is a heap of Nim.
/// Components may be joined by `+`.
/// @throws Error(kUsage) that names the component
Sum read_sum(const std::vector<std::string>& components, bool quiet);

/// The components of a sum that was typed as one argument.
std::vector<std::string> split_components(const std::string& text);

/// "N: the player to move wins" or "P: …".
std::string outcome_sentence(Nimber value);
/// "the Kayles heap of 12".
std::string heap_text(const SumHeap& heap);
/// "from the Kayles heap of 12 take 2, leaving 4 + 6".
std::string move_text(const SumHeap& heap, const HeapMove& move);

/// "in the Wythoff's game position (3, 6) leave (3, 5)".
std::string move_text(const SumPosition& position, const PositionMove& move);

/// A list of heaps, or a text.
Json written_json(const WrittenPosition& position);
/// The heaps with their values, the nim-sum, and the outcome.
Json sum_json(const Sum& sum);

}  // namespace grundy::cli
