// Sums by places: equal for equal tables in any order, different for any difference.
// SPDX-License-Identifier: MIT
#include "table/place_sums.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include <grundy/lattice/engine.hpp>

#include "core/value_copy.hpp"
#include "table/lattice_array.hpp"

namespace grundy::store_test {
namespace {

struct Case {
  const char* rule;
  Point extent;
  bool computed_sorted;
  bool stored_sorted;
};

const Case kCases[] = {{"2: (1,0)* + (1,2)", {300, 70}, false, false},
                       {"2: sym (1,0)* + (1,1)*", {300, 300}, true, false},
                       {"2: sym (1,0)* + (1,1)*", {300, 300}, true, true},
                       {"2: sym (1,0)* + pass", {40, 40}, true, false},
                       {"2: sym (1,0)* + pass", {40, 40}, true, true},
                       {"3: (1,0,0)* + (0,1,1)* + pass", {9, 11, 13}, false, false},
                       {"3: sym (1,0,0)* + box(1,2,3)", {14, 14, 14}, true, false},
                       {"4: sym (1,0,0,0)*", {6, 6, 6, 6}, true, false}};

/// The entries as an engine hands them over, summed and kept.
class Both final : public TileSink {
 public:
  Both(const LatticeLayout& layout, bool sorted)
      : sums(layout), array(layout, sorted), scatter_(layout, sorted, sums) {}
  Flow put(const Tile& tile) override {
    scatter_.put(tile);
    return array.put(tile);
  }

  PlaceSums sums;
  LatticeArray array;

 private:
  TileScatter scatter_;
};

std::vector<Nimber> wide(Values values) {
  std::vector<Nimber> out;
  values.visit([&](auto run) { out.assign(run.begin(), run.end()); });
  return out;
}

class PlaceSumsTest : public testing::TestWithParam<Case> {
 protected:
  PlaceSumsTest() {
    const LatticeRule rule = LatticeRule::parse(GetParam().rule);
    layout.planes = rule.planes();
    layout.shape = {
        .heaps = rule.heaps(), .extent = GetParam().extent, .sorted = GetParam().stored_sorted};
    LatticeShape computed = layout.shape;
    computed.sorted = GetParam().computed_sorted;
    tiles.emplace(layout, computed.sorted);
    const auto executor = make_executor(1, "threads");
    select_lattice_engine("auto", rule, computed)
        .run({.rule = rule,
              .shape = computed,
              .kernels = select_kernels("auto"),
              .executor = *executor,
              .tile = 16},
             *tiles);
    values = wide(tiles->array.values());
  }

  /// In order, in blocks of some positions.
  [[nodiscard]] PlaceSums sums_of(const std::vector<Nimber>& entries) const {
    PlaceSums sums(layout);
    const std::size_t block = 97 * layout.planes;
    for (std::size_t at = 0; at < entries.size(); at += block) {
      const std::span<const Nimber> part(entries);
      sums.put_in_order(at, part.subspan(at, std::min(block, entries.size() - at)));
    }
    return sums;
  }

  LatticeLayout layout;
  std::optional<Both> tiles;
  std::vector<Nimber> values;
};

TEST_P(PlaceSumsTest, DoNotDependOnTheOrderOrTheWidth) {
  EXPECT_FALSE(tiles->sums.difference(sums_of(values)));
  PlaceSums narrow(layout);
  narrow.put_in_order(0, tiles->array.values());
  EXPECT_FALSE(narrow.difference(tiles->sums));
}

TEST_P(PlaceSumsTest, OneBitTwoValuesChangedAndTwoExchangedShowAndAreNamed) {
  std::mt19937 random(3);
  for (int i = 0; i < 60; ++i) {
    std::vector<Nimber> wrong = values;
    const std::size_t a = random() % wrong.size();
    const std::size_t b = random() % wrong.size();
    const Nimber bit = Nimber{1} << (random() % 32);
    if (i % 3 == 0) {
      wrong[a] ^= bit;
    } else if (i % 3 == 1) {
      wrong[a] += bit, wrong[b] -= bit;
    } else {
      std::swap(wrong[a], wrong[b]);
    }
    const auto found = tiles->sums.difference(sums_of(wrong));
    ASSERT_EQ(found.has_value(), wrong != values) << a << ' ' << b;
    if (!found) continue;
    const auto first = std::ranges::mismatch(wrong, values).in1 - wrong.begin();
    const std::uint64_t place = static_cast<std::uint64_t>(first) / layout.planes;
    const std::uint64_t of_axis =
        layout.shape.sorted ? place : layout.position_at(static_cast<std::uint64_t>(first))[0];
    EXPECT_LE(found->first, of_axis);
    EXPECT_GE(found->last, of_axis);
  }
}

INSTANTIATE_TEST_SUITE_P(Tables, PlaceSumsTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return "Table" + std::to_string(test.index); });

}  // namespace
}  // namespace grundy::store_test
