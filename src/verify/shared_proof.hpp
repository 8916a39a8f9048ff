/// @file
/// A proof in pieces that the ranks of a team share.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>

#include <grundy/progress.hpp>
#include <grundy/team.hpp>
#include <grundy/verify.hpp>

#include "core/shared_progress.hpp"

namespace grundy {

/// What came of all pieces.
struct SharedProof {
  bool complete = false;  ///< every piece was looked at
  /// On rank 0: the least entry that is wrong. Other ranks say nothing.
  std::optional<WrongValue> wrong{};
};

/// Looks at one piece, tells how far it is, and returns its first wrong entry, if there is one.
using PieceProof = std::function<std::optional<WrongValue>(std::uint64_t piece, ProgressSink&)>;

/// Proves the pieces that fall to this rank and waits for the others. They are dealt in their
/// order, so those that cost most stand first.
/// @param progress hears, on rank 0, how far all ranks together are; null: nobody does
/// @pre every rank calls it with the same pieces
SharedProof share_proof(Team& team, std::span<const Piece> pieces, const PieceProof& prove,
                        const std::stop_token& stop, ProgressSink* progress);

}  // namespace grundy
