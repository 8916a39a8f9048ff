/// @file
/// Additive periods of the rows of a game of two heaps, with a proof.
///
/// Row x holds the values of the positions (x, n), n = 0, 1, .. A row is additively periodic if
/// G(x, n + p) = G(x, n) + s for all n from some column on. A. Dress, A. Flammenkamp and N. Pink
/// (Advances in Applied Mathematics 22 (1999) 249-270) proved this for Wythoff's game and others.
/// The argument used here is a later, shorter one of H. A. Landman (More Games of No Chance, 2002).
///
/// The values of rows 0 .. a at column n follow from a *state*: the set of values that each row has
/// used so far, and the values of the last few columns, as far back as a move reaches that takes
/// from the first heap too. Let b be the least value that some row has not used. No later value is
/// below b, so it is enough to know everything above b, relative to b. If the state at column n + p
/// equals the state at column n with b larger by s, then induction gives G(x, m + p) = G(x, m) + s
/// for all rows and all m >= n. States are compared whole, not by a hash, so this is a proof.
///
/// A state holds the values that unbounded rays reach as sets, by row and by line. Each column is
/// computed twice: until a state recurs, and again for the least period and preperiod of every row.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/lattice/rule.hpp>
#include <grundy/progress.hpp>

namespace grundy {

/// G(row, n + period) = G(row, n) + saltus for all n >= preperiod; both are least possible.
struct RowPeriod {
  std::uint32_t row = 0;
  std::uint64_t period = 0;
  std::uint64_t preperiod = 0;
  std::uint64_t saltus = 0;
  friend bool operator==(const RowPeriod&, const RowPeriod&) = default;
};

/// What the recurrence of a state proves.
struct RowPeriods {
  std::uint64_t column = 0;  ///< the column whose state recurs
  std::uint64_t period = 0;  ///< the number of columns after which it recurs
  std::uint64_t saltus = 0;  ///< how much larger all values are then
  std::vector<RowPeriod> rows;
};

/// Empty if the rows of the rule have states of the kind above, else the reason in one clause: the
/// rule needs two heaps, no pass, and rays, bands and boxes only.
std::string row_period_refusal(const LatticeRule& rule);

/// Periods of rows 0 .. last_row, or nothing if no state recurs in the first `columns` columns or
/// the search was stopped. Memory: 4 bytes for each row and column of the period, and the state.
/// @throws Error(kUsage) if row_period_refusal() has a reason
std::optional<RowPeriods> find_row_periods(const LatticeRule& rule, std::uint32_t last_row,
                                           std::uint64_t columns, std::stop_token stop = {},
                                           ProgressSink* progress = nullptr);

}  // namespace grundy
