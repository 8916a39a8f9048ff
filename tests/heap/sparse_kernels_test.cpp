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
  }
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
