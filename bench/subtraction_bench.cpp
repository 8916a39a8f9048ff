/// @file
/// The subtraction engine against the reference engine on the same game.
///
/// Usage: bench_subtraction [GAME [COUNT [PREFIX]]]. The reference computes heaps 0 .. PREFIX-1
/// (default COUNT); the subtraction engine computes as many and then COUNT, on one and on two
/// threads. No ratio is printed unless the digests agree.
// SPDX-License-Identifier: MIT
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
  return {seconds.count(), sink.hex(),
          fmt::format("{:12} {:>12} heaps {} thread{} {:9.3f} s {:9.2f} million values/s  {}\n",
                      engine, count, threads, threads == 1 ? " " : "s", seconds.count(),
                      static_cast<double>(count) / seconds.count() / 1e6, sink.hex())};
}

void compare(const HeapRule& rule, HeapSize count, HeapSize prefix) {
  const Timing reference = measure("reference", rule, prefix, 1);
  fmt::print("{}", reference.line);
  for (const std::size_t threads : {1, 2}) {
    const Timing run = measure("subtraction", rule, prefix, threads);
    expect_same("a prefix", run.digest, reference.digest);
    fmt::print("{}  {:.1f} times the reference\n", run.line, reference.seconds / run.seconds);
  }
  if (prefix >= count) return;
  const Timing one = measure("subtraction", rule, count, 1);
  const Timing two = measure("subtraction", rule, count, 2);
  expect_same("two threads", two.digest, one.digest);
  fmt::print("{}{}", one.line, two.line);
}

}  // namespace

int main(int argc, char** argv) {
  return run_bench("bench_subtraction", argc, argv, [](const Arguments& arguments) {
    arguments.expect_at_most(3);
    const HeapSize count = arguments.count(1, "COUNT", 1'000'000);
    compare(resolve_game(arguments.text(0, "S{squares}")).heap(), count,
            arguments.count(2, "PREFIX", count));
  });
}
