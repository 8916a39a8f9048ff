/// @file
/// The subtraction kernels of every set that this machine can run against their definition.
// SPDX-License-Identifier: MIT
#include "kernels/subtraction_kernels.hpp"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel_names.hpp"
#include "kernels/kernels.hpp"

namespace grundy {
namespace {

using Random = std::mt19937_64;

class SubtractionSets : public testing::TestWithParam<std::string> {
 protected:
  const SubtractionKernels& kernels = select_kernels(GetParam()).subtraction;
  Random random{11};
};

TEST_P(SubtractionSets, WindowsAreUnited) {
  constexpr std::size_t kBefore = 500;
  for (std::size_t bytes = 0; bytes <= 1024; bytes += 64) {
    const std::size_t taps = random() % 20;
    std::vector<std::uint8_t> base(kBefore + bytes);
    for (std::uint8_t& byte : base) byte = static_cast<std::uint8_t>(random() & random());
    std::vector<std::uint64_t> back(taps);
    for (std::uint64_t& distance : back) distance = random() % kBefore;
    std::vector<std::uint8_t> into(bytes);
    for (std::uint8_t& byte : into) byte = static_cast<std::uint8_t>(random() & random());
    std::vector<std::uint8_t> expected = into;
    for (std::size_t i = 0; i < bytes; ++i) {
      for (const std::uint64_t distance : back) expected[i] |= base[kBefore + i - distance];
    }
    kernels.or_earlier(into.data(), bytes, base.data() + kBefore, back.data(), taps);
    EXPECT_EQ(into, expected) << bytes << " bytes, " << taps << " taps";
  }
}

TEST_P(SubtractionSets, ShiftedWordsAreUnited) {
  for (unsigned shift = 0; shift < 64; ++shift) {
    const std::size_t words = 8 * (random() % 6);
    std::vector<std::uint64_t> from(words + 1);
    for (std::uint64_t& word : from) word = random() & random();
    std::vector<std::uint64_t> into(words);
    for (std::uint64_t& word : into) word = random() & random();
    std::vector<std::uint64_t> expected = into;
    for (std::size_t bit = 0; bit < 64 * words; ++bit) {
      const std::size_t source = 64 + bit - shift;
      expected[bit / 64] |= (from[source / 64] >> source % 64 & 1) << bit % 64;
    }
    kernels.or_shifted(into.data(), from.data(), words, shift);
    EXPECT_EQ(into, expected) << words << " words, " << shift << " places";
  }
}

INSTANTIATE_TEST_SUITE_P(EverySet, SubtractionSets,
                         testing::ValuesIn(testing_support::kernel_names()),
                         testing_support::kernel_name);

}  // namespace
}  // namespace grundy
