/// @file
/// Ranks that share one work: processes on many machines, or threads for tests.
///
/// All ranks are given the same request and see the same files. They agree beforehand on a list of
/// pieces; next() deals the pieces out, each to the rank that asks first, so that uneven pieces and
/// uneven machines balance. gather() brings together what came of them. Values do not depend on who
/// computes what. Ranks whose works depend on each other send letters with post() and take().
///
/// A team of processes is made by the program `grundy-mpi` (src/mpi); the library knows this class
/// alone.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace grundy {

/// A rank's view of its team. One thread at a time calls gather() or all_and(), and take() with the
/// same arguments; any thread may call next() and post().
class Team {
 public:
  virtual ~Team() = default;

  /// From 0 to size()-1. Rank 0 speaks for all: it prints, and writes what belongs to no rank.
  [[nodiscard]] virtual std::uint64_t rank() const noexcept = 0;
  [[nodiscard]] virtual std::uint64_t size() const noexcept = 0;
  /// The ranks on this machine, this one counted: they share its memory.
  [[nodiscard]] virtual std::uint64_t ranks_here() const noexcept = 0;
  /// The number of the next piece: 0, 1, 2, .., each once in the whole team. Where ranks have left,
  /// a number may be no piece's any more.
  /// @param finished a piece that was dealt to this rank and is done now, if there is one
  virtual std::uint64_t next(std::optional<std::uint64_t> finished) = 0;
  /// Bytes in which all ranks together ask for so many pieces and hear their numbers: each time a
  /// number that is finished, and the next one.
  [[nodiscard]] std::uint64_t bytes_of_dealing(std::uint64_t pieces) const noexcept {
    return 2 * sizeof(std::uint64_t) * (pieces + size());
  }
  /// On rank 0: from now on `hears` is called with each piece that another rank has finished, and
  /// at once with those that nobody has heard of yet; by one thread at a time, which may be any. It
  /// calls nothing of the team. Empty: nobody hears. On other ranks it does nothing.
  virtual void listen(std::function<void(std::uint64_t)> hears) = 0;
  /// Waits until every rank has called it as often as this one. Rank 0 receives what each gave, by
  /// rank, and others nothing. Unset if a rank has left before.
  virtual std::optional<std::vector<std::string>> gather(std::string bytes) = 0;
  /// Waits like gather(). All ranks give as many bytes, and each receives the bitwise AND of what
  /// all gave. @throws Error(kFailure) if a rank has left before
  virtual void all_and(std::span<std::uint8_t> bytes) = 0;
  /// Sends a letter to another rank, without waiting for it to be taken. @pre channel < 2^12
  virtual void post(std::uint64_t to, std::uint64_t channel, std::string letter) = 0;
  /// Waits for the next letter of a rank on a channel; they come in the order in which it posted
  /// them. @throws Error(kFailure) if it has left and posted no more
  virtual std::string take(std::uint64_t from, std::uint64_t channel) = 0;
  /// This rank calls nothing any more; those that wait for it need not wait longer.
  virtual void leave() noexcept = 0;
};

/// A team of `ranks` ranks in this process, for as many threads; entry i is the view of rank i.
/// @pre ranks >= 1
std::vector<std::unique_ptr<Team>> make_thread_team(std::uint64_t ranks);

}  // namespace grundy
