/// @file
/// Arrays of zeros tell how much memory they really take.
// SPDX-License-Identifier: MIT
#include "core/zero_pages.hpp"

#include <gtest/gtest.h>

namespace grundy {
namespace {

TEST(ZeroPages, OnlyTouchedPagesAreInMemory) {
  constexpr std::uint64_t kSize = 64u << 20;
  constexpr std::uint64_t kLargestPage = 2u << 20;
  EXPECT_EQ(ZeroPages().bytes_in_memory(), 0u);
  ZeroPages array(kSize, "the test");
  EXPECT_EQ(array.bytes_in_memory(), 0u);
  array.as<char>()[kSize / 2] = 1;
  const std::uint64_t one = array.bytes_in_memory();
  EXPECT_GT(one, 0u);
  EXPECT_LE(one, kLargestPage);
  array.as<char>()[kSize - 1] = 1;
  const std::uint64_t two = array.bytes_in_memory();  // their pages may differ in size
  EXPECT_GT(two, one);
  EXPECT_LE(two, one + kLargestPage);
  array.grow(2 * kSize, "the test");
  EXPECT_EQ(array.bytes_in_memory(), two);
}

}  // namespace
}  // namespace grundy
