/// @file
/// What proofs of lists share: how long items are drawn, the search, on all threads, for the first
/// of many items that has a fault, and what a list of P-positions states.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

#include <fmt/format.h>

#include <grundy/list_check.hpp>
#include <grundy/machine.hpp>
#include <grundy/progress.hpp>

#include "core/stopwatch.hpp"

namespace grundy {

/// @param misere the player who cannot move wins
constexpr const char* p_positions_statement(bool misere) noexcept {
  return misere ? "the list has a position exactly if it has options and none of them is in the "
                  "list, as in misère play"
                : "the list has a position exactly if no option of it is in the list";
}
inline constexpr const char* kPPositionsMethod =
    "P-positions have no option in the list, others have one";

/// What is wrong with a position of a list of P-positions, as a sentence; empty if nothing is.
/// @param reaches an option of the position is listed
/// @param is_won one is, or it has no option and who cannot move wins
/// @param name makes the text of the position
template <class Name>
std::string p_position_fault(bool is_listed, bool reaches, bool is_won, const Name& name) {
  if (is_listed != is_won) return {};
  return fmt::format("{} is {}", name(),
                     !is_won   ? "not listed, but no option of it is either"
                     : reaches ? "listed, but an option of it is too"
                               : "listed, but has no option, and who cannot move wins");
}

/// How many items of a list are proved: `most`, or as many as fit into the time. However short it
/// is, a first batch fits, so that a proof never ends without a word about the list; no time at all
/// asks for nothing.
class ProofBudget {
 public:
  /// @param time what the proof has taken since it began
  /// @param seconds unset: `most` items are proved, however long that takes
  /// @param progress null: nobody listens
  ProofBudget(const Stopwatch& time, std::optional<double> seconds, std::uint64_t most,
              ProgressSink* progress)
      : time_(time), seconds_(seconds), most_(most), progress_(progress) {}

  /// Whether another item should follow `done` ones.
  [[nodiscard]] bool lasts(std::uint64_t done) const noexcept {
    if (done >= most_) return false;
    if (!seconds_) return true;
    return done == 0 ? *seconds_ > 0 : time_.seconds() <= *seconds_;
  }
  /// The size of the batch that follows `done` items.
  [[nodiscard]] std::uint64_t next(std::uint64_t batch, std::uint64_t done) const noexcept {
    return std::min(batch, most_ - done);
  }
  void report(std::uint64_t done) const {
    if (progress_ == nullptr) return;
    progress_->report({.done = done,
                       .total = seconds_ ? 0 : most_,
                       .work_done = seconds_ ? time_.seconds() : static_cast<double>(done),
                       .work_total = seconds_
                                         ? *seconds_
                                         : static_cast<double>(std::max<std::uint64_t>(most_, 1))});
  }

 private:
  Stopwatch time_;
  std::optional<double> seconds_;
  std::uint64_t most_;
  ProgressSink* progress_;
};

/// The time for what is drawn; unset if the request says how much it is, or wants everything.
inline std::optional<double> seconds_of_samples(const ListCheckRequest& request) noexcept {
  if (request.full || request.samples) return std::nullopt;
  return request.seconds;
}

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
