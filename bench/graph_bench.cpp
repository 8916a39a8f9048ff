/// @file
/// Position graphs: seconds, positions and moves per second on one and on two threads, and the
/// value of one position; every result is checked.
///
/// Usage: bench_graph [GAME ..]. GAME is `NAME:PARAMETERS` for a table of all positions, or
/// `root=GAME` for the value of its start alone, `bounded=GAME` for this in a table of 256 KiB,
/// `resumed=GAME` for this by a search that knows what another one has handed over; without a GAME,
/// the runs in kRuns below, whose results are known. A run fails if the value of the root, the
/// number of positions or the digest differs from the known one, or if the digest depends on the
/// number of threads.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/games.hpp>
#include <grundy/graph/engine.hpp>
#include <grundy/machine.hpp>

#include "arguments.hpp"
#include "kernels/kernels.hpp"

namespace {

using namespace grundy;

struct Run {
  std::string game;
  std::optional<Nimber> root;  ///< the expected value
  std::optional<std::uint64_t> positions{};
  std::optional<std::uint64_t> moves{};
};

/// Values: the games are among tests/golden/state_spaces_graph.csv, except where a theorem or a
/// publication gives them (Cram 5x8 and 4x11: Beling's table of 2025; Nim: the nim-sum). Chomp 12 x
/// 12 has C(24,12) - 1 shapes of 72 squares on average, and each square except the poison is a
/// move; the value of the root is that of the table. A board without a corner is not numbered. Cram
/// 2 x 33, a board above 64 cells, has the value of all odd lengths whose tables can be made (3 to
/// 13). The sum has the nim-sum of its heaps.
const std::vector<Run> kRuns{
    {"chomp:12x12", {}, 2704155, 191995077},
    {"root=cram:5x7", 1},
    {"root=cram:4x9", 1},
    {"root=cram:5x8", 1},
    {"root=cram:4x11", 1},
    {"root=cram:6x6", 0},
    {"root=cram:2x33", 1},
    {"root=heaps:kayles:20,19", 3},
    {"bounded=cram:4x9", 1},
    {"bounded=cram:2x33", 1},
    {"resumed=cram:5x8", 1},
    {"resumed=cram:2x33", 1},
    {"root=chomp:12x12", 41, 2704155},
    {"root=chomp:10,10,10,10,10,10,10,10,10,9", 18},
    {"cram:5x7", 1},
    {"node-kayles:3x18", 2},
    {"heaps:nim:60,60,60,60,60", 60, 8259888},
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// @throws Error(kMismatch) that says what is found, if it is not what is expected
template <class T>
void expect(const Run& run, const std::optional<T>& expected, T found, const char* what) {
  if (!expected || *expected == found) return;
  throw Error(ErrorCode::kMismatch,
              fmt::format("{}: {} is {}, and {} is right", run.game, what, found, *expected));
}

void check(const Run& run, Nimber root, std::uint64_t positions) {
  expect(run, run.root, root, "the value of the root");
  expect(run, run.positions, positions, "the number of positions");
}

void root(const Run& run, const std::shared_ptr<const GraphGame>& game,
          std::optional<std::uint64_t> memory) {
  double one = 0;
  for (const std::size_t threads : {1u, 2u}) {
    const auto root = compute_root(
        {.game = PositionGame{game}, .machine = {.threads = threads, .memory = memory}});
    check(run, root->value, root->known);
    fmt::print("{:28} value {} by {} on {} thread{} in {:.3f} s, {} positions searched, {} known\n",
               run.game, root->value, root->engine, threads, threads == 1 ? "" : "s", root->seconds,
               root->searched, root->known);
    if (threads == 2) {
      fmt::print("  the second thread makes it {:.2f} times as fast\n", one / root->seconds);
    }
    one = root->seconds;
  }
}

void resumed(const Run& run, const GraphGame& game) {
  constexpr std::size_t kAtOnce = 1 << 16;
  std::vector<std::uint64_t> keys;
  game.start(keys);
  GraphSearch first(game), second(game);
  check(run, *first.value(keys), first.known());
  const auto start = std::chrono::steady_clock::now();
  first.hand_over(kAtOnce, [&](std::span<const std::uint64_t> entries) {
    if (second.take_over(entries)) return;
    throw Error(ErrorCode::kMismatch, fmt::format("{}: what was handed over is refused", run.game));
  });
  const double handed = seconds_since(start);
  check(run, *second.value(keys), second.known());
  fmt::print("{:28} {} of {} positions handed over in {:.3f} s, then {} searched in {:.3f} s\n",
             run.game, second.known(), first.known(), handed, second.searched(),
             seconds_since(start) - handed);
}

void table(const Run& run, const GraphGame& game) {
  std::optional<GraphStats> first;
  double one = 0;
  for (const std::size_t threads : {1u, 2u}) {
    const auto executor = make_executor(threads);
    const GraphEngine& engine = select_graph_engine("auto", game);
    const auto start = std::chrono::steady_clock::now();
    const auto table =
        engine.run({.game = game, .kernels = select_kernels("auto"), .executor = *executor});
    const double seconds = seconds_since(start);
    const GraphStats stats = table->stats();
    check(run, table->root_value(), stats.positions);
    expect(run, run.moves, stats.moves, "the number of moves");
    if (first && stats != *first) {
      throw Error(ErrorCode::kMismatch, fmt::format("{}: the tables differ", run.game));
    }
    const auto millions = [&](std::uint64_t count) {
      return static_cast<double>(count) / seconds / 1e6;
    };
    fmt::print(
        "{:28} {:8} {} thread{} {:7.3f} s  {} positions ({:.2f} M/s), {} moves ({:.1f} M/s), {} P, "
        "root {}, max {}\n",
        run.game, engine.name(), threads, threads == 1 ? " " : "s", seconds, stats.positions,
        millions(stats.positions), stats.moves, millions(stats.moves), stats.p_positions,
        table->root_value(), stats.max_value);
    std::fflush(stdout);
    if (first) {
      fmt::print("  the second thread makes it {:.2f} times as fast\n", one / seconds);
    }
    first = stats;
    one = seconds;
  }
}

void execute(const Run& run) {
  constexpr std::uint64_t kBound = 256 << 10;
  const auto equals = run.game.find('=');
  const bool is_table = equals == std::string::npos;
  const std::string how = is_table ? "" : run.game.substr(0, equals);
  const AnyGame game =
      resolve_game(is_table ? run.game : run.game.substr(equals + 1), GameKind::kGraph);
  if (is_table) {
    table(run, game.graph());
  } else if (how == "resumed") {
    resumed(run, game.graph());
  } else if (how == "root" || how == "bounded") {
    root(run, std::get<std::shared_ptr<const GraphGame>>(game.rule),
         how == "bounded" ? std::optional(kBound) : std::nullopt);
  } else {
    throw Error(ErrorCode::kUsage, fmt::format("'{}=' is not root=, bounded= or resumed=", how));
  }
}

}  // namespace

int main(int argc, char** argv) {
  return run_bench("bench_graph", argc, argv, [](const Arguments& arguments) {
    if (arguments.words().empty()) std::ranges::for_each(kRuns, execute);
    for (const std::string& word : arguments.words()) {
      const auto known = std::ranges::find(kRuns, word, &Run::game);
      execute(known != kRuns.end() ? *known : Run{word, {}});
    }
  });
}
