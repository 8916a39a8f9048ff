// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <grundy/census.hpp>
#include <grundy/error.hpp>

#include "atlas/census_file.hpp"
#include "atlas/set_period_search.hpp"
#include "atlas/shared_progress.hpp"
#include "core/atomic_file.hpp"
#include "core/stopwatch.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;
using namespace atlas;

/// Rows that are in memory at a time, twice: some are written while the next ones are computed.
constexpr std::uint64_t kBatch = std::uint64_t{1} << 18;
constexpr std::uint64_t kTask = std::uint64_t{1} << 11;
constexpr HeapSize kMostHeaps = HeapSize{1} << 31;

/// Computes the rows of a family in their order, a batch ahead of who takes them.
class CensusRun {
 public:
  CensusRun(const CensusRequest& request, const Hooks& hooks)
      : family_(request.family),
        sets_(family_.sets()),
        last_(request.last),
        stop_(hooks.stop),
        progress_(hooks.progress),
        executor_(make_executor(request.machine.threads, request.machine.backend)),
        group_(executor_->make_group()) {
    progress_.expect(sets_);
    begin_batch();
  }

  /// The next rows; none if all were taken, or the run was stopped.
  const CensusRows* next() {
    group_->wait();
    std::swap(ready_, growing_);
    if (stop_.stop_requested() || ready_.count() == 0) return nullptr;
    begin_batch();
    return &ready_;
  }
  /// @pre next() returned nothing
  [[nodiscard]] bool is_complete() const noexcept { return ready_.count() == 0; }

 private:
  void begin_batch() {
    const std::uint64_t count = std::min(kBatch, sets_ - begun_);
    growing_.resize(count, family_.size);
    for (std::uint64_t first = 0; first < count; first += kTask) {
      group_->spawn([this, row = begun_ + first, first, end = std::min(first + kTask, count)] {
        compute(row, first, end);
      });
    }
    begun_ += count;
  }

  /// @param row of the family that stands at `first` in the batch
  void compute(std::uint64_t row, std::uint64_t first, std::uint64_t end) {
    SetPeriodSearch search(last_);
    MoveSet set = family_.at(row);
    for (std::uint64_t i = first; i < end; ++i) {
      if (stop_.stop_requested()) return;
      growing_.set(i, set, search.find(set));
      SetFamily::advance(set);
    }
    progress_.advance(end - first);
  }

  SetFamily family_;
  std::uint64_t sets_;
  HeapSize last_;
  std::stop_token stop_;
  SharedProgress progress_;
  CensusRows growing_, ready_;
  std::uint64_t begun_ = 0;  ///< rows of all batches so far
  std::unique_ptr<Executor> executor_;
  std::unique_ptr<TaskGroup> group_;  // last: its tasks use what stands above
};

void check(const fs::path& path, const CensusReport& report) {
  try {
    if (read_census(path).digest == report.digest) return;
  } catch (const Error& error) {
    throw Error(ErrorCode::kFailure, fmt::format("'{}' was not written: it does not read back: {}",
                                                 path.string(), error.what()));
  }
  throw Error(
      ErrorCode::kFailure,
      fmt::format("'{}' was not written: its rows differ from what was computed", path.string()));
}

}  // namespace

CensusReport compute_census(const CensusRequest& request, const Hooks& hooks) {
  const Stopwatch time;
  if (request.last > kMostHeaps) {
    throw Error(ErrorCode::kUsage,
                fmt::format("a census computes at most {} heaps of a set", kMostHeaps));
  }
  CensusReport report{.family = request.family, .last = request.last};
  CensusCounter counter(request.family);
  // A name that cannot be written is refused before the work is done.
  std::unique_ptr<AtomicFile> place;
  if (!request.output.empty()) {
    place = std::make_unique<AtomicFile>(request.output, request.force);
  }
  CensusRun run(request, hooks);
  const auto compute_all = [&](const TakeRows& take) -> const CensusReport& {
    while (const CensusRows* rows = run.next()) {
      counter.add(*rows);
      if (take) take(*rows);
    }
    counter.finish(report);
    report.complete = run.is_complete();
    return report;
  };
  if (place) {
    write_census_file(place->path(), request.family, compute_all);
    if (report.complete) {
      place->sync();
      check(place->path(), report);
      report.file_bytes = fs::file_size(place->path());
      place->publish();
    }
  } else {
    compute_all({});
  }
  report.seconds = time.seconds();
  return report;
}

bool is_census_file(const fs::path& path) {
  return kind_of(path) == FileKind::kCensus;
}

CensusReport read_census(const fs::path& path) {
  const Stopwatch time;
  const CensusReader reader(path);
  CensusReport report{.family = reader.family(), .last = reader.last(), .complete = true};
  CensusCounter counter(report.family);
  const std::uint64_t sets = report.family.sets();
  for (std::uint64_t first = 0; first < sets; first += kBatch) {
    counter.add(reader.rows(first, std::min(kBatch, sets - first)));
  }
  counter.finish(report);
  reader.compare(report);
  report.file_bytes = fs::file_size(path);
  report.seconds = time.seconds();
  return report;
}

}  // namespace grundy
