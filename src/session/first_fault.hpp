/// @file
/// What proofs of lists share: the search, on all threads, for the first of many items that has a
/// fault, and what a list of P-positions states.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <optional>
#include <stop_token>

#include <grundy/machine.hpp>

namespace grundy {

/// @param misere the player who cannot move wins
constexpr const char* p_positions_statement(bool misere) noexcept {
  return misere ? "the list has a position exactly if it has options and none of them is in the "
                  "list, as in misère play"
                : "the list has a position exactly if no option of it is in the list";
}
inline constexpr const char* kPPositionsMethod =
    "P-positions have no option in the list, others have one";

/// The least i below `count` for which has_fault(i) is true. The answer does not depend on the
/// number of threads. After a stop is requested, items may be skipped.
template <class HasFault>
std::optional<std::size_t> first_fault(Executor& executor, std::size_t count,
                                       const std::stop_token& stop, const HasFault& has_fault) {
  constexpr std::size_t kItemsOfTask = 16;
  std::atomic<std::size_t> first{count};
  executor.parallel_for((count + kItemsOfTask - 1) / kItemsOfTask, [&](std::size_t task) {
    const std::size_t end = std::min(count, (task + 1) * kItemsOfTask);
    for (std::size_t i = task * kItemsOfTask; i < end && !stop.stop_requested(); ++i) {
      std::size_t least = first.load();
      if (i >= least) return;
      if (!has_fault(i)) continue;
      while (i < least && !first.compare_exchange_weak(least, i)) {
      }
      return;
    }
  });
  return first.load() < count ? std::optional(first.load()) : std::nullopt;
}

}  // namespace grundy
