/// @file
/// Simulates the speed-up of ranks that share a table of two heaps.
///
/// The schedule is the real one (engines/lattice/stripe_schedule.hpp). The cost of a tile and the
/// bytes that cross a border are measured here, on one thread and on two ranks of threads. A letter
/// of k bytes takes o + k G + L + o, and the next one leaves its rank max(g, k G) later (the LogGP
/// model of Alexandrov, Ionescu, Schauser and Scheiman 1995). A separate thread pays the overhead
/// o. It looks for letters once in 200 us (src/mpi/mpi_team.cpp), so o is 100 us unless another
/// value is given. No file is written.
///
///     bench_scaling [GAME [EXTENT [THREADS [L [GB_PER_S [TILE [O [GAP]]]]]]]]
///
/// L, O (o) and GAP (g) are microseconds, GB_PER_S is 1 / G; a TILE of 0 is the usual one. A letter
/// also costs processor time where it is sent and where it is received, which is measured too.
///
/// First the program compares itself with measurements: one rank and two, up to the extent 8192.
/// Costs are those of one rank, and of one beside another that has a table of its own. So two ranks
/// that share one show what the schedule is worth. It fails if they
/// differ by more than a quarter in five measurements. All other figures are simulated. If there
/// are more ranks than stripes, the table is cut into as many stripes as ranks, of one slab of
/// tiles each, although a real table has at most 256 stripes.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/games.hpp>
#include <grundy/lattice/engine.hpp>
#include <grundy/layout.hpp>
#include <grundy/machine.hpp>
#include <grundy/team.hpp>

#include "arguments.hpp"
#include "core/stopwatch.hpp"
#include "dist/weighing_team.hpp"
#include "engines/lattice/line_sets.hpp"
#include "engines/lattice/stripe_order.hpp"
#include "engines/lattice/stripe_schedule.hpp"

namespace grundy {
namespace {

constexpr std::uint32_t kMeasured = 8192;
/// The largest allowed difference of ranks from their simulation: one rank, whose costs it has, and
/// two. Other work on the machine disturbs a measurement, so there are several.
constexpr double kTolerance = 0.1, kToleranceOfTwo = 0.25;
constexpr int kMeasurements = 5;
constexpr std::uint64_t kMostRanks = 4096;
/// The least edge of tiles of a table.
constexpr std::uint32_t kLeastTile = 8;

/// Seconds.
struct Network {
  double latency, overhead, gap, per_byte;
};

/// A table, with measurements of its game.
struct Work {
  LatticeShape shape;
  LatticeStripes stripes;
  double seconds_per_position = 0;  ///< on one thread, on average
  double growth =
      0;  ///< a position costs 1 + growth * (mean of its heaps by the extent), relatively
  double bytes_per_border = 0;  ///< by the square of the extent
  double seconds_per_byte = 0;  ///< of the processors, for a byte that is sent and received
};

double positions_of(const LatticeShape& shape) {
  return static_cast<double>(Layout::of(shape, 1).positions());
}

/// Simulated seconds of this many ranks and threads, in the real schedule.
double simulated(const Work& work, std::uint64_t ranks, std::size_t threads,
                 const Network& network) {
  enum Kind { kDone, kArrived, kUsed };
  using Event =
      std::tuple<double, int, std::uint64_t, std::size_t>;  // time, kind, rank, slab, belt
  const std::uint32_t edge = work.stripes.tile;
  std::vector<StripeSchedule> schedules;
  std::vector<std::size_t> busy(ranks);
  std::vector<double> free_link(ranks);  // the time at which the last letter has left a rank
  std::vector<std::pair<std::uint64_t, std::size_t>> place_of_belt;
  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    schedules.emplace_back(work.shape, edge, work.stripes.borders, rank, ranks, threads);
    for (std::size_t i = 0; i < schedules.back().belts().size(); ++i) {
      const std::uint64_t number = schedules.back().belts()[i].number;
      if (place_of_belt.size() <= number) place_of_belt.resize(number + 1);
      place_of_belt[number] = {rank, i};
    }
  }
  // The borders of a sorted table are of all lengths: half of the places on average.
  const double extent = work.shape.extent[0];
  const double letters = extent / edge / (work.shape.sorted ? 2 : 1);
  const double bytes = work.bytes_per_border * extent * extent / letters;
  const double letter_seconds = bytes * work.seconds_per_byte;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
  double now = 0;
  const auto begin_tiles = [&](std::uint64_t rank) {
    StripeSchedule& schedule = schedules[rank];
    while (busy[rank] < threads) {
      const auto next = schedule.next();
      if (!next) return;
      StripeSchedule::Slab& slab = schedule.slabs()[*next];
      const StripeSchedule::Belt& belt = schedule.belts()[slab.belt];
      const std::uint64_t place = slab.begun++;
      ++busy[rank];
      if (slab.number == belt.first && place < belt.letters) {
        const auto [other, at] = place_of_belt[belt.number - 1];
        events.emplace(now + 2 * network.overhead + network.latency, kUsed, other, at);
      }
      const TileArea tile = tile_of_slab(work.shape, edge, slab.number, place);
      double positions = static_cast<double>(tile.size());
      if (tile.sorted && tile.x0 == tile.y0) positions /= 2;
      // The mean heap of a box is half the extent, and so it is in a sorted table.
      const double where = (static_cast<double>(tile.x0) + tile.y0) / (2 * extent);
      const double cost = (1 + work.growth * where) / (1 + work.growth / 2);
      double seconds = positions * cost * work.seconds_per_position;
      if (slab.number == belt.first && place < belt.letters) seconds += letter_seconds / 2;
      if (slab.number + 1 == belt.end && belt.behind) seconds += letter_seconds / 2;
      events.emplace(now + seconds, kDone, rank, *next);
    }
  };
  for (std::uint64_t rank = 0; rank < ranks; ++rank) begin_tiles(rank);
  while (!events.empty()) {
    const auto [time, kind, rank, at] = events.top();
    events.pop();
    now = time;
    StripeSchedule& schedule = schedules[rank];
    if (kind == kUsed) {
      ++schedule.belts()[at].used;
    } else if (kind == kArrived) {
      ++schedule.belts()[at].arrived;
    } else {
      StripeSchedule::Slab& slab = schedule.slabs()[at];
      ++slab.done;
      --busy[rank];
      const StripeSchedule::Belt& belt = schedule.belts()[slab.belt];
      if (slab.number + 1 == belt.end && belt.behind) {
        const double leaves = std::max(free_link[rank], now + network.overhead);
        const double takes = bytes * network.per_byte;
        free_link[rank] = leaves + std::max(network.gap, takes);
        const auto [other, index] = place_of_belt[belt.number + 1];
        events.emplace(leaves + takes + network.latency + network.overhead, kArrived, other, index);
      }
    }
    begin_tiles(rank);
  }
  for (const StripeSchedule& schedule : schedules) {
    if (!schedule.is_over()) throw Error(ErrorCode::kFailure, "the simulated ranks are stuck");
  }
  return now;
}

/// Processor seconds for a byte of letters. Lines whose first third is full and whose last third is
/// empty are written, and read into fresh sets. A third of the words between is full, and a third
/// empty.
double measured_letters(const LatticeRule& rule, const LatticeShape& shape) {
  constexpr std::uint64_t kLines = 4096;
  constexpr std::array<std::uint64_t, 3> kWords{0x5555555555555555, ~std::uint64_t{0}, 0};
  LineSets sent(rule, shape), taken(rule, shape);
  sent.allocate();
  taken.allocate();
  constexpr std::size_t kBlock = LineMemory::kBlock;
  const std::size_t words = (shape.extent[0] + shape.extent[1]) / 64;
  std::vector<std::uint64_t> lines(kLines);
  std::iota(lines.begin(), lines.end(), std::uint64_t{0});
  for (const std::uint64_t line : lines) {
    const std::size_t full = words / 3, end = 2 * full;
    for (std::size_t w = 0; w < end; ++w) {
      sent.memory().write(line, w / kBlock)[w % kBlock] =
          w < full ? ~std::uint64_t{0} : kWords[w % kWords.size()];
    }
    sent.settle(line, line, end);
  }
  const Stopwatch time;
  std::string letter;
  sent.append_to(letter, lines);
  std::string_view rest = letter;
  taken.take(rest, lines);
  const double seconds = time.seconds();
  std::string again;
  taken.append_to(again, lines);
  if (again != letter)
    throw Error(ErrorCode::kMismatch, "lines were not written as they were read");
  return seconds / static_cast<double>(letter.size());
}

/// Makes this many stripes, each with about the same number of slabs of tiles.
/// @pre edge * count <= extent
LatticeStripes equal_stripes(std::uint32_t extent, std::uint32_t edge, std::uint64_t count) {
  const std::uint64_t slabs = (extent - 1) / edge + 1;
  LatticeStripes stripes{.tile = edge};
  for (std::uint64_t i = 0; i < count; ++i) {
    stripes.borders.push_back(static_cast<std::uint32_t>(slabs * i / count * edge));
  }
  stripes.borders.push_back(extent);
  return stripes;
}

struct Measured {
  double seconds;
  std::uint64_t bytes;
  std::uint64_t sum;  ///< of all values: equal work gives equal sums
};

/// Ranks of one thread each, in this process.
Measured measured_once(const LatticeEngine& engine, const LatticeRule& rule, const Work& work,
                       std::uint64_t ranks) {
  std::atomic<std::uint64_t> bytes = 0, sum = 0;
  auto teams = make_thread_team(ranks);
  const Stopwatch time;

  std::vector<std::jthread> running;
  for (auto& team : teams) {
    running.emplace_back([&] {
      WeighingTeam weighing(*team, bytes);
      const auto executor = make_executor(1);
      SinkOf sink([&](const Stretch& stretch) {
        std::uint64_t values = 0;
        stretch.values.visit([&](auto all) {
          for (const auto value : all) values += value;
        });
        sum += values;
        return Flow::kContinue;
      });
      std::vector<LatticeStripe> own;
      const LatticeStripes& stripes = work.stripes;
      for (std::size_t i = 0; i < stripes.count(); ++i) {
        if (rank_of_stripe(work.shape, i, stripes.count(), ranks) == team->rank()) {
          own.push_back({stripes.borders[i], stripes.borders[i + 1], &sink});
        }
      }
      const LatticeTask task{.rule = rule,
                             .shape = work.shape,
                             .kernels = select_kernels("auto"),
                             .executor = *executor,
                             .tile = stripes.tile};
      engine.run_stripes(task, weighing, own);
      team->leave();
    });
  }
  running.clear();
  return {time.seconds(), bytes, sum};
}

/// The fastest of three measurements.
Measured measured(const LatticeEngine& engine, const LatticeRule& rule, const Work& work,
                  std::uint64_t ranks) {
  Measured best = measured_once(engine, rule, work, ranks);
  for (int i = 0; i < 2; ++i) {
    const Measured next = measured_once(engine, rule, work, ranks);
    if (next.sum != best.sum) throw Error(ErrorCode::kMismatch, "two runs found other values");
    if (next.seconds < best.seconds) best = next;
  }
  return best;
}

/// Seconds of one rank while another one computes the same table by itself: cores of one machine
/// may slow each other down.
double measured_beside_another(const LatticeEngine& engine, const LatticeRule& rule,
                               const Work& work) {
  std::array<double, 2> seconds{};
  {
    std::array<std::jthread, 2> ranks;
    for (std::size_t i = 0; i < 2; ++i) {
      ranks[i] = std::jthread([&, i] { seconds[i] = measured(engine, rule, work, 1).seconds; });
    }
  }
  return std::max(seconds[0], seconds[1]);
}

/// A table of two heaps that is measured here, and what its ranks took.
struct Comparison {
  Work work;
  double one = 0, two = 0;                      ///< seconds that were measured
  double simulated_one = 0, simulated_two = 0;  ///< the same, simulated
  double growth = 0;                            ///< Work::growth as measured: may be out of range

  [[nodiscard]] bool holds() const noexcept {
    return growth >= 0 && growth <= 2 && std::abs(simulated_one / one - 1) <= kTolerance &&
           std::abs(simulated_two / two - 1) <= kToleranceOfTwo;
  }
};

/// Measures one rank and two, and simulates them with the costs of the one.
Comparison compared(const LatticeEngine& engine, const LatticeRule& rule, Work work) {
  const Measured one = measured(engine, rule, work, 1);
  const Measured two = measured(engine, rule, work, 2);
  if (one.sum != two.sum) {
    throw Error(ErrorCode::kMismatch, "two ranks found other values than one");
  }
  const std::uint32_t extent = work.shape.extent[0];
  Work half{.shape = LatticeShape::cube(2, extent / 2, rule.symmetric()), .stripes = {}};
  half.stripes = engine.stripes(rule, half.shape, work.stripes.tile);
  const double ratio = one.seconds / positions_of(work.shape) /
                       (measured(engine, rule, half, 1).seconds / positions_of(half.shape));
  Comparison comparison{.work = std::move(work), .one = one.seconds, .two = two.seconds};
  Work& small = comparison.work;
  // A table of half the extent has the cost 1 + growth / 4 where the whole has 1 + growth / 2.
  comparison.growth = (ratio - 1) / (0.5 - ratio / 4);
  small.growth = std::clamp(comparison.growth, 0.0, 2.0);
  const double size = extent;
  const double borders =
      static_cast<double>(StripeDeal(small.shape, small.stripes.count(), 2).belts() - 1);
  small.seconds_per_position = one.seconds / positions_of(small.shape);
  small.bytes_per_border = static_cast<double>(two.bytes) / borders / (size * size);
  small.seconds_per_byte = measured_letters(rule, small.shape);
  const Network here{50e-6, 0, 0, 1 / 5e9};
  comparison.simulated_one = simulated(small, 1, 1, here);
  Work beside = small;
  beside.seconds_per_position *= measured_beside_another(engine, rule, small) / one.seconds;
  comparison.simulated_two = simulated(beside, 2, 1, here);
  return comparison;
}

/// A word of the command line as a positive number. @throws Error(kUsage)
double positive(const std::string& text, const char* what) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(number > 0) || !std::isfinite(number)) {
    throw Error(ErrorCode::kUsage, fmt::format("{} is a positive number, not '{}'", what, text));
  }
  return number;
}

void run(const Arguments& arguments) {
  constexpr std::uint64_t kMost = 1u << 30;
  arguments.expect_at_most(8);
  const LatticeRule rule = resolve_game(arguments.text(0, "wythoff"), GameKind::kLattice).lattice();
  const auto extent = static_cast<std::uint32_t>(arguments.count(1, "EXTENT", 131072, 1, kMost));
  const std::size_t threads = arguments.count(2, "THREADS", 32);
  const auto asked = static_cast<std::uint32_t>(arguments.count(5, "TILE", 0, 0, kMost));
  const std::optional<std::uint32_t> tile = asked > 0 ? std::optional(asked) : std::nullopt;
  const Network network{1e-6 * positive(arguments.text(3, "10"), "L"),
                        1e-6 * positive(arguments.text(6, "100"), "O"),
                        1e-6 * positive(arguments.text(7, "1"), "GAP"),
                        1e-9 / positive(arguments.text(4, "10"), "GB_PER_S")};
  const auto shape_of = [&](std::uint32_t size) {
    return LatticeShape::cube(2, size, rule.symmetric());
  };
  Work small{.shape = shape_of(std::min(extent, kMeasured)), .stripes = {}};
  const LatticeEngine& engine = select_lattice_engine("wavefront", rule, small.shape);
  small.stripes = engine.stripes(rule, small.shape, {});
  if (small.stripes.count() < 2) throw Error(ErrorCode::kUsage, "the table has one stripe only");

  Comparison comparison = compared(engine, rule, small);
  for (int i = 1; i < kMeasurements && !comparison.holds(); ++i) {
    comparison = compared(engine, rule, small);
  }
  Work whole = comparison.work;
  whole.shape = shape_of(extent);
  whole.stripes = engine.stripes(rule, whole.shape, tile);
  fmt::print("{}, {}\n", rule.canonical(), rule.symmetric() ? "sorted" : "box");
  fmt::print(
      "measured, extent {}: {:.2f} ns a position, growing by {:.2f}, {:.3f} N^2 bytes a border, "
      "{:.2f} ns a byte of letters\n",
      small.shape.extent[0], 1e9 * whole.seconds_per_position, comparison.growth,
      whole.bytes_per_border, 1e9 * whole.seconds_per_byte);
  fmt::print("  1 rank   measured {:6.2f} s   simulated {:6.2f} s\n", comparison.one,
             comparison.simulated_one);
  fmt::print("  2 ranks  measured {:6.2f} s   simulated {:6.2f} s\n", comparison.two,
             comparison.simulated_two);
  if (!comparison.holds()) {
    throw Error(ErrorCode::kMismatch,
                fmt::format("in {} measurements the simulation differed from one rank by more than "
                            "{:.0f} %, from two by more than {:.0f} %, or the cost of a position "
                            "did not grow by 0 to 2; nothing is foretold from that",
                            kMeasurements, 100 * kTolerance, 100 * kToleranceOfTwo));
  }
  fmt::print(
      "\nSIMULATED, extent {}, {} threads a rank, L {:.0f} us, o {:.0f} us, g {:.0f} us, {:.1f} "
      "GB/s, tiles of {}, {} stripes:\n",
      extent, threads, 1e6 * network.latency, 1e6 * network.overhead, 1e6 * network.gap,
      1e-9 / network.per_byte, whole.stripes.tile, whole.stripes.count());
  fmt::print("  ranks   seconds  efficiency  GB in all\n");
  const double ideal = positions_of(whole.shape) * whole.seconds_per_position;
  for (std::uint64_t ranks = 1; ranks <= kMostRanks; ranks *= 2) {
    const bool is_cut = ranks <= whole.stripes.count();
    if (!is_cut) {
      const auto edge = static_cast<std::uint32_t>(extent / ranks / kLeastTile * kLeastTile);
      if (edge == 0) {
        fmt::print("  {:5}   tiles would have edges below {}\n", ranks, kLeastTile);
        break;
      }
      whole.stripes = equal_stripes(extent, edge, ranks);
    }
    const double seconds = simulated(whole, ranks, threads, network);
    const auto belts =
        static_cast<double>(StripeDeal(whole.shape, whole.stripes.count(), ranks).belts());
    fmt::print("  {:5}  {:8.1f}  {:10.3f}  {:9.1f}{}\n", ranks, seconds,
               ideal / (seconds * static_cast<double>(ranks * threads)),
               (belts - 1) * whole.bytes_per_border * extent * extent / 1e9,
               is_cut ? ""
                      : fmt::format("  in {} stripes of tiles of {}, which no table has",
                                    whole.stripes.count(), whole.stripes.tile));
  }
}

}  // namespace
}  // namespace grundy

int main(int argc, char** argv) {
  return grundy::run_bench("bench_scaling", argc, argv, grundy::run);
}
