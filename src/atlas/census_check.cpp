/// @file
/// Rows of a census proved from the definition.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <mutex>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/census.hpp>
#include <grundy/error.hpp>

#include "atlas/census_file.hpp"
#include "atlas/shared_progress.hpp"
#include "core/stopwatch.hpp"

namespace grundy {
namespace {

using namespace atlas;

/// Rows of a chunk of the file, which are read at once.
constexpr std::uint64_t kGroup = std::uint64_t{1} << 16;
/// Random rows out of each group that is read.
constexpr std::uint64_t kRowsOfGroup = 4096;
constexpr std::size_t kRowsOfTask = 128;

/// The values of heaps 0 .. count - 1, each the mex of its options.
std::vector<std::uint8_t> values_by_definition(const MoveSet& moves, HeapSize count) {
  std::vector<std::uint8_t> values(count);
  for (HeapSize n = 0; n < count; ++n) {
    std::uint32_t options = 0;  // bit v: an option has the value v
    for (const HeapSize move : moves) {
      if (move > n) break;
      options |= std::uint32_t{1} << values[n - move];
    }
    while ((options & 1) != 0) {
      options >>= 1;
      ++values[n];
    }
  }
  return values;
}

/// What is wrong with a row, as the end of a sentence; empty if it is right.
std::string fault_of(const SetRow& row) {
  const HeapSize e = row.found.preperiod, p = row.found.period, window = row.moves.back();
  if (p == 0) return row.found == SetPeriod{} ? "" : "has no period, but other entries";
  const std::vector<std::uint8_t> values = values_by_definition(row.moves, e + 2 * p + window);
  const std::span all(values);
  if (!std::ranges::equal(all.subspan(e, window), all.subspan(e + p, window))) {
    return fmt::format("has not the period {} from heap {} on", p, e);
  }
  if (e > 0 && values[e - 1] == values[e - 1 + p]) {
    return fmt::format("has the period {} before heap {} already", p, e);
  }
  HeapSize rest = p;
  for (HeapSize prime = 2; rest > 1; ++prime) {
    if (prime * prime > rest) prime = rest;
    if (rest % prime != 0) continue;
    while (rest % prime == 0) rest /= prime;
    if (std::ranges::equal(all.subspan(e, p), all.subspan(e + p / prime, p))) {
      return fmt::format("has the smaller period {}", p / prime);
    }
  }
  if (std::ranges::count(all.subspan(e, p), 0) != row.found.zeros) {
    return fmt::format("has not {} zeros in a period", row.found.zeros);
  }
  if (std::ranges::max(all.first(e + p)) != row.found.max_value) {
    return fmt::format("has not the largest value {}", row.found.max_value);
  }
  return {};
}

/// Proves rows on all threads and keeps the first fault.
class RowProofs {
 public:
  RowProofs(const CensusReader& reader, const CensusCheckRequest& request, const Hooks& hooks)
      : reader_(reader),
        stop_(hooks.stop),
        progress_(hooks.progress),
        executor_(make_executor(request.machine.threads, request.machine.backend)) {}

  void expect(std::uint64_t rows) noexcept { progress_.expect(rows); }

  /// Proves the wanted rows, ascending, of the group that begins at row `first`.
  /// @returns false if one is wrong, or it was stopped
  bool prove(std::uint64_t first, std::span<const std::uint64_t> wanted) {
    const CensusRows rows = reader_.rows(first, std::min(kGroup, reader_.family().sets() - first));
    executor_->parallel_for((wanted.size() + kRowsOfTask - 1) / kRowsOfTask, [&](std::size_t task) {
      const auto some = wanted.subspan(task * kRowsOfTask);
      for (const std::uint64_t row : some.first(std::min(kRowsOfTask, some.size()))) {
        if (stop_.stop_requested()) return;
        const SetRow stored = rows.at(row - first);
        if (std::string fault = fault_of(stored); !fault.empty()) {
          note(row, fmt::format("row {}, S{{{}}}, {}", row, fmt::join(stored.moves, ","), fault));
        }
      }
      progress_.advance(std::min(kRowsOfTask, some.size()));
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

  const CensusReader& reader_;
  std::stop_token stop_;
  SharedProgress progress_;
  std::unique_ptr<Executor> executor_;
  std::mutex mutex_;
  std::string wrong_;
  std::uint64_t wrong_row_ = 0, proved_ = 0;
};

/// Random rows of random groups, no row twice.
void prove_samples(RowProofs& proofs, const CensusCheckRequest& request, std::uint64_t sets,
                   const Stopwatch& time) {
  std::mt19937_64 random(request.seed);
  std::vector<std::uint64_t> groups((sets - 1) / kGroup + 1);
  std::iota(groups.begin(), groups.end(), std::uint64_t{0});
  std::ranges::shuffle(groups, random);
  const std::uint64_t most = request.samples.value_or(sets);
  proofs.expect(std::min(most, groups.size() * kRowsOfGroup));
  std::vector<std::uint64_t> rows, wanted;
  for (const std::uint64_t group : groups) {
    if (proofs.proved() == most || (!request.samples && time.seconds() > request.seconds)) return;
    rows.resize(std::min(kGroup, sets - group * kGroup));
    std::iota(rows.begin(), rows.end(), group * kGroup);
    wanted.clear();
    std::ranges::sample(rows, std::back_inserter(wanted),
                        static_cast<std::ptrdiff_t>(std::min(kRowsOfGroup, most - proofs.proved())),
                        random);
    if (!proofs.prove(group * kGroup, wanted)) return;
  }
}

void prove_all(RowProofs& proofs, std::uint64_t sets) {
  proofs.expect(sets);
  std::vector<std::uint64_t> wanted;
  for (std::uint64_t first = 0; first < sets; first += kGroup) {
    wanted.resize(std::min(kGroup, sets - first));
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = first + i;
    if (!proofs.prove(first, wanted)) return;
  }
}

}  // namespace

CensusCheck check_census(const CensusCheckRequest& request, const Hooks& hooks) {
  const Stopwatch time;
  CensusCheck check{.report = read_census(request.file)};
  const CensusReader reader(request.file);
  RowProofs proofs(reader, request, hooks);
  if (request.full || request.samples.value_or(0) >= check.report.all.sets) {
    prove_all(proofs, check.report.all.sets);
  } else {
    prove_samples(proofs, request, check.report.all.sets, time);
  }
  check.proved = proofs.proved();
  check.wrong = proofs.wrong();
  check.complete = !proofs.stopped();
  check.seconds = time.seconds();
  return check;
}

}  // namespace grundy
