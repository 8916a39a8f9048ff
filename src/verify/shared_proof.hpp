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

/// The result of all pieces.
struct SharedProof {
  bool complete = false;  ///< every piece was looked at
  /// On rank 0: the least wrong entry. Always empty on other ranks.
  std::optional<WrongValue> wrong{};
};

/// Proves one piece, reports its progress, and returns its first wrong entry, if there is one.
using PieceProof = std::function<std::optional<WrongValue>(std::uint64_t piece, ProgressSink&)>;

/// Proves the pieces that fall to this rank and waits for the other ranks. Pieces are dealt in
/// order, so the most expensive ones should come first.
/// @param progress hears, on rank 0, the progress of all ranks together; null if nobody asks
/// @pre every rank calls it with the same pieces
SharedProof share_proof(Team& team, std::span<const Piece> pieces, const PieceProof& prove,
                        const std::stop_token& stop, ProgressSink* progress);

}  // namespace grundy
