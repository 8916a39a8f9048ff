/// @file
/// One heap game as a row of a table of octal games, in columns like those of A. Flammenkamp.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <grundy/period_report.hpp>
#include <grundy/stats.hpp>
#include <grundy/types.hpp>

namespace grundy {

struct GameRow {
  std::string_view code;
  const PeriodReport& period;
  const TableStats& stats;
  const std::optional<SparseFacts>& sparse;
  /// The largest of the heaps that were counted whose value is 0, if it is known.
  std::optional<HeapSize> last_zero{};
};

/// The names of the columns, separated by tabs, and the end of the line. The sparse space is a mask
/// in binary, once with its greatest bit first and once with its least bit first; `+n` is added if
/// the parity of the heap takes part. `rare` does not count heap 0, which is rare as well; `with 0`
/// counts it.
std::string game_row_heading();
/// The row and the end of its line; `-` for what is not proved or not known, for the maximum of
/// values that are proved to grow, and for the last zero where zeros are proved to recur.
std::string to_text(const GameRow& row);

}  // namespace grundy
