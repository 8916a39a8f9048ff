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
/// - hdf5: heaps 10^7 to 4 * 10^7, and the plane of Wythoff's game of 16384 x 16384, with a file
///   and without, in turn; beside the ratio, what a plain write of as many bytes takes until they
///   are on the disk.
///
/// Every digest of rates is compared with a pinned one (of a run that agreed with the dense engine
/// as far as that reached). If it differs, nothing is printed for the run. Each run is a separate
/// process, so that its peak of memory is its own.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/games.hpp>
#include <grundy/heap/engine.hpp>
#include <grundy/machine.hpp>

#include "arguments.hpp"
#include "core/digest.hpp"
#include "core/stopwatch.hpp"
#include "engines/heap/auto_engine.hpp"
#include "engines/heap/dense/engine.hpp"
#include "engines/heap/sparse/engine.hpp"
#include "kernels/kernels.hpp"
#include "scratch.hpp"

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

void expect_same(const char* what, const Figures& figures, std::string_view expected) {
  if (expected.empty() || figures.digest == expected) return;
  throw Error(ErrorCode::kMismatch,
              fmt::format("{}: {} where {} is right", what, figures.digest, expected));
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

void rates(bool quick) {
  fmt::print("{:8} {:>8} {:>14} {:>14} {:>14} {:>10} {:>12}\n", "game", "threads", "M values/s",
             "per core", "ns processor", "MiB", "loads/value");
  for (const Rate& row : kRates) {
    const HeapRule rule = resolve_game(row.game).heap();
    const HeapSize to = quick ? row.to : 2 * kFrom;
    std::string one;
    for (const std::size_t threads : {1, 2}) {
      const Figures f = run_engine(SparseEngine(), rule, to / 2, to, threads, false);
      expect_same(row.game, f, threads == 2 ? one : quick ? "" : row.digest);
      one = f.digest;
      const double rate = f.values / f.seconds / 1e6;
      fmt::print("{:8} {:8} {:14.2f} {:14.2f} {:14.1f} {:10.0f} {:12.1f}\n", row.game, threads,
                 rate, rate / static_cast<double>(threads), f.processor * 1e9 / f.values,
                 f.peak_mib, row.taps / 64.0);
    }
  }
}

void certify() {
  struct Known {
    const char* game;
    HeapSize last, preperiod, period;
  };
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
      expect_same(known.game, f, fmt::format("certified {} {}", known.preperiod, known.period));
      fmt::print(
          "{:8} {} thread{}: {} after {:.0f} values, {:.2f} s, {:.2f} s of processor, {:.0f} "
          "MiB\n",
          known.game, threads, threads == 1 ? " " : "s", f.digest, f.values, f.seconds, f.processor,
          f.peak_mib);
    }
  }
}

void treblecross(bool quick) {
  const HeapRule rule = HeapRule::parse("0.007");
  const HeapSize count = HeapSize{1} << (quick ? 17 : 22);
  const Figures f = run_engine(AutoEngine(quick ? std::vector{count / 2} : std::vector<HeapSize>()),
                               rule, 0, count, 1, true);
  expect_same("0.007", f, quick ? "" : "9b97d2babf53fd05437cc52aa2999069");
  if (quick) {
    return expect_same("0.007", run_engine(DenseEngine(), rule, 0, count, 1, true), f.digest);
  }
  const Figures dense = run_engine(DenseEngine(), rule, count / 8, count / 4, 1, true);
  // The octave from n to 2n, scaled to all heaps up to four times as many.
  const double scaled = dense.processor * 4 / 3 * 16;
  fmt::print(
      "0.007    to {}: {:.1f} s of processor; dense {:.2f} s for heaps {} to {}, so {:.1f} s: "
      "{:.1f} times\n",
      count, f.processor, dense.processor, count / 8, count / 4, scaled, scaled / f.processor);
}

/// Seconds that a plain write of as many bytes takes until they are on the disk.
double writing_floor(const std::filesystem::path& path, std::uintmax_t bytes) {
  const std::string block(std::size_t{1} << 20, 'g');
  const Stopwatch time;
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  for (std::uintmax_t left = bytes; file >= 0 && left > 0;) {
    const ssize_t n = ::write(file, block.data(), std::min<std::uintmax_t>(left, block.size()));
    if (n <= 0) break;
    left -= static_cast<std::uintmax_t>(n);
  }
  if (file < 0 || ::fsync(file) != 0 || ::close(file) != 0 ||
      std::filesystem::file_size(path) != bytes) {
    throw Error(ErrorCode::kFailure, fmt::format("'{}' cannot be written", path.string()));
  }
  return time.seconds();
}

/// Compares a computation that writes a file with the same one without. What `first` takes, if it
/// is given, is subtracted from both.
void compare_writing(const char* name, const Request& whole, const std::optional<Request>& first,
                     int rounds) {
  const Scratch scratch("bench-sparse");
  const auto file = scratch.path() / "t.h5";
  const auto once = [&](Request request, bool writes) {
    if (writes) {
      request.output = {.path = file, .overwrite = true};
    } else if (auto* heaps = std::get_if<HeapGame>(&request.game)) {
      heaps->stats_only = true;
    }
    return in_child([&] {
      const Report report = compute(request);
      Figures result;
      result.seconds = report.seconds;
      result.processor = processor_seconds();
      set_digest(result, to_hex(report.info.stats.digest));
      return result;
    });
  };
  const auto beyond = [&](bool writes) {
    Figures figures = once(whole, writes);
    if (writes) figures.values = static_cast<double>(std::filesystem::file_size(file));
    if (first) {
      const Figures before = once(*first, writes);
      figures.seconds -= before.seconds;
      figures.processor -= before.processor;
      if (writes) figures.values -= static_cast<double>(std::filesystem::file_size(file));
    }
    return figures;
  };
  double with = 0;
  double without = 0;
  double floor = 0;
  double bytes = 0;
  for (int round = 0; round < rounds; ++round) {
    const Figures plain = beyond(false);
    const Figures written = beyond(true);
    expect_same(name, written, plain.digest);
    bytes = written.values;
    fmt::print("{:16} without a file {:.2f} s, {:.2f} s of processor; with it {:.2f} s, {:.2f} s\n",
               name, plain.seconds, plain.processor, written.seconds, written.processor);
    with += written.seconds;
    without += plain.seconds;
    floor += writing_floor(file, static_cast<std::uintmax_t>(std::max(bytes, 0.0)));
  }
  fmt::print("{:16} {:.2f} times as long with a file; a plain write of its {} takes {:.3f} s\n",
             name, with / without, format_bytes(static_cast<std::uint64_t>(std::max(bytes, 0.0))),
             floor / rounds);
}

void hdf5(bool quick) {
  const int rounds = quick ? 1 : 3;
  const Machine machine{.engine = "sparse", .threads = 2};
  const auto heaps = [&](const char* game, HeapSize count) {
    return Request{.game = HeapGame{.rule = resolve_game(game).heap(), .last = count - 1},
                   .machine = machine};
  };
  const HeapSize from = quick ? 1000000 : kFrom;
  for (const char* game : {"grundy", "0.167", "0.106"}) {
    compare_writing(game, heaps(game, 4 * from), heaps(game, from), rounds);
  }
  const std::uint32_t edge = quick ? 1024 : 16384;
  const Request plane{
      .game = LatticeGame{.rule = resolve_game("wythoff", GameKind::kLattice).lattice(),
                          .shape = LatticeShape::cube(2, edge, false)},
      .machine = {.threads = 2}};
  compare_writing(fmt::format("wythoff {}^2", edge).c_str(), plane, {}, rounds);
}

}  // namespace

int main(int argc, char** argv) {
  return run_bench("bench_sparse", argc, argv, [](const Arguments& arguments) {
    const std::map<std::string, void (*)(bool)> parts{{"rates", rates},
                                                      {"certify", [](bool) { certify(); }},
                                                      {"treblecross", treblecross},
                                                      {"hdf5", hdf5}};
    std::vector<std::string> words = arguments.words();
    const bool quick = words.size() == 1 && words[0] == "quick";
    if (quick) words = {"rates", "treblecross", "hdf5"};
    if (words.empty()) words = {"rates", "certify", "treblecross", "hdf5"};
    for (const std::string& word : words) {
      if (!parts.contains(word)) {
        throw Error(ErrorCode::kUsage, fmt::format("{} is no part of this bench", in_quotes(word)));
      }
    }
    for (const std::string& word : words) parts.at(word)(quick);
  });
}
