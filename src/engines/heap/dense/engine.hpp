/// @file
/// The dense engine: looks at every pair of every heap, in vectors and in parallel. Takes O(n^2 /
/// N) vector steps for n values, with vectors of N bytes.
///
/// Rules for at most two heaps begin with marks of all pairs (beginning.hpp) and go on in epochs
/// (epoch.hpp). Ranks, and runs that are given a block size, have epochs alone. Rules for more
/// heaps run through sets of nim-sums (xor_sets.hpp).
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/heap/engine.hpp>

namespace grundy {

class DenseEngine final : public HeapEngine {
 public:
  /// Lowers the largest value that is stored in 8 and in 16 bits, so that tests can watch the table
  /// widen. No real octal game reaches 32 bits in reasonable time.
  struct Limits {
    Nimber u8 = ::grundy::largest_value(ValueWidth::kU8);
    Nimber u16 = ::grundy::largest_value(ValueWidth::kU16);
  };
  constexpr DenseEngine() noexcept = default;
  constexpr explicit DenseEngine(Limits narrow_limits) noexcept : limits_(narrow_limits) {}

  [[nodiscard]] std::string_view name() const noexcept override { return "dense"; }
  [[nodiscard]] std::string_view summary() const noexcept override;
  [[nodiscard]] std::string refusal(const HeapRule& rule) const override;
  [[nodiscard]] bool is_shared(const HeapRule& rule) const noexcept override;
  [[nodiscard]] std::uint64_t memory_bytes(const HeapRule& rule, HeapSize count,
                                           Nimber max_value) const override;
  RunStatus run(const HeapTask& task, ValueSink& sink) const override;

 private:
  [[nodiscard]] Nimber largest_value(ValueWidth width) const noexcept;

  Limits limits_;
};

/// The engine in the list of engines and in `auto`.
inline const DenseEngine kDenseEngine;

}  // namespace grundy
