/// @file
/// The window certificate: a period proved from the sparse space of a game, with about half the
/// values that the theorem of Guy and Smith needs.
///
/// Let all rare heaps be at most r. Let every value of the rare type below that of a common heap be
/// reached by a split {a, b} with a <= D, or by a move that leaves one heap. Let moves remove at
/// most t tokens, and put W = max(r, D) + t + 1. Suppose that G(m + p) = G(m) for e <= m < e + W,
/// that e + p > r, and that p is even where the parity of the heap's size takes part in the split.
/// Then G(m + p) = G(m) for all m >= e.
///
/// Proof. Let n >= e + p + W and let the claim hold below n. Options of n of the common type come
/// from a rare heap and its partner, or from a move that leaves one heap. Heaps n and n - p have
/// the same rare heaps to split off, and the partners lie at most W below them, where values
/// repeat. So the same common values are reached from n as from n - p. Every rare value below the
/// least missing one is reached from n - p by {a, b}, and so from n by {a, b + p}. Hence
/// G(n) = G(n - p), and n is common with a depth of at most D, so the induction goes on. (Because
/// e + p > r, the heaps r and b + p are unequal where r and b are.)
///
/// If heap s has a pass, let D be at least s. Heaps n and n - p are at least e + W > s, so neither
/// has a pass. A larger D never makes the claims about it wrong.
///
/// The proof uses the bound on the depth for one period of heaps only, e + W <= n < e + p + W. It
/// uses for all heaps that no other heap is rare.
///
/// The method is Flammenkamp's for `0.106`; the wording and the conditions are our own.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <grundy/period_report.hpp>
#include <grundy/stats.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// W of the certificate. @param largest_take t
HeapSize sparse_window(const SparseFacts& facts, HeapSize largest_take) noexcept;

/// Whether values with G(n + period) = G(n) for first <= n < size - period prove the period. The
/// facts must be about at least `size` heaps, and fewer than 2^62. This function takes the facts
/// for true; verify/heap/window_check.hpp checks them from the values.
bool sparse_certificate_holds(const SparseFacts& facts, HeapSize largest_take, HeapSize first,
                              HeapSize period, HeapSize size) noexcept;

/// The certificate in words, with its numbers.
std::string sparse_statement(const SparseFacts& facts, HeapSize largest_take, HeapSize first,
                             HeapSize period);

/// The report of a period that these values prove. @pre sparse_certificate_holds() with `preperiod`
/// in place of `first`
PeriodReport sparse_report(SparseFacts facts, HeapSize largest_take, HeapSize preperiod,
                           HeapSize period);

}  // namespace grundy
