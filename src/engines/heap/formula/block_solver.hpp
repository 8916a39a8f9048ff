/// @file
/// The values of one block of heaps of a formula rule.
///
/// All options are listed in parallel, heap by heap, before any value of the block is known. An
/// option below the block is settled: its value is read at once. An option inside the block is
/// late. For a heap with L late options it is enough to keep these options and the L + 1 least
/// numbers that no settled option has. Late options fill at most L of these gaps, and the least gap
/// that is left is the value. So the one sequential pass, which finds values, is short.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <grundy/heap/formula.hpp>
#include <grundy/machine.hpp>
#include <grundy/types.hpp>

#include "engines/heap/formula/plan.hpp"
#include "engines/heap/formula/variable_sets.hpp"

namespace grundy {

/// For each value, a number or whether it was seen. Forgetting everything takes no time.
class SeenValues {
 public:
  /// Forgets all values. Afterwards values up to `largest` may be added.
  void start(Nimber largest);
  void add(Nimber value) noexcept { stamps_[value] = stamp_; }
  [[nodiscard]] bool has(std::size_t value) const noexcept {
    return value < stamps_.size() && stamps_[value] == stamp_;
  }

 private:
  std::vector<std::uint32_t> stamps_;
  std::uint32_t stamp_ = 0;
};

/// A target that is not below its heap.
struct BadTarget {
  HeapSize heap = 0;
  const FormulaExpression* target = nullptr;
  std::int64_t value = 0;
};

/// Options of consecutive heaps, listed by one thread, and the working space of the thread.
struct OptionPiece {
  /// The stored data of a heap.
  struct Heap {
    std::size_t gaps_end = 0;
    std::size_t late_end = 0;
  };
  std::vector<Heap> heaps;
  std::vector<Nimber> gaps;         ///< of all heaps, one after another
  std::vector<std::uint32_t> late;  ///< late options, counted from the beginning of the block
  std::optional<BadTarget> bad;     ///< the first one, if there is any

  SeenValues seen;
  DivisorLists divisors;
  NumberBits bits;
};

/// What is found of a heap.
enum class FormulaResult : std::uint8_t {
  kValue,
  /// 0 if the player to move loses, else 1, where the player who cannot move wins.
  kMisereOutcome,
};

class FormulaBlockSolver {
 public:
  /// The arguments must outlive the solver. @pre the rule fits heaps below `count` (require_fit())
  FormulaBlockSolver(const FormulaRule& rule, HeapSize count, Executor& executor,
                     FormulaResult result = FormulaResult::kValue);

  /// The number of heaps in a block. It keeps the storage for late options small.
  [[nodiscard]] HeapSize block() const noexcept { return block_; }
  /// The approximate power of n with which the work for heaps 0 .. n grows.
  [[nodiscard]] double work_exponent() const noexcept { return dense_ ? 2 : 1; }
  /// Finds the results of heaps begin .. begin + values.size() - 1. `table` has the results before.
  /// @throws Error(kUsage) if a heap may become itself or a larger heap; names the least such heap
  void solve(HeapSize begin, Values table, std::span<Nimber> values);
  /// Says that values known from elsewhere are at most this.
  void expect(Nimber largest) noexcept { largest_ = largest; }

 private:
  /// The value of a heap from its gaps and the values of its late options.
  Nimber value_of_heap(std::span<const Nimber> gaps, std::span<const std::uint32_t> late,
                       std::span<const Nimber> values);

  Executor& executor_;
  FormulaResult result_;
  std::vector<ClausePlan> plans_;
  HeapSize block_;
  bool dense_;
  bool divisors_;  ///< whether some clause goes through divisors
  Nimber largest_ = 0;
  std::vector<OptionPiece> pieces_;
  SeenValues seen_;
};

}  // namespace grundy
