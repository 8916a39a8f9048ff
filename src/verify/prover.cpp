// SPDX-License-Identifier: MIT
#include "verify/prover.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "verify/definition.hpp"
#include "verify/pair_prover.hpp"
#include "verify/set_prover.hpp"

namespace grundy {
namespace {

/// Every option of every heap: for rules that nothing faster covers.
class DefinitionProver final : public Prover {
 public:
  DefinitionProver(const HeapRule& rule, StoredValues stored) : rule_(rule), stored_(stored) {}

  [[nodiscard]] std::string method() const override { return "every option listed"; }
  [[nodiscard]] HeapSize group() const noexcept override { return 1; }
  [[nodiscard]] std::optional<HeapSize> first_wrong(HeapSize begin, HeapSize end) const override {
    HeapDefinition definition(rule_, stored_.values, stored_.largest);
    for (HeapSize n = begin; n < end; ++n) {
      if (definition.mex(n) != stored_.values[n]) return n;
    }
    return std::nullopt;
  }

 private:
  const HeapRule& rule_;
  StoredValues stored_;
};

/// Few enough groups between two looks at the stop token, enough for every thread.
constexpr std::size_t kGroupsPerThread = 8;

}  // namespace

std::unique_ptr<Prover> make_prover(const HeapRule& rule, StoredValues stored,
                                    const KernelSet& kernels, Executor& executor) {
  return stored.values.visit([&]<class T>(std::span<const T> values) -> std::unique_ptr<Prover> {
    if (auto moves = PairMoves::from(rule, values.size())) {
      return std::make_unique<PairProver<T>>(std::move(*moves), stored, kernels);
    }
    if (SetProver<T>::accepts(rule)) {
      return std::make_unique<SetProver<T>>(*rule.take_break(), stored, kernels, executor);
    }
    return std::make_unique<DefinitionProver>(rule, stored);
  });
}

std::uint64_t prover_bytes(const HeapRule& rule, HeapSize count, Nimber largest) {
  const bool pairs = PairMoves::from(rule, 0).has_value();
  if (!pairs && SetProver<std::uint8_t>::accepts(rule)) {
    return SetProver<std::uint8_t>::bytes(rule, count, largest);
  }
  constexpr std::uint64_t kListed = sizeof(HeapSize) + sizeof(Nimber);
  if (rule.as_subtraction()) {
    // Lists of removals: all of them for all-but sets, one in ten heaps or fewer for the others.
    return count / (rule.as_subtraction()->kind == SubtractionRule::Kind::kAllBut ? 1 : 8) *
           kListed;
  }
  return pairs ? count / 4 * kListed : 0;  // rare heaps, at most
}

void check_range(HeapSize first, HeapSize last, HeapSize count, const char* unit) {
  if (first <= last && last < count) return;
  if (count == 0) throw Error(ErrorCode::kUsage, fmt::format("the table has no {}", unit));
  throw Error(ErrorCode::kUsage,
              fmt::format("{0} {1} to {2} are no range of a table of {0} 0 to {3}", unit, first,
                          last, count - 1));
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
