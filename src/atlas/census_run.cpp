// SPDX-License-Identifier: MIT
#include "atlas/census_run.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "atlas/census_file.hpp"
#include "core/atomic_file.hpp"
#include "core/shared_progress.hpp"
#include "core/stopwatch.hpp"

namespace grundy::atlas {
namespace {

namespace fs = std::filesystem;

/// The number of rows of a batch. Two batches are in memory: one is written while the next one is
/// computed.
constexpr std::uint64_t kBatch = std::uint64_t{1} << 18;

/// Computes the rows of a family in their order, one batch ahead of the caller.
class CensusRun {
 public:
  CensusRun(const CensusKind& kind, const Machine& machine, const Hooks& hooks)
      : kind_(kind),
        sets_(kind.sets().sets()),
        stop_(hooks.stop),
        progress_(hooks.progress),
        executor_(make_executor(machine.threads, machine.backend)),
        group_(executor_->make_group()) {
    progress_.expect(sets_);
    begin_batch();
  }

  /// The next rows; none if all rows have been taken, or if the run was stopped.
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
    const std::uint64_t task = kind_.rows_of_task();
    growing_ = CensusRows(kind_, count);
    for (std::uint64_t first = 0; first < count; first += task) {
      group_->spawn([this, row = begun_ + first, first, end = std::min(first + task, count)] {
        compute(row, first, end);
      });
    }
    begun_ += count;
  }

  /// @param row the row of the family at index `first` of the batch
  void compute(std::uint64_t row, std::uint64_t first, std::uint64_t end) {
    const std::unique_ptr<RowSearch> search = kind_.search();
    MoveSet set = kind_.sets().at(row);
    for (std::uint64_t i = first; i < end; ++i) {
      if (stop_.stop_requested()) return;
      kind_.write_game(set, growing_.game(i));
      search->find(set, growing_.facts(i));
      SetFamily::advance(set);
    }
    progress_.advance(end - first);
  }

  const CensusKind& kind_;
  std::uint64_t sets_;
  std::stop_token stop_;
  SharedProgress progress_;
  CensusRows growing_, ready_;
  std::uint64_t begun_ = 0;  ///< number of rows of all batches so far
  std::unique_ptr<Executor> executor_;
  std::unique_ptr<TaskGroup> group_;  // last, because its tasks use the members above
};

/// Whether the rows of a newly written file are the computed ones.
bool reads_back(const fs::path& path, const CensusKind& kind, const Digest128& digest) {
  SealedFile file = open_sealed(path, kind.file_kind());
  const CensusReader reader(file.root, kind);
  SequentialDigest read;
  const std::uint64_t sets = kind.sets().sets();
  for (std::uint64_t first = 0; first < sets; first += kBatch) {
    read.update(reader.rows(first, std::min(kBatch, sets - first)).facts());
  }
  kind.compare_attributes(file.root, digest);
  return read.value() == digest;
}

}  // namespace

CensusTotals run_census(CensusKind& kind, const fs::path& output, bool overwrite,
                        const Machine& machine, const Hooks& hooks) {
  const Stopwatch time;
  CensusTotals totals;
  CensusCounter counter(kind);
  // Refuse a name that cannot be written before the work is done.
  std::unique_ptr<AtomicFile> place;
  if (!output.empty()) place = std::make_unique<AtomicFile>(output, overwrite);
  CensusRun run(kind, machine, hooks);
  const auto compute_all = [&](const TakeRows& take) {
    while (const CensusRows* rows = run.next()) {
      counter.add(*rows);
      if (take) take(*rows);
    }
    totals.complete = run.is_complete();
    return totals.digest = counter.digest();
  };
  if (place) {
    write_census_file(place->path(), kind, compute_all);
    if (totals.complete) {
      totals.file_bytes = fs::file_size(place->path());
      place->publish_if([&] { return reads_back(place->path(), kind, totals.digest); });
    }
  } else {
    compute_all({});
  }
  totals.seconds = time.seconds();
  return totals;
}

CensusTotals recount_census(h5::Object& root, CensusKind& kind, const fs::path& path) {
  const Stopwatch time;
  CensusTotals totals{.complete = true, .digest = count_census_file(root, kind)};
  totals.file_bytes = fs::file_size(path);
  totals.seconds = time.seconds();
  return totals;
}

}  // namespace grundy::atlas
