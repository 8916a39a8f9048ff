/// @file
/// Chooses the prover for a rule of one heap.
///
/// | moves leave | prover |
/// |---|---|
/// | at most two heaps; subtraction sets | pair_prover.hpp |
/// | more heaps, at most some number, or remove without bound | set_prover.hpp |
/// | formulas | formula_prover.hpp |
/// | anything else | every option listed (definition.hpp) |
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include <grundy/heap/rule.hpp>
#include <grundy/machine.hpp>

#include "kernels/kernels.hpp"
#include "verify/prover.hpp"

namespace grundy {

/// The fastest prover for the rule. The arguments must outlive it.
std::unique_ptr<Prover> make_prover(const HeapRule& rule, StoredValues stored,
                                    const KernelSet& kernels, Executor& executor);

/// The most bytes that make_prover() needs for the rule besides `count` values.
std::uint64_t prover_bytes(const HeapRule& rule, HeapSize count, Nimber largest);

}  // namespace grundy
