/// @file
/// Outcomes of games whose moves leave at most one heap: who wins a heap, without the values.
///
/// These are all rules that split no heap and have no pass: subtraction games, codes of digits up
/// to 3, rules by formulas. A move that leaves two heaps is good if their values are equal, and
/// outcomes do not tell that.
///
/// A heap is a P-position (the previous player wins) if its Grundy value is 0. Every other heap has
/// a move to a P-position, so P-positions are sieved like primes: every P-position p makes p + s an
/// N-position for each move s, and the least heap that is not marked is the next P-position. Where
/// values are found as fast (formulas, AllBut, primes), they tell P-positions. In misère play, the
/// player who cannot move wins. So heaps without a move are N-positions, and the next P-position is
/// the least heap with a move that is not marked. The options of a rule by formulas are listed heap
/// by heap, as they are for values.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include <grundy/error.hpp>
#include <grundy/heap/engine.hpp>

namespace grundy {

/// Empty if the outcomes of heaps 0 .. count - 1 can be found in that play without all values, else
/// the reason in one clause.
std::string outcomes_refusal(const HeapRule& rule, bool misere, HeapSize count);

/// Whether P-positions are found as the zeros of the values, which is as fast.
/// @pre outcomes_refusal() is empty
bool outcomes_are_in_values(const HeapRule& rule, bool misere);

/// Bytes of memory for run_outcomes(), without 8 bytes for each P-position that is at most the
/// largest move below the newest heap.
std::uint64_t outcomes_memory_bytes(const HeapRule& rule, HeapSize count);

/// Like HeapEngine::run(), but the values are 0 for P-positions and 1 for all others, and no table
/// needs to be with them. One byte is written for each move of each P-position, or a step done for
/// each option of a rule by formulas.
/// @param misere the player who cannot move wins
/// @throws Error from the sink, kFailure when memory runs out, kUsage if a formula gives an option
/// that is no smaller heap
/// @pre outcomes_refusal() is empty, and outcomes_are_in_values() does not hold
RunStatus run_outcomes(const HeapTask& task, bool misere, ValueSink& sink);

}  // namespace grundy
