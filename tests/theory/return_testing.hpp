/// @file
/// Sequences with a known preperiod and period, for the search for a period in constant memory.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <vector>

#include <grundy/sink.hpp>
#include <grundy/stats.hpp>

#include "core/value_buffer.hpp"
#include "core/value_copy.hpp"
#include "engines/heap/sparse/engine.hpp"
#include "theory/analysis_testing.hpp"
#include "theory/preperiod_search.hpp"
#include "theory/sparse_certificate.hpp"

namespace grundy::testing_support {

using Random = std::mt19937_64;

/// Values that repeat with `period` from heap `preperiod` on; both are the least.
struct Sequence {
  std::vector<Nimber> values;  ///< of heaps below preperiod + period
  HeapSize preperiod = 0;
  HeapSize period = 0;

  [[nodiscard]] Nimber at(HeapSize n) const {
    return values[n < preperiod ? n : preperiod + (n - preperiod) % period];
  }
  /// Makes preperiod and period the least ones.
  void reduce() {
    for (HeapSize d = 1; d < period; ++d) {
      if (period % d != 0) continue;
      const auto* const begin = values.data() + preperiod;
      if (std::equal(begin, begin + period - d, begin + d)) {
        period = d;
        break;
      }
    }
    while (preperiod > 0 && at(preperiod - 1) == at(preperiod - 1 + period)) --preperiod;
    values.resize(preperiod + period);
  }
};

/// A sequence of random values below `limit`.
inline Sequence random_sequence(Random& random, HeapSize preperiod, HeapSize period, Nimber limit) {
  Sequence sequence{{}, preperiod, period};
  for (HeapSize n = 0; n < preperiod + period; ++n) {
    sequence.values.push_back(static_cast<Nimber>(random() % limit));
  }
  sequence.reduce();
  return sequence;
}

/// The sequence in which a value is a random function of the `terms` values before it.
inline Sequence random_recurrence(Random& random, std::size_t terms, Nimber limit) {
  const std::uint64_t key = random();
  std::vector<Nimber> values;
  for (std::size_t i = 0; i < terms; ++i) values.push_back(static_cast<Nimber>(random() % limit));
  std::map<std::vector<Nimber>, HeapSize> seen;
  while (true) {
    const std::vector<Nimber> state(values.end() - static_cast<std::ptrdiff_t>(terms),
                                    values.end());
    const auto [earlier, is_new] = seen.emplace(state, values.size());
    if (!is_new) {
      Sequence sequence{values, earlier->second, values.size() - earlier->second};
      sequence.reduce();
      return sequence;
    }
    std::uint64_t hash = key;
    for (const Nimber value : state) hash = (hash ^ value) * 0x9e3779b97f4a7c15 + (hash >> 31);
    values.push_back(static_cast<Nimber>((hash >> 20) % limit));
  }
}

/// Hands the values of heaps begin .. end - 1 to `sink` as one stretch, at the least width.
inline Flow put_values(const Sequence& sequence, HeapSize begin, HeapSize end,
                       const SparseFacts* facts, ValueSink& sink) {
  std::vector<Nimber> values;
  for (HeapSize n = begin; n < end; ++n) values.push_back(sequence.at(n));
  const ValueWidth width = storable_width(std::span<const Nimber>(values));
  std::vector<std::byte> bytes(values.size() * byte_count(width));
  copy_to_width(std::span<const Nimber>(values), width, bytes.data());
  return sink.put({.begin = begin,
                   .values = {bytes.data(), values.size(), width},
                   .table = {},
                   .sparse = facts});
}

/// Facts of a sparse space that say nothing but where the last rare heap is.
inline SparseFacts facts_of(const Sequence& sequence, Random& random, HeapSize end) {
  SparseFacts facts{.mask = 1, .parity = sequence.period % 2 == 0 && random() % 2 == 0};
  facts.last_rare =
      sequence.preperiod == 0 ? 0 : random() % std::min<HeapSize>(sequence.preperiod, 20);
  facts.rare = facts.last_rare;
  facts.depth = random() % 20;
  facts.count = end;
  return facts;
}

/// Watches a run for a return, and keeps its values for the search of the preperiod.
class ReturnRun final : public ValueSink, public Recomputation {
 public:
  explicit ReturnRun(HeapSize largest_take) : search_(largest_take) {}

  Flow put(const Stretch& block) override {
    values_.append(block.values);
    // A game in which ever more heaps are rare has no sparse space, and is slow.
    const bool sparse = block.sparse == nullptr || block.sparse->rare < 700 + block.end() / 200;
    return search_.observe(block) || !sparse ? Flow::kStop : Flow::kContinue;
  }
  RunStatus compute(HeapSize begin, HeapSize end, ValueSink& sink,
                    ProgressSink* /*progress*/) override {
    sink.put({.begin = begin, .values = values_.values().subspan(begin, end - begin), .table = {}});
    return RunStatus::kComplete;
  }
  [[nodiscard]] const std::optional<Return>& found() const noexcept { return search_.found(); }

 private:
  ReturnSearch search_;
  ValueBuffer values_;
};

/// The period that a return proves while the engine `sparse` computes heaps 0 .. limit-1.
inline PeriodReport period_by_return(std::string_view notation, HeapSize limit) {
  const HeapRule rule = HeapRule::parse(notation);
  const HeapSize take = rule.largest_take().value();
  ReturnRun run(take);
  const HeapTask task{rule, limit, select_kernels("auto"), single_thread(), {}};
  SparseEngine().run(task, run);
  if (!run.found()) return {};
  std::vector<HeapSize> seals;
  for (HeapSize at = 0; at < run.found()->first; at += 10'000) seals.push_back(at);
  const auto preperiod = find_preperiod(*run.found(), take, seals, run);
  return sparse_report(run.found()->facts, take, preperiod.value().preperiod, run.found()->period);
}

}  // namespace grundy::testing_support
