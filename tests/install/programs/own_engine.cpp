/// @file
/// An engine of one's own for games of one heap: a mex over the options that the rule lists. It
/// runs into a sink, and through compute(), which makes a table and proves the period.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <set>
#include <span>
#include <vector>

#include <grundy/grundy.hpp>
#include <grundy/heap/options.hpp>

using namespace grundy;

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
    Nimber mex = 0;
    while (reached.contains(mex)) ++mex;
    return mex;
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
}
