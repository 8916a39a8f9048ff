/// @file
/// The sparse-space engine on the games of the literature: the figures of
/// src/engines/heap/sparse/README.md.
///
/// Usage: bench_sparse [rates | certify | treblecross | hdf5 | quick]...; without one, all but
/// quick.
///
/// - rates: values a second between heap 10^7 and 2 * 10^7 (the clock starts when the sink has the
///   first 10^7), on one thread and two, with processor time, the peak of memory and the load
///   floor: one load of 64 bytes for 64 taps, rare heaps x splits / 64 a value.
/// - certify: from the rule to a proved period, wall time.
/// - treblecross: .007 to 2^22 on one thread, as `auto` computes it, processor time against that of
///   the dense engine, which is measured from 2^19 to 2^20 and scaled by its law, the square of the
///   number of heaps (4^2 times that octave and its third for all octaves before).
/// - hdf5: heaps 10^7 to 4 * 10^7 with a file and without, in turn.
///
/// Every digest of rates is compared with a pinned one (of a run that agreed with the dense engine
/// as far as that reached). If it differs, nothing is printed for the run. Each run is a separate
/// process, so that its peak of memory is its own.
// SPDX-License-Identifier: MIT
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/games.hpp>
#include <grundy/heap/engine.hpp>
#include <grundy/machine.hpp>

#include "core/digest.hpp"
#include "core/stopwatch.hpp"
#include "engines/heap/auto_engine.hpp"
#include "engines/heap/dense/engine.hpp"
#include "engines/heap/sparse/engine.hpp"
#include "kernels/kernels.hpp"

namespace {

using namespace grundy;
using Clock = std::chrono::steady_clock;

/// The figures of one run.
struct Figures {
  double seconds = 0;    ///< wall time
  double processor = 0;  ///< processor time
  double values = 0;     ///< in that time
  char digest[33] = {};  ///< of all values, or something else that identifies the result
  double peak_mib = 0;
};

/// Calls `work` in a process of its own.
Figures in_child(const std::function<Figures()>& work) {
  int ends[2];
  if (pipe(ends) != 0) throw Error(ErrorCode::kFailure, "no pipe");
  const pid_t child = fork();
  if (child == 0) {
    int code = 1;
    try {
      const Figures figures = work();
      if (write(ends[1], &figures, sizeof figures) == sizeof figures) code = 0;
    } catch (const Error& error) {
      fmt::print(stderr, "bench_sparse: {}\n", error.what());
    }
    _exit(code);
  }
  close(ends[1]);
  Figures figures;
  const bool whole = read(ends[0], &figures, sizeof figures) == sizeof figures;
  close(ends[0]);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  if (!whole || status != 0) throw Error(ErrorCode::kFailure, "a run failed");
  figures.peak_mib = static_cast<double>(usage.ru_maxrss) / 1024;
  return figures;
}

void set_digest(Figures& figures, const std::string& digest) {
  digest.copy(figures.digest, sizeof figures.digest - 1);
}

/// Digests all values and starts the clock once `from` heaps are there.
class RateSink final : public ValueSink {
 public:
  explicit RateSink(HeapSize from) : from_(from) {}
  Flow put(const Stretch& block) override {
    digest_.update(block.values);
    end_ = block.begin + block.values.size();
    if (started_ == 0 && end_ >= from_) {
      started_ = end_;
      start_ = Clock::now();
      processor_ = processor_seconds();
    }
    return Flow::kContinue;
  }
  [[nodiscard]] Figures figures() const {
    Figures result;
    result.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    result.processor = processor_seconds() - processor_;
    result.values = static_cast<double>(end_ - started_);
    set_digest(result, to_hex(digest_.value()));
    return result;
  }

 private:
  HeapSize from_;
  HeapSize end_ = 0;
  HeapSize started_ = 0;
  Clock::time_point start_;
  double processor_ = 0;
  ValueDigest digest_;
};

Figures run_engine(const HeapEngine& engine, const HeapRule& rule, HeapSize from, HeapSize count,
                   std::size_t threads, bool keep_table) {
  return in_child([&] {
    const auto executor = make_executor(threads);
    RateSink sink(from);
    HeapTask task{rule, count, select_kernels("auto"), *executor, {}};
    task.keep_table = keep_table;
    engine.run(task, sink);
    return sink.figures();
  });
}

bool same(const char* what, const Figures& figures, std::string_view expected) {
  if (expected.empty() || figures.digest == expected) return true;
  fmt::print("  {}: {} where {} is right\n", what, figures.digest, expected);
  return false;
}

struct Rate {
  const char* game;
  HeapSize to;  ///< with `quick`; otherwise 2 * 10^7
  unsigned taps;
  const char* digest;  ///< of 2 * 10^7 values
};

constexpr HeapSize kFrom = 10000000;
constexpr Rate kRates[] = {
    {"grundy", 300000, 1273, "85e7614058dd0a399ccce2f316b0f20a"},
    {"0.6", 100000, 1583, "15506a049fcfc3b02eee1137379812f0"},
    {"0.167", 2000000, 118, "f79af1c11996b62bf7f8e40c87f351a4"},
    {"0.106", 2000000, 15, "dcf74d7e8fa636d0e74630e2fdff3166"},
};

bool rates(bool quick) {
  bool good = true;
  fmt::print("{:8} {:>8} {:>14} {:>14} {:>14} {:>10} {:>12}\n", "game", "threads", "M values/s",
             "per core", "ns processor", "MiB", "loads/value");
  for (const Rate& row : kRates) {
    const HeapRule rule = resolve_game(row.game).heap();
    const HeapSize to = quick ? row.to : 2 * kFrom;
    std::string one;
    for (const std::size_t threads : {1, 2}) {
      const Figures f = run_engine(SparseEngine(), rule, to / 2, to, threads, false);
      if (!same(row.game, f, threads == 2 ? one : quick ? "" : row.digest)) good = false;
      one = f.digest;
      const double rate = f.values / f.seconds / 1e6;
      fmt::print("{:8} {:8} {:14.2f} {:14.2f} {:14.1f} {:10.0f} {:12.1f}\n", row.game, threads,
                 rate, rate / static_cast<double>(threads), f.processor * 1e9 / f.values,
                 f.peak_mib, row.taps / 64.0);
    }
  }
  return good;
}

bool certify() {
  struct Known {
    const char* game;
    HeapSize last, preperiod, period;
  };
  bool good = true;
  for (const Known& known :
       {Known{"0.376", 5000000, 2268248, 4}, Known{"0.454", 400000000, 160949019, 60620715}}) {
    for (const std::size_t threads : {1, 2}) {
      const Request request{
          .game =
              HeapGame{.rule = HeapRule::parse(known.game), .last = known.last, .stats_only = true},
          .machine = {.threads = threads}};
      const Figures f = in_child([&] {
        Figures result;
        const auto start = Clock::now();
        const PeriodReport period = search_period(request).info.period;
        result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        result.processor = processor_seconds();
        result.values = static_cast<double>(period.verified_to);
        set_digest(result, fmt::format("{} {} {}", to_string(period.status), period.preperiod,
                                       period.period));
        return result;
      });
      good &= same(known.game, f, fmt::format("certified {} {}", known.preperiod, known.period));
      fmt::print(
          "{:8} {} thread{}: {} after {:.0f} values, {:.2f} s, {:.2f} s of processor, {:.0f} "
          "MiB\n",
          known.game, threads, threads == 1 ? " " : "s", f.digest, f.values, f.seconds, f.processor,
          f.peak_mib);
    }
  }
  return good;
}

bool treblecross(bool quick) {
  const HeapRule rule = HeapRule::parse("0.007");
  const HeapSize count = HeapSize{1} << (quick ? 17 : 22);
  const Figures f = run_engine(AutoEngine(quick ? std::vector{count / 2} : std::vector<HeapSize>()),
                               rule, 0, count, 1, true);
  if (!same("0.007", f, quick ? "" : "9b97d2babf53fd05437cc52aa2999069")) return false;
  if (quick) return same("0.007", run_engine(DenseEngine(), rule, 0, count, 1, true), f.digest);
  const Figures dense = run_engine(DenseEngine(), rule, count / 8, count / 4, 1, true);
  // The octave from n to 2n, scaled to all heaps up to four times as many.
  const double scaled = dense.processor * 4 / 3 * 16;
  fmt::print(
      "0.007    to {}: {:.1f} s of processor; dense {:.2f} s for heaps {} to {}, so {:.1f} s: "
      "{:.1f} times\n",
      count, f.processor, dense.processor, count / 8, count / 4, scaled, scaled / f.processor);
  return true;
}

bool hdf5(bool quick) {
  const auto directory = std::filesystem::temp_directory_path() / fmt::format("bench-{}", getpid());
  std::filesystem::create_directory(directory);
  bool good = true;
  const HeapSize from = quick ? 1000000 : kFrom;
  for (const char* game : {"grundy", "0.167"}) {
    const auto once = [&](bool file, HeapSize heaps) {
      Request request{
          .game =
              HeapGame{.rule = resolve_game(game).heap(), .last = heaps - 1, .stats_only = !file},
          .machine = {.engine = "sparse", .threads = 2}};
      if (file) request.output.path = directory / "t.h5";
      request.output.overwrite = true;
      return in_child([&] {
        const Report report = compute(request);
        Figures result;
        result.seconds = report.seconds;
        result.processor = processor_seconds();
        set_digest(result, to_hex(report.info.stats.digest));
        return result;
      });
    };
    // Of the heaps from `from` on: the difference of two computations.
    const auto beyond = [&](bool file) {
      const Figures shorter = once(file, from);
      Figures longer = once(file, 4 * from);
      longer.seconds -= shorter.seconds;
      longer.processor -= shorter.processor;
      return longer;
    };
    double with = 0;
    double without = 0;
    for (int round = 0; round < (quick ? 1 : 3); ++round) {
      const Figures plain = beyond(false);
      const Figures file = beyond(true);
      good &= same(game, file, plain.digest);
      fmt::print(
          "{:8} stats only {:.2f} s, {:.2f} s of processor; with a file {:.2f} s, {:.2f} s\n", game,
          plain.seconds, plain.processor, file.seconds, file.processor);
      with += file.seconds;
      without += plain.seconds;
    }
    fmt::print("{:8} the file takes {:.1f} % more\n", game, 100 * (with / without - 1));
  }
  std::filesystem::remove_all(directory);
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::vector<std::string_view> parts(argv + 1, argv + argc);
    const bool quick = parts.size() == 1 && parts[0] == "quick";
    if (quick) return rates(true) && treblecross(true) && hdf5(true) ? 0 : 3;
    if (parts.empty()) parts = {"rates", "certify", "treblecross", "hdf5"};
    bool good = true;
    for (const std::string_view part : parts) {
      if (part == "rates") {
        good &= rates(false);
      } else if (part == "certify") {
        good &= certify();
      } else if (part == "treblecross") {
        good &= treblecross(false);
      } else if (part == "hdf5") {
        good &= hdf5(false);
      } else {
        throw Error(ErrorCode::kUsage, fmt::format("'{}' is no part of this bench", part));
      }
    }
    return good ? 0 : 3;
  } catch (const Error& error) {
    fmt::print(stderr, "bench_sparse: {}\n", error.what());
    return 1;
  }
}
