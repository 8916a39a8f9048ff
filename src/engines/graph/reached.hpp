/// @file
/// The values that options of a position are known to have.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <grundy/types.hpp>

namespace grundy::graph {

/// The known values of the options of a position.
class Reached {
 public:
  void clear() noexcept { words_.clear(); }
  void add(Nimber value) {
    if (value / 64 >= words_.size()) words_.resize(value / 64 + 1);
    words_[value / 64] |= std::uint64_t{1} << value % 64;
  }
  [[nodiscard]] bool contains(Nimber value) const noexcept {
    return value / 64 < words_.size() && (words_[value / 64] >> value % 64 & 1) != 0;
  }
  /// Bit n is set if n is reached.
  [[nodiscard]] std::uint64_t below_64() const noexcept {
    return words_.empty() ? 0 : words_.front();
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace grundy::graph
