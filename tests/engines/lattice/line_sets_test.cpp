/// @file
/// The lines that an area meets. The lines of a belt come and go: each holds what a letter brought,
/// and is empty when it is claimed again, whatever line used its memory meanwhile.
// SPDX-License-Identifier: MIT
#include "engines/lattice/line_sets.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace grundy {
namespace {

using Words = std::vector<std::uint64_t>;

/// The part of a letter about a line that is full below word `low` and holds `rest` after it.
std::string letter_of(std::uint32_t low, const Words& rest) {
  const std::array<std::uint32_t, 2> ends{low, low + static_cast<std::uint32_t>(rest.size())};
  std::string letter(sizeof ends + rest.size() * sizeof(std::uint64_t), '\0');
  std::memcpy(letter.data(), ends.data(), sizeof ends);
  std::memcpy(letter.data() + sizeof ends, rest.data(), rest.size() * sizeof(std::uint64_t));
  return letter;
}

Words words_of(LineSets& sets, std::uint64_t line) {
  Words words(sets.bits().stride);
  for (std::size_t w = 0; w < words.size(); ++w) words[w] = sets.bits().word(line, w);
  return words;
}

TEST(LineSets, LinesThroughAnAreaAreThoseOfItsPositions) {
  constexpr std::uint32_t kExtent = 60;
  std::mt19937 random(3);
  const auto below = [&random](std::uint32_t end) {
    return static_cast<std::uint32_t>(random() % end);
  };
  for (int trial = 0; trial < 3000; ++trial) {
    const bool sorted = trial % 2 == 0;
    const std::uint32_t a = below(7), b = below(7) + (a == 0 ? 1 : 0);
    const LineSets sets(
        LatticeRule::parse(fmt::format("2: {}({},{})*", a == b ? "" : "sym ", a, b)),
        {.heaps = 2, .extent = {kExtent, kExtent}, .sorted = sorted});
    TileArea area{.x0 = below(kExtent), .y0 = below(kExtent), .nx = 0, .ny = 0, .sorted = sorted};
    if (sorted && area.x0 > area.y0) std::swap(area.x0, area.y0);
    area.nx = 1 + below(kExtent - area.x0);
    area.ny = 1 + below(kExtent - area.y0);
    for (const LineAccess& access : sets.accesses()) {
      std::uint64_t first = ~std::uint64_t{0}, last = 0;
      for (std::uint32_t x = area.x0; x < area.x0 + area.nx; ++x) {
        for (std::uint32_t y = area.y0; y < area.y0 + area.ny; ++y) {
          if (sorted && x > y) continue;
          first = std::min(first, access.line(x, y));
          last = std::max(last, access.line(x, y));
        }
      }
      const auto sharing = static_cast<std::uint64_t>(access.g);
      first -= (first - access.first) % sharing;
      last += sharing - 1 - (last - access.first) % sharing;
      ASSERT_EQ(access.lines_through(area), std::pair(first, last))
          << a << ' ' << b << ", " << area.nx << " x " << area.ny << " from " << area.x0 << ", "
          << area.y0 << (access.mirrored ? ", mirrored" : "");
    }
  }
}

/// So values that no line reaches take no memory: their blocks fill pages of their own.
TEST(LineSets, EqualBlocksOfLinesAreNeighbours) {
  LineSets sets(LatticeRule::parse("2: sym (1,0)* + (1,1)*"),
                {.heaps = 2, .extent = {3000, 3000}, .sorted = true});
  sets.allocate();
  const LineBits bits = sets.bits();
  for (std::size_t w = 0; w < bits.stride; ++w) {
    ASSERT_EQ(&bits.word(1, w) - &bits.word(0, w), LineBits::kBlock);
    ASSERT_EQ(&bits.word(LineBits::kGroup, w) - &bits.word(0, w), LineBits::kGroup * bits.stride);
  }
}

TEST(LineSets, PlacesOfReleasedLinesServeOthers) {
  std::mt19937_64 random(1);
  const auto below = [&random](std::uint64_t end) { return random() % end; };
  LineSets sets(LatticeRule::parse("2: sym (1,0)* + (1,1)*"),
                {.heaps = 2, .extent = {600, 600}, .sorted = true});
  sets.allocate();
  sets.release_all();
  const std::size_t stride = sets.bits().stride;
  const std::size_t words = sets.bits().bits / 64;
  const std::uint64_t lines = 1200;  // rows and diagonals
  std::vector<Words> held(lines);
  std::size_t most = 0;
  for (int i = 0; i < 60; ++i) {
    const std::uint64_t begin = below(lines), end = begin + 1 + below(lines - begin);
    std::vector<std::uint64_t> released;
    for (std::uint64_t line = begin; line < end; ++line) {
      if (i % 2 == 1) {
        if (!held[line].empty() && below(9) > 0) released.push_back(line);
      } else if (held[line].empty()) {
        const auto low = static_cast<std::uint32_t>(below(words));
        Words rest(1 + below(words - low));
        for (std::uint64_t& word : rest) word = random();
        std::string letter = letter_of(low, rest);
        std::string_view unread = letter;
        sets.take(unread, line);
        ASSERT_TRUE(unread.empty());
        held[line].assign(low, ~std::uint64_t{0});
        held[line].insert(held[line].end(), rest.begin(), rest.end());
      }
    }
    sets.release(released);
    for (const std::uint64_t line : released) held[line].clear();
    most = std::max<std::size_t>(
        most, std::ranges::count_if(held, [](const Words& line) { return !line.empty(); }));
    for (std::uint64_t line = 0; line < lines; ++line) {
      if (held[line].empty()) continue;
      ASSERT_LT(sets.bits().places[line], most);
      Words wanted = held[line];
      wanted.resize(stride);
      ASSERT_EQ(wanted, words_of(sets, line)) << "line " << line << " after step " << i;
    }
  }
  // A belt that is over leaves nothing.
  std::vector<std::uint64_t> rest;
  for (std::uint64_t line = 0; line < lines; ++line) {
    if (!held[line].empty()) rest.push_back(line);
  }
  sets.release(rest);
  sets.claim({0, 0, 600, 600, true});
  for (std::uint64_t line = 0; line < lines; ++line) {
    ASSERT_EQ(words_of(sets, line), Words(stride));
  }
}

}  // namespace
}  // namespace grundy
