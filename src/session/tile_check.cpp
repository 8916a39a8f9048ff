// SPDX-License-Identifier: MIT
#include "session/tile_check.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <grundy/error.hpp>

namespace grundy {

void TileCheck::sample(std::uint64_t begin, Values values,
                       const std::function<Earlier()>& open_earlier) {
  if (values.empty() || !budget_.affordable()) return;
  const CheckBudget::Stopwatch watch(budget_);
  const std::uint64_t number = begin + random_() % values.size();
  const std::optional<bool> right = is_right(number, begin, values, open_earlier(), watch);
  if (!right) return;
  if (!*right) {
    throw Error(
        ErrorCode::kMismatch,
        fmt::format("position {}, one of the values {} to {} of the run, was given the value {}, "
                    "which is not the mex of its options; trust neither this machine or build "
                    "before `grundy selftest --soak 60min`, nor what is sealed before `grundy "
                    "verify`",
                    position_text(order_, number), begin, begin + values.size() - 1,
                    values[number - begin]));
  }
  ++passed_;
}

/// Whether a value is the mex of its options; nothing if that takes too long to find out.
std::optional<bool> TileCheck::is_right(std::uint64_t number, std::uint64_t begin, Values values,
                                        const Earlier& earlier,
                                        const CheckBudget::Stopwatch& watch) {
  constexpr std::size_t kOptionsPerLook = 64;  // each may be a read of the device
  // A box of two heaps alone has as many options as the position has cells below it.
  constexpr double kMostOptions = 1u << 20;
  if (option_bound(rule_, order_, number) > kMostOptions) return std::nullopt;
  options_.clear();
  for_each_option(rule_, order_, number,
                  [this](std::uint64_t option) { options_.push_back(option); });
  std::ranges::sort(options_);
  options_.erase(std::ranges::unique(options_).begin(), options_.end());

  const Nimber value = values[number - begin];
  if (value > options_.size()) return false;
  std::vector<bool> reached(value, false);
  for (std::size_t i = 0; i < options_.size(); ++i) {
    const Nimber of_option =
        options_[i] < begin ? earlier(options_[i]) : values[options_[i] - begin];
    if (of_option == value) return false;
    if (of_option < value) reached[of_option] = true;
    if (i % kOptionsPerLook == 0 && watch.elapsed() > kLongestSample) return std::nullopt;
  }
  return std::ranges::find(reached, false) == reached.end();
}

}  // namespace grundy
