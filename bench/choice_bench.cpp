/// @file
/// What a value costs with the dense and with the sparse engine, beside what the cost model says
/// (src/engines/heap/engine_costs.hpp), whose constants are fitted to this.
///
/// Usage: bench_choice [FROM]. For games with few and with many rare heaps: heaps FROM to 2 FROM
/// (2^16 unless given) with both engines, from the same known values, on one thread. A game whose
/// digests differ ends the program with exit code 3.
// SPDX-License-Identifier: MIT
#include <chrono>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/heap/engine.hpp>
#include <grundy/machine.hpp>

#include "core/value_collector.hpp"
#include "digest_sink.hpp"
#include "engines/heap/dense/engine.hpp"
#include "engines/heap/engine_costs.hpp"
#include "engines/heap/known_values.hpp"
#include "engines/heap/sparse/engine.hpp"
#include "kernels/kernels.hpp"

namespace {

using namespace grundy;

constexpr const char* kGames[] = {"0.106", "0.167", "0.454", "4.045", "0.015", "0.376",
                                  "0.362", "0.6",   "4!.0",  "0.172", "0.034", "0.064",
                                  "4.004", "0.206", "0.007", "0.004", "0.024", "0.371",
                                  "0.314", "0.334", "0.06",  "0.164", "0.346", "4.026"};

struct Measured {
  double ns;
  std::string digest;
};

Measured measure(const HeapEngine& engine, HeapTask task) {
  DigestSink sink;
  const auto start = std::chrono::steady_clock::now();
  engine.run(task, sink);
  const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
  return {time.count() / static_cast<double>(task.count - task.known->count()), sink.hex()};
}

}  // namespace

int main(int argc, char** argv) {
  try {
    HeapSize from = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : HeapSize{1} << 16;
    from -= from % KnownValues::kUnit;
    const auto executor = make_executor(1);
    fmt::print(
        "ns a heap, heaps {} to {}\n{:8} {:>7} {:>8} {:>8} {:>7} {:>10} {:>10} {:>10} {:>10}\n",
        from, 2 * from, "game", "splits", "rare", "recent", "values", "dense", "(model)", "sparse",
        "(model)");
    for (const char* game : kGames) {
      const HeapRule rule = HeapRule::parse(game);
      const auto moves = sparse::splitting_moves(rule).value();
      ValueCollector prefix;
      HeapTask task{rule, from, select_kernels("auto"), *executor, {}};
      DenseEngine().run(task, prefix);
      const Values values(std::span<const Nimber>(prefix.values));
      const HeldValues known(values);
      task.known = &known;
      task.count = 2 * from;
      const SparseLoad load = measure_load(moves, values);
      const Measured dense = measure(DenseEngine(), task);
      const Measured sparse = measure(SparseEngine(), task);
      if (dense.digest != sparse.digest) {
        fmt::print("{}: digests differ\n", game);
        return 3;
      }
      const std::size_t splits = moves.splits.size();
      fmt::print("{:8} {:7} {:8} {:8} {:7} {:10.1f} {:10.1f} {:10.1f} {:10.1f}\n", game, splits,
                 load.rare, load.recent, load.value_limit, dense.ns, dense_cost(splits, load),
                 sparse.ns, sparse_cost(splits, load));
    }
    return 0;
  } catch (const Error& error) {
    fmt::print(stderr, "bench_choice: {}\n", error.what());
    return 1;
  }
}
