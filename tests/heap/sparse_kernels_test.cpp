/// @file
/// Every target's sparse-space kernels against the plain C++ ones, on random data.
// SPDX-License-Identifier: MIT
#include "kernels/sparse_kernels.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "heap/sparse/plan.hpp"
#include "heap/sparse/window.hpp"
#include "kernels/kernels.hpp"

namespace grundy::sparse {
namespace {

template <class T>
class SparseTypedKernelsTest : public testing::Test {};
using CodeTypes = testing::Types<std::uint8_t, std::uint16_t>;
TYPED_TEST_SUITE(SparseTypedKernelsTest, CodeTypes);

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

TYPED_TEST(SparseTypedKernelsTest, EliminateEqualRowsAndGreaterBits) {
  using T = TypeParam;
  Random random;
  constexpr std::size_t kReach = 500;
  auto codes = random.numbers<T>(kReach + 1000, 64);
  for (std::size_t i = 0; i < codes.size(); i += 17) codes[i] = kNoCode<T>;
  const TapList taps(random_taps(random, 40, kReach - 64, 64));
  const auto& plain = scalar_sparse_kernels().of<T>();
  for (const KernelSet& set : available_kernels()) {
    const auto& kernels = sparse_kernels(set).of<T>();
    for (const std::size_t groups : {1, 4, 7}) {
      auto expected = random.numbers<T>(groups * kCandidates * kGroupHeaps<T>, 64);
      auto candidates = expected;
      plain.eliminate(codes.data() + kReach, taps.view(), expected.data(), groups);
      kernels.eliminate(codes.data() + kReach, taps.view(), candidates.data(), groups);
      EXPECT_EQ(candidates, expected) << set.name;
      EXPECT_NE(std::ranges::count(candidates, static_cast<T>(~T{0})), 0);
      EXPECT_NE(std::ranges::count(candidates, static_cast<T>(~T{0})), candidates.size());
    }
    std::vector<std::uint64_t> expected(64 * 20);
    std::vector<std::uint64_t> rows(64 * 20);
    plain.equal_rows(codes.data() + 3, 1024, 64, expected.data(), 20);
    kernels.equal_rows(codes.data() + 3, 1024, 64, rows.data(), 20);
    EXPECT_EQ(rows, expected) << set.name;
    plain.greater_bits(codes.data() + 3, 1024, 30, expected.data());
    kernels.greater_bits(codes.data() + 3, 1024, 30, rows.data());
    EXPECT_EQ(rows, expected) << set.name;
    const auto strips = random.numbers<std::uint32_t>(12, 1000);
    const auto open = random.numbers<std::uint64_t>(12, ~std::uint64_t{0});
    EXPECT_EQ(plain.match_strips(codes.data(), strips.data(), 12, 7, open.data(), expected.data()),
              kernels.match_strips(codes.data(), strips.data(), 12, 7, open.data(), rows.data()));
    EXPECT_EQ(rows, expected) << set.name;
  }
}

TYPED_TEST(SparseTypedKernelsTest, ListsOfCandidates) {
  using T = TypeParam;
  constexpr std::size_t kCodes = 40;
  constexpr std::size_t kWords = 4;
  constexpr std::size_t kEntries = 64 * kWords * kCandidates;
  Random random;
  // Few bits in half of the words, so that lists end early too.
  auto open = random.numbers<std::uint64_t>(kCodes * kWords + 1, ~std::uint64_t{0});
  const auto thinner = random.numbers<std::uint64_t>(3 * open.size(), ~std::uint64_t{0});
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (i % kWords < 2) open[i] &= thinner[3 * i] & thinner[3 * i + 1] & thinner[3 * i + 2];
  }
  const auto dead = random.numbers<T>(kEntries, 3);
  for (const KernelSet& set : available_kernels()) {
    std::vector<T> lists[2];
    for (auto& list : lists) list.resize(2 * kEntries);
    const SparseTypedKernels<T>* const kernels[] = {&scalar_sparse_kernels().of<T>(),
                                                    &sparse_kernels(set).of<T>()};
    for (std::size_t k = 0; k < 2; ++k) {
      T* const candidates = lists[k].data();
      kernels[k]->list_candidates(open.data(), kCodes, kWords, candidates, candidates + kEntries);
    }
    ASSERT_EQ(lists[0], lists[1]) << set.name;
    for (std::size_t k = 0; k < 2; ++k) {
      T* const candidates = lists[k].data();
      for (std::size_t i = 0; i < kEntries; ++i) {
        if (dead[i] == 0) candidates[i] = static_cast<T>(~T{0});
      }
      kernels[k]->close_gaps(candidates, candidates + kEntries, 64 * kWords / kGroupHeaps<T>);
    }
    EXPECT_EQ(lists[0], lists[1]) << set.name;
  }
}

TYPED_TEST(SparseTypedKernelsTest, Choices) {
  using T = TypeParam;
  constexpr std::size_t kHeaps = kGroupHeaps<T>;
  Random random;
  std::vector<Tap> near = random_taps(random, 6, kHeaps - 1, 8);
  for (Tap& tap : near) tap.offset -= 63;  // 1 to kHeaps - 1
  const NearTapList<T> taps(near);
  bool ended_early = false;
  for (int round = 0; round < 200; ++round) {
    const auto before = random.numbers<T>(2 * kHeaps, 8);
    auto candidates = random.numbers<T>(kHeaps * kCandidates, 8);
    for (std::size_t i = 0; i < candidates.size(); i += 3) candidates[i] = static_cast<T>(~T{0});
    const std::size_t first = static_cast<std::size_t>(round) % 3;
    auto expected = before;
    const std::size_t end = scalar_sparse_kernels().of<T>().choose(
        expected.data() + kHeaps, taps.view(), candidates.data(), first);
    ended_early |= end > first && end < kHeaps;
    for (const KernelSet& set : available_kernels()) {
      auto codes = before;
      EXPECT_EQ(sparse_kernels(set).of<T>().choose(codes.data() + kHeaps, taps.view(),
                                                   candidates.data(), first),
                end);
      EXPECT_EQ(codes, expected) << set.name;
    }
  }
  EXPECT_TRUE(ended_early);
}

TEST(SparseKernelsTest, OrShiftedAndCounts) {
  Random random;
  const auto sparse_bits = random.numbers<std::uint64_t>(400, 1u << 16);
  const auto* const base = reinterpret_cast<const std::uint8_t*>(sparse_bits.data());
  const auto source = random.numbers<std::int64_t>(5, 2000);
  const SparseKernels& plain = scalar_sparse_kernels();
  for (const KernelSet& set : available_kernels()) {
    const SparseKernels& kernels = sparse_kernels(set);
    for (const std::size_t words : {1, 3, 4, 16, 23, 64}) {
      for (unsigned shift = 0; shift < 8; ++shift) {
        std::vector<std::uint64_t> expected(words, 1);
        std::vector<std::uint64_t> into(words, 1);
        plain.or_shifted(base, source.data(), source.size(), shift, expected.data(), words);
        kernels.or_shifted(base, source.data(), source.size(), shift, into.data(), words);
        EXPECT_EQ(into, expected) << set.name << ", shift " << shift;
        EXPECT_EQ(kernels.count_and_not(into.data(), sparse_bits.data(), words),
                  plain.count_and_not(into.data(), sparse_bits.data(), words));
      }
    }
  }
}

TEST(SparseKernelsTest, MarkSets) {
  Random random;
  constexpr std::size_t kReach = 300;
  auto codes = random.numbers<std::uint64_t>(kReach + 200, 64);
  for (std::size_t i = 0; i < codes.size(); i += 5) codes[i] = 64;
  const TapList taps(random_taps(random, 30, kReach - 64, 64));
  for (const KernelSet& set : available_kernels()) {
    std::vector<std::uint64_t> expected(136, 2);
    std::vector<std::uint64_t> sets(136, 2);
    scalar_sparse_kernels().mark_sets(codes.data() + kReach, taps.view(), expected.data(), 136);
    sparse_kernels(set).mark_sets(codes.data() + kReach, taps.view(), sets.data(), 136);
    EXPECT_EQ(sets, expected) << set.name;
  }
}

}  // namespace
}  // namespace grundy::sparse
