// SPDX-License-Identifier: MIT
#include "verify/heap/subject.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <grundy/compute.hpp>
#include <grundy/heap/engine.hpp>

#include "core/text.hpp"
#include "verify/comparison.hpp"
#include "verify/heap/definition.hpp"
#include "verify/heap/pair_moves.hpp"
#include "verify/heap/period_check.hpp"
#include "verify/heap/provers.hpp"

namespace grundy {
namespace {

/// The approximate number of options that the definition looks at in a second.
constexpr double kOptionsPerSecond = 2e9;

/// The cost of a heap before its first option is looked at, in options.
constexpr std::uint64_t kHeapAlone = 1024;

/// Whether larger heaps have more options.
bool options_grow(const HeapRule& rule) {
  if (const auto subtraction = rule.as_subtraction()) {
    return subtraction->kind == SubtractionRule::Kind::kAllBut;
  }
  const auto pairs = PairMoves::from(rule, 0);
  return !pairs || !pairs->splits.empty();
}

}  // namespace

HeapSubject::HeapSubject(const Work& work, std::unique_ptr<StoredTable> table)
    : TableSubject(work, std::move(table)),
      rule_(rule_of<HeapRule>(this->table())),
      periodic_from_(std::min(grundy::periodic_from(rule_, info_), count())),
      options_grow_(options_grow(rule_)) {}

std::string HeapSubject::name(HeapSize heap) const {
  return fmt::format("heap {}", heap);
}

std::uint64_t HeapSubject::prover_bytes(HeapSize heaps) const {
  return grundy::prover_bytes(rule_, heaps, info_.stats.max_value);
}

EntryCheck HeapSubject::entry_check(double seconds) const {
  const StoredValues stored = this->stored();
  auto definition = std::make_shared<HeapDefinition>(rule_, stored.values, stored.largest);
  const double most = kOptionsPerSecond * std::max(1.0, seconds);
  return [=](HeapSize heap) -> std::optional<bool> {
    if (definition->options(heap) > most) return std::nullopt;
    return definition->mex(heap) == stored.values[heap];
  };
}

const Prover& HeapSubject::prover() {
  if (!prover_) prover_ = make_prover(rule_, stored(), work_.kernels, *work_.executor);
  return *prover_;
}

std::uint64_t HeapSubject::cost(HeapSize heap) const {
  if (heap >= periodic_from_) return 1;
  return kHeapAlone + (options_grow_ ? heap : 0);
}

std::string HeapSubject::fault(HeapSize heap) const {
  return HeapDefinition(rule_, stored().values, stored().largest).fault(heap);
}

std::string HeapSubject::other_engine() const {
  std::string found;
  std::string_view makers = info_.engine;
  // Before a pass all engines go by the definition, which tells none from another.
  const std::string head = fmt::format("{}, ", heap_engines().front()->name());
  if (rule_.pass() && makers.starts_with(head)) makers.remove_prefix(head.size());
  // If several engines made the table, only slow ones would be left.
  if (makers.find(',') != std::string_view::npos) return found;
  // For formulas the reference tries every number, and the prover leaves out numbers that cannot
  // matter.
  const bool formula = rule_.formula() != nullptr;
  for (const HeapEngine* engine : heap_engines().subspan(formula ? 1 : 0)) {
    if (engine->name() != makers && detail::suits(*engine, rule_)) found = engine->name();
  }
  return found;
}

Request HeapSubject::again(const std::string& engine) const {
  Request request{.game = HeapGame{.rule = rule_, .last = count() - 1},
                  .machine = work_.request.machine,
                  .force = work_.request.force};
  request.machine.engine = engine;
  return request;
}

SecondComputation HeapSubject::compute_again(const std::string& engine) const {
  Comparison comparison(table());
  Hooks hooks = work_.hooks;
  hooks.values = [&comparison](const Stretch& block) { return comparison.put(block); };
  const Report report = compute(again(engine), hooks);
  std::string method = fmt::format("engine {}, kernel {}", report.info.engine, report.info.kernel);
  if (rule_.pass() && report.engines.size() > 1) {
    method += fmt::format("; heaps below {} by the definition on both sides",
                          format_count(report.engines[1].from));
  }
  return {report.complete, std::move(method), comparison.difference()};
}

std::optional<WrongValue> HeapSubject::check_period() const {
  ValuesClaim claim = claim_of(table());
  claim.largest = info_.stats.max_value;  // a run directory has no statistics
  return grundy::check_period(claim, rule_, *work_.executor, work_.hooks.stop);
}

}  // namespace grundy
