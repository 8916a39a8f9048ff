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

#include <grundy/error.hpp>

namespace grundy {
namespace {

using Words = std::vector<std::uint64_t>;

Words words_of(LineSets& sets, std::uint64_t line) {
  Words words(sets.bits().stride);
  for (std::size_t w = 0; w < words.size(); ++w) words[w] = sets.bits().word(line, w);
  return words;
}

/// Gives a line the words `held`, which are full below `low`.
void set_line(LineSets& sets, std::uint64_t line, std::uint32_t low, const Words& held) {
  const LineBits bits = sets.bits();
  for (std::size_t w = 0; w < bits.stride; ++w) {
    bits.word(line, w) = w < held.size() ? held[w] : 0;
  }
  bits.low[line] = low;
  bits.high[line] = static_cast<std::uint32_t>(held.size());
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
  const auto rule = LatticeRule::parse("2: sym (1,0)* + (1,1)*");
  const LatticeShape shape{.heaps = 2, .extent = {600, 600}, .sorted = true};
  LineSets sets(rule, shape);
  sets.allocate();
  sets.release_all();
  LineSets sender(rule, shape);
  sender.allocate();
  const std::size_t stride = sets.bits().stride;
  const std::size_t words = sets.bits().bits / 64;
  const std::uint64_t lines = 1200;  // rows and diagonals
  std::vector<Words> held(lines);
  std::size_t most = 0;
  for (int i = 0; i < 60; ++i) {
    const std::uint64_t begin = below(lines), end = begin + 1 + below(lines - begin);
    std::vector<std::uint64_t> released, taken;
    for (std::uint64_t line = begin; line < end; ++line) {
      if (i % 2 == 1) {
        if (!held[line].empty() && below(9) > 0) released.push_back(line);
      } else if (held[line].empty()) {
        const auto low = static_cast<std::uint32_t>(below(words));
        held[line].assign(low, ~std::uint64_t{0});
        held[line].resize(low + 1 + below(words - low));
        for (auto word = held[line].begin() + low; word != held[line].end(); ++word) {
          *word = std::array{std::uint64_t{0}, ~std::uint64_t{0}, random(), random()}[below(4)];
        }
        set_line(sender, line, low, held[line]);
        taken.push_back(line);
      }
    }
    std::string letter = "before";
    sender.append_to(letter, taken);
    letter += "after";
    std::string_view unread = std::string_view(letter).substr(6);
    sets.take(unread, taken);
    ASSERT_EQ(unread, "after");
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

TEST(LineSets, RefusesABadLetter) {
  LineSets sets(LatticeRule::parse("2: sym (1,0)* + (1,1)*"),
                {.heaps = 2, .extent = {600, 600}, .sorted = true});
  sets.allocate();
  const std::array<std::uint64_t, 2> lines{3, 4};
  for (const std::uint64_t line : lines) set_line(sets, line, 1, {~std::uint64_t{0}, 5, 6});
  std::string letter;
  sets.append_to(letter, lines);
  const auto refuses = [&](const std::string& text) {
    sets.claim({0, 0, 600, 600, true});
    sets.release(lines);
    std::string_view unread = text;
    EXPECT_THROW(sets.take(unread, lines), Error);
  };
  for (std::size_t size = 0; size < letter.size(); ++size) refuses(letter.substr(0, size));
  for (const std::array<std::uint32_t, 2> ends : {std::array{2u, 1u}, std::array{0u, 1000u}}) {
    std::string other = letter;
    std::memcpy(other.data(), ends.data(), sizeof ends);
    refuses(other);
  }
}

}  // namespace
}  // namespace grundy
