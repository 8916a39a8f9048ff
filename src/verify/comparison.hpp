/// @file
/// Values that an engine computes anew, compared with those of a table.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <grundy/sink.hpp>
#include <grundy/table.hpp>

namespace grundy {

/// Stops the engine at the first difference.
class Comparison final : public BlockSink {
 public:
  struct Difference {
    HeapSize heap;
    Nimber stored;
    Nimber computed;
  };

  explicit Comparison(const TableReader& table) : table_(table) {}

  Flow put(const Block& block) override {
    stored_.resize(block.values.size());
    table_.read(block.begin, stored_);
    block.values.visit([&](auto computed) {
      const auto at = std::ranges::mismatch(computed, stored_).in2 - stored_.begin();
      if (static_cast<std::size_t>(at) == stored_.size()) return;
      difference_ = {block.begin + static_cast<HeapSize>(at), stored_[at], computed[at]};
    });
    return difference_ ? Flow::kStop : Flow::kContinue;
  }

  [[nodiscard]] const std::optional<Difference>& difference() const noexcept { return difference_; }

 private:
  const TableReader& table_;
  std::vector<Nimber> stored_;
  std::optional<Difference> difference_;
};

}  // namespace grundy
