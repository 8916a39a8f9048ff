/// @file
/// The speed of the engine `auto` from octave to octave for the unsolved octal games, to find
/// cliffs.
///
/// Usage: bench_octaves [-s SECONDS] [-k OCTAVE] [GAME]...
///
/// The games are the 74 classes of octal games with at most three digits without a known period, or
/// the games that are named. One thread, heaps 2^12 to 2^22 (2^OCTAVE), at most a minute (SECONDS)
/// for each game. For each octave: values per second, the engine at its end, the rare heaps if that
/// engine knows them, the number of reads of the engine for a value, and nanoseconds for each of
/// these reads. `sparse` reads a tap: rare heaps times moves that split. `dense` reads a pair: half
/// the heap times moves that split. `floors` is the time of a read divided by the least that the
/// loads of its inner loop take: loops that only load and compare, measured on Zen 5 with AVX-512
/// (0.016 ns a tap, 0.0128 ns a pair). The last two columns are the time of a read divided by that
/// of the octave before, and by that of the octave after, if one engine made both: `cliff` marks
/// more than twice, where both took a tenth of a second or more.
///
/// The first values are compared with those of the engine `reference` before the first line; the
/// first game whose values differ ends the program with exit code 3.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/heap/engine.hpp>
#include <grundy/machine.hpp>

#include "arguments.hpp"
#include "core/stopwatch.hpp"
#include "core/value_collector.hpp"
#include "digest_sink.hpp"
#include "engines/heap/sparse/split.hpp"
#include "kernels/kernels.hpp"

namespace {

using namespace grundy;

constexpr const char* kUnsolved[] = {
    "0.6",   "0.04",  "0.06",  "0.14",  "0.36",  "0.64",  "0.74",  "0.76",  "0.004", "0.005",
    "0.006", "0.014", "0.015", "0.016", "0.024", "0.026", "0.034", "0.064", "0.114", "0.125",
    "0.126", "0.135", "0.136", "0.142", "0.143", "0.146", "0.161", "0.162", "0.163", "0.164",
    "0.166", "0.167", "0.172", "0.174", "0.204", "0.205", "0.206", "0.207", "0.224", "0.244",
    "0.245", "0.264", "0.314", "0.324", "0.334", "0.336", "0.342", "0.344", "0.346", "0.362",
    "0.364", "0.366", "0.371", "0.374", "0.404", "0.414", "0.416", "0.444", "0.564", "0.604",
    "0.606", "0.744", "0.764", "0.774", "0.776", "4.004", "4.007", "4.026", "4.044", "4.045",
    "4.324", "4.327", "4.367", "4.404"};

constexpr HeapSize kFirst = HeapSize{1} << 12;  ///< where the first octave begins
constexpr double kCliff = 2;
constexpr double kTapFloor = 1.04 / 64;  ///< ns: 4 candidates of 64 heaps by one tap
constexpr double kPairFloor = 0.0128;    ///< ns: an exact filter by 1024 values, one pair
constexpr double kShort = 0.1;           ///< seconds; shorter octaves are mostly learning

struct Limits {
  double seconds = 60;
  unsigned octave = 22;
};

/// What was measured of an octave.
struct Octave {
  HeapSize end;
  double seconds, values, reads;  ///< values a second, reads a value
  std::string engine;
  std::optional<std::size_t> rare;  ///< if the engine knows them

  [[nodiscard]] double read() const { return 1e9 / values / reads; }
};

/// Prints a line for each octave when the next one is over, and ends a run that has taken too long.
/// An octave ends with the block that reaches a power of two.
class OctaveSink final : public ValueSink {
 public:
  /// @param expected the first values
  OctaveSink(std::string_view game, double splits, const Limits& limits,
             const std::vector<Nimber>& expected)
      : game_(game), splits_(splits), limits_(limits), expected_(expected) {}

  Flow put(const Stretch& block) override {
    if (block.begin < 2 * kFirst) first_.put(block.to(2 * kFirst));
    if (block.end() >= next_) {
      if (begun_ > 0) {
        check();
        add(block);
      }
      begin_ = block.end();
      begun_ = time_.seconds();
      while (next_ <= block.end()) next_ *= 2;
    }
    return time_.seconds() > limits_.seconds ? Flow::kStop : Flow::kContinue;
  }
  void engine_is(const std::string& name) { engine_ = name; }
  /// @throws Error(kMismatch) if the first values are wrong, as far as they have come
  void check() const {
    const std::vector<Nimber>& first = first_.values;
    if (std::equal(first.begin(), first.end(), expected_.begin())) return;
    throw Error(ErrorCode::kMismatch,
                fmt::format("{}: its first values are not those of the reference", game_));
  }
  /// Prints the line of the last octave.
  void end() { tell(nullptr); }

 private:
  void add(const Stretch& block) {
    const double seconds = time_.seconds() - begun_;
    const bool sparse = block.sparse != nullptr;
    const double reads = splits_ * (sparse ? static_cast<double>(block.rare.size())
                                           : static_cast<double>(begin_ + block.end()) / 4);
    Octave now{.end = block.end(),
               .seconds = seconds,
               .values = static_cast<double>(block.end() - begin_) / seconds,
               .reads = reads,
               .engine = engine_,
               .rare = {}};
    if (sparse) now.rare = block.rare.size();
    tell(&now);
    before_ = std::exchange(last_, std::move(now));
  }

  /// Prints the line of the last octave, which has a neighbour after it, if that is not null.
  void tell(const Octave* after) const {
    if (!last_) return;
    const Octave& now = *last_;
    bool is_cliff = false;
    const auto ratio_to = [&](const Octave* other) -> std::string {
      if (other == nullptr || other->engine != now.engine) return "";
      const double ratio = now.read() / other->read();
      is_cliff |= ratio > kCliff && std::min(now.seconds, other->seconds) > kShort;
      return fmt::format("{:.2f}", ratio);
    };
    const std::string before = ratio_to(before_ ? &*before_ : nullptr), behind = ratio_to(after);
    fmt::print("{:6} {:10} {:12.0f} {:7} {:>9} {:11.0f} {:9.4f} {:6.1f} {:>6} {:>6}{}\n", game_,
               now.end, now.values, now.engine, now.rare ? fmt::format("{}", *now.rare) : "",
               now.reads, now.read(), now.read() / (now.rare ? kTapFloor : kPairFloor), before,
               behind, is_cliff ? " cliff" : "");
    std::fflush(stdout);
  }

  std::string_view game_;
  double splits_;
  const Limits& limits_;
  const std::vector<Nimber>& expected_;
  ValueCollector first_;
  std::string engine_;
  std::optional<Octave> before_, last_;
  HeapSize begin_ = 0;      ///< of the present octave
  HeapSize next_ = kFirst;  ///< the power of two that ends it
  double begun_ = 0;        ///< when it began; 0 before the first
  Stopwatch time_;
};

void measure(const std::string& game, const Limits& limits, Executor& executor) {
  const HeapRule rule = HeapRule::parse(game);
  const HeapSize count = (HeapSize{1} << limits.octave) + 1;
  const KernelSet& kernels = select_kernels("auto");
  ValueCollector expected;
  const HeapTask few{rule, std::min(count, 2 * kFirst), kernels, executor, {}};
  select_heap_engine("reference", rule, few.count).run(few, expected);
  const auto moves = sparse::splitting_moves(rule);
  if (!moves) {
    throw Error(ErrorCode::kUsage, fmt::format("{} has no moves that split a heap in two", game));
  }
  OctaveSink sink(game, static_cast<double>(moves->splits.size()), limits, expected.values);
  HeapTask task{rule, count, kernels, executor, {}};
  task.on_choice = [&](const EngineChoice& choice) { sink.engine_is(choice.engine); };
  select_heap_engine("auto", rule, count).run(task, sink);
  sink.check();
  sink.end();
}

}  // namespace

int main(int argc, char** argv) {
  return run_bench("bench_octaves", argc, argv, [](const Arguments& arguments) {
    Limits limits;
    std::vector<std::string> games;
    const std::vector<std::string>& words = arguments.words();
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == "-s") {
        limits.seconds = static_cast<double>(arguments.required(++i, "-s SECONDS", 1, 86400));
      } else if (words[i] == "-k") {
        limits.octave = static_cast<unsigned>(arguments.required(++i, "-k OCTAVE", 13, 40));
      } else {
        games.push_back(words[i]);
      }
    }
    if (games.empty()) games.assign(std::begin(kUnsolved), std::end(kUnsolved));
    const auto executor = make_executor(1);
    fmt::print("{:6} {:>10} {:>12} {:7} {:>9} {:>11} {:>9} {:>6} {:>6} {:>6}\n", "game", "to heap",
               "values/s", "engine", "rare", "reads", "ns a read", "floors", "before", "after");
    for (const std::string& game : games) measure(game, limits, *executor);
  });
}
