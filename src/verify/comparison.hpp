/// @file
/// Compares values that an engine computes anew with those of a store, in the order of the store.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/sink.hpp>
#include <grundy/table.hpp>

#include "verify/subject.hpp"

namespace grundy {

/// Stops the engine at the first difference.
class Comparison final : public ValueSink {
 public:
  explicit Comparison(const TableReader& table) : table_(table) {}

  Flow put(const Stretch& block) override {
    stored_.resize(block.values.size());
    table_.read(block.begin, stored_);
    block.values.visit([&](auto computed) {
      const auto at = std::ranges::mismatch(computed, stored_).in2 - stored_.begin();
      if (static_cast<std::size_t>(at) == stored_.size()) return;
      difference_ = {
          block.begin + static_cast<HeapSize>(at),
          fmt::format("has value {} in the table and {} anew", stored_[at], computed[at])};
    });
    return difference_ ? Flow::kStop : Flow::kContinue;
  }

  [[nodiscard]] const std::optional<Fault>& difference() const noexcept { return difference_; }

 private:
  const TableReader& table_;
  std::vector<Nimber> stored_;
  std::optional<Fault> difference_;
};

}  // namespace grundy
