/// @file
/// Compares the predicted time of a run, before it begins and while it goes on, with the time that
/// it takes.
///
/// Usage: bench_predictions [GAME]. For games of all kinds, tables and runs without a table: the
/// predicted seconds, the seconds that it took, and their ratio. Then the ratio of the remaining
/// time in the progress line to the true remaining time: its least and its greatest value between a
/// tenth and nine tenths of the run. All ratios should be between 1/2 and 2. The values of a run
/// are not looked at; they are checked elsewhere.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/games.hpp>

#include "arguments.hpp"
#include "cli/pace.hpp"
#include "core/stopwatch.hpp"
#include "scratch.hpp"

namespace {

using namespace grundy;

struct Run {
  const char* rule;
  HeapSize last;  ///< of one heap, or of each heap
  unsigned heaps = 1;
  bool sorted = false;
  bool stats_only = false;
};

constexpr Run kRuns[] = {
    {"4!.0", 30'000'000},
    {"0.6", 3'000'000},
    {"0.106", 300'000'000, 1, false, true},
    {"0.167", 100'000'000, 1, false, true},
    {"0.454", 100'000'000, 1, false, true},
    {"4!.0", 60'000'000, 1, false, true},
    {"0.16", 300'000'000},
    {"0.444", 4'000'000},
    {"0.007", 2'000'000},
    {"0.146", 4'000'000},
    {"0.3F", 30'000},
    {"0.06", 1'000'000},
    {"0.777F", 20'000, 1, false, true},
    {"S{1,4,9,16,25,36,49,64,81,100,121,144,169,196}", 300'000'000},
    {"S{squares}", 10'000'000},
    {"S{primes}", 3'000'000},
    {"mark", 100'000'000},
    {"0.1A3", 20'000},
    {"2: sym (1,0)* + (1,1)*", 16383, 2, true},
    {"2: sym (1,0)* + (1,1)*", 8191, 2},
    {"3: sym (1,0,0)* + sym (1,1,0)*", 500, 3, true},
};

/// Notes the text of the progress line, and when it came.
class Listener final : public ProgressSink {
 public:
  void report(const Progress& progress) override {
    const auto now = cli::Pace::Clock::now();
    pace_.note(progress, now);
    const double at = time_.seconds();
    if (!said_.empty() && at - said_.back().at < 0.05) return;
    if (const auto estimate = pace_.estimate(now)) said_.push_back({at, estimate->left.count()});
  }
  /// The least and the greatest ratio of the forecast remaining time to the true one.
  [[nodiscard]] std::pair<double, double> ratios() const {
    const double end = time_.seconds();
    std::pair<double, double> ratios{1e9, 0};
    for (const Said& said : said_) {
      if (said.at < 0.1 * end || said.at > 0.9 * end) continue;
      const double ratio = said.left / (end - said.at);
      ratios = {std::min(ratios.first, ratio), std::max(ratios.second, ratio)};
    }
    return ratios;
  }

 private:
  struct Said {
    double at;
    double left;
  };
  cli::Pace pace_;
  Stopwatch time_;
  std::vector<Said> said_;
};

void measure(const Run& run, const std::filesystem::path& file) {
  Request request{.game = HeapGame{.rule = HeapRule::parse("0.07")}};
  if (run.heaps == 1) {
    request.game = HeapGame{.rule = resolve_game(run.rule, GameKind::kHeap).heap(),
                            .last = run.last,
                            .at_period = AtPeriod::kCompute,
                            .stats_only = run.stats_only};
  } else {
    const auto size = static_cast<std::uint32_t>(run.last + 1);
    request.game = LatticeGame{.rule = LatticeRule::parse(run.rule),
                               .shape = LatticeShape::cube(run.heaps, size, run.sorted)};
  }
  request.output.path = file;
  request.output.overwrite = true;
  const Prediction prediction = predict(request);
  Listener listener;
  const Stopwatch time;
  static_cast<void>(compute(request, {.progress = &listener}));
  const double seconds = time.seconds();
  const auto [least, greatest] = listener.ratios();
  fmt::print("{:<40} {:>11} {:<6} {:>9} {:>8.1f} {:>6} {:>7.2f} {:>6.2f}\n", run.rule, run.last,
             run.stats_only ? "stats" : "table",
             prediction.seconds ? fmt::format("{:.1f}", *prediction.seconds) : "unknown", seconds,
             prediction.seconds ? fmt::format("{:.2f}", *prediction.seconds / seconds) : "-", least,
             greatest);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  return run_bench("bench_predictions", argc, argv, [](const Arguments& arguments) {
    arguments.expect_at_most(1);
    const std::string game = arguments.text(0, "");
    if (!game.empty() && std::ranges::find(kRuns, game, &Run::rule) == std::end(kRuns)) {
      throw Error(ErrorCode::kUsage, fmt::format("{} is no game of this bench", in_quotes(game)));
    }
    const Scratch scratch("bench-predictions");
    fmt::print("{:<40} {:>11} {:<6} {:>9} {:>8} {:>6} {:>14}\n", "game", "to", "", "predicted",
               "seconds", "ratio", "time left said");
    for (const Run& run : kRuns) {
      if (!game.empty() && game != run.rule) continue;
      measure(run, scratch.path() / "t.h5");
      // Statistics are left with the run that a later one could go on with.
      std::filesystem::remove_all(scratch.path() / "t.h5.run");
    }
  });
}
