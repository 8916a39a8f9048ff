/// @file
/// The sparse-space engine on the games of the literature, with one and with two threads.
///
/// Usage: bench_sparse [--quick] [GAME COUNT]. Every run's digest is compared with a pinned one (of
/// a run that agreed with the dense engine as far as that reached), or with that of one thread.
/// Time is wall time; processor time stands beside it, because a shared machine makes the former
/// useless. The floor is one load of 64 bytes for 64 taps: rare heaps x splits / 64 a value.
// SPDX-License-Identifier: MIT
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include <grundy/error.hpp>
#include <grundy/heap/catalogue.hpp>
#include <grundy/heap/engine.hpp>

#include "core/digest.hpp"
#include "heap/sparse/engine.hpp"
#include "kernels/kernels.hpp"
#include "schedule/executor.hpp"

namespace {

using namespace grundy;

struct Run {
  const char* game;
  HeapSize count;
  HeapSize quick_count;
  unsigned taps;       ///< rare heaps x splits
  const char* digest;  ///< of `count` values; empty: not known
};

constexpr Run kRuns[] = {
    {"grundy", 2000000, 300000, 1273, "a40186055f84d90f926c42f0cb4cde45"},
    {"0.6", 1000000, 100000, 1583, "44224f647bfc8e18208dac3fa6208340"},
    {"0.167", 20000000, 2000000, 118, "23958e9dbbdb327d7e8946696be2b8a5"},
    {"0.454", 40000000, 2000000, 48, "a9b01c1a2d8b1ca0c3a9ef2eeba1e602"},
    {"0.106", 40000000, 2000000, 15, "4cdfd272054a62eef937f1660dff801b"},
    {"0.376", 1000000, 100000, 1527, "0e8ee33181426fcc70e9cdf7f7889059"},
};

class DigestSink final : public BlockSink {
 public:
  Flow put(const Block& block) override {
    digest_.update(block.values);
    return Flow::kContinue;
  }
  [[nodiscard]] std::string hex() const { return to_hex(digest_.value()); }

 private:
  ValueDigest digest_;
};

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Prints one measurement and returns the digest of the values.
std::string measure(const HeapRule& rule, HeapSize count, std::size_t threads) {
  const auto executor = make_executor(threads);
  DigestSink sink;
  const HeapTask task{rule, count, select_kernels("auto"), *executor, {}};
  const double processor = processor_seconds();
  const auto start = std::chrono::steady_clock::now();
  SparseEngine().run(task, sink);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  const double values = static_cast<double>(count);
  fmt::print("  {} thread{} {:8.3f} s {:8.2f} M values/s {:8.1f} ns of processor a value\n",
             threads, threads == 1 ? " " : "s", wall.count(), values / wall.count() / 1e6,
             (processor_seconds() - processor) * 1e9 / values);
  return sink.hex();
}

bool bench(const Run& run, HeapSize count) {
  const HeapRule rule = resolve_heap_game(run.game).rule;
  fmt::print("{} to {}", run.game, count);
  if (run.taps != 0) fmt::print(" (floor: {:.1f} loads a value)", run.taps / 64.0);
  fmt::print("\n");
  const std::string one = measure(rule, count, 1);
  const std::string two = measure(rule, count, 2);
  const bool pinned = count == run.count && *run.digest != '\0';
  if (one == two && (!pinned || one == run.digest)) return true;
  fmt::print("  digest mismatch: {}, {} with two threads, {} expected\n", one, two,
             pinned ? run.digest : "equal ones");
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> args(argv + 1, argv + argc);
    if (args.size() == 2) {
      const HeapSize count = std::strtoull(args[1].c_str(), nullptr, 10);
      return bench({args[0].c_str(), count, count, 0, ""}, count) ? 0 : 3;
    }
    const bool quick = args.size() == 1 && args[0] == "--quick";
    bool same = true;
    for (const Run& run : kRuns) same &= bench(run, quick ? run.quick_count : run.count);
    return same ? 0 : 3;
  } catch (const Error& error) {
    fmt::print(stderr, "bench_sparse: {}\n", error.what());
    return static_cast<int>(error.code());
  }
}
