/// @file
/// A proof in pieces that the ranks of a team share.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>

#include <grundy/team.hpp>
#include <grundy/verify.hpp>

namespace grundy {

/// What came of all pieces.
struct SharedProof {
  bool complete = false;  ///< every piece was looked at
  /// On rank 0: the least entry that is wrong. Other ranks say nothing.
  std::optional<WrongValue> wrong{};
};

/// Proves the pieces 0 .. pieces-1 that fall to this rank and waits for the others.
/// @param prove looks at one piece and returns its first wrong entry, if there is one
/// @pre every rank calls it with the same number of pieces
SharedProof share_proof(Team& team, std::uint64_t pieces,
                        const std::function<std::optional<WrongValue>(std::uint64_t)>& prove,
                        const std::stop_token& stop);

}  // namespace grundy
