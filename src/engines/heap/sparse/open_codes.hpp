/// @file
/// The codes that some taps leave open, where codes are many: for 32 heaps at a time every tap
/// marks the code that it reaches, one byte a code, and what is not marked is open.
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
  /// @param limit codes that are looked at are below
  /// @param tasks that may call find() at the same time
  OpenCodes(const TapKernels& kernels, const SlidingWindow<std::uint16_t>& codes,
            std::vector<Tap> taps, Nimber limit, std::size_t tasks);

  /// Words for the codes of one heap, and codes in them.
  [[nodiscard]] std::size_t words() const noexcept { return words_; }
  [[nodiscard]] Nimber limit() const noexcept { return static_cast<Nimber>(64 * words_); }

  /// The open codes of the kMarkHeaps heaps from n on, a bit each: words() words a heap. They stay
  /// until the task calls again.
  const std::uint64_t* find(HeapIndex n, std::size_t task) noexcept;

 private:
  struct Buffers {
    std::vector<std::uint8_t> marks;  ///< all 0 between two calls, but for those behind the limit
    std::vector<std::uint64_t> open;
  };

  const TapKernels& kernels_;
  const SlidingWindow<std::uint16_t>& codes_;
  const std::size_t words_;
  std::vector<std::uint64_t> offsets_;
  std::vector<std::uint16_t> tap_codes_;
  std::vector<Buffers> buffers_;  ///< by task
};

}  // namespace grundy::sparse
