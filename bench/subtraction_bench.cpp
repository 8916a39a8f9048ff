/// @file
/// The subtraction engine against the reference engine on the same game.
///
/// Usage: bench_subtraction GAME COUNT [PREFIX]. The reference computes heaps 0 .. PREFIX-1
/// (default COUNT); the subtraction engine computes as many and then COUNT, on one and on two
/// threads. No ratio is printed unless the digests agree.
// SPDX-License-Identifier: MIT
#include <chrono>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/games.hpp>
#include <grundy/heap/engine.hpp>
#include <grundy/machine.hpp>

#include "digest_sink.hpp"
#include "kernels/kernels.hpp"

namespace {

using namespace grundy;

struct Timing {
  double seconds;
  std::string digest;
};

Timing measure(std::string_view engine, const HeapRule& rule, HeapSize count, std::size_t threads) {
  const auto executor = make_executor(threads);
  DigestSink sink;
  const HeapTask task{.rule = rule,
                      .count = count,
                      .kernels = select_kernels("auto"),
                      .executor = *executor,
                      .stop = {}};
  const auto start = std::chrono::steady_clock::now();
  select_heap_engine(engine, rule, count).run(task, sink);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  fmt::print("{:12} {:>12} heaps {} thread{} {:9.3f} s {:9.2f} million values/s  {}\n", engine,
             count, threads, threads == 1 ? " " : "s", seconds.count(),
             static_cast<double>(count) / seconds.count() / 1e6, sink.hex());
  return {seconds.count(), sink.hex()};
}

int compare(const HeapRule& rule, HeapSize count, HeapSize prefix) {
  const Timing reference = measure("reference", rule, prefix, 1);
  for (const std::size_t threads : {1, 2}) {
    const Timing run = measure("subtraction", rule, prefix, threads);
    if (run.digest != reference.digest) {
      fmt::print("the digests differ\n");
      return 1;
    }
    fmt::print("  {:.1f} times the reference\n", reference.seconds / run.seconds);
  }
  if (prefix < count) {
    for (const std::size_t threads : {1, 2}) measure("subtraction", rule, count, threads);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string game = argc > 1 ? argv[1] : "S{squares}";
    const HeapSize count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1000000;
    const HeapSize prefix = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : count;
    return compare(resolve_game(game).heap(), count, prefix);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
