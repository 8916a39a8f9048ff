/// @file
/// The engine `reference`: the definition of the Grundy value, followed literally.
///
/// For every heap it lists all options, marks their values and takes the mex. A rule that leaves at
/// most h heaps after removing a bounded number of tokens costs O(n^(h-1)) for heap n. It costs one
/// more power if any number may be removed, and with `*` digits the number of partitions of n.
/// Every other engine is tested against this one, and it accepts every rule.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/heap/engine.hpp>

namespace grundy {

class ReferenceEngine final : public HeapEngine {
 public:
  std::string_view name() const noexcept override { return "reference"; }
  std::string_view summary() const noexcept override;
  std::string refusal(const HeapRule& rule) const override;
  std::uint64_t memory_bytes(const HeapRule& rule, HeapSize count, Nimber max_value) const override;
  RunStatus run(const HeapTask& task, ValueSink& sink) const override;
};

}  // namespace grundy
