/// @file
/// Runs of several heaps that go on from states: wherever a life ends, the next one hands over the
/// values behind the state, and they are those of the reference.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <grundy/error.hpp>

#include "engines/lattice/lattice_testing.hpp"
#include "engines/lattice/random_rules.hpp"

namespace grundy {
namespace {

using testing_support::below;
using testing_support::table_by;
using testing_support::TableSink;

/// Keeps the last state, and stops a life when it has kept enough of them.
class KeptStates final : public LatticeStates {
 public:
  bool has_state() const override { return !known_.empty(); }
  void read(std::span<std::byte> bytes) override {
    if (bytes.size() > known_.size() - at_) throw Error(ErrorCode::kCorrupt, "it ends too early");
    std::ranges::copy(std::span(known_).subspan(at_, bytes.size()), bytes.begin());
    at_ += bytes.size();
  }
  bool is_due() override { return asked_++ % every_ == every_ - 1; }
  void keep(std::uint64_t handed, const std::function<void(const Write&)>& put) override {
    EXPECT_GE(handed, handed_);
    kept_.clear();
    put([this](std::span<const std::byte> bytes) {
      kept_.insert(kept_.end(), bytes.begin(), bytes.end());
    });
    handed_ = handed;
    if (--wanted_ == 0) stop_.request_stop();
  }

  /// Begins a life, which is stopped when it has kept `wanted` states, each at a chance of `every`.
  void begin(unsigned every, unsigned wanted) {
    known_ = kept_;
    at_ = asked_ = 0;
    every_ = every;
    wanted_ = wanted;
    stop_ = {};
  }
  [[nodiscard]] std::stop_token stop() const { return stop_.get_token(); }
  /// The values before the last state.
  [[nodiscard]] std::uint64_t handed() const noexcept { return handed_; }
  /// Whether all of the state was read.
  [[nodiscard]] bool is_read() const noexcept { return at_ == known_.size(); }

 private:
  std::vector<std::byte> kept_, known_;
  std::size_t at_ = 0;
  unsigned every_ = 1, wanted_ = 1, asked_ = 0;
  std::uint64_t handed_ = 0;
  std::stop_source stop_;
};

/// Collects what lives hand over. What comes behind a state comes again in the next life.
class Lives final : public ValueSink {
 public:
  /// @param dies when it has received so many stretches
  void begin(std::uint64_t handed, unsigned dies) {
    next_ = handed;
    left_ = dies;
  }
  Flow put(const Stretch& stretch) override {
    if (left_-- == 0) throw Error(ErrorCode::kFailure, kDeath);
    EXPECT_EQ(stretch.begin, next_) << "a life hands over what is behind its state";
    next_ += stretch.values.size();
    std::vector<Nimber> values;
    for (const Nimber value : stretch.values) values.push_back(value);
    const auto [known, is_new] = handed_.try_emplace(stretch.begin, values, *stretch.tile);
    EXPECT_TRUE(is_new || known->second.first == values) << "from value " << stretch.begin;
    return Flow::kContinue;
  }
  [[nodiscard]] std::vector<Nimber> table(const LatticeRule& rule,
                                          const LatticeShape& shape) const {
    TableSink table(shape, rule.planes());
    for (const auto& [begin, part] : handed_) {
      const auto& [values, tile] = part;
      table.put({.begin = begin, .values = std::span(values), .table = {}, .tile = &tile});
    }
    table.expect_complete();
    return table.values();
  }

  static constexpr const char* kDeath = "the life is over";

 private:
  std::uint64_t next_ = 0;
  unsigned left_ = 0;
  std::map<std::uint64_t, std::pair<std::vector<Nimber>, Tile>> handed_;
};

/// The table, made in lives of other threads and kernels. They are stopped, or die, at random.
std::vector<Nimber> in_lives(const LatticeEngine& engine, const LatticeRule& rule,
                             const LatticeShape& shape) {
  Lives lives;
  KeptStates states;
  RunStatus status = RunStatus::kCancelled;
  for (unsigned life = 0; status != RunStatus::kComplete && life < 10'000; ++life) {
    states.begin(1 + below(4), 1 + below(3));
    lives.begin(states.handed(), below(3) == 0 ? below(20) : ~0u);
    const auto executor = make_executor(1 + below(3), "threads");
    const LatticeTask task{.rule = rule,
                           .shape = shape,
                           .kernels = select_kernels(below(2) == 0 ? "auto" : "scalar"),
                           .executor = *executor,
                           .stop = states.stop(),
                           .tile = 8,
                           .states = &states};
    try {
      status = engine.run(task, lives);
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), Lives::kDeath);
    }
    EXPECT_TRUE(states.is_read());
  }
  EXPECT_EQ(status, RunStatus::kComplete);
  return lives.table(rule, shape);
}

RC_GTEST_PROP(States, LivesMakeTheTableOfTheReference, ()) {
  const unsigned heaps = 2 + below(3);
  const bool lines = below(2) == 0;
  const LatticeRule rule = *testing_support::random_rule(heaps, lines);
  const std::uint32_t most = heaps == 2 ? 70 : heaps == 3 ? 14 : 7;
  LatticeShape shape{.heaps = heaps};
  for (unsigned i = 0; i < heaps; ++i) shape.extent[i] = 1 + below(most);
  if (rule.symmetric() && below(2) == 0) {
    shape = LatticeShape::cube(heaps, 1 + below(most), true);
  }
  const std::vector<Nimber> expected = table_by("reference", rule, shape).values();
  for (const LatticeEngine* const engine : lattice_engines()) {
    if (!engine->has_states() || !engine->refusal(rule, shape).empty()) continue;
    RC_LOG() << engine->name();
    RC_ASSERT(in_lives(*engine, rule, shape) == expected);
  }
}

}  // namespace
}  // namespace grundy
