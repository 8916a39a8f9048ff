// SPDX-License-Identifier: MIT
#include "verify/prover.hpp"

#include <algorithm>
#include <mutex>

#include <fmt/format.h>

namespace grundy {
namespace {

/// Few enough groups between two checks of the stop token, and enough for every thread.
constexpr std::size_t kGroupsPerThread = 8;

}  // namespace

std::string value_fault(Nimber stored, std::uint64_t mex) {
  return fmt::format("has value {}, but the mex of the values of its options is {}", stored, mex);
}

RangeResult prove_range(const Prover& prover, HeapSize begin, HeapSize end, Executor& executor,
                        const std::stop_token& stop, ProgressSink* progress) {
  RangeResult result{begin, std::nullopt};
  const HeapSize step = prover.group();
  const auto share = [begin, end](HeapSize n) {
    return static_cast<double>(n - begin) / static_cast<double>(end - begin);
  };
  while (result.proved_to < end && !stop.stop_requested()) {
    const HeapSize from = result.proved_to;
    const HeapSize to = std::min(end, from + kGroupsPerThread * executor.threads() * step);
    std::mutex mutex;
    executor.parallel_for((to - from + step - 1) / step, [&](std::size_t i) {
      const HeapSize first = from + i * step;
      const auto wrong = prover.first_wrong(first, std::min(to, first + step));
      if (!wrong) return;
      const std::lock_guard lock(mutex);
      result.wrong = std::min(result.wrong.value_or(*wrong), *wrong);
    });
    result.proved_to = result.wrong.value_or(to);
    if (progress != nullptr) {
      progress->report({result.proved_to - begin, end - begin, share(result.proved_to)});
    }
    if (result.wrong) break;
  }
  return result;
}

}  // namespace grundy
