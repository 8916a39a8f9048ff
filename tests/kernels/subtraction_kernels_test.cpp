/// @file
/// The subtraction kernels of every set that this machine can run against their definition.
// SPDX-License-Identifier: MIT
#include "kernels/subtraction_kernels.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel_names.hpp"
#include "kernels/kernels.hpp"

namespace grundy {
namespace {

using Random = std::mt19937_64;

template <class T>
constexpr T kEmpty = std::numeric_limits<T>::max();

class SubtractionSets : public testing::TestWithParam<std::string> {
 protected:
  /// Lists with about as many empty entries as others.
  template <class T>
  std::vector<T> random_lists(std::size_t length, std::uint64_t bound) {
    std::vector<T> lists(length * kListHeaps);
    for (T& entry : lists) {
      entry = random() % 2 == 0 ? kEmpty<T> : static_cast<T>(random() % bound);
    }
    return lists;
  }

  template <class T>
  void compare_compact() {
    for (std::size_t length = 1; length <= 24; ++length) {
      const std::size_t kept = 1 + random() % length;
      std::vector<T> lists = random_lists<T>(length, 200);
      std::vector<T> expected(kept * kListHeaps, kEmpty<T>);
      for (std::size_t j = 0; j < kListHeaps; ++j) {
        std::size_t placed = 0;
        for (std::size_t i = 0; i < length && placed < kept; ++i) {
          const T entry = lists[i * kListHeaps + j];
          if (entry != kEmpty<T>) expected[placed++ * kListHeaps + j] = entry;
        }
      }
      kernels.of<T>().compact(lists.data(), length, kept);
      lists.resize(kept * kListHeaps);
      EXPECT_EQ(lists, expected) << kept << " of " << length << " entries";
    }
  }

  template <class T>
  void compare_erase() {
    constexpr std::size_t kBefore = 300;
    for (std::size_t length = 0; length <= 12; ++length) {
      const std::size_t taps = random() % 20;
      std::vector<T> values(kBefore + kListHeaps);
      for (T& value : values) value = static_cast<T>(random() % 50);
      std::vector<std::uint64_t> back(taps);
      for (std::uint64_t& distance : back) distance = random() % kBefore;
      std::vector<T> lists = random_lists<T>(length, 50);
      std::vector<T> expected = lists;
      for (std::size_t at = 0; at < lists.size(); ++at) {
        const auto is_hit = [&](std::uint64_t distance) {
          return values[kBefore + at % kListHeaps - distance] == lists[at];
        };
        if (std::any_of(back.begin(), back.end(), is_hit)) expected[at] = kEmpty<T>;
      }
      kernels.of<T>().erase_hits(lists.data(), length, values.data() + kBefore, back.data(), taps);
      EXPECT_EQ(lists, expected) << length << " entries, " << taps << " taps";
    }
  }

  const SubtractionKernels& kernels = select_kernels(GetParam()).subtraction;
  Random random{11};
};

TEST_P(SubtractionSets, ListsAreCompacted) {
  compare_compact<std::uint8_t>();
  compare_compact<std::uint16_t>();
  compare_compact<std::uint32_t>();
}

TEST_P(SubtractionSets, HitsAreErased) {
  compare_erase<std::uint8_t>();
  compare_erase<std::uint16_t>();
  compare_erase<std::uint32_t>();
}

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
