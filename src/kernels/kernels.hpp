/// @file
/// The inner loops of the engines and provers, as named sets of functions. The sets can be listed,
/// and one can be forced.
///
/// A set belongs to one instruction-set target. `scalar` is plain C++ and defines what every other
/// set must do; the other sets are Highway's vector operations, compiled for a target of the
/// processor family. Each set has the same *families* of functions, one family for each kind of
/// loop; `avx3_dl` shares those with `avx3` that would not differ. An engine takes its family from
/// the set once for a run, or once for a block, never once for a heap. All functions are total,
/// `noexcept` and give the same result in every set.
///
/// To add a kernel to a family, say tap_kernels:
/// 1. declare its pointer in tap_kernels.hpp, with its contract;
/// 2. write it twice in tap_kernels.cpp, in plain C++ and in Highway, and add it to both tables;
/// 3. compare the sets with `scalar` in tests/kernels (those of `sparse` in tests/engines/heap).
///
/// To add a family: write NAME_kernels.hpp and .cpp in the layout that targets.hpp shows, and add a
/// reference here and in kernel_sets.cpp.
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

#include <grundy/machine.hpp>

#include "kernels/value_kernels.hpp"

namespace grundy {

struct BoardKernels;
struct CandidateKernels;
struct CodeKernels;
struct FilterKernels;
struct LetterKernels;
struct LineKernels;
struct RowKernels;
struct SetKernels;
struct SubtractionKernels;
struct TapKernels;

/// The kernels of one target.
struct KernelSet : ValueKernels {
  std::string_view name;         ///< `scalar`, `sse4`, `avx2`, `avx3`, `avx3_dl`, `neon`
  std::string_view description;  ///< the instructions that it needs

  const BoardKernels& boards;
  const CandidateKernels& candidates;
  const CodeKernels& codes;
  const FilterKernels& filters;
  const LetterKernels& letters;
  const LineKernels& lines;
  const RowKernels& rows;
  const SetKernels& sets;
  const SubtractionKernels& subtraction;
  const TapKernels& taps;
};

/// The sets that this processor can run: `scalar` first, the fastest last.
std::span<const KernelSet> available_kernels();

/// A target that is known but cannot run here, with the reason.
struct SkippedTarget {
  std::string_view name;
  std::string_view reason;
};
std::span<const SkippedTarget> skipped_kernels();

}  // namespace grundy
