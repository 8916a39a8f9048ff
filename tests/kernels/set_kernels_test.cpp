/// @file
/// Set and line kernels of every target against `scalar`.
// SPDX-License-Identifier: MIT
#include "kernels/set_kernels.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <random>
#include <utility>
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

TEST_P(SetKernelsOf, LivingWords) {
  const LineKernels& scalar = available_kernels().front().lines;
  const LineKernels& fast = available_kernels()[GetParam()].lines;
  std::mt19937_64 random(GetParam());
  for (int round = 0; round < 300; ++round) {
    constexpr std::size_t kChunks = 12, kStride = kSetSlack * kChunks;
    const std::size_t count = 1 + random() % 150;
    std::vector<std::uint64_t> words(count * kStride);
    for (std::uint64_t& word : words) word = random() % 50 == 0 ? random() : ~std::uint64_t{0};
    std::vector<ChunkRange> ranges;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::uint64_t first = random() % kChunks;
      ranges.push_back(
          {.direction = i / 2, .first = first, .count = 1 + random() % (kChunks - first)});
    }
    const PackedBits bits{words.data(), kStride};
    std::vector<std::uint32_t> noted(count);
    std::iota(noted.begin(), noted.end(), 0u);
    std::erase_if(noted, [&](std::uint32_t) { return random() % 4 == 0; });
    const auto list = [&](const LineKernels& kernels) {
      const std::size_t pitch = (count + FullWords::kPitch - 1) / FullWords::kPitch;
      std::vector<std::uint8_t> bytes(kChunks * pitch * FullWords::kPitch);
      const FullWords full{bytes.data(), pitch * FullWords::kPitch};
      for (const ChunkRange& range : ranges) {
        kernels.note_full(bits, noted.data(), noted.size(), range, full);
      }
      std::vector<std::uint32_t> living(count);
      living.resize(kernels.living_words(full, count, ranges.data(), 4, living.data()));
      return std::pair(bytes, living);
    };
    const auto [bytes, living] = list(scalar);
    ASSERT_EQ(list(fast), std::pair(bytes, living));
    // A word is dead if all sets of a direction have all of its bits.
    for (const std::uint32_t w : noted) {
      std::array<bool, 2> is_full{true, true};
      for (const auto& [direction, first, chunks] : ranges) {
        const auto row = words.begin() + static_cast<std::ptrdiff_t>(w * kStride);
        is_full[direction] =
            is_full[direction] &&
            std::all_of(row + static_cast<std::ptrdiff_t>(kSetSlack * first),
                        row + static_cast<std::ptrdiff_t>(kSetSlack * (first + chunks)),
                        [](std::uint64_t word) { return ~word == 0; });
      }
      ASSERT_EQ(std::ranges::binary_search(living, w), !is_full[0] && !is_full[1]) << w;
    }
  }
}

TEST_P(SetKernelsOf, BitsOfWords) {
  const LineKernels& fast = available_kernels()[GetParam()].lines;
  std::mt19937_64 random(GetParam());
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::uint64_t> words(1 + random() % 90);
    const std::uint64_t often =
        std::array{std::uint64_t{0}, ~std::uint64_t{0}, random()}[round % 3];
    const std::uint64_t rarely = 1 + random() % 100;
    for (std::uint64_t& word : words) word = random() % rarely == 0 ? random() : often;
    const WordBits bits = fast.bits_of(words.data(), words.size());
    EXPECT_EQ(bits.all,
              std::accumulate(words.begin(), words.end(), ~std::uint64_t{0}, std::bit_and<>()));
    EXPECT_EQ(bits.is_zero, std::ranges::count(words, 0u) == std::ssize(words));
  }
}

TEST_P(SetKernelsOf, PlacesOfCells) {
  const LineKernels& scalar = available_kernels().front().lines;
  const LineKernels& fast = available_kernels()[GetParam()].lines;
  std::mt19937_64 random(GetParam());
  for (int round = 0; round < 300; ++round) {
    constexpr std::size_t kLate = 24;  // a multiple of every group
    const std::size_t cells = 1 + random() % 70;
    const std::size_t count = 1 + random() % 5;
    const std::size_t marked = random() % 3 > 0 ? count : 1 + random() % count;
    const bool plain = random() % 2 == 0;
    // Each group of cells has a list of its own.
    const std::vector<std::uint32_t> all = {0, 2, 3, 4, 7}, late = {3, 4, 7};
    const std::vector<std::uint32_t> value = {0, 64, 256, 320, 640, 704, 768, 832};
    const std::size_t stride = cells * count + 2 * kSetSlack;
    std::vector<std::uint64_t> words(8 * stride);
    for (std::uint64_t& w : words) w = random() | (random() % 3 == 0 ? random() : ~0ull);
    std::fill_n(words.end() - static_cast<std::ptrdiff_t>(stride), stride, 0);
    std::vector<CellSets> sets;
    std::vector<std::vector<std::int64_t>> lists(count);
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint64_t first = kSetSlack + k * cells;
      sets.push_back({.first = first});
      if (plain || random() % 3 == 0) continue;
      if (random() % 2 == 0) {
        sets[k] = {.first = first + cells - 1, .descend = true};
        continue;
      }
      for (std::size_t c = 0; c < cells; ++c) {
        lists[k].push_back(static_cast<std::int64_t>(first + c));
      }
      std::shuffle(lists[k].begin(), lists[k].end(), random);
      lists[k].resize(cells + kSetSlack);
      sets[k].list = lists[k].data();
    }
    const auto place = [&](const LineKernels& kernels, std::vector<std::uint64_t>& in) {
      std::vector<const std::uint32_t*> lists_of_groups;
      for (std::size_t cell = 0; cell < cells; cell += kernels.group) {
        lists_of_groups.push_back((cell < kLate ? all : late).data());
      }
      std::vector<std::uint32_t> found(2 * cells);
      const std::size_t end = kernels.place_cells({.bits = {in.data(), stride},
                                                   .words = lists_of_groups.data(),
                                                   .value = value.data(),
                                                   .sets = sets.data(),
                                                   .marked = marked,
                                                   .count = count},
                                                  cells, found.data(), 2);
      found.push_back(static_cast<std::uint32_t>(end));
      return found;
    };
    std::vector<std::uint64_t> other = words;
    ASSERT_EQ(place(fast, other), place(scalar, words));
    ASSERT_EQ(other, words);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, SetKernelsOf,
                         ::testing::Range(std::size_t{0}, available_kernels().size()),
                         [](const auto& target) {
                           return std::string(available_kernels()[target.param].name);
                         });

}  // namespace
}  // namespace grundy
