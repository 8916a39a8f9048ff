// SPDX-License-Identifier: MIT
#include "parallel/layers.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>

namespace grundy {
namespace {

/// One run of a plan.
///
/// Layers are *admitted* in order: layer L is admitted when all layers below L - lookback are done.
/// At most lookback + 1 admitted layers are not done, so their states fit a ring. An admitted layer
/// starts when the count of its unfinished dependencies reaches zero.
class LayerRun {
 public:
  LayerRun(LayerPlan& plan, Executor& executor, std::stop_token stop)
      : plan_(plan),
        stop_(std::move(stop)),
        count_(plan.layer_count()),
        window_(count_ == 0 ? 1 : std::min(plan.lookback(), count_ - 1) + 1),
        ring_(std::make_unique<Layer[]>(window_)),
        group_(executor.make_group()) {}

  LayerStatus run() {
    group_->spawn([this] {
      guarded([this] {
        const std::lock_guard lock(mutex_);
        admit();
      });
    });
    group_->wait();
    if (ended_) return LayerStatus::kEnded;
    return oldest_ == count_ ? LayerStatus::kComplete : LayerStatus::kCancelled;
  }

 private:
  struct Layer {
    std::vector<std::uint64_t> successors;  ///< admitted layers that wait for this one
    std::uint64_t dependencies = 0;         ///< number of dependencies that are not done
    bool done = false;
    std::atomic<std::size_t> tasks_left{0};
  };

  Layer& at(std::uint64_t layer) { return ring_[layer % window_]; }

  /// Admits every layer that fits the window, and starts those without dependencies. @pre the mutex
  /// is held
  void admit() {
    for (; admitted_ < count_ && admitted_ - oldest_ < window_; ++admitted_) {
      Layer& layer = at(admitted_);
      layer.successors.clear();
      layer.dependencies = 0;
      layer.done = false;
      scratch_.clear();
      plan_.dependencies(admitted_, scratch_);
      for (const std::uint64_t earlier : scratch_) {
        if (earlier < oldest_ || at(earlier).done) continue;
        at(earlier).successors.push_back(admitted_);
        ++layer.dependencies;
      }
      if (layer.dependencies == 0) launch(admitted_);
    }
  }

  void launch(std::uint64_t layer) {
    group_->spawn([this, layer] { guarded([this, layer] { start(layer); }); });
  }

  void start(std::uint64_t layer) {
    if (ended_ || stop_.stop_requested()) return;
    const std::size_t tasks = plan_.prepare(layer);
    if (tasks == 0) {
      complete(layer);
      return;
    }
    at(layer).tasks_left.store(tasks, std::memory_order_relaxed);
    for (std::size_t i = 0; i < tasks; ++i) {
      group_->spawn([this, layer, i] {
        guarded([this, layer, i] {
          if (failed_) return;
          plan_.task(layer, i);
          // The last task sees the writes of all others: each decrement releases, the last
          // acquires.
          if (at(layer).tasks_left.fetch_sub(1, std::memory_order_acq_rel) == 1) complete(layer);
        });
      });
    }
  }

  void complete(std::uint64_t layer) {
    if (!plan_.finish(layer)) ended_ = true;
    const std::lock_guard lock(mutex_);
    at(layer).done = true;
    for (const std::uint64_t later : at(layer).successors) {
      if (--at(later).dependencies == 0) launch(later);
    }
    while (oldest_ < admitted_ && at(oldest_).done) ++oldest_;
    admit();
  }

  /// Runs a step of the plan; when it throws, no further step starts.
  template <class F>
  void guarded(F&& step) {
    try {
      step();
    } catch (...) {
      failed_ = ended_ = true;
      throw;  // to the group, which hands the first exception to run()
    }
  }

  LayerPlan& plan_;
  const std::stop_token stop_;
  const std::uint64_t count_;
  const std::uint64_t window_;
  std::atomic<bool> ended_{false};   ///< no new layer starts
  std::atomic<bool> failed_{false};  ///< no new task starts

  std::mutex mutex_;  // guards the members below, except the counts of tasks
  std::unique_ptr<Layer[]> ring_;
  std::uint64_t oldest_ = 0;    ///< every layer below it is done
  std::uint64_t admitted_ = 0;  ///< every layer below it has been admitted
  std::vector<std::uint64_t> scratch_;

  std::unique_ptr<TaskGroup> group_;  // last, because its tasks end before the other members go
};

}  // namespace

LayerStatus run_layers(LayerPlan& plan, Executor& executor, std::stop_token stop) {
  return LayerRun(plan, executor, std::move(stop)).run();
}

RunStatus run_status(LayerStatus status) noexcept {
  switch (status) {
    case LayerStatus::kEnded:
      return RunStatus::kStoppedBySink;
    case LayerStatus::kCancelled:
      return RunStatus::kCancelled;
    case LayerStatus::kComplete:
      break;
  }
  return RunStatus::kComplete;
}

}  // namespace grundy
