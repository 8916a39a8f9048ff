/// @file
/// Every kernel of every set that this machine can run gives the results of `scalar`, for random
/// sizes, misalignments and size 0. Sets that cannot run are reported as a skipped test.
// SPDX-License-Identifier: MIT
#include "kernels/kernels.hpp"

#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <grundy/error.hpp>

#include "kernel_names.hpp"
#include "support/errors.hpp"

namespace grundy {
namespace {

using Random = std::mt19937_64;

constexpr std::size_t kRuns = 200;

const KernelSet& scalar() {
  return available_kernels().front();
}

/// Random values below `bound` with the slack that find_pair() may read on both sides.
template <class T>
std::vector<T> random_values(Random& random, std::size_t size, std::uint64_t bound) {
  std::vector<T> values(size + 2 * kReadSlack);
  for (T& value : values) value = static_cast<T>(random() % bound);
  return values;
}

std::vector<std::uint64_t> random_words(Random& random, std::size_t size, bool dense) {
  std::vector<std::uint64_t> words(size);
  for (auto& word : words) word = dense && random() % 4 != 0 ? ~std::uint64_t{0} : random();
  return words;
}

class Kernels : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { set = &select_kernels(GetParam()); }

  template <class T>
  void compare_pairs();
  template <class T>
  void compare_counts();

  const KernelSet* set = nullptr;
  Random random{42};
};

template <class T>
void Kernels::compare_pairs() {
  const TypedValueKernels<T>& tested = set->of<T>();
  const TypedValueKernels<T>& plain = scalar().of<T>();
  const std::uint64_t top = sizeof(T) == 1 ? 256 : sizeof(T) == 2 ? 2000 : 100000;
  for (std::size_t run = 0; run < kRuns; ++run) {
    const std::uint64_t bound = run % 3 == 0 ? 8 : top;
    const std::size_t pairs = run == 0 ? 0 : random() % 800;
    const std::size_t lanes = random() % 400;
    const auto values = random_values<T>(random, pairs + lanes + 300, bound);
    const std::uint64_t first = kReadSlack + random() % 64;
    const std::uint64_t partner = kReadSlack + pairs + random() % 64;
    SCOPED_TRACE(std::to_string(pairs) + " pairs, " + std::to_string(lanes) + " lanes");

    std::vector<T> candidate(lanes);
    for (T& c : candidate) c = static_cast<T>(random() % (4 * bound));
    std::vector<std::uint64_t> hits((lanes + 63) / 64, 7);
    std::vector<std::uint64_t> expected_hits((lanes + 63) / 64, 9);
    tested.probe_pairs(values.data(), first, partner, pairs, candidate.data(), lanes, hits.data());
    plain.probe_pairs(values.data(), first, partner, pairs, candidate.data(), lanes,
                      expected_hits.data());
    EXPECT_EQ(hits, expected_hits);

    std::vector<std::uint64_t> offsets(pairs);
    std::vector<T> keys(pairs);
    for (std::uint64_t& offset : offsets) offset = random() % (partner + 1);
    for (T& key : keys) key = static_cast<T>(random() % bound);
    tested.probe_taps(values.data() + partner, offsets.data(), keys.data(), pairs, candidate.data(),
                      lanes, hits.data());
    plain.probe_taps(values.data() + partner, offsets.data(), keys.data(), pairs, candidate.data(),
                     lanes, expected_hits.data());
    EXPECT_EQ(hits, expected_hits);

    for (const std::uint64_t wanted : {random() % bound, random() % bound, top - 1}) {
      const auto value = static_cast<T>(wanted);
      EXPECT_EQ(tested.find_pair(values.data(), first, partner, pairs, value),
                plain.find_pair(values.data(), first, partner, pairs, value));
    }

    std::vector<std::uint8_t> marks(std::size_t{1} << 17);
    std::vector<std::uint8_t> expected_marks = marks;
    tested.mark_pairs(values.data(), first, partner, pairs, marks.data());
    plain.mark_pairs(values.data(), first, partner, pairs, expected_marks.data());
    EXPECT_EQ(marks, expected_marks);
  }
}

template <class T>
void Kernels::compare_counts() {
  for (std::size_t run = 0; run < kRuns; ++run) {
    // A byte that counts overflows in the longest ones. Few different values are counted another
    // way.
    const std::size_t size = run == 0 ? 0 : random() % (run % 16 == 1 ? 40000 : 1000);
    const std::size_t offset = random() % 8;
    const std::uint64_t bound = run % 2 == 0 ? 1 + random() % 120 : sizeof(T) == 1 ? 256 : 2000;
    const auto values = random_values<T>(random, size + offset, bound);
    EXPECT_EQ(set->of<T>().maximum(values.data() + offset, size),
              scalar().of<T>().maximum(values.data() + offset, size));
    std::vector<std::uint64_t> counts(2000, 3);
    std::vector<std::uint64_t> expected(2000, 3);
    set->of<T>().histogram(values.data() + offset, size, counts.data());
    for (std::size_t i = 0; i < size; ++i) ++expected[values[offset + i]];
    EXPECT_EQ(counts, expected);
  }
}

template <class T>
void expect_sums_of_products(const KernelSet& set, std::mt19937_64& random) {
  __extension__ using Wide = unsigned __int128;
  for (std::size_t run = 0; run < kRuns; ++run) {
    const std::size_t size = random() % 300;
    const std::size_t step = 1 + random() % 2;
    const bool is_largest = run % 8 == 0;
    std::vector<T> values(size * step);
    std::vector<std::uint64_t> weights(size);
    for (T& value : values) value = static_cast<T>(is_largest ? ~std::uint64_t{0} : random());
    for (std::uint64_t& weight : weights) weight = is_largest ? ~std::uint64_t{0} : random();
    const WeighedSum sum = set.of<T>().weigh(weights.data(), values.data(), step, size);
    Wide expected = 0;
    // 64 + 32 + 9 bits at most
    for (std::size_t i = 0; i < size; ++i) expected += Wide{weights[i]} * values[i * step];
    EXPECT_TRUE(sum.low + (Wide{sum.middle} << 32) + (Wide{sum.high} << 64) == expected);
  }
}

TEST_P(Kernels, SumsOfProducts) {
  expect_sums_of_products<std::uint8_t>(*set, random);
  expect_sums_of_products<std::uint16_t>(*set, random);
  expect_sums_of_products<std::uint32_t>(*set, random);
}

TEST_P(Kernels, NarrowCopies) {
  for (std::size_t run = 0; run < kRuns; ++run) {
    const std::uint64_t bound = run % 3 == 0 ? 1u << 20 : 1u << 16;
    const auto values = random_values<std::uint32_t>(random, random() % 100, bound);
    std::vector<std::uint16_t> copy(values.size() + 1, 7);
    const std::uint32_t largest = set->narrow(values.data(), values.size(), copy.data());
    EXPECT_EQ(largest, values.empty() ? 0 : *std::ranges::max_element(values));
    EXPECT_EQ(copy.back(), 7);
    if (largest > 0xffff) continue;
    EXPECT_TRUE(std::equal(values.begin(), values.end(), copy.begin()));
  }
}

TEST_P(Kernels, PairsOfBytes) {
  compare_pairs<std::uint8_t>();
}
TEST_P(Kernels, PairsOf16Bits) {
  compare_pairs<std::uint16_t>();
}
TEST_P(Kernels, PairsOf32Bits) {
  compare_pairs<std::uint32_t>();
}

TEST_P(Kernels, HistogramAndMaximum) {
  compare_counts<std::uint8_t>();
  compare_counts<std::uint16_t>();
  compare_counts<std::uint32_t>();
}

TEST_P(Kernels, TakeMarksPacksAndClears) {
  for (const std::size_t words : {0, 1, 2, 3, 4, 16, 33}) {
    std::vector<std::uint8_t> marks(64 * words);
    for (auto& mark : marks) mark = random() % 3 == 0 ? 1 : 0;
    const std::vector<std::uint8_t> original = marks;
    std::vector<std::uint64_t> bits(words, 5);
    set->take_marks(marks.data(), words, bits.data());
    for (std::size_t i = 0; i < original.size(); ++i) {
      ASSERT_EQ(bits[i / 64] >> (i % 64) & 1, original[i]) << i << " of " << words << " words";
    }
    EXPECT_EQ(marks, std::vector<std::uint8_t>(64 * words));
  }
}

TEST_P(Kernels, FirstZeroBit) {
  for (std::size_t run = 0; run < kRuns; ++run) {
    const std::size_t words = random() % 20;
    const auto bits = random_words(random, words, true);
    const std::size_t from = words == 0 ? 0 : random() % (64 * words);
    std::size_t expected = from;
    while (expected < 64 * words && (bits[expected / 64] >> (expected % 64) & 1) != 0) ++expected;
    EXPECT_EQ(set->first_zero_bit(bits.data(), from, words), expected);
  }
}

TEST_P(Kernels, OrWords) {
  for (std::size_t words = 0; words < 40; ++words) {
    const auto from = random_words(random, words, false);
    auto into = random_words(random, words, false);
    auto expected = into;
    for (std::size_t i = 0; i < words; ++i) expected[i] |= from[i];
    set->or_words(into.data(), from.data(), words);
    EXPECT_EQ(into, expected);
  }
}

TEST_P(Kernels, OrXorTranslatedMovesEveryBitByNimAddition) {
  for (std::size_t run = 0; run < kRuns; ++run) {
    const std::size_t words = std::size_t{1} << (random() % 7);
    const auto key = static_cast<std::uint32_t>(random() % (64 * words));
    const auto from = random_words(random, words, false);
    auto into = random_words(random, words, false);
    auto expected = into;
    for (std::size_t v = 0; v < 64 * words; ++v) {
      const std::uint64_t bit = from[v / 64] >> (v % 64) & 1;
      expected[(v ^ key) / 64] |= bit << ((v ^ key) % 64);
    }
    set->or_xor_translated(into.data(), from.data(), words, key);
    EXPECT_EQ(into, expected) << words << " words, key " << key;
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, Kernels, testing::ValuesIn(testing_support::kernel_names()),
                         testing_support::kernel_name);

TEST(SkippedKernels, AreReported) {
  std::string skipped;
  for (const auto& [name, reason] : skipped_kernels()) {
    skipped += fmt::format("{}: {}\n", name, reason);
  }
  if (!skipped.empty()) GTEST_SKIP() << skipped;
}

TEST(KernelRegistry, ScalarComesFirstAndNamesAreFound) {
  EXPECT_EQ(available_kernels().front().name, "scalar");
  for (const KernelSet& set : available_kernels()) {
    EXPECT_EQ(&select_kernels(set.name), &set);
    EXPECT_FALSE(set.description.empty());
  }
}

TEST(KernelRegistry, UnknownNamesAreRefusedWithTheList) {
  const Error error = testing_support::error_of([] { select_kernels("mmx"); });
  EXPECT_EQ(error.code(), ErrorCode::kUsage);
  EXPECT_NE(std::string(error.what()).find("mmx"), std::string::npos);
  EXPECT_NE(std::string(error.what()).find("scalar"), std::string::npos);
}

TEST(KernelRegistry, TheEnvironmentForcesASet) {
  ::setenv("GRUNDY_KERNEL", "scalar", 1);
  EXPECT_EQ(select_kernels("auto").name, "scalar");
  ::setenv("GRUNDY_KERNEL", "mmx", 1);
  EXPECT_THAT(testing_support::error_of([] { select_kernels(""); }).what(),
              ::testing::StartsWith(
                  "there is no kernel set (GRUNDY_KERNEL) 'mmx'; there are: auto, scalar"));
  ::unsetenv("GRUNDY_KERNEL");
  EXPECT_EQ(&select_kernels("auto"), &available_kernels().back());
  EXPECT_EQ(&select_kernels(""), &available_kernels().back());
}

}  // namespace
}  // namespace grundy
