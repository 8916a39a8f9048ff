/// @file
/// The layered scheduler: order, overlap, and the ways in which a run ends.
// SPDX-License-Identifier: MIT
#include "parallel/layers.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <latch>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "support/arguments.hpp"

namespace grundy {
namespace {

constexpr std::size_t kThreadCounts[] = {1, 2, 3, 5};

/// A plan from tables, whose steps can be intercepted and which checks the order of its calls.
class TestPlan : public LayerPlan {
 public:
  struct Spec {
    std::vector<std::uint64_t> after;
    std::size_t tasks = 1;
  };
  enum State { kWaiting, kPrepared, kFinished };

  TestPlan(std::vector<Spec> layers, std::uint64_t lookback)
      : layers_(std::move(layers)), lookback_(lookback), states_(layers_.size()) {
    for (const Spec& layer : layers_) calls_.emplace_back(layer.tasks);
  }

  std::uint64_t layer_count() const override { return layers_.size(); }
  std::uint64_t lookback() const override { return lookback_; }
  void dependencies(std::uint64_t layer, std::vector<std::uint64_t>& out) const override {
    out.insert(out.end(), layers_[layer].after.begin(), layers_[layer].after.end());
  }
  std::size_t prepare(std::uint64_t layer) override {
    expect(states_[layer].exchange(kPrepared) == kWaiting, "prepared once");
    for (const std::uint64_t earlier : layers_[layer].after) {
      expect(states_[earlier] == kFinished, "dependencies are done");
    }
    for (std::uint64_t earlier = 0; earlier + lookback_ < layer; ++earlier) {
      expect(states_[earlier] == kFinished, "layers beyond the lookback are done");
    }
    if (on_prepare) on_prepare(layer);
    return layers_[layer].tasks;
  }
  void task(std::uint64_t layer, std::size_t index) override {
    expect(states_[layer] == kPrepared, "tasks lie between prepare and finish");
    ++calls_[layer][index];
    if (on_task) on_task(layer, index);
  }
  bool finish(std::uint64_t layer) override {
    for (const auto& call : calls_[layer]) expect(call == 1, "all tasks ran once");
    expect(states_[layer].exchange(kFinished) == kPrepared, "finished once");
    return !on_finish || on_finish(layer);
  }

  std::function<void(std::uint64_t)> on_prepare;
  std::function<void(std::uint64_t, std::size_t)> on_task;
  std::function<bool(std::uint64_t)> on_finish;

  std::size_t count(State state) const {
    return static_cast<std::size_t>(std::count(states_.begin(), states_.end(), state));
  }
  bool in_order() const { return !broken_; }

 private:
  void expect(bool holds, const char* what) {
    if (holds) return;
    broken_ = true;
    ADD_FAILURE() << what;
  }

  std::vector<Spec> layers_;
  std::uint64_t lookback_;
  std::vector<std::atomic<State>> states_;
  std::vector<std::vector<std::atomic<int>>> calls_;
  std::atomic<bool> broken_ = false;
};

std::vector<TestPlan::Spec> chain(std::size_t length, std::size_t tasks) {
  std::vector<TestPlan::Spec> layers(length, {{}, tasks});
  for (std::size_t i = 1; i < length; ++i) layers[i].after = {i - 1};
  return layers;
}

LayerStatus run_on(TestPlan& plan, std::size_t threads, std::stop_token stop = {}) {
  return run_layers(plan, *make_executor(threads, testing_support::arguments().backend),
                    std::move(stop));
}

RC_GTEST_PROP(Layers, RandomPlansRunInOrder, ()) {
  const auto lookback = *rc::gen::inRange<std::uint64_t>(0, 8);
  const auto count = *rc::gen::inRange<std::size_t>(0, 60);
  std::vector<TestPlan::Spec> layers(count);
  for (std::size_t i = 0; i < count; ++i) {
    layers[i].tasks = *rc::gen::inRange<std::size_t>(0, 5);
    const auto furthest = std::min<std::uint64_t>(lookback, i);
    if (furthest == 0) continue;
    layers[i].after = *rc::gen::container<std::vector<std::uint64_t>>(
        rc::gen::inRange<std::uint64_t>(i - furthest, i));
  }
  TestPlan plan(layers, lookback);
  RC_ASSERT(run_on(plan, *rc::gen::element<std::size_t>(1, 2, 3, 5)) == LayerStatus::kComplete);
  RC_ASSERT(plan.in_order());
  RC_ASSERT(plan.count(TestPlan::kFinished) == count);
}

// Layers 0, 1 and 2 hold each other until all three have begun.
TEST(Layers, IndependentLayersOverlap) {
  std::latch all_here(3);
  TestPlan plan({{{}, 1}, {{}, 1}, {{}, 1}, {{0, 1, 2}, 1}}, 3);
  plan.on_task = [&](std::uint64_t layer, std::size_t) {
    if (layer < 3) all_here.arrive_and_wait();
  };
  EXPECT_EQ(run_on(plan, 3), LayerStatus::kComplete);
}

TEST(Layers, TasksOfOneLayerOverlap) {
  std::latch all_here(3);
  TestPlan plan({{{}, 3}}, 0);
  plan.on_task = [&](std::uint64_t, std::size_t) { all_here.arrive_and_wait(); };
  EXPECT_EQ(run_on(plan, 3), LayerStatus::kComplete);
}

TEST(Layers, LayersWithoutTasksAndNoLayersAtAll) {
  TestPlan empty({}, 4);
  EXPECT_EQ(run_on(empty, 2), LayerStatus::kComplete);
  TestPlan hollow(chain(1000, 0), 1);
  EXPECT_EQ(run_on(hollow, 2), LayerStatus::kComplete);
  EXPECT_EQ(hollow.count(TestPlan::kFinished), 1000u);
}

TEST(Layers, ALookbackBeyondTheFirstLayerIsFine) {
  TestPlan plan(chain(5, 2), ~std::uint64_t{0});
  EXPECT_EQ(run_on(plan, 2), LayerStatus::kComplete);
}

TEST(Layers, FinishEndsTheRun) {
  for (const std::size_t threads : kThreadCounts) {
    TestPlan plan(chain(20, 3), 1);
    plan.on_finish = [](std::uint64_t layer) { return layer != 7; };
    EXPECT_EQ(run_on(plan, threads), LayerStatus::kEnded);
    EXPECT_EQ(plan.count(TestPlan::kFinished), 8u);
    EXPECT_EQ(plan.count(TestPlan::kPrepared), 0u);
  }
}

TEST(Layers, RunningLayersAreFinishedAfterTheEnd) {
  std::latch second_runs(1);
  std::latch first_ended(1);
  TestPlan plan({{{}, 1}, {{}, 1}, {{1}, 1}}, 2);
  plan.on_task = [&](std::uint64_t layer, std::size_t) {
    if (layer == 0) second_runs.wait();
    if (layer == 1) {
      second_runs.count_down();
      first_ended.wait();
    }
  };
  plan.on_finish = [&](std::uint64_t layer) {
    if (layer == 0) first_ended.count_down();
    return layer != 0;
  };
  EXPECT_EQ(run_on(plan, 2), LayerStatus::kEnded);
  EXPECT_EQ(plan.count(TestPlan::kPrepared), 0u);
  EXPECT_GE(plan.count(TestPlan::kFinished), 2u);
}

TEST(Layers, AStopIsSeenBeforeTheNextLayer) {
  for (const std::size_t threads : kThreadCounts) {
    std::stop_source source;
    TestPlan plan(chain(20, 2), 1);
    plan.on_task = [&](std::uint64_t layer, std::size_t) {
      if (layer == 4) source.request_stop();
    };
    EXPECT_EQ(run_on(plan, threads, source.get_token()), LayerStatus::kCancelled);
    EXPECT_EQ(plan.count(TestPlan::kFinished), 5u);
    EXPECT_EQ(plan.count(TestPlan::kWaiting), 15u);
  }
}

TEST(Layers, AStopThatComesTooLateChangesNothing) {
  std::stop_source source;
  TestPlan plan(chain(3, 1), 1);
  plan.on_finish = [&](std::uint64_t layer) { return layer != 2 || source.request_stop(); };
  EXPECT_EQ(run_on(plan, 2, source.get_token()), LayerStatus::kComplete);
}

TEST(Layers, ErrorsOfEveryStepArrive) {
  for (const std::size_t threads : kThreadCounts) {
    for (const std::string step : {"prepare", "task", "finish"}) {
      TestPlan plan(chain(10, 4), 1);
      const auto fail = [&](std::string_view here, std::uint64_t layer) {
        if (here == step && layer == 5) throw std::runtime_error(step);
      };
      plan.on_prepare = [&](std::uint64_t layer) { fail("prepare", layer); };
      plan.on_task = [&](std::uint64_t layer, std::size_t index) {
        if (index == 2) fail("task", layer);
      };
      plan.on_finish = [&](std::uint64_t layer) {
        fail("finish", layer);
        return true;
      };
      EXPECT_THROW(run_on(plan, threads), std::runtime_error) << step;
      EXPECT_EQ(plan.count(TestPlan::kWaiting), 4u) << step;
    }
  }
}

}  // namespace
}  // namespace grundy
