/// @file
/// For rules with many codes: the codes that some taps leave open. For 32 heaps at a time every tap
/// marks the code that it reaches, in one byte for each code. A code without a mark is open.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <grundy/types.hpp>

#include "engines/heap/sparse/sliding_window.hpp"
#include "engines/heap/sparse/taps.hpp"
#include "kernels/tap_kernels.hpp"

namespace grundy::sparse {

class OpenCodes {
 public:
  /// @param taps the taps that mark, in any order
  /// @param limit only codes below it are marked
  /// @param tasks number of tasks that may call find() at the same time
  OpenCodes(const TapKernels& kernels, const SlidingWindow<std::uint16_t>& codes,
            const std::vector<Tap>& taps, Nimber limit, std::size_t tasks);

  /// words(): number of words with a bit for each code of one heap. limit(): number of these codes.
  [[nodiscard]] std::size_t words() const noexcept { return words_; }
  [[nodiscard]] Nimber limit() const noexcept { return static_cast<Nimber>(64 * words_); }

  /// The open codes of kMarkHeaps heaps from n on, one bit for each code: words() words for each
  /// heap. They stay valid until the same task calls again.
  const std::uint64_t* find(HeapIndex n, std::size_t task) noexcept;

 private:
  struct Buffers {
    std::vector<std::uint8_t> marks;  ///< 0 below the limit between two calls
    std::vector<std::uint64_t> open;
  };

  const TapKernels& kernels_;
  const SlidingWindow<std::uint16_t>& codes_;
  const std::size_t words_;
  const TapRow taps_;
  std::vector<Buffers> buffers_;  ///< by task
};

}  // namespace grundy::sparse
