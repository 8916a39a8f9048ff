// The order of values is the one in which engines hand them over, and goes both ways.
// SPDX-License-Identifier: MIT
#include "engines/lattice/value_order.hpp"

#include <functional>
#include <set>

#include <gtest/gtest.h>

#include <grundy/error.hpp>
#include <grundy/lattice/engine.hpp>

namespace grundy {
namespace {

/// Compares the position of every value that comes with the one that its number says.
class Follower final : public ValueSink {
 public:
  explicit Follower(const ValueOrder& order) : order_(order) {}

  Flow put(const Stretch& stretch) override {
    const Tile& tile = *stretch.tile;
    const unsigned planes = order_.layout().planes;
    for (std::size_t i = 0; i < stretch.values.size(); ++i, ++count_) {
      LatticePoint p{};
      std::size_t rest = i / planes;
      if (tile.first_rank) {
        p = position_of(order_.layout().heaps, *tile.first_rank + rest);
      } else {
        for (unsigned heap = order_.layout().heaps; heap-- > 0; rest /= tile.extent[heap]) {
          p[heap] = tile.origin[heap] + static_cast<std::uint32_t>(rest % tile.extent[heap]);
        }
      }
      EXPECT_EQ(order_.position_at(count_), p);
      const std::uint64_t number = order_.number_of(p, static_cast<unsigned>(i % planes));
      // The position itself, or the same heaps in ascending order.
      const bool mirrored = order_.layout().sorted && p[0] > p[1];
      EXPECT_TRUE(mirrored ? number < count_ : number == count_);
    }
    return Flow::kContinue;
  }
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

 private:
  const ValueOrder& order_;
  std::uint64_t count_ = 0;
};

struct Case {
  const char* rule;
  LatticePoint extent;
  bool sorted;
};

const Case kCases[] = {
    {"2: sym (1,0)* + (1,1)*", {70, 70}, true},   {"2: sym (1,0)* + (1,1)*", {70, 70}, false},
    {"2: sym (1,0)* + (1,1)*", {8, 8}, true},     {"2: sym (1,0)* + (1,1)*", {64, 64}, true},
    {"2: (1,0)* + (1,2)", {100, 33}, false},      {"2: (1,0)* + (1,2)", {9, 120}, false},
    {"2: (1,0)* + (0,1)*", {1, 40}, false},       {"2: sym (1,0)* + pass", {20, 20}, true},
    {"3: sym (1,0,0)* + pass", {9, 7, 5}, false}, {"3: sym (1,0,0)*", {10, 10, 10}, true},
    {"4: sym (1,0,0,0)*", {3, 4, 5, 6}, false}};

TEST(ValueOrder, IsThatOfTheEngines) {
  int orders = 0;
  for (const Case& c : kCases) {
    const LatticeRule rule = LatticeRule::parse(c.rule);
    const LatticeShape shape{.heaps = rule.heaps(), .extent = c.extent, .sorted = c.sorted};
    for (const LatticeEngine* engine : lattice_engines()) {
      if (!engine->refusal(rule, shape).empty()) continue;
      for (const std::optional<std::uint32_t> tile :
           std::initializer_list<std::optional<std::uint32_t>>{{}, 8U, 16U, 100U}) {
        const std::string name = engine->tile_order(rule, shape, tile);
        if (name.empty()) continue;
        ++orders;
        const ValueOrder order(Layout::of(shape, rule.planes()), name);
        Follower follower(order);
        engine->run({.rule = rule,
                     .shape = shape,
                     .kernels = select_kernels("auto"),
                     .executor = *make_executor(1, "threads"),
                     .tile = tile},
                    follower);
        EXPECT_EQ(follower.count(), order.count()) << c.rule << ' ' << name;
      }
    }
  }
  EXPECT_GT(orders, 80);
}

TEST(ValueOrder, TheFirstValuesHoldTheirOptionsAndFitTheirShape) {
  for (const Case& c : kCases) {
    const LatticeRule rule = LatticeRule::parse(c.rule);
    const Layout layout =
        Layout::of({.heaps = rule.heaps(), .extent = c.extent, .sorted = c.sorted}, rule.planes());
    std::vector<ValueOrder> orders{ValueOrder(layout)};
    if (rule.heaps() == 2 && rule.planes() == 1) {
      orders.emplace_back(layout, diagonal_order_name(8));
    }
    for (const ValueOrder& order : orders) {
      for (std::uint64_t n = 0; n < order.count(); ++n) {
        for_each_option(rule, order, n, [n](std::uint64_t option) { EXPECT_LT(option, n); });
      }
      LatticePoint needed{};
      for (std::uint64_t n = 0; n < order.count(); ++n) {
        const LatticePoint p = order.position_at(n);
        for (unsigned i = 0; i < rule.heaps(); ++i) needed[i] = std::max(needed[i], p[i] + 1);
        const Layout least = Layout::of(order.shape_of_first(n + 1), rule.planes());
        EXPECT_EQ(least.sorted, c.sorted);
        for (unsigned i = 0; i < rule.heaps(); ++i) {
          ASSERT_GE(least.extent[i], needed[i]);
          ASSERT_LE(least.extent[i], layout.extent[i]);
        }
        if (order.is_of_table()) {
          ASSERT_EQ(least.entry_of(p, order.plane_of(n)), n);
        }
      }
    }
  }
}

/// As many options as a position has must be known before they are listed.
TEST(ValueOrder, NoPositionHasMoreOptionsThanTheBound) {
  for (const char* text :
       {"2: sym (1,0)* + (1,1)*", "2: (1,0)*{1,3} + (0,2)* + (1,2)", "2: band(1,2;3) + (1,0)",
        "3: sym (1,0,0)* + box(1,2,3) + pass", "3: chomp", "2: euclid", "2: euclid0", "4: ends",
        "3: balanced", "3: sym band(1,2;2) + box(2,3)"}) {
    const LatticeRule rule = LatticeRule::parse(text);
    const Layout layout =
        Layout::of(LatticeShape::cube(rule.heaps(), rule.heaps() == 2 ? 12 : 5), rule.planes());
    const ValueOrder order(layout);
    for (std::uint64_t n = 0; n < order.count(); ++n) {
      double options = 0;
      for_each_option(rule, order, n, [&options](std::uint64_t) { ++options; });
      ASSERT_LE(options, option_bound(rule, order, n)) << text << ' ' << position_name(order, n);
    }
  }
  const LatticeRule boxes = LatticeRule::parse("6: box(1,2,3,4,5,6) + balanced");
  const ValueOrder large(Layout::of(LatticeShape::cube(6, 1001), 1));
  EXPECT_GT(option_bound(boxes, large, large.count() - 1), 1e18);
}

TEST(ValueOrder, OtherNamesAreRefused) {
  const Layout plane = Layout::of(LatticeShape::cube(2, 10), 1);
  const Layout cube = Layout::of(LatticeShape::cube(3, 10), 1);
  const auto refused = [](const Layout& layout, const char* name) {
    try {
      const ValueOrder order(layout, name);
      return false;
    } catch (const Error& error) {
      return error.code() == ErrorCode::kCorrupt;
    }
  };
  for (const char* name :
       {"", "rows", "antidiagonals of tiles of ", "antidiagonals of tiles of 0",
        "antidiagonals of tiles of 08", "antidiagonals of tiles of 1",
        "antidiagonals of tiles of 8x", "antidiagonals of tiles of 99999999999"}) {
    EXPECT_TRUE(refused(plane, name)) << name;
  }
  EXPECT_FALSE(refused(plane, "antidiagonals of tiles of 8"));
  EXPECT_TRUE(refused(cube, "antidiagonals of tiles of 8"));
  const Layout huge = Layout::of({2, {0xffffffff, 1}, false}, 1);
  EXPECT_TRUE(refused(huge, "antidiagonals of tiles of 8")) << "a list of half a billion layers";
  EXPECT_FALSE(refused(cube, kTableOrder));
}

}  // namespace
}  // namespace grundy
