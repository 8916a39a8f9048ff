// SPDX-License-Identifier: MIT
#include "engines/heap/pass.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "core/value_buffer.hpp"
#include "engines/heap/auto_engine.hpp"
#include "engines/heap/reference_engine.hpp"

namespace grundy {
namespace {

/// The values before the heaps of a run that another engine has begun.
class FirstValues final : public KnownValues {
 public:
  explicit FirstValues(const KnownValues* earlier) : earlier_(earlier) {}

  void append(const Stretch& block) { values_.append(block.values); }
  [[nodiscard]] HeapSize count() const noexcept override { return values_.size(); }
  [[nodiscard]] std::string_view engine() const noexcept override {
    return earlier_ != nullptr ? earlier_->engine() : std::string_view();
  }
  [[nodiscard]] EngineSlowness slowness() const override {
    return earlier_ != nullptr ? earlier_->slowness() : EngineSlowness();
  }
  void replay(ValueSink& sink) const override { sink.put({0, values_.values(), {}}); }

 private:
  const KnownValues* earlier_;
  ValueBuffer values_;
};

/// The number of heaps that the definition computes. @pre the rule has a pass
HeapSize first_heaps_of(const HeapTask& task) {
  return (*task.rule.pass() / KnownValues::kUnit + 1) * KnownValues::kUnit;
}

}  // namespace

bool pass_is_ahead(const HeapTask& task) {
  const std::optional<HeapSize> pass = task.rule.pass();
  return pass && (task.known == nullptr || task.known->count() <= *pass);
}

bool begins_behind_pass(const HeapEngine& engine, const HeapTask& task) {
  return pass_is_ahead(task) && engine.name() != ReferenceEngine().name();
}

RunStatus run_behind_pass(const HeapEngine& engine, const HeapTask& task, ValueSink& sink) {
  FirstValues first(task.known);
  SinkOf keep([&](const Stretch& block) { first.append(block); });
  if (task.known != nullptr) task.known->replay(keep);
  HeapTask head = task;
  head.count = std::min(task.count, first_heaps_of(task));
  head.progress = nullptr;
  SinkOf both([&](const Stretch& block) {
    first.append(block);
    return sink.put(block);
  });
  const auto tell = [&task, &first](const HeapEngine& at_work, const char* reason) {
    if (!task.on_choice) return;
    task.on_choice({first.count(), std::string(at_work.name()), reason, first.slowness()});
  };
  const ReferenceEngine definition;
  tell(definition, "a heap with a pass is ahead");
  const RunStatus status = definition.run(head, both);
  if (status != RunStatus::kComplete || head.count == task.count) return status;
  HeapTask rest = task;
  rest.known = &first;
  // The engine that chooses among others says itself which one it takes.
  if (engine.name() != AutoEngine().name()) tell(engine, "the heap with a pass is behind it");
  return engine.run(rest, sink);
}

}  // namespace grundy
