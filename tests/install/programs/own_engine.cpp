/// @file
/// Engines of one's own, for games of one heap and of several: a mex over the options that the rule
/// lists. They run into a sink, and through compute(), which makes a table and proves the period.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <set>
#include <span>
#include <vector>

#include <grundy/grundy.hpp>
#include <grundy/heap/options.hpp>
#include <grundy/lattice/options.hpp>

using namespace grundy;

Nimber mex(const std::set<Nimber>& reached) {
  Nimber least = 0;
  while (reached.contains(least)) ++least;
  return least;
}

class MexEngine final : public HeapEngine {
 public:
  std::string_view name() const noexcept override { return "mex"; }
  std::string_view summary() const noexcept override { return "the definition, by a set"; }
  std::string refusal(const HeapRule& rule) const override {
    return rule.largest_take() ? "" : "it may remove any number of tokens";
  }
  std::uint64_t memory_bytes(const HeapRule&, HeapSize count, Nimber) const override {
    return count * sizeof(Nimber);
  }
  RunStatus run(const HeapTask& task, ValueSink& sink) const override {
    std::vector<Nimber> values;
    const HeapSize step = task.block.value_or(1024);
    while (values.size() < task.count) {
      const HeapSize begin = values.size();
      const HeapSize end = std::min(begin + step, task.count);
      for (HeapSize n = begin; n < end; ++n) values.push_back(value(task.rule, n, values));
      const std::span<const Nimber> table(values);
      const Flow flow = sink.put({begin, table.subspan(begin), table});
      if (end == task.count) break;
      if (flow == Flow::kStop) return RunStatus::kStoppedBySink;
      if (task.stop.stop_requested()) return RunStatus::kCancelled;
    }
    return RunStatus::kComplete;
  }

 private:
  static Nimber value(const HeapRule& rule, HeapSize n, const std::vector<Nimber>& values) {
    std::set<Nimber> reached;
    for_each_option(rule, n, [&](const HeapMove& move) {
      Nimber sum = 0;
      for (const HeapSize heap : move.left) sum ^= values[heap];
      reached.insert(sum);
      return Flow::kContinue;
    });
    return mex(reached);
  }
};

/// Entry by entry of the shape that is asked for, which may be sorted although the table is not.
class LatticeMexEngine final : public LatticeEngine {
 public:
  std::string_view name() const noexcept override { return "mex"; }
  std::string_view summary() const noexcept override { return "the definition, by a set"; }
  std::string refusal(const LatticeRule& rule, const LatticeShape&) const override {
    return rule.planes() == 1 && rule.terminal_value() == 0 ? "" : "it knows no pass and no misère";
  }
  std::uint64_t memory_bytes(const LatticeRule&, const LatticeShape& shape,
                             std::optional<std::uint32_t>, Nimber) const override {
    return Layout::of(shape, 1).entries() * sizeof(Nimber);
  }
  RunStatus run(const LatticeTask& task, ValueSink& sink) const override {
    const Layout layout = Layout::of(task.shape, 1);
    std::vector<Nimber> values(layout.entries());
    LatticePoint p{};
    for (Nimber& value : values) {
      std::set<Nimber> reached;
      for_each_option(task.rule, p, [&](const LatticePoint& option) {
        reached.insert(values[layout.entry_of(option)]);
      });
      value = mex(reached);
      layout.step(p);
    }
    sink.put({.begin = 0, .values = std::span<const Nimber>(values), .table = {}});
    return RunStatus::kComplete;
  }
};

int main() {
  const HeapRule kayles = HeapRule::parse("0.77");
  const MexEngine engine;

  unsigned zeros = 0;
  const auto executor = make_executor(1);
  SinkOf sink([&](const Stretch& block) {
    for (std::size_t i = 0; i < block.values.size(); ++i) zeros += block.values[i] == 0;
  });
  engine.run(
      {.rule = kayles, .count = 1000, .kernels = select_kernels("auto"), .executor = *executor},
      sink);
  std::printf("by an engine of one's own: %u P-positions, ", zeros);

  const Report report =
      compute({.game = HeapGame{.rule = kayles, .last = 100000, .engine = &engine}});
  std::printf("period %u from heap %u on, engine %s\n",
              static_cast<unsigned>(report.info.period.period),
              static_cast<unsigned>(report.info.period.preperiod), report.info.engine.c_str());

  const LatticeRule wythoff = LatticeRule::parse("2: sym (1,0)* + (1,1)*");
  const LatticeMexEngine plane;
  const Report table = compute(
      {.game = LatticeGame{.rule = wythoff, .shape = LatticeShape::cube(2, 30), .engine = &plane}});
  std::printf("of two heaps: %u P-positions\n",
              static_cast<unsigned>(table.info.stats.histogram.at(0)));
}
