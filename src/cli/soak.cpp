// SPDX-License-Identifier: MIT
#include "cli/soak.hpp"

#include <array>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <grundy/error.hpp>
#include <grundy/heap/engine.hpp>
#include <grundy/machine.hpp>

#include "cli/stop_signals.hpp"
#include "core/digest.hpp"
#include "core/text.hpp"
#include "kernels/kernels.hpp"

namespace grundy::cli {
namespace {

/// A game, and how many of its heaps take about a second; the reference engine gets fewer.
struct Load {
  std::string_view game;
  HeapSize most;
  HeapSize most_by_reference;
};
constexpr std::array kLoads{
    Load{"0.007", 60'000, 8'000},
    Load{"0.45", 60'000, 8'000},
    Load{"0.16", 300'000, 8'000},
    Load{"4!.0", 100'000, 8'000},
    Load{"0.8F", 2'000, 400},
    Load{"S{squares}", 300'000, 50'000},
    Load{"S{primes}", 100'000, 20'000},
    Load{"S{3,7,19,401}", 1'000'000, 200'000},
    Load{"AllBut{1,5,30}", 500'000, 5'000},
};

/// One way to compute.
struct Way {
  std::string engine, kernel;
  std::size_t threads = 1;
  std::optional<HeapSize> block{};

  [[nodiscard]] std::string text() const {
    return fmt::format("engine {}, kernel {}, {} threads, block {}", engine, kernel, threads,
                       block ? std::to_string(*block) : "auto");
  }
};

class Soak {
 public:
  Soak(const Computation& computation, std::stop_token stop)
      : computation_(computation), stop_(std::move(stop)) {}

  /// Computes one game in two ways; false if it was stopped.
  bool round() {
    const Load& load = kLoads[random_() % kLoads.size()];
    const HeapRule rule = HeapRule::parse(load.game);
    std::vector<const HeapEngine*> engines;
    for (const HeapEngine* engine : heap_engines()) {
      if (detail::suits(*engine, rule)) engines.push_back(engine);
    }
    std::array ways{random_way(engines), random_way(engines)};
    while (ways[0].text() == ways[1].text()) ways[1] = random_way(engines);
    const bool reference = ways[0].engine == "reference" || ways[1].engine == "reference";
    const HeapSize most = reference ? load.most_by_reference : load.most;
    const HeapSize last = most / 2 + random_() % (most / 2);
    std::array<std::string, 2> digests;
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const Request request{
          .game = HeapGame{.rule = rule, .last = last, .at_period = AtPeriod::kCompute},
          .machine = {.engine = ways[i].engine,
                      .kernel = ways[i].kernel,
                      .threads = ways[i].threads,
                      .block = ways[i].block},
          .force = true};
      const Report report = computation_(request, stop_);
      if (!report.complete) return false;
      digests[i] = to_hex(report.info.stats.digest);
      values_ += report.info.stats.count;
    }
    if (digests[0] != digests[1]) {
      throw Error(
          ErrorCode::kMismatch,
          fmt::format("{} to heap {}: {} gives digest {}, {} gives {}; do not trust this "
                      "machine or build",
                      load.game, last, ways[0].text(), digests[0], ways[1].text(), digests[1]));
    }
    ++rounds_;
    return true;
  }

  [[nodiscard]] std::uint64_t rounds() const noexcept { return rounds_; }
  [[nodiscard]] std::uint64_t values() const noexcept { return values_; }

 private:
  Way random_way(const std::vector<const HeapEngine*>& engines) {
    const auto kernels = available_kernels();
    constexpr std::array<std::optional<HeapSize>, 4> kBlocks{std::nullopt, 64, 1000, 4096};
    return {std::string(engines[random_() % engines.size()]->name()),
            std::string(kernels[random_() % kernels.size()].name), 1 + random_() % most_threads_,
            kBlocks[random_() % kBlocks.size()]};
  }

  const Computation& computation_;
  std::stop_token stop_;
  std::mt19937_64 random_{std::random_device{}()};
  std::size_t most_threads_ = make_executor()->threads();
  std::uint64_t rounds_ = 0;
  std::uint64_t values_ = 0;
};

}  // namespace

int run_soak(Console& console, std::chrono::seconds duration, const Computation& computation) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds kNote{30};
  const StopSignals signals([&console] { console.note("stopping after this computation"); });
  Soak soak(computation, signals.token());
  console.note(
      fmt::format("random games are computed twice, in two ways, for {}; the first "
                  "difference ends this with exit code 3",
                  format_duration(duration)));
  const Clock::time_point start = Clock::now();
  Clock::time_point noted = start;
  while (soak.round() && Clock::now() - start < duration) {
    if (Clock::now() - noted < kNote) continue;
    noted = Clock::now();
    console.note(fmt::format("{} games so far, all equal; {} left", format_count(soak.rounds()),
                             format_duration(duration - (noted - start))));
  }
  const bool stopped = signals.token().stop_requested();
  if (console.json) {
    console.print_json({{"ok", true},
                        {"complete", !stopped},
                        {"rounds", soak.rounds()},
                        {"values", soak.values()}});
  } else {
    console.print(
        "{} games, each computed in two ways (engine, kernel, threads, block): all equal, {} "
        "values in {}\n",
        format_count(soak.rounds()), format_count(soak.values()),
        format_duration(Clock::now() - start));
  }
  if (!stopped) return 0;
  return console.fail(kExitStopped, fmt::format("stopped after {} games, all of them equal",
                                                format_count(soak.rounds())));
}

}  // namespace grundy::cli
