/// @file
/// Set and line kernels of every target against `scalar`.
// SPDX-License-Identifier: MIT
#include "kernels/set_kernels.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/kernels.hpp"
#include "kernels/line_kernels.hpp"

namespace grundy {
namespace {

/// Sets of three banks with random contents; many words are full.
class Arena {
 public:
  Arena(std::uint32_t seed, std::size_t sets) : low_(sets) {
    std::mt19937_64 random(seed);
    for (std::size_t c = 0; c < banks_.size(); ++c) {
      words_[c].resize(kBankWords * sets);
      for (auto& word : words_[c]) {
        const auto kind = random() % 4;
        word = c == 2 || kind == 0 ? 0 : kind == 1 ? random() : ~std::uint64_t{0};
      }
      banks_[c] = words_[c].data();
    }
  }
  BankedSets view() { return {banks_.data(), banks_.size(), low_.data()}; }
  [[nodiscard]] const auto& words() const { return words_; }

 private:
  std::array<std::vector<std::uint64_t>, 3> words_;
  std::array<std::uint64_t*, 3> banks_{};
  std::vector<std::uint16_t> low_;
};

class SetKernelsOf : public ::testing::TestWithParam<std::size_t> {
 protected:
  const SetKernels& scalar_ = available_kernels().front().sets;
  const SetKernels& fast_ = available_kernels()[GetParam()].sets;
};

TEST_P(SetKernelsOf, PlaceRow) {
  for (std::size_t count = 0; count <= 12; ++count) {
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
      Arena plain(seed, 400);
      Arena fast(seed, 400);
      std::mt19937 random(seed);
      std::vector<SetStride> rows(count);
      for (SetStride& row : rows) {
        row.step = static_cast<std::int64_t>(random() % 5) - 2;
        row.first = 100 + random() % 200;
      }
      const std::size_t cells = random() % 40;
      const std::size_t marked = count == 0 ? 0 : random() % (count + 1);
      // Without a set that takes the values, or with only full ones, a row is as good as any.
      std::vector<std::uint32_t> expected(cells), found(cells);
      scalar_.place_row(plain.view(), rows.data(), marked, count, cells, expected.data());
      fast_.place_row(fast.view(), rows.data(), marked, count, cells, found.data());
      ASSERT_EQ(found, expected) << count << ' ' << seed;
      ASSERT_EQ(fast.words(), plain.words()) << count << ' ' << seed;
      // A second pass starts from what is known to be full.
      scalar_.place_row(plain.view(), rows.data(), marked, count, cells, expected.data());
      fast_.place_row(fast.view(), rows.data(), marked, count, cells, found.data());
      ASSERT_EQ(found, expected) << count << ' ' << seed;
    }
  }
}

TEST_P(SetKernelsOf, ExtendRow) {
  for (std::size_t count = 0; count <= 4; ++count) {
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
      Arena plain(seed, 400);
      Arena fast(seed, 400);
      std::mt19937 random(seed);
      std::vector<SetStride> from(count);
      for (SetStride& row : from) row = {100 + random() % 200, static_cast<int>(random() % 5) - 2};
      const SetStride into{200, static_cast<int>(random() % 5) - 2};
      std::vector<std::uint32_t> values(random() % 40);
      for (auto& value : values) value = static_cast<std::uint32_t>(random() % (3 * kBankValues));
      scalar_.extend_row(plain.view(), into, from.data(), count, values.size(), values.data());
      fast_.extend_row(fast.view(), into, from.data(), count, values.size(), values.data());
      ASSERT_EQ(fast.words(), plain.words()) << count << ' ' << seed;
    }
  }
}

/// Packing and unpacking, intersections, and places for cells.
TEST_P(SetKernelsOf, LineKernels) {
  const LineKernels& scalar = available_kernels().front().lines;
  const LineKernels& fast = available_kernels()[GetParam()].lines;
  std::mt19937_64 random(GetParam());
  for (int round = 0; round < 50; ++round) {
    constexpr std::size_t kWords = 37;
    std::vector<std::uint64_t> from(kWords), masks;
    std::vector<std::uint32_t> word;
    for (std::uint32_t w = 0; w < kWords; ++w) {
      from[w] = random();
      if (random() % 3 == 0) continue;
      word.push_back(w);
      masks.push_back(random() % 4 == 0 ? ~std::uint64_t{0} : (random() & random()) | 1);
    }
    std::vector<std::uint64_t> expected(kWords + 2), packed(kWords + 2);
    scalar.pack_bits(from.data(), word.data(), masks.data(), word.size(), expected.data());
    fast.pack_bits(from.data(), word.data(), masks.data(), word.size(), packed.data());
    ASSERT_EQ(packed, expected);
    std::vector<std::uint64_t> a(kWords), b(kWords);
    scalar.unpack_bits(expected.data(), word.data(), masks.data(), word.size(), a.data());
    fast.unpack_bits(expected.data(), word.data(), masks.data(), word.size(), b.data());
    ASSERT_EQ(a, b);
    scalar.and_words(a.data(), from.data(), kWords);
    fast.and_words(b.data(), from.data(), kWords);
    ASSERT_EQ(a, b);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, SetKernelsOf,
                         ::testing::Range(std::size_t{0}, available_kernels().size()),
                         [](const auto& target) {
                           return std::string(available_kernels()[target.param].name);
                         });

}  // namespace
}  // namespace grundy
