/// @file
/// What a value costs with the dense and with the sparse-space engine, for the choice between them.
///
/// The dense engine compares n / 2 pairs for every split, the more often the more values there are.
/// The sparse-space engine has a fast way, which applies every tap (a rare heap times a split) to
/// every heap, and a slow way, which it takes for a thousand heaps and more after each new rare
/// one, and which costs some nanoseconds a tap.
///
/// The constants are nanoseconds on one core of an x86-64 machine with AVX-512, fitted to
/// `bench_choice 32768` (bench/README.md), where they pick the faster engine for 23 of 24 games.
/// They decide nothing but speed, and only their ratios matter.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <grundy/types.hpp>

#include "engines/heap/sparse/moves.hpp"

namespace grundy {

/// The state of the sparse space at some heap.
struct SparseLoad {
  HeapSize heap = 0;       ///< heaps below were looked at
  HeapSize rare = 0;       ///< rare heaps among them,
  HeapSize recent = 0;     ///< and among the later half
  Nimber value_limit = 1;  ///< values are below this power of two
};

/// Of one heap in the octave that begins at load.heap, for rules with so many moves that split.
double dense_cost(std::size_t splits, const SparseLoad& load) noexcept;
double sparse_cost(std::size_t splits, const SparseLoad& load) noexcept;

/// The load that the best split gives the values of heaps 0 .. values.size()-1.
SparseLoad measure_load(const sparse::Moves& moves, Values values);

enum class HeapMethod { kDense, kSparse };

/// A method for the heaps from load.heap to twice as many, and why.
struct MethodChoice {
  HeapMethod method = HeapMethod::kDense;
  std::string reason;
};

/// The cheaper method. Where one is at work the other has to be cheaper by half.
MethodChoice choose_method(const sparse::Moves& moves, const SparseLoad& load,
                           std::optional<HeapMethod> at_work = std::nullopt);

}  // namespace grundy
