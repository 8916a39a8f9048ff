/// @file
/// The marks of codes in every kernel set, compared with `scalar`, on random data.
// SPDX-License-Identifier: MIT
#include "kernels/tap_kernels.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/kernels.hpp"

namespace grundy {
namespace {

TEST(TapKernels, MarkCodesAndTakeUnmarked) {
  const TapKernels& scalar = available_kernels().front().taps;
  std::mt19937 random(11);
  constexpr std::size_t kReach = 400;
  for (const std::size_t words : {1, 3, 8}) {
    const auto bound = static_cast<std::uint16_t>(64 * words);
    const std::size_t stride = bound + 64;
    for (const std::size_t taps : {0, 1, 127, 128, 301}) {
      std::vector<std::uint16_t> codes(kReach + kMarkHeaps);
      for (auto& code : codes) code = static_cast<std::uint16_t>(random() % 600);
      codes[200] = 0x8000;
      std::vector<std::uint64_t> offsets;
      std::vector<std::uint16_t> tap_codes;
      for (std::size_t t = 0; t < taps; ++t) {
        offsets.push_back(1 + random() % kReach);
        tap_codes.push_back(static_cast<std::uint16_t>(random() % 512));
      }
      const TapSequence view{offsets.data(), tap_codes.data(), taps};
      std::vector<std::uint8_t> expected(kMarkHeaps * stride);
      std::vector<std::uint64_t> expected_bits(kMarkHeaps * words);
      scalar.mark_codes(codes.data() + kReach, view, bound, expected.data(), stride);
      const auto marked = expected;
      scalar.take_unmarked(expected.data(), stride, words, expected_bits.data());
      for (std::size_t j = 0; j < kMarkHeaps; ++j) {
        for (std::size_t i = 0; i < bound; ++i) {
          ASSERT_EQ(expected_bits[words * j + i / 64] >> i % 64 & 1, 1u - marked[stride * j + i]);
          ASSERT_EQ(expected[stride * j + i], 0);
        }
      }
      for (const KernelSet& set : available_kernels()) {
        const TapKernels& kernels = set.taps;
        std::vector<std::uint8_t> marks(kMarkHeaps * stride);
        std::vector<std::uint64_t> bits(kMarkHeaps * words, 7);
        kernels.mark_codes(codes.data() + kReach, view, bound, marks.data(), stride);
        EXPECT_EQ(marks, marked) << set.name;
        kernels.take_unmarked(marks.data(), stride, words, bits.data());
        EXPECT_EQ(bits, expected_bits) << set.name;
        EXPECT_EQ(marks, expected) << set.name;
      }
    }
  }
}

}  // namespace
}  // namespace grundy
