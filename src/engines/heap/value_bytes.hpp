/// @file
/// A table of values as bytes, in ascending and in descending order, for filter_pairs().
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <grundy/types.hpp>

#include "kernels/filter_kernels.hpp"

namespace grundy {

/// Room for the values of a fixed number of heaps. Heaps that were not set have values of earlier
/// ones, or 0.
class ValueBytes {
 public:
  explicit ValueBytes(HeapSize capacity) : capacity_(capacity) {
    for (auto* bytes : {&low_, &high_, &low_down_, &high_down_}) {
      bytes->resize(capacity / kLine + 3);
    }
  }

  void set(HeapSize heap, Nimber value) noexcept {
    const std::size_t down = capacity_ - 1 - heap;
    begin(low_)[heap] = begin(low_down_)[down] = value_low(value);
    begin(high_)[heap] = begin(high_down_)[down] = value_high(value);
  }
  [[nodiscard]] ByteTable view() noexcept {
    return {begin(low_), begin(high_), begin(low_down_) + capacity_ - 1,
            begin(high_down_) + capacity_ - 1};
  }

 private:
  static constexpr std::size_t kLine = 64;
  struct alignas(kLine) Line {
    std::uint8_t bytes[kLine];
  };
  /// The values begin after one line of padding.
  static std::uint8_t* begin(std::vector<Line>& lines) noexcept {
    return reinterpret_cast<std::uint8_t*>(lines.data() + 1);
  }

  HeapSize capacity_;
  std::vector<Line> low_;
  std::vector<Line> high_;
  std::vector<Line> low_down_;
  std::vector<Line> high_down_;
};

}  // namespace grundy
