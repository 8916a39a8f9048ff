/// @file
/// Ranks that share one work: processes on many machines, or threads for tests.
///
/// All ranks are given the same request and see the same files. They agree beforehand on a list of
/// pieces. next() deals the pieces out, each to the rank that asks first, so that uneven pieces and
/// uneven machines balance. gather() collects the results. Values do not depend on who computes
/// what. Ranks that need each other's results send letters with post() and take().
///
/// The program `grundy-mpi` (src/mpi) makes a team of processes; the library knows this class only.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include <grundy/error.hpp>

namespace grundy {

/// A rank's view of its team. One thread at a time calls gather() or all_and(), and take() with the
/// same arguments; any thread may call next(), post(), stop() and stopped().
class Team {
 public:
  /// No piece has this number or a greater one.
  static constexpr std::uint64_t kNoPiece = std::uint64_t{1} << 63;

  virtual ~Team() = default;

  /// From 0 to size()-1. Rank 0 speaks for all: it prints, and writes what belongs to no rank.
  [[nodiscard]] virtual std::uint64_t rank() const noexcept = 0;
  [[nodiscard]] virtual std::uint64_t size() const noexcept = 0;
  /// The ranks on this machine, this one counted: they share its memory.
  [[nodiscard]] virtual std::uint64_t ranks_here() const noexcept = 0;
  /// The number of the next piece: 0, 1, 2, .., each once in the whole team. After a rank has left,
  /// or has called stop(), all numbers are kNoPiece or more, so that the others end, too.
  /// @param finished a piece that was dealt to this rank and is now done, if there is one
  virtual std::uint64_t next(std::optional<std::uint64_t> finished) = 0;
  /// Bytes of all messages by which all ranks together ask for this number of pieces: each request
  /// has the number of a finished piece, each answer the next number.
  [[nodiscard]] std::uint64_t bytes_of_dealing(std::uint64_t pieces) const noexcept {
    return 2 * sizeof(std::uint64_t) * (pieces + size());
  }
  /// On rank 0: from now on `hears` is called with each piece that another rank has finished, and
  /// at once with the finished pieces that nobody has heard of yet. One thread at a time calls it,
  /// which may be any thread. `hears` must not call the team. An empty function: nobody hears. On
  /// other ranks listen() does nothing.
  virtual void listen(std::function<void(std::uint64_t)> hears) = 0;
  /// Waits until every rank has called it as often as this one. Rank 0 receives the bytes of every
  /// rank, in the order of ranks; the others receive an empty list. Unset if a rank has left
  /// before, or has called stop(), also while others wait.
  virtual std::optional<std::vector<std::string>> gather(std::string bytes) = 0;
  /// Waits like gather(). All ranks give the same number of bytes, and each receives the bitwise
  /// AND of what all gave. @throws Error(kFailure) if a rank has left before
  virtual void all_and(std::span<std::uint8_t> bytes) = 0;
  /// Sends a letter to another rank, without waiting for it to be taken. @pre channel < 2^12
  virtual void post(std::uint64_t to, std::uint64_t channel, std::string letter) = 0;
  /// Waits for the next letter of a rank on a channel; letters come in the order in which they were
  /// posted. @throws Error(kFailure) if the rank has left and has posted no more
  virtual std::string take(std::uint64_t from, std::uint64_t channel) = 0;
  /// Ends a work that is dealt in pieces: every rank hears of it by stopped(), and nobody waits in
  /// gather() any longer. A rank calls it that is asked to stop.
  virtual void stop() noexcept = 0;
  /// Its stop is requested when a rank has called stop(), this one or another. What is called back
  /// must not call the team.
  [[nodiscard]] virtual std::stop_token stopped() const noexcept = 0;
  /// This rank calls nothing any more. Ranks that wait for it need not wait longer.
  virtual void leave() noexcept = 0;
};

/// A team of `ranks` ranks in this process, for as many threads; entry i is the view of rank i.
/// @pre ranks >= 1
std::vector<std::unique_ptr<Team>> make_thread_team(std::uint64_t ranks);

}  // namespace grundy
