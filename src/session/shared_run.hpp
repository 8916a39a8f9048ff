/// @file
/// A computation that the ranks of a team share. Rank 0 leads a life of the run; the others wait
/// until its engine begins, and run theirs for the same heaps.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/compute.hpp>
#include <grundy/team.hpp>

#include "session/setup.hpp"

namespace grundy {

/// Of rank 0: calls the other ranks to work, or lets them go if its engine never begins.
class Summons {
 public:
  /// @param team null: there is no one to call
  explicit Summons(Team* team) : team_(team) {}
  Summons(const Summons&) = delete;
  Summons& operator=(const Summons&) = delete;
  ~Summons();
  /// The engine begins.
  void begin() { tell(true); }

 private:
  void tell(bool begins);

  Team* team_;
};

/// What a rank other than 0 does. Its report says only whether the run is complete.
/// @throws Error(kFailure) if memory is short on its machine
Report assist(const HeapSetup& setup, const Hooks& hooks);

}  // namespace grundy
