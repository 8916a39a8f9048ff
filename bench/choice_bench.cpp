/// @file
/// The cost of a value with the dense and with the sparse engine, beside the forecast of the cost
/// model (src/engines/heap/engine_costs.hpp). The constants of the model are fitted to these
/// figures.
///
/// Usage: bench_choice [FROM]     heaps FROM to 2 FROM (2^16 unless given), from known values
///        bench_choice small [TO]  tables of 2^12 heaps to TO (2^17 unless given) with `auto` too
///
/// Games with few and with many rare heaps, on one thread; processor time, for a short table the
/// least of three. A game whose digests differ ends the program with exit code 3.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/heap/engine.hpp>
#include <grundy/machine.hpp>

#include "arguments.hpp"
#include "core/stopwatch.hpp"
#include "core/value_collector.hpp"
#include "digest_sink.hpp"
#include "engines/heap/dense/engine.hpp"
#include "engines/heap/engine_costs.hpp"
#include "engines/heap/known_values.hpp"
#include "engines/heap/sparse/engine.hpp"
#include "kernels/kernels.hpp"

namespace {

using namespace grundy;

constexpr const char* kGames[] = {"0.106", "0.167", "0.454", "4.045", "0.015", "0.376", "0.362",
                                  "0.6",   "4!.0",  "0.172", "0.034", "0.064", "4.004", "0.206",
                                  "0.007", "0.004", "0.024", "0.371", "0.314", "0.334", "0.06",
                                  "0.164", "0.346", "4.026", "0.644", "0.177", "0.56",  "0.104",
                                  "0.16",  "0.127", "0.142", "0.146", "0.14",  "0.404"};

struct Measured {
  double ns;  ///< a heap
  std::string digest;
};

constexpr HeapSize kShortest = 1u << 12;  ///< heaps of the shortest table

Measured measure(const HeapEngine& engine, const HeapTask& task) {
  DigestSink sink;
  const double start = processor_seconds();
  engine.run(task, sink);
  const double seconds = processor_seconds() - start;
  const HeapSize known = task.known != nullptr ? task.known->count() : 0;
  return {1e9 * seconds / static_cast<double>(task.count - known), sink.hex()};
}

void compare_octave(HeapSize from, Executor& executor) {
  from -= from % KnownValues::kUnit;
  fmt::print(
      "ns a heap, heaps {} to {}\n{:8} {:>7} {:>8} {:>8} {:>7} {:>10} {:>10} {:>10} {:>10}\n", from,
      2 * from, "game", "splits", "rare", "recent", "values", "dense", "(model)", "sparse",
      "(model)");
  for (const char* game : kGames) {
    const HeapRule rule = HeapRule::parse(game);
    const auto moves = sparse::splitting_moves(rule).value();
    ValueCollector prefix;
    HeapTask task{rule, from, select_kernels("auto"), executor, {}};
    DenseEngine().run(task, prefix);
    const Values values(std::span<const Nimber>(prefix.values));
    const HeldValues known(values);
    task.known = &known;
    task.count = 2 * from;
    const SparseLoad load = measure_load(moves, values);
    const Measured dense = measure(DenseEngine(), task);
    const Measured sparse = measure(SparseEngine(), task);
    expect_same(game, sparse.digest, dense.digest);
    const std::size_t splits = moves.splits.size();
    fmt::print("{:8} {:7} {:8} {:8} {:7} {:10.1f} {:10.1f} {:10.1f} {:10.1f}\n", game, splits,
               load.rare, load.recent, load.value_limit, dense.ns, dense_cost(splits, load),
               sparse.ns, sparse_cost(splits, load));
  }
}

void compare_short_tables(HeapSize to, Executor& executor) {
  fmt::print("ms a table\n{:8} {:>7} {:>10} {:>10} {:>10} {:>10}\n", "game", "heaps", "dense",
             "sparse", "auto", "to best");
  double worst = 0;
  for (const char* game : kGames) {
    const HeapRule rule = HeapRule::parse(game);
    for (HeapSize count = kShortest; count <= to; count *= 2) {
      const HeapTask task{rule, count, select_kernels("auto"), executor, {}};
      const DenseEngine dense;
      const SparseEngine sparse;
      const HeapEngine* const engines[] = {&dense, &sparse,
                                           &select_heap_engine("auto", rule, count)};
      double least[3];
      std::string digest;
      // In turn, so that what else is at work on the machine slows down all three.
      for (int repeat = 0; repeat < 3; ++repeat) {
        for (std::size_t i = 0; i < 3; ++i) {
          const Measured measured = measure(*engines[i], task);
          if (digest.empty()) digest = measured.digest;
          expect_same(game, measured.digest, digest);
          const double ms = measured.ns * static_cast<double>(count) * 1e-6;
          least[i] = repeat == 0 ? ms : std::min(least[i], ms);
        }
      }
      const double to_best = least[2] / std::min(least[0], least[1]);
      worst = std::max(worst, to_best);
      fmt::print("{:8} {:7} {:10.2f} {:10.2f} {:10.2f} {:10.2f}\n", game, count, least[0], least[1],
                 least[2], to_best);
    }
  }
  fmt::print("worst {:.2f}\n", worst);
}

}  // namespace

int main(int argc, char** argv) {
  return run_bench("bench_choice", argc, argv, [](const Arguments& arguments) {
    const auto executor = make_executor(1);
    const bool small = arguments.text(0, "") == "small";
    arguments.expect_at_most(small ? 2 : 1);
    if (small) {
      compare_short_tables(arguments.count(1, "TO", 1u << 17, kShortest), *executor);
    } else {
      compare_octave(arguments.count(0, "FROM", 1u << 16, kShortest), *executor);
    }
  });
}
