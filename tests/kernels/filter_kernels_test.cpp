/// @file
/// The filter kernels of every set that this machine can run against their definition, with sets of
/// values far from 0 and values far above them.
// SPDX-License-Identifier: MIT
#include "kernels/filter_kernels.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel_names.hpp"
#include "kernels/kernels.hpp"

namespace grundy {
namespace {

using Random = std::mt19937_64;

constexpr std::size_t kPadding = 64;

/// Random values below `bound`, and the same as bytes.
template <class T>
struct Table {
  Table(Random& random, std::size_t size, std::uint64_t bound) : values(size + 2 * kPadding) {
    for (T& value : values) value = static_cast<T>(random() % bound);
    for (const T value : values) {
      low.push_back(value_low(value));
      high.push_back(value_high(value));
    }
    low_down.assign(low.rbegin(), low.rend());
    high_down.assign(high.rbegin(), high.rend());
  }
  [[nodiscard]] ByteTable bytes() const {
    const std::size_t last = values.size() - 1;
    return {low.data(), high.data(), low_down.data() + last, high_down.data() + last};
  }

  std::vector<T> values;
  std::vector<std::uint8_t> low;
  std::vector<std::uint8_t> high;
  std::vector<std::uint8_t> low_down;
  std::vector<std::uint8_t> high_down;
};

std::set<std::uint32_t> members(const OpenSet& open) {
  std::set<std::uint32_t> values;
  for (std::uint32_t v = 0; v < kOpenValues; ++v) {
    if (open.contains(open.base + v)) values.insert(open.base + v);
  }
  return values;
}

class FilterSets : public testing::TestWithParam<std::string> {
 protected:
  template <class T>
  void compare_filter(std::uint64_t bound) {
    for (std::size_t run = 0; run < 60; ++run) {
      const std::size_t pairs = run == 0 ? 0 : random() % 3000;
      const Table<T> table(random, 2 * pairs + 500, bound);
      const std::uint64_t first = kPadding + random() % 64;
      const std::uint64_t partner = kPadding + pairs + random() % 64;
      // Some neighbours, or of heaps that share loads two lists, one of them too short.
      const bool apart = random() % 2 == 0;
      std::vector<OpenSet> open(apart ? 4 * kFilterApart : 1 + random() % 6);
      std::vector<std::uint32_t> which;
      for (std::uint32_t h = 0; h < (apart ? 7 : open.size()); ++h) {
        which.push_back(apart ? h % 4 * kFilterApart + h / 4 : h);
      }
      const bool both_halves = random() % 2 == 0;
      const bool one_base = random() % 2 == 0;
      const auto any_base = [&] {
        const std::uint32_t unit = both_halves ? kOpenValues : kOpenValues / 2;
        return static_cast<std::uint32_t>(random() % (bound / unit + 1) * unit);
      };
      const std::uint32_t base = any_base();
      std::vector<std::set<std::uint32_t>> expected;
      for (std::uint32_t h = 0; h < open.size(); ++h) {
        OpenSet& set = open[h];
        set = {};
        // Of the others, a few tell whether they are left alone.
        if (h % kFilterApart > 8) {
          expected.emplace_back();
          continue;
        }
        set.base = one_base ? base : any_base();
        for (std::size_t i = 0; i < (both_halves ? kOpenBytes : kOpenBytes / 2); ++i) {
          set.bytes[i] = static_cast<std::uint8_t>(random() & random() & random());
        }
        expected.push_back(members(set));
      }
      for (const std::uint32_t h : which) {
        for (std::size_t i = 0; i < pairs; ++i) {
          expected[h].erase(table.values[first + i] ^ table.values[partner + h - i]);
        }
      }
      kernels.of<T>().filter_pairs(table.values.data(), table.bytes(), first, partner, pairs,
                                   open.data(), which.data(), which.size());
      for (std::uint32_t h = 0; h < open.size(); ++h) {
        if (h % kFilterApart > 8) continue;
        EXPECT_EQ(members(open[h]), expected[h]) << pairs << " pairs from " << open[h].base;
      }
    }
  }

  template <class T>
  void compare_marks(std::uint64_t bound) {
    for (std::size_t run = 0; run < 20; ++run) {
      const std::size_t heaps = random() % 70;
      const std::size_t taps = random() % 600;
      const std::size_t stride = std::size_t{2} * bound;
      const std::size_t before = 500;
      const Table<T> table(random, before + heaps, bound);
      std::vector<std::uint64_t> offsets(taps);
      std::vector<T> keys(taps);
      for (std::uint64_t& offset : offsets) offset = random() % before;
      for (T& key : keys) key = static_cast<T>(random() % bound);
      std::vector<std::uint8_t> marks(heaps * stride);
      std::vector<std::uint8_t> expected(heaps * stride);
      for (std::size_t j = 0; j < heaps; ++j) {
        for (std::size_t t = 0; t < taps; ++t) {
          expected[stride * j + (table.values[before + j - offsets[t]] ^ keys[t])] = 1;
        }
      }
      kernels.of<T>().mark_taps(table.values.data() + before, offsets.data(), keys.data(), taps,
                                heaps, marks.data(), stride);
      EXPECT_EQ(marks, expected) << heaps << " heaps, " << taps << " taps";
    }
  }

  const FilterKernels& kernels = select_kernels(GetParam()).filters;
  Random random{7};
};

// What looks like a value of a set costs a second look.
TEST(ValueHigh, TellsValuesBeyondASetAndIsLinear) {
  for (std::uint32_t value = kOpenValues; value < 1u << 15; ++value) {
    ASSERT_GE(value_high(value), 16) << value;
  }
  Random random{3};
  for (int i = 0; i < 1000; ++i) {
    const auto a = static_cast<std::uint32_t>(random()), b = static_cast<std::uint32_t>(random());
    EXPECT_EQ(value_high(a ^ b), value_high(a) ^ value_high(b));
  }
}

TEST_P(FilterSets, FilterIsExact) {
  compare_filter<std::uint8_t>(256);
  compare_filter<std::uint16_t>(1024);
  compare_filter<std::uint16_t>(2048);
  compare_filter<std::uint16_t>(8192);
  compare_filter<std::uint16_t>(65536);
  compare_filter<std::uint32_t>(4096);
}

TEST_P(FilterSets, TapsAreMarked) {
  compare_marks<std::uint8_t>(256);
  compare_marks<std::uint16_t>(1024);
  compare_marks<std::uint32_t>(512);
}

TEST_P(FilterSets, UnmarkedValuesAreTaken) {
  for (std::size_t rows = 0; rows <= kOpenRows; ++rows) {
    std::vector<std::uint8_t> marks(kOpenValues);
    for (std::uint8_t& mark : marks) mark = random() % 3 != 0 ? 1 : 0;
    std::set<std::uint32_t> expected;
    for (std::uint32_t v = 0; v < kOpenRow * rows; ++v) {
      if (marks[v] == 0) expected.insert(kOpenValues + v);
    }
    OpenSet open{};
    open.base = kOpenValues;
    kernels.take_unmarked(marks.data(), rows, open);
    EXPECT_EQ(members(open), expected) << rows << " rows";
    EXPECT_EQ(std::count(marks.begin(), marks.begin() + static_cast<long>(kOpenRow * rows), 0),
              static_cast<long>(kOpenRow * rows));
  }
}

// Sums that have lost values take them from the sets that they are made of, and from no others.
TEST_P(FilterSets, SumsPassOnWhatTheyHaveLost) {
  for (const std::size_t count : {1, 2, 16, 17, 40})
    for (const std::vector<std::uint64_t>& lags :
         {std::vector<std::uint64_t>{0}, {0, 1}, {0, 3}, {0, 1, 2}, {0, 2, 5, 16}}) {
      const std::size_t longest = lags.back();
      std::vector<OpenSet> sets(count), sums(count + longest);
      for (OpenSet& set : sets) {
        for (std::uint8_t& byte : set.bytes) byte = static_cast<std::uint8_t>(random() & random());
      }
      for (OpenSet& sum : sums) std::ranges::fill(sum.bytes, std::uint8_t{0xff});
      const auto expect_unions = [&] {
        for (std::size_t k = 0; k < sums.size(); ++k) {
          std::set<std::uint32_t> expected;
          for (const std::uint64_t lag : lags) {
            if (k + lag >= longest && k + lag < count + longest)
              expected.merge(members(sets[k + lag - longest]));
          }
          ASSERT_EQ(members(sums[k]), expected) << k;
        }
      };
      const std::vector<OpenSet> before = sets;
      const LaggedUnions lagged{sums.data(), lags.data(), lags.size()};
      kernels.pass_on(lagged, sets.data(), count);
      for (std::size_t k = 0; k < count; ++k) ASSERT_EQ(members(sets[k]), members(before[k]));
      expect_unions();
      for (OpenSet& sum : sums) {
        for (std::uint8_t& byte : sum.bytes) byte &= static_cast<std::uint8_t>(random() | random());
      }
      std::vector<std::set<std::uint32_t>> expected;
      for (std::size_t k = 0; k < count; ++k) {
        expected.push_back(members(sets[k]));
        std::erase_if(expected.back(), [&](std::uint32_t value) {
          return std::ranges::any_of(
              lags, [&](std::uint64_t lag) { return !sums[k + longest - lag].contains(value); });
        });
      }
      kernels.pass_on(lagged, sets.data(), count);
      for (std::size_t k = 0; k < count; ++k) ASSERT_EQ(members(sets[k]), expected[k]);
      expect_unions();
    }
}

INSTANTIATE_TEST_SUITE_P(EverySet, FilterSets, testing::ValuesIn(testing_support::kernel_names()),
                         testing_support::kernel_name);

}  // namespace
}  // namespace grundy
