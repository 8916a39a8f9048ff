/// @file
/// The dense engine against the reference engine, and against the load floor, with the three
/// fastest kernel sets of vectors.
///
/// Usage: bench_dense [--quick | GAME [COUNT]]. Without a game: .007 and .06 to 2^18 (2^16 with
/// --quick), Grundy's game and Kayles to 2^16. Both engines run on the same instance, and no ratio
/// is printed unless the digests agree. The floor is one vector load for every N pairs, at one a
/// cycle of the time stamp counter's order: n / 2 pairs a heap, N values to a vector.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <string>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/games.hpp>
#include <grundy/heap/engine.hpp>
#include <grundy/machine.hpp>

#include "arguments.hpp"
#include "digest_sink.hpp"
#include "kernels/kernels.hpp"

namespace {

using namespace grundy;

struct Timing {
  double seconds;
  std::string digest;
  std::string line;  ///< what is printed once the digest is known to be right
};

Timing measure(std::string_view engine, const HeapRule& rule, HeapSize count,
               std::string_view kernel, std::size_t threads) {
  const auto executor = make_executor(threads);
  DigestSink sink;
  const HeapTask task{rule, count, select_kernels(kernel), *executor, {}};
  const auto start = std::chrono::steady_clock::now();
  select_heap_engine(engine, rule, count).run(task, sink);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  constexpr double kVectorBytes = 64;
  const double loads =
      static_cast<double>(count) / 4 * static_cast<double>(byte_count(sink.width())) / kVectorBytes;
  return {seconds.count(), sink.hex(),
          fmt::format("  {:10} {:7} {} thread{} {:9.3f} s {:10.1f} ns/value ({:.0f} loads of 64 "
                      "bytes)\n",
                      engine, kernel, threads, threads == 1 ? " " : "s", seconds.count(),
                      seconds.count() * 1e9 / static_cast<double>(count), loads)};
}

/// @throws Error(kMismatch) if an engine disagrees with the reference
void compare(std::string_view game, HeapSize count) {
  const HeapRule rule = resolve_game(game).heap();
  const Timing reference = measure("reference", rule, count, "auto", 1);
  fmt::print("{} to {}\n{}", game, count, reference.line);
  double single = 0;
  const auto sets = available_kernels();
  for (const KernelSet& set : sets.last(std::min<std::size_t>(sets.size() - 1, 3))) {
    for (const std::size_t threads : {1, 2}) {
      if (threads > 1 && &set != &sets.back()) continue;
      const Timing run = measure("dense", rule, count, set.name, threads);
      expect_same(game, run.digest, reference.digest);
      fmt::print("{}    {:.2f} times the reference", run.line, reference.seconds / run.seconds);
      if (threads == 1) {
        single = run.seconds;
        fmt::print("\n");
      } else {
        fmt::print(", {:.2f} times one thread\n", single / run.seconds);
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  return run_bench("bench_dense", argc, argv, [](const Arguments& arguments) {
    const bool quick = arguments.text(0, "") == "--quick";
    arguments.expect_at_most(quick ? 1 : 2);
    const HeapSize large = HeapSize{1} << (quick ? 16 : 18);
    if (!quick && !arguments.words().empty()) {
      return compare(arguments.text(0, ""), arguments.count(1, "COUNT", large));
    }
    compare("0.007", large);
    compare("0.06", large);
    compare("grundys-game", 1u << 16);
    compare("kayles", 1u << 16);
  });
}
