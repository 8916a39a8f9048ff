/// @file
/// The lines that an area meets, and their memory: pieces that are full give it back. The lines of
/// a belt come and go: each holds what a letter brought, and is empty when it is claimed again,
/// whatever lines used its memory meanwhile.
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

constexpr std::size_t kBlock = LineMemory::kBlock;

Words words_of(LineSets& sets, std::uint64_t line) {
  Words words(sets.words());
  for (std::size_t w = 0; w < words.size(); ++w) words[w] = sets.word(line, w);
  return words;
}

/// Gives a line the words `held`.
void set_line(LineSets& sets, std::uint64_t line, const Words& held) {
  for (std::size_t w = 0; w < sets.words(); ++w) {
    sets.memory().write(line, w / kBlock)[w % kBlock] = w < held.size() ? held[w] : 0;
  }
  sets.settle(line, line, held.size());
}

/// The lines of all families.
std::vector<std::uint64_t> lines_of(const LineSets& sets, const LatticeShape& shape) {
  const TileArea all{0, 0, shape.extent[0], shape.extent[1], shape.sorted};
  std::vector<std::uint64_t> lines;
  for (const LineAccess& access : sets.accesses()) {
    if (access.mirrored) continue;
    const auto [first, last] = access.lines_through(all);
    for (std::uint64_t line = first; line <= last; ++line) lines.push_back(line);
  }
  return lines;
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

TEST(LineSets, FullPiecesOfWholeGroupsTakeNoMemory) {
  const LatticeShape shape{.heaps = 2, .extent = {3000, 3000}, .sorted = true};
  LineSets sets(LatticeRule::parse("2: sym (1,0)* + (1,1)*"), shape);
  sets.allocate();
  const std::uint64_t before = sets.most_bytes();
  const std::uint64_t first = 2 * LineMemory::kGroup;
  for (std::uint64_t line = first; line < first + LineMemory::kGroup; ++line) {
    set_line(sets, line, Words(2 * kBlock + 1, ~std::uint64_t{0}));
  }
  const std::uint64_t most = sets.most_bytes();
  EXPECT_GT(most, before);
  EXPECT_FALSE(sets.memory().is_full(2, 0));
  sets.settle(first + 1, first + LineMemory::kGroup - 1, 2 * kBlock + 1);
  EXPECT_FALSE(sets.memory().is_full(2, 0)) << "another tile may work with the first line";
  sets.settle(first, first + LineMemory::kGroup - 1, 2 * kBlock + 1);
  EXPECT_TRUE(sets.memory().is_full(2, 0));
  EXPECT_TRUE(sets.memory().is_full(2, 1));
  EXPECT_FALSE(sets.memory().is_full(2, 2));
  for (const std::uint64_t line : {first, first + 77}) {
    Words wanted(2 * kBlock + 1, ~std::uint64_t{0});
    wanted.resize(sets.words());
    EXPECT_EQ(words_of(sets, line), wanted);
  }
  // The memory serves other lines.
  sets.memory().write(0, 0)[0] = 5;
  EXPECT_EQ(sets.most_bytes(), most);
  EXPECT_EQ(sets.word(0, 0), 5u);
  EXPECT_EQ(sets.word(1, 0), 0u);
}

TEST(LineSets, LinesOfTilesOfWholeGroupsAreWholeGroups) {
  constexpr std::uint32_t kEdge = LineMemory::kGroup;
  for (const std::uint32_t extent : {3000u, 4096u}) {
    for (const bool sorted : {false, true}) {
      const LatticeShape shape{.heaps = 2, .extent = {extent, extent}, .sorted = sorted};
      const LineSets sets(LatticeRule::parse("2: sym (1,0)* + (1,1)*"), shape);
      for (const LineAccess& access : sets.accesses()) {
        const auto [first, last] =
            access.lines_through({kEdge, 3 * kEdge, kEdge, kEdge, shape.sorted});
        const std::uint64_t begin = (first + kEdge - 1) / kEdge * kEdge;
        EXPECT_LE(begin + kEdge - 1, last) << extent << ' ' << access.a << ' ' << access.b;
      }
    }
  }
}

TEST(LineSets, LinesComeAndGo) {
  std::mt19937_64 random(1);
  const auto below = [&random](std::uint64_t end) { return random() % end; };
  const auto rule = LatticeRule::parse("2: sym (1,0)* + (1,1)*");
  const LatticeShape shape{.heaps = 2, .extent = {600, 600}, .sorted = true};
  LineSets sets(rule, shape);
  sets.allocate();
  sets.release_all();
  const std::size_t words = 1200 / 64 + 1;
  const auto all = lines_of(sets, shape);
  std::vector<Words> held(all.size());
  for (int i = 0; i < 60; ++i) {
    const std::uint64_t begin = below(all.size()), end = begin + 1 + below(all.size() - begin);
    const bool full_alike = below(2) == 0;  // as lines of one letter are
    const std::uint64_t full = below(words);
    std::vector<std::uint64_t> released, taken;
    LineSets sender(rule, shape);
    sender.allocate();
    for (std::uint64_t n = begin; n < end; ++n) {
      if (i % 2 == 1) {
        if (held[n].empty() || below(9) == 0) continue;
        released.push_back(all[n]);
        held[n].clear();
      } else if (held[n].empty()) {
        const auto low = full_alike ? full : below(words);
        held[n].assign(low, ~std::uint64_t{0});
        held[n].resize(low + 1 + below(words - low));
        for (auto word = held[n].begin() + static_cast<std::ptrdiff_t>(low); word != held[n].end();
             ++word) {
          *word = std::array{std::uint64_t{0}, ~std::uint64_t{0}, random(), random()}[below(4)];
        }
        set_line(sender, all[n], held[n]);
        taken.push_back(all[n]);
      }
    }
    std::string letter = "before";
    sender.append_to(letter, taken);
    letter += "after";
    std::string_view unread = std::string_view(letter).substr(6);
    sets.take(unread, taken);
    ASSERT_EQ(unread, "after");
    sets.release(released);
    for (std::uint64_t n = 0; n < all.size(); ++n) {
      if (held[n].empty()) continue;
      Words wanted = held[n];
      wanted.resize(sets.words());
      ASSERT_EQ(wanted, words_of(sets, all[n])) << "line " << all[n] << " after step " << i;
    }
  }
  // A belt that is over leaves nothing.
  std::vector<std::uint64_t> rest;
  for (std::uint64_t n = 0; n < all.size(); ++n) {
    if (!held[n].empty()) rest.push_back(all[n]);
  }
  const std::uint64_t most = sets.most_bytes();
  sets.release(rest);
  sets.claim({0, 0, 600, 600, true});
  for (const std::uint64_t line : all) ASSERT_EQ(words_of(sets, line), Words(sets.words()));
  EXPECT_EQ(sets.most_bytes(), most) << "the memory serves again";
}

TEST(LineSets, RefusesABadLetter) {
  LineSets sets(LatticeRule::parse("2: sym (1,0)* + (1,1)*"),
                {.heaps = 2, .extent = {600, 600}, .sorted = true});
  sets.allocate();
  const std::array<std::uint64_t, 2> lines{3, 4};
  for (const std::uint64_t line : lines) set_line(sets, line, {~std::uint64_t{0}, 5, 6});
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
