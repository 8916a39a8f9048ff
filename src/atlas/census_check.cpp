/// @file
/// Proves rows of a census from the definition.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <grundy/census.hpp>
#include <grundy/error.hpp>

#include "atlas/census_file.hpp"
#include "atlas/open_census.hpp"
#include "core/shared_progress.hpp"
#include "core/stopwatch.hpp"
#include "session/list_proof.hpp"

namespace grundy {
namespace {

using namespace atlas;

/// The number of rows in a chunk of the file, which are read at once.
constexpr std::uint64_t kGroup = std::uint64_t{1} << 16;
/// The number of random rows in each group that is read.
constexpr std::uint64_t kRowsOfGroup = 4096;
/// The number of tasks in a slice of rows; the time is checked after each slice.
constexpr std::size_t kTasksOfSlice = 32;

/// Proves rows on all threads and keeps the first fault.
class RowProofs {
 public:
  RowProofs(const CensusKind& kind, const CensusReader& reader, const ListCheckRequest& request,
            const Hooks& hooks)
      : kind_(kind),
        reader_(reader),
        stop_(hooks.stop),
        progress_(hooks.progress),
        executor_(make_executor(request.machine.threads, request.machine.backend)) {}

  void expect(std::uint64_t rows) { progress_.expect(rows); }

  /// Reads the group that begins at row `first`.
  void read(std::uint64_t first) {
    rows_ = reader_.rows(first, std::min(kGroup, kind_.sets().sets() - first));
    first_ = first;
  }

  /// The number of rows that are proved in one go.
  [[nodiscard]] std::size_t slice() const noexcept { return kTasksOfSlice * task(); }

  /// Proves the wanted rows of the group. @returns false if one is wrong, or if it was stopped
  bool prove(std::span<const std::uint64_t> wanted) {
    executor_->parallel_for((wanted.size() + task() - 1) / task(), [&](std::size_t number) {
      const auto some = wanted.subspan(number * task());
      const auto proof = kind_.proof();
      for (const std::uint64_t row : some.first(std::min(task(), some.size()))) {
        if (stop_.stop_requested()) return;
        const MoveSet set = kind_.sets().at(row);
        const std::string fault = proof->fault_of(set, rows_.facts(row - first_));
        if (!fault.empty())
          note(row, fmt::format("row {}, {}, {}", row, kind_.notation(set), fault));
      }
      progress_.advance(std::min(task(), some.size()));
    });
    if (stop_.stop_requested() || !wrong_.empty()) return false;
    proved_ += wanted.size();
    return true;
  }

  [[nodiscard]] std::uint64_t proved() const noexcept { return proved_; }
  [[nodiscard]] const std::string& wrong() const noexcept { return wrong_; }
  [[nodiscard]] bool stopped() const noexcept { return stop_.stop_requested(); }

 private:
  void note(std::uint64_t row, std::string sentence) {
    const std::lock_guard lock(mutex_);
    if (!wrong_.empty() && wrong_row_ < row) return;
    wrong_ = std::move(sentence);
    wrong_row_ = row;
  }

  /// The number of rows of a task. Proofs take some ten times as long as searches, so a task has
  /// fewer rows.
  [[nodiscard]] std::size_t task() const noexcept {
    return std::max<std::uint64_t>(kind_.rows_of_task() / 16, 1);
  }

  const CensusKind& kind_;
  const CensusReader& reader_;
  CensusRows rows_;  ///< of the group
  std::uint64_t first_ = 0;
  std::stop_token stop_;
  SharedProgress progress_;
  std::unique_ptr<Executor> executor_;
  std::mutex mutex_;
  std::string wrong_;
  std::uint64_t wrong_row_ = 0, proved_ = 0;
};

/// Proves random rows of random groups, no row twice.
void prove_samples(RowProofs& proofs, const ListCheckRequest& request, std::uint64_t sets) {
  std::mt19937_64 random(request.seed);
  std::vector<std::uint64_t> groups((sets - 1) / kGroup + 1);
  std::iota(groups.begin(), groups.end(), std::uint64_t{0});
  std::ranges::shuffle(groups, random);
  const std::uint64_t most = request.samples.value_or(sets);
  const ProofBudget budget({}, seconds_of_samples(request), most, nullptr);
  proofs.expect(std::min(most, groups.size() * kRowsOfGroup));
  std::vector<std::uint64_t> rows, wanted;
  for (const std::uint64_t group : groups) {
    if (!budget.lasts(proofs.proved())) return;
    rows.resize(std::min(kGroup, sets - group * kGroup));
    std::iota(rows.begin(), rows.end(), group * kGroup);
    wanted.clear();
    std::ranges::sample(rows, std::back_inserter(wanted),
                        static_cast<std::ptrdiff_t>(budget.next(kRowsOfGroup, proofs.proved())),
                        random);
    std::ranges::shuffle(wanted, random);  // time may be up before the last of them
    proofs.read(group * kGroup);
    for (std::span<const std::uint64_t> rest(wanted); !rest.empty();) {
      if (!budget.lasts(proofs.proved())) return;
      const auto slice = rest.first(std::min(proofs.slice(), rest.size()));
      if (!proofs.prove(slice)) return;
      rest = rest.subspan(slice.size());
    }
  }
}

/// Proves rows in their order, so that those which are proved when it is stopped are a range.
void prove_range(RowProofs& proofs, const EntryRange& range) {
  proofs.expect(range.last + 1 - range.first);
  std::vector<std::uint64_t> wanted;
  for (std::uint64_t from = range.first; from <= range.last; from += wanted.size()) {
    const std::uint64_t group = from / kGroup * kGroup;
    if (from == range.first || from == group) proofs.read(group);
    wanted.resize(
        std::min<std::uint64_t>(proofs.slice(), std::min(group + kGroup, range.last + 1) - from));
    std::iota(wanted.begin(), wanted.end(), from);
    if (!proofs.prove(wanted)) return;
  }
}

}  // namespace

ListCheck check_census(const ListCheckRequest& request, const Hooks& hooks) {
  const Stopwatch time;
  OpenCensus file(request.file);
  CensusKind& kind = file.kind();
  ListCheck check{.notation = kind.family_text(),
                  .unit = "rows",
                  .count = kind.sets().sets(),
                  .digest = count_census_file(file.root(), kind),
                  .statement = "what a row says of its game follows from the definition",
                  .methods = {"rows are computed again, value by value, and compared"}};
  std::optional<EntryRange> range = request.range;
  if (range) check_range(*range, check.count, check.unit);
  if (!range && (request.full || request.samples.value_or(0) >= check.count)) {
    range = {0, check.count - 1};
  }
  RowProofs proofs(kind, file.reader(), request, hooks);
  if (range) {
    prove_range(proofs, *range);
  } else {
    prove_samples(proofs, request, check.count);
  }
  check.proved = proofs.proved();
  check.wrong = proofs.wrong();
  check.complete = !proofs.stopped();
  if (range && check.wrong.empty() && check.proved > 0) {
    check.proved_range = {range->first, range->first + check.proved - 1};
  }
  check.seconds = time.seconds();
  return check;
}

}  // namespace grundy
