/// @file
/// The sparse engine's kernels of every set against `scalar`, on random data.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engines/heap/sparse/sliding_window.hpp"
#include "engines/heap/sparse/taps.hpp"
#include "kernels/candidate_kernels.hpp"
#include "kernels/code_kernels.hpp"
#include "kernels/kernels.hpp"
#include "kernels/row_kernels.hpp"
#include "kernels/tap_kernels.hpp"

namespace grundy::sparse {
namespace {

template <class T>
class TypedTapKernelsTest : public testing::Test {};
using CodeTypes = testing::Types<std::uint8_t, std::uint16_t>;
TYPED_TEST_SUITE(TypedTapKernelsTest, CodeTypes);
template <class T>
class TypedRowKernelsTest : public testing::Test {};
TYPED_TEST_SUITE(TypedRowKernelsTest, CodeTypes);

const KernelSet& scalar() {
  return available_kernels().front();
}

class Random {
 public:
  template <class T>
  std::vector<T> numbers(std::size_t count, std::uint64_t below) {
    std::vector<T> out(count);
    for (T& x : out) x = static_cast<T>(engine_() % below);
    return out;
  }

 private:
  std::mt19937_64 engine_{7};
};

std::vector<Tap> random_taps(Random& random, std::size_t count, HeapSize reach, Nimber codes) {
  const auto offsets = random.numbers<HeapSize>(count, reach);
  const auto code = random.numbers<Nimber>(count, codes);
  std::vector<Tap> taps;
  for (std::size_t i = 0; i < count; ++i) taps.push_back({offsets[i] + 64, code[i]});
  return taps;
}

TYPED_TEST(TypedTapKernelsTest, Eliminate) {
  using T = TypeParam;
  Random random;
  constexpr std::size_t kReach = 500;
  auto codes = random.numbers<T>(kReach + 1000, 64);
  for (std::size_t i = 0; i < codes.size(); i += 17) codes[i] = kNoCode<T>;
  const auto& plain = scalar().candidates.of<T>();
  for (const Nimber codes_of_taps : {64, 5}) {  // short and long runs of taps with one code
    const TapList taps(random_taps(random, 40, kReach - 64, codes_of_taps));
    for (const KernelSet& set : available_kernels()) {
      const auto& kernels = set.candidates.of<T>();
      for (const std::size_t groups : {1, 4, 7, 9}) {
        auto expected = random.numbers<T>(groups * kCandidates * kGroupHeaps<T>, 64);
        auto candidates = expected;
        plain.eliminate(codes.data() + kReach, taps.view(), expected.data(), groups);
        kernels.eliminate(codes.data() + kReach, taps.view(), candidates.data(), groups);
        EXPECT_EQ(candidates, expected) << set.name;
        EXPECT_NE(std::ranges::count(candidates, static_cast<T>(~T{0})), 0);
        EXPECT_NE(std::ranges::count(candidates, static_cast<T>(~T{0})), candidates.size());
      }
    }
  }
}

TYPED_TEST(TypedRowKernelsTest, EqualRowsGreaterBitsAndStrips) {
  using T = TypeParam;
  Random random;
  constexpr std::size_t kRows = sizeof(T) == 1 ? 64 : 400;
  auto codes = random.numbers<T>(1500, kRows);
  for (std::size_t i = 0; i < codes.size(); i += 17) codes[i] = kNoCode<T>;
  const TypedRowKernels<T>& plain = scalar().rows.of<T>();
  for (const KernelSet& set : available_kernels()) {
    const TypedRowKernels<T>& kernels = set.rows.of<T>();
    std::vector<std::uint64_t> expected(kRows * 20);
    std::vector<std::uint64_t> rows(kRows * 20);
    plain.equal_rows(codes.data() + 3, 1024, kRows, expected.data(), 20);
    kernels.equal_rows(codes.data() + 3, 1024, kRows, rows.data(), 20);
    EXPECT_EQ(rows, expected) << set.name;
    plain.greater_bits(codes.data() + 3, 1024, kRows / 2, expected.data());
    kernels.greater_bits(codes.data() + 3, 1024, kRows / 2, rows.data());
    EXPECT_EQ(rows, expected) << set.name;
    const auto strips = random.numbers<std::uint32_t>(12, 1000);
    plain.match_strips(codes.data(), strips.data(), 12, 7, expected.data());
    kernels.match_strips(codes.data(), strips.data(), 12, 7, rows.data());
    EXPECT_EQ(rows, expected) << set.name;
  }
}

TYPED_TEST(TypedTapKernelsTest, MarksInPlanesAndListsOfUnmarked) {
  using T = TypeParam;
  Random random;
  constexpr std::size_t kReach = 300;
  constexpr std::size_t kMost = sizeof(T) == 1 ? 32 : kMostPlanes;
  for (const KernelSet& set : available_kernels()) {
    for (const std::size_t count :
         {1, 2, 3, 4, 9, 10, 16, 17, 20, 21, 26, 31, 32, 33, 47, 64, 77, 95, 123, 124, 125, 512}) {
      if (count > kMost) break;
      // Some codes are in no plane, unless all are, and many lie far above the planes.
      std::vector<std::size_t> limits{std::min<std::size_t>(count * kPlaneCodes + 40, 4096)};
      if (sizeof(T) > 1) limits.insert(limits.end(), {4096, 1u << 14});
      if (sizeof(T) > 1 && count == kMostPlanes) limits.push_back(1u << 16);
      for (const std::size_t limit : limits) {
        auto codes = random.numbers<T>(kReach + 64, limit);
        if (sizeof(T) > 1) {
          for (std::size_t i = 0; i < codes.size(); i += 17) codes[i] = kNoCode<T>;
        }
        const auto below = static_cast<Nimber>(
            std::min<std::size_t>(limit, sizeof(T) == 1 ? 256 : std::size_t{1} << 14));
        const auto before = random.numbers<std::uint8_t>(kMost * 64, 4);
        for (const std::size_t number :
             {0, 1, 4, 11, 13, 300, 701}) {  // few and many fours of taps
          const TapList taps(random_taps(random, number, kReach - 64, below));
          std::vector<std::uint8_t> planes[2];
          std::vector<T> lists[2];
          const KernelSet* const kernels[] = {&scalar(), &set};
          for (std::size_t k = 0; k < 2; ++k) {
            planes[k] = before;
            lists[k].resize(64 * kCandidates);
            kernels[k]->taps.of<T>().mark_planes(codes.data() + kReach, taps.view(),
                                                 planes[k].data(), count);
            kernels[k]->candidates.of<T>().list_unmarked(planes[k].data(), count, lists[k].data());
          }
          const auto where =
              fmt::format("{}, {} planes, {} taps, codes below {}", set.name, count, number, limit);
          ASSERT_EQ(planes[0], planes[1]) << where;
          if (number >= 300) {
            EXPECT_NE(planes[0], before) << where;
          }
          EXPECT_EQ(lists[0], lists[1]) << where;
        }
      }
    }
    // Lists that end early: one heap of four has a single code left, the others none.
    std::vector<std::uint8_t> full(4 * 64, 255);
    for (std::size_t j = 0; j < 64; j += 4)
      full[j / 16 * 64 + j] ^= static_cast<std::uint8_t>(1u << j % 8);
    std::vector<T> expected(64 * kCandidates);
    std::vector<T> list(64 * kCandidates);
    scalar().candidates.of<T>().list_unmarked(full.data(), 4, expected.data());
    set.candidates.of<T>().list_unmarked(full.data(), 4, list.data());
    EXPECT_EQ(list, expected) << set.name;
    EXPECT_EQ(std::ranges::count(list, static_cast<T>(~T{0})), 64 * kCandidates - 16);
  }
}

TYPED_TEST(TypedRowKernelsTest, SearchesThatNoPairHas) {
  using T = TypeParam;
  Random random;
  constexpr std::size_t kSize = 4 * kPairStep;
  // Codes of two bytes differ in both of them.
  auto smaller = random.numbers<T>(kSize, 128);
  auto partners = random.numbers<T>(kSize + 100, 64);
  if (sizeof(T) > 1) {
    for (std::size_t i = 0; i < kSize; i += 2) smaller[i] = static_cast<T>(smaller[i] + 256);
    for (std::size_t i = 0; i < kSize; i += 3) partners[i] = static_cast<T>(partners[i] + 512);
  }
  // The least codes are left to rare heaps, but for a few pairs.
  std::vector<T> rare(kSize, 0);
  for (std::size_t i = 0; i < kSize; ++i) {
    if (smaller[i] % 128 < 64 && i % 300 != 7) rare[i] = std::numeric_limits<T>::max();
  }
  const auto codes = random.numbers<T>(500, sizeof(T) == 1 ? 256 : 1024);
  std::vector<PairSearch<T>> all;
  for (std::uint32_t i = 0; i < codes.size(); ++i) {
    all.push_back({partners.data() + i % 100, codes[i], i});
  }
  const auto missing = [&](const KernelSet& set, std::size_t count) {
    auto searches = all;
    searches.resize(
        set.rows.of<T>().keep_missing(smaller.data(), rare.data(), kSize, searches.data(), count));
    std::vector<std::uint32_t> numbers;
    for (const PairSearch<T>& search : searches) numbers.push_back(search.number);
    return numbers;
  };
  for (const std::size_t count : {0, 1, 2, 499, 500}) {
    const auto expected = missing(scalar(), count);
    if (count > 100) {
      EXPECT_GT(expected.size(), 50U);
      EXPECT_LT(expected.size(), count - 50);
    }
    for (const KernelSet& set : available_kernels()) {
      EXPECT_EQ(missing(set, count), expected) << set.name;
    }
  }
}

TYPED_TEST(TypedTapKernelsTest, Choices) {
  using T = TypeParam;
  constexpr std::size_t kHeaps = kGroupHeaps<T>;
  constexpr T kDead = std::numeric_limits<T>::max();
  Random random;
  int whole = 0, ended_early = 0;
  for (int round = 0; round < 600; ++round) {
    const std::size_t count = round % 20 == 0 ? 70 : static_cast<std::size_t>(round % 13);
    constexpr Nimber kCodes[] = {8, 40, sizeof(T) == 1 ? 256 : 2000};
    const Nimber codes_below = kCodes[round % 3];
    std::vector<Tap> near = random_taps(random, count, 2 * kHeaps - 1, codes_below);
    for (Tap& tap : near) tap.offset -= 63;  // 1 to 2 kHeaps - 1
    const TapRow taps(near);
    auto before = random.numbers<T>(3 * kHeaps, codes_below);
    if (round % 5 == 0) before[kHeaps + 3] = kNoCode<T>;
    auto candidates = random.numbers<T>(kHeaps * kCandidates, codes_below);
    for (std::size_t j = 0; j < kHeaps; ++j) {
      std::array<T, kCandidates> own;
      for (std::size_t c = 0; c < kCandidates; ++c) own[c] = candidates[c * kHeaps + j];
      std::ranges::sort(own);
      for (std::size_t c = 0; c < kCandidates; ++c) candidates[c * kHeaps + j] = own[c];
    }
    for (std::size_t i = 0; i < candidates.size(); i += 7) candidates[i] = kDead;
    const std::size_t first = static_cast<std::size_t>(round) % (kHeaps + 1);
    // A heap with a code of a byte may have any, also this one.
    if (first > 0 && round % 4 == 0) before[2 * kHeaps + first - 1] = kDead;
    auto expected = before;
    const std::size_t end = scalar().candidates.of<T>().choose(
        expected.data() + 2 * kHeaps, taps.view(), candidates.data(), first);
    ++(end == kHeaps ? whole : ended_early);
    for (const KernelSet& set : available_kernels()) {
      auto codes = before;
      ASSERT_EQ(set.candidates.of<T>().choose(codes.data() + 2 * kHeaps, taps.view(),
                                              candidates.data(), first),
                end)
          << set.name << ", " << count << " taps";
      codes.resize(2 * kHeaps + end);
      EXPECT_EQ(codes, std::vector(expected.begin(), expected.begin() + codes.size())) << set.name;
    }
  }
  EXPECT_GT(whole, 100);
  EXPECT_GT(ended_early, 100);
}

TEST(RowKernelsTest, OrShifted) {
  Random random;
  const auto sparse_bits = random.numbers<std::uint64_t>(400, 1u << 16);
  const auto* const base = reinterpret_cast<const std::uint8_t*>(sparse_bits.data());
  const auto source = random.numbers<std::int64_t>(17, 2000);
  const std::uint32_t begin[9] = {0, 3, 3, 4, 9, 10, 12, 16, 17};
  for (const KernelSet& set : available_kernels()) {
    for (const std::size_t words : {1, 3, 4, 16, 23, 64}) {
      std::vector<std::uint64_t> expected(words, 1);
      std::vector<std::uint64_t> into(words, 1);
      scalar().rows.or_shifted(base, source.data(), begin, expected.data(), words);
      set.rows.or_shifted(base, source.data(), begin, into.data(), words);
      EXPECT_EQ(into, expected) << set.name << ", " << words << " words";
    }
  }
}

TEST(RowKernelsTest, WorthFallsToAQuarterWithEachCover) {
  Random random;
  for (const KernelSet& set : available_kernels()) {
    for (const std::size_t words : {1, 3, 8, 23, 64}) {
      const auto hits = random.numbers<std::uint64_t>(words, ~std::uint64_t{0});
      const auto covered = random.numbers<std::uint64_t>(words * kCoverTimes, ~std::uint64_t{0});
      std::size_t expected = 0;
      for (std::size_t i = 0; i < words * kCoverTimes; ++i) {
        const auto bits = static_cast<std::size_t>(std::popcount(hits[i % words] & covered[i]));
        expected += bits << 2 * (kCoverTimes - 1 - i / words);
      }
      EXPECT_EQ(set.rows.worth(hits.data(), covered.data(), words), expected) << set.name;
    }
  }
}

TEST(CodeKernelsTest, MarkSets) {
  Random random;
  constexpr std::size_t kReach = 300;
  auto codes = random.numbers<std::uint8_t>(kReach + 200, 64);
  for (std::size_t i = 0; i < codes.size(); i += 5) codes[i] = 64;
  const TapList taps(random_taps(random, 30, kReach - 64, 64));
  for (const KernelSet& set : available_kernels()) {
    std::vector<std::uint64_t> expected(136, 2);
    std::vector<std::uint64_t> sets(136, 2);
    scalar().codes.mark_sets(codes.data() + kReach, taps.view(), expected.data(), 136);
    set.codes.mark_sets(codes.data() + kReach, taps.view(), sets.data(), 136);
    EXPECT_EQ(sets, expected) << set.name;
  }
}

TEST(CodeKernelsTest, DecideFindsTheLeastCodeThatIsNotReached) {
  Random random;
  constexpr std::size_t kReach = 64;
  constexpr std::size_t kHeaps = 200;
  for (const std::size_t taps : {0, 1, 2, 5, 8, 9, 20}) {
    std::vector<std::uint64_t> offsets = random.numbers<std::uint64_t>(taps, kReach - 1);
    for (std::uint64_t& offset : offsets) ++offset;
    const auto tap_codes = random.numbers<std::uint16_t>(taps, 32);
    const auto before = random.numbers<std::uint8_t>(kReach, 32);
    // Many bits are set below the 20th, and none from the 40th on.
    std::vector<std::uint64_t> sets(kHeaps);
    for (std::uint64_t& set : sets) {
      set = random.numbers<std::uint64_t>(1, 1ull << 40)[0] | 0x3'ffff;
    }
    std::vector<std::uint8_t> expected = before;
    for (std::size_t j = 0; j < kHeaps; ++j) {
      std::uint8_t code = 0;
      const auto reached = [&] {
        if ((sets[j] >> code & 1) != 0) return true;
        for (std::size_t t = 0; t < taps; ++t) {
          if ((expected[kReach + j - offsets[t]] ^ tap_codes[t]) == code) return true;
        }
        return false;
      };
      while (reached()) ++code;
      expected.push_back(code);
    }
    const std::span decided = std::span(expected).subspan(kReach);
    const TapSequence view{offsets.data(), tap_codes.data(), taps};
    for (const KernelSet& set : available_kernels()) {
      std::vector<std::uint8_t> codes = before;
      codes.resize(kReach + kHeaps, 0);
      const auto decide = [&](std::uint64_t cap) {
        return set.codes.decide(codes.data() + kReach, view, sets.data(), kHeaps, cap);
      };
      EXPECT_EQ(decide(64), kHeaps);
      EXPECT_EQ(codes, expected) << set.name << ", " << taps << " taps";
      const std::uint8_t cap = *std::ranges::max_element(decided);
      const auto first = std::ranges::find(decided, cap) - decided.begin();
      codes = before;
      codes.resize(kReach + kHeaps, 77);
      EXPECT_EQ(decide(cap), first);
      const auto end = static_cast<std::ptrdiff_t>(kReach) + first;
      EXPECT_TRUE(std::equal(codes.begin(), codes.begin() + end, expected.begin())) << set.name;
      EXPECT_EQ(codes[static_cast<std::size_t>(end)], 77) << "the code of a heap behind the cap";
    }
  }
}

TEST(CodeKernelsTest, JoinPlanesOfEachHeap) {
  Random random;
  for (std::size_t count = 1; count <= 8; ++count) {
    const auto planes = random.numbers<std::uint8_t>(64 * count, 256);
    std::vector<std::uint64_t> expected(64, 0);
    for (std::size_t i = 0; i < planes.size(); ++i) {
      expected[i % 64] |= std::uint64_t{planes[i]} << 8 * (i / 64);
    }
    for (const KernelSet& set : available_kernels()) {
      std::vector<std::uint64_t> sets(64, 1);
      set.codes.join_planes(planes.data(), count, sets.data());
      EXPECT_EQ(sets, expected) << set.name << ", " << count << " planes";
    }
  }
}

TEST(CodeKernelsTest, TranslateByTheTableOfTheParity) {
  Random random;
  for (const std::size_t size : {16, 32, 48, 64, 128, 256, 512}) {
    for (const std::size_t heaps : {0, 1, 2, 63, 64, 65, 200, 4096}) {
      const auto even = random.numbers<std::uint8_t>(size, 256);
      const auto odd = random.numbers<std::uint8_t>(size, 256);
      const auto codes = random.numbers<std::uint8_t>(heaps, heaps % 2 == 0 ? 256 : size);
      std::vector<std::uint8_t> expected(heaps + 64, 5);
      for (std::size_t j = 0; j < heaps; ++j) {
        expected[j] = codes[j] >= size ? 0 : (j % 2 == 0 ? even : odd)[codes[j]];
      }
      for (const KernelSet& set : available_kernels()) {
        std::vector<std::uint8_t> out(heaps + 64, 5);
        set.codes.translate(codes.data(), heaps, {even.data(), odd.data(), size}, out.data());
        EXPECT_EQ(out, expected) << set.name << ", " << size << " entries, " << heaps << " heaps";
      }
    }
  }
}

}  // namespace
}  // namespace grundy::sparse
