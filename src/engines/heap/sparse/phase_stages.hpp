/// @file
/// Parts of the pipeline of a fast phase: the stages behind the search for codes, and a round,
/// which runs its stages side by side.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include <grundy/machine.hpp>
#include <grundy/types.hpp>

#include "core/value_buffer.hpp"
#include "core/value_copy.hpp"
#include "engines/heap/sparse/code_tables.hpp"
#include "engines/heap/sparse/phase_shape.hpp"
#include "engines/heap/sparse/sliding_window.hpp"
#include "engines/heap/sparse/table.hpp"
#include "engines/heap/sparse/witness.hpp"

namespace grundy::sparse {

/// Stages whose tasks may run in parallel. Any thread may call run(), once.
class StageQueue {
 public:
  /// Adds a stage: task(0) to task(tasks - 1). Tasks begin in the order in which they were added:
  /// long ones come first, so that no thread waits for one that began late.
  void add(std::size_t tasks, std::function<void(std::size_t)> task) {
    tasks_ += tasks;
    stages_.push_back({tasks_, std::move(task)});
  }
  [[nodiscard]] std::size_t tasks() const noexcept { return tasks_; }
  /// Takes tasks until none is left.
  void run() {
    auto stage = stages_.begin();
    std::size_t begin = 0;  // the number of its first task
    for (std::size_t i; (i = next_.fetch_add(1, std::memory_order_relaxed)) < tasks_;) {
      for (; i >= stage->end; ++stage) begin = stage->end;
      stage->task(i - begin);
    }
  }

 private:
  struct Stage {
    std::size_t end;  ///< number of tasks of this stage and of those before it
    std::function<void(std::size_t)> task;
  };
  std::vector<Stage> stages_;
  std::size_t tasks_ = 0;
  alignas(64) std::atomic<std::size_t> next_ = 0;  // threads write it while they read the rest
};

/// The stages of one round, in two queues: those that find codes, and those that work on codes of
/// earlier rounds. Half of the threads begin with each queue and help with the other one then. So
/// marks and codes stay in the cache of one core, as long as the queues cost about the same.
struct Round {
  StageQueue finding, proving;

  void run(Executor& executor) {
    const std::size_t tasks = finding.tasks() + proving.tasks();
    executor.parallel_for(std::min(tasks, executor.threads()), [this](std::size_t thread) {
      StageQueue* queues[] = {&finding, &proving};
      queues[thread % 2]->run();
      queues[1 - thread % 2]->run();
    });
  }
};

/// Writes the values and limits that belong to the codes of a range.
template <class T>
class Publisher {
 public:
  Publisher(SparseTable& table, const PhaseShape& shape, const CodeKernels& kernels,
            const SlidingWindow<T>& codes)
      : table_(table),
        block_(shape.block),
        kernels_(kernels),
        codes_(codes),
        tables_(table.split(), shape.code_limit) {
    for (auto& limits : limits_) limits.resize(block_);
  }

  /// The first code without a place: its value is too large for the table, or its limit for T.
  [[nodiscard]] Nimber cap() const noexcept {
    return tables_.cap(largest_value(table_.buffer().width()), std::numeric_limits<T>::max());
  }
  /// The heaps before heap `from` have their values. Their limits become 0, so they need no proof.
  /// @pre the table has room
  void publish(const HeapRange& found, HeapIndex from) noexcept {
    latest_ = 1 - latest_;
    const HeapIndex begin = std::max(found.begin, from);
    with_storage_type(table_.buffer().width(), [&]<class V>(V) {
      write_values<V>({begin, found.end});
    });
    T* const limits = limits_[latest_].data();
    T* const own = std::fill_n(limits, begin - found.begin, T{0});
    tables_.write_limits(kernels_, begin, codes_.at(begin),
                         static_cast<std::size_t>(found.end - begin), own);
    std::fill(limits + found.heaps(), limits + block_, T{0});
  }
  /// The limits of the range that was published last; 0 after it. They stay as they are while the
  /// next range is published.
  [[nodiscard]] const T* limits() const noexcept { return limits_[latest_].data(); }

 private:
  template <class V>
  void write_values(const HeapRange& found) noexcept {
    V* const values = table_.buffer().template data<V>() +
                      table_.window().index(static_cast<HeapSize>(found.begin));
    tables_.write_values(kernels_, found.begin, codes_.at(found.begin), found.heaps(), values);
  }

  SparseTable& table_;
  const HeapSize block_;
  const CodeKernels& kernels_;
  const SlidingWindow<T>& codes_;
  const CodeTables tables_;
  std::vector<T> limits_[2];  ///< of the range that was published last, and of the one before
  std::size_t latest_ = 0;
};

/// Number of heaps in a part of a range that is proved, and number of tasks that share a part.
inline constexpr HeapIndex kProofPart = 2048;
inline constexpr std::size_t kProofShares = 4;

/// Proves a range that has values: looks for the witnesses of its heaps.
template <class T>
class Proof {
 public:
  Proof(Witness<T>& witness, const Publisher<T>& publisher)
      : witness_(witness), publisher_(publisher) {}

  /// Takes the range of this round. Returns the number of tasks.
  std::size_t take(const HeapRange& published) {
    range_ = published;
    limits_ = publisher_.limits();
    const std::size_t parts = (published.heaps() + kProofPart - 1) / kProofPart;
    proved_.assign(parts * kProofShares, published.begin);
    return proved_.size();
  }
  void run(std::size_t task) noexcept {
    const HeapIndex first = part_begin(task / kProofShares);
    const HeapIndex stop = std::min(range_.end, first + kProofPart);
    const std::size_t heaps = (static_cast<std::size_t>(stop - first) + 63) / 64 * 64;
    const T* const limits = limits_ + (first - range_.begin);
    proved_[task] =
        std::min(stop, witness_.check(first, limits, heaps, task % kProofShares, kProofShares));
  }
  /// The first heap of the range without a proof; the end of the range if there is none. @pre all
  /// tasks have run
  [[nodiscard]] HeapIndex end() const noexcept {
    HeapIndex end = range_.begin;
    for (std::size_t task = 0; task < proved_.size(); task += kProofShares) {
      if (end != part_begin(task / kProofShares)) break;
      end = *std::min_element(&proved_[task], &proved_[task] + kProofShares);
    }
    return end;
  }

 private:
  [[nodiscard]] HeapIndex part_begin(std::size_t part) const noexcept {
    return range_.begin + static_cast<HeapIndex>(part) * kProofPart;
  }

  Witness<T>& witness_;
  const Publisher<T>& publisher_;
  HeapRange range_{0, 0};
  const T* limits_ = nullptr;
  std::vector<HeapIndex> proved_;  ///< by task: it has found no fault in the heaps before this one
};

}  // namespace grundy::sparse
