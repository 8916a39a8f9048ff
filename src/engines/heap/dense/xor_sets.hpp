/// @file
/// Tables of games whose moves leave three or more heaps, through sets of nim-sums.
///
/// Let T_k(m) be the set of values that m tokens have when they are split into exactly k nonempty
/// heaps: T_1(m) = {G(m)}, and T_k(m) is the union over 0 < a < m of G(a) xor T_(k-1)(m-a). G(n) is
/// the mex of the union of T_k(n-i) over the moves (i, k) that the code allows. The sets are bit
/// sets of V bits, where V is a power of two above every value so far; xor permutes their bits.
///
/// The three-heap sets need only the two-heap sets, and these only the values. So one heap costs
/// O(n V / 64) word operations for every k instead of O(n^(k-1)) marks. A table costs O(K n^2 V /
/// 64) and keeps K n V bits. For `k or more` heaps let U_k(m) be the union of T_j(m) over j >= k.
/// It is the union of T_k(m) and of G(a) xor U_k(m-a) over all a.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include <grundy/heap/engine.hpp>

namespace grundy {

/// Empty if run_xor_sets() can compute the rule; otherwise the reason, as a clause.
std::string xor_sets_refusal(const HeapRule& rule);

/// Bytes for a table of `count` values of at most `max_value`.
std::uint64_t xor_sets_memory(const HeapRule& rule, HeapSize count, Nimber max_value);

/// Computes the table and hands it to `sink` in blocks. @pre xor_sets_refusal(task.rule).empty()
RunStatus run_xor_sets(const HeapTask& task, ValueSink& sink);

}  // namespace grundy
