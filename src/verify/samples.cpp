// SPDX-License-Identifier: MIT
#include "verify/samples.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <span>

#include "core/spread.hpp"

namespace grundy {
namespace {

using Clock = std::chrono::steady_clock;

/// The most chunk borders and the most rare values that are looked at; there may be very many.
constexpr std::size_t kMostOfAKind = 1000;
constexpr HeapSize kNeighbours = 2;
constexpr HeapSize kEnds = 100;

/// The heaps of the values that occur least often, up to kMostOfAKind of them.
void add_rare(const TableInfo& info, Values values, std::vector<HeapSize>& heaps) {
  const auto& histogram = info.stats.histogram;
  std::vector<std::uint64_t> counts(histogram.begin(), histogram.end());
  std::ranges::sort(counts);
  std::uint64_t most = 0;
  std::uint64_t sum = 0;
  for (const std::uint64_t count : counts) {
    if (count > most && sum + count > kMostOfAKind) break;
    sum += count;
    most = count;
  }
  values.visit([&](auto run) {
    for (HeapSize n = 0; n < run.size() && heaps.size() < kMostOfAKind; ++n) {
      if (run[n] < histogram.size() && histogram[run[n]] <= most) heaps.push_back(n);
    }
  });
}

/// Hands entries to the threads until there is no time or no entry left.
class Sampler {
 public:
  Sampler(const Subject& subject, const Work& work) : subject_(subject), work_(work) {}

  /// Checks the entries next(0), next(1), .., next(count - 1) until the time `end`. Returns the
  /// number of entries checked.
  template <class Next>
  std::uint64_t prove(std::uint64_t count, Next next, Clock::time_point end) {
    std::atomic<std::uint64_t> taken = 0;
    std::atomic<std::uint64_t> proved = 0;
    work_.executor->parallel_for(work_.executor->threads(), [&](std::size_t) {
      const EntryCheck check = subject_.entry_check(work_.request.seconds);
      while (!work_.hooks.stop.stop_requested() && Clock::now() < end) {
        const std::uint64_t i = taken.fetch_add(1);
        if (i >= count) return;
        const HeapSize n = next(i);
        const std::optional<bool> right = check(n);
        if (!right) continue;
        ++proved;
        if (*right) continue;
        const std::lock_guard lock(mutex_);
        wrong_ = std::min(wrong_.value_or(n), n);
        return;
      }
    });
    return proved;
  }

  [[nodiscard]] std::optional<HeapSize> wrong() const noexcept { return wrong_; }

 private:
  const Subject& subject_;
  const Work& work_;
  std::mutex mutex_;
  std::optional<HeapSize> wrong_;
};

}  // namespace

std::vector<HeapSize> conspicuous_heaps(const TableInfo& info, const std::vector<HeapSize>& borders,
                                        Values values) {
  const HeapSize end = values.size();
  std::vector<HeapSize> heaps;
  add_rare(info, values, heaps);
  const auto around = [&](HeapSize n) {
    if (n > end) return;  // a file may claim any number
    for (HeapSize m = n - std::min(n, kNeighbours); m <= n + kNeighbours; ++m) heaps.push_back(m);
  };
  for (const ValueRecord& record : info.stats.records) around(record.entry);
  for (const HeapSize n : std::span(borders).first(std::min(borders.size(), kMostOfAKind))) {
    around(n);
  }
  around(info.computed);
  around(info.period.preperiod);
  around(info.period.preperiod + info.period.period);
  for (HeapSize n = 0; n < kEnds; ++n) {
    heaps.push_back(n);
    heaps.push_back(end - std::min(n + 1, end));
  }
  std::ranges::sort(heaps);
  heaps.erase(std::unique(heaps.begin(), heaps.end()), heaps.end());
  heaps.erase(std::ranges::lower_bound(heaps, end), heaps.end());
  return heaps;
}

SampleResult prove_samples(const Subject& subject, const Work& work, HeapSize count) {
  const VerifyRequest& request = work.request;
  const std::vector<HeapSize> conspicuous = subject.conspicuous();
  const auto start = Clock::now();
  const auto after = [start](double seconds) {
    return start + std::chrono::duration_cast<Clock::duration>(
                       std::chrono::duration<double>(std::min(seconds, 1e9)));
  };
  SampleResult result;
  Sampler sampler(subject, work);
  const auto entry = [&](std::uint64_t i) { return conspicuous[i]; };
  result.conspicuous = sampler.prove(conspicuous.size(), entry, after(request.seconds / 2));
  if (!sampler.wrong() && count > 0) {
    const Spread spread(request.seed, count);
    const std::uint64_t most = std::min(request.samples.value_or(count), count);
    result.random = sampler.prove(
        most, spread, request.samples ? Clock::time_point::max() : after(request.seconds));
  }
  result.wrong = sampler.wrong();
  return result;
}

}  // namespace grundy
