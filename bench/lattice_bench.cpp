/// @file
/// Lattice engines: positions per second of one game, on one and on two threads.
///
/// Usage: bench_lattice GAME SIZE [PREFIX [TILE]]. Computes heaps below SIZE with the engine that
/// `auto` picks, on sorted positions if the rule is symmetric, and prints the sum, the number of
/// zeros and the largest value of the full cube beside the rate. With PREFIX, heaps below PREFIX
/// are computed by that engine and by the reference, and the ratio is printed if their sums agree.
/// TILE is the edge of a tile; without it the engine chooses.
// SPDX-License-Identifier: MIT
#include <chrono>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/games.hpp>
#include <grundy/lattice/engine.hpp>
#include <grundy/lattice/rank.hpp>
#include <grundy/machine.hpp>

#include "arguments.hpp"
#include "kernels/kernels.hpp"

namespace {

using namespace grundy;

/// Sums over all positions that come; a position off the diagonal of a sorted plane counts twice,
/// ranked positions once.
struct Totals {
  std::uint64_t sum = 0, zeros = 0, positions = 0;
  Nimber largest = 0;
  friend bool operator==(const Totals&, const Totals&) = default;
};

class TotalsSink final : public ValueSink {
 public:
  explicit TotalsSink(const LatticeShape& shape) : shape_(shape) {}

  Flow put(const Stretch& stretch) override {
    const Tile& tile = *stretch.tile;
    const bool plane = shape_.heaps == 2 && shape_.sorted;
    if (plane && tile.first_rank) {
      LatticePoint p = position_of(2, *tile.first_rank);
      for (std::size_t i = 0; i < stretch.values.size(); ++i) {
        add(stretch.values.subspan(i, 1), p[0] == p[1] ? 1 : 2);
        if (p[0]++ == p[1]) p = {0, p[1] + 1};
      }
    } else {
      add(stretch.values, plane && tile.origin[0] != tile.origin[1] ? 2 : 1);
    }
    return Flow::kContinue;
  }
  [[nodiscard]] const Totals& totals() const noexcept { return totals_; }

 private:
  void add(Values values, std::uint64_t times) {
    values.visit([&](auto all) {
      std::uint64_t sum = 0;
      std::uint64_t zeros = 0;
      Nimber largest = 0;
      for (const Nimber v : all) {
        sum += v;
        zeros += v == 0 ? 1 : 0;
        largest = largest < v ? v : largest;
      }
      totals_.sum += times * sum;
      totals_.zeros += times * zeros;
      totals_.positions += times * all.size();
      if (largest > totals_.largest) totals_.largest = largest;
    });
  }

  LatticeShape shape_;
  Totals totals_;
};

struct Timing {
  double seconds;
  Totals totals;
  std::string line;  ///< what is printed once the totals are known to be right
};

Timing measure(std::string_view name, const LatticeRule& rule, std::uint32_t size,
               std::size_t threads, std::optional<std::uint32_t> tile) {
  const auto executor = make_executor(threads);
  const LatticeShape shape = LatticeShape::cube(rule.heaps(), size, rule.symmetric());
  std::uint64_t unique = sorted_count(rule.heaps(), size);
  if (!shape.sorted) {
    unique = 1;
    for (unsigned i = 0; i < rule.heaps(); ++i) unique *= size;
  }
  TotalsSink sink(shape);
  const LatticeTask task{.rule = rule,
                         .shape = shape,
                         .kernels = select_kernels("auto"),
                         .executor = *executor,
                         .stop = {},
                         .tile = tile};
  const LatticeEngine& engine = select_lattice_engine(name, rule, shape);
  const auto start = std::chrono::steady_clock::now();
  engine.run(task, sink);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  const Totals& totals = sink.totals();
  return {seconds.count(), totals,
          fmt::format("{:10} {:>6} {} thread{} {:8.3f} s {:8.2f} million unique positions/s  sum "
                      "{} zeros {} max {}\n",
                      engine.name(), size, threads, threads == 1 ? " " : "s", seconds.count(),
                      static_cast<double>(unique) / seconds.count() / 1e6, totals.sum, totals.zeros,
                      totals.largest)};
}

/// The totals of fixed instances, by the name of the game and the size.
struct Known {
  std::string_view game;
  std::uint32_t size;
  Totals totals;
};
constexpr Known kKnown[] = {
    {"wythoff", 4096, {42919217587, 3129, 16777216, 6172}},
};

void compare(std::string_view game, std::uint32_t size, std::uint32_t prefix,
             std::optional<std::uint32_t> tile) {
  const LatticeRule rule = resolve_game(game, GameKind::kLattice).lattice();
  const Timing one = measure("auto", rule, size, 1, tile);
  const Timing two = measure("auto", rule, size, 2, tile);
  expect_same(game, two.totals, one.totals);
  for (const Known& known : kKnown) {
    if (known.game == game && known.size == size) expect_same(game, one.totals, known.totals);
  }
  fmt::print("{}{}  the second thread makes it {:.2f} times as fast\n", one.line, two.line,
             one.seconds / two.seconds);
  if (prefix == 0) return;
  const Timing fast = measure("auto", rule, prefix, 1, tile);
  const Timing reference = measure("reference", rule, prefix, 1, tile);
  expect_same(game, fast.totals, reference.totals);
  fmt::print("{}{}  {:.1f} times the reference\n", fast.line, reference.line,
             reference.seconds / fast.seconds);
}

}  // namespace

int main(int argc, char** argv) {
  return run_bench("bench_lattice", argc, argv, [](const Arguments& arguments) {
    constexpr std::uint64_t kMost = 1u << 30;
    arguments.expect_at_most(4);
    const auto number = [&](std::size_t i, const char* name, std::uint32_t usual, bool zero) {
      return static_cast<std::uint32_t>(arguments.count(i, name, usual, zero ? 0 : 1, kMost));
    };
    const std::uint32_t tile = number(3, "TILE", 0, true);
    compare(arguments.text(0, "wythoff"), number(1, "SIZE", 4096, false),
            number(2, "PREFIX", 0, true), tile > 0 ? std::optional(tile) : std::nullopt);
  });
}
