/// @file
/// A computation that the ranks of a team share. Rank 0 leads a life of the run. The others wait
/// until its engine begins, and then run their engines for the same heaps.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/compute.hpp>
#include <grundy/team.hpp>

#include "session/setup.hpp"

namespace grundy {

/// On rank 0: calls the other ranks to work, or lets them go if its engine never begins.
class Summons {
 public:
  /// @param team null: there are no other ranks
  explicit Summons(Team* team) : team_(team) {}
  Summons(const Summons&) = delete;
  Summons& operator=(const Summons&) = delete;
  ~Summons();
  /// Call it when the engine begins.
  void begin() { tell(true); }

 private:
  void tell(bool begins);

  Team* team_;
};

/// The work of a rank other than 0. Its report says only whether the run is complete.
/// @throws Error(kFailure) if memory is short on its machine
Report assist(const HeapSetup& setup, const Hooks& hooks);

}  // namespace grundy
