/// @file
/// Outcomes of games whose moves leave at most one heap: who wins a heap, without the values.
///
/// These are subtraction games and octal codes of digits up to 3. A move that leaves two heaps is
/// good if their values are equal, and outcomes do not tell that.
///
/// A heap is a P-position (the previous player wins) if its Grundy value is 0. Every other heap has
/// a move to a P-position, so P-positions are sieved like primes: every P-position p makes p + s an
/// N-position for each move s, and the least heap that is not marked is the next P-position. In
/// misère play, where the player who cannot move wins, the next P-position is the least such heap
/// that has a move: a heap stays a single heap, so only the heaps without a move are won otherwise.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include <grundy/heap/engine.hpp>

namespace grundy {

/// Empty if run_outcomes() can compute heaps 0 .. count - 1 of the rule, else the reason in one
/// clause.
std::string outcomes_refusal(const HeapRule& rule, HeapSize count);

/// Bytes of memory for run_outcomes(), without 8 bytes for each P-position that is at most the
/// largest move below the newest heap.
std::uint64_t outcomes_memory_bytes(const HeapRule& rule, HeapSize count);

/// Like HeapEngine::run(), but the values are 0 for P-positions and 1 for all others, and no table
/// comes with them. One byte is written for each move of each P-position.
/// @param misere the player who cannot move wins
/// @throws Error from the sink, or kFailure when memory runs out
/// @pre outcomes_refusal() is empty
RunStatus run_outcomes(const HeapTask& task, bool misere, ValueSink& sink);

}  // namespace grundy
