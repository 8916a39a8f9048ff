/// @file
/// The engine `subtraction`: games in which a move only removes s tokens, for s in a set S.
///
/// Three algorithms share the work. Each proves every value:
/// - few different values (small or thin sets, primes): level bitsets (levels.hpp);
/// - many options and many values (squares, finite sets that are not small): what options have is
///   marked in planes of bits (planes.hpp);
/// - all but finitely many numbers: values with the heaps that block them (all_but.hpp).
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/heap/engine.hpp>

namespace grundy {

class SubtractionEngine final : public HeapEngine {
 public:
  std::string_view name() const noexcept override { return "subtraction"; }
  std::string_view summary() const noexcept override;
  std::string refusal(const HeapRule& rule) const override;
  std::uint64_t memory_bytes(const HeapRule& rule, HeapSize count, Nimber max_value) const override;
  RunStatus run(const HeapTask& task, ValueSink& sink) const override;
};

}  // namespace grundy
