/// @file
/// The self-check of runs of several heaps; see self_check.hpp.
///
/// At random times the value of a random new position is computed again by the definition, from the
/// list of options that people see and the values of the options as they are on the way to the
/// device or on it. That shares no code with the fast engines, whose bit sets are all that they
/// keep of what they have found: a bit of a set that turns in memory leads to values that are not
/// the mex of their options, from then on.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include <grundy/lattice/rule.hpp>

#include "engines/lattice/value_order.hpp"
#include "session/check_budget.hpp"

namespace grundy {

class TileCheck {
 public:
  /// The value of a number that was handed over earlier.
  using Earlier = std::function<Nimber(std::uint64_t)>;

  /// Both must outlive the check.
  TileCheck(const LatticeRule& rule, const ValueOrder& order) : rule_(rule), order_(order) {}

  /// Perhaps computes one of the values with numbers from `begin` on again. Options before those
  /// are looked up, in ascending order, in what `open_earlier` returns.
  /// @throws Error(kMismatch) that names the position
  void sample(std::uint64_t begin, Values values, const std::function<Earlier()>& open_earlier);

  /// Samples that were found right so far.
  [[nodiscard]] std::uint64_t passed() const noexcept { return passed_; }

 private:
  [[nodiscard]] std::optional<bool> is_right(std::uint64_t number, std::uint64_t begin,
                                             Values values, const Earlier& earlier,
                                             const CheckBudget::Stopwatch& watch);

  const LatticeRule& rule_;
  const ValueOrder& order_;
  CheckBudget budget_;
  std::mt19937_64 random_{std::random_device{}()};
  std::vector<std::uint64_t> options_;
  std::uint64_t passed_ = 0;
};

}  // namespace grundy
