/// @file
/// The list of engines and the choice among them.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <string>

#include <grundy/heap/engine.hpp>

#include "core/engine_choice.hpp"
#include "engines/heap/auto_engine.hpp"
#include "engines/heap/dense/engine.hpp"
#include "engines/heap/formula/engine.hpp"
#include "engines/heap/reference_engine.hpp"
#include "engines/heap/sparse/engine.hpp"
#include "engines/heap/subtraction/engine.hpp"

namespace grundy {
namespace {

const ReferenceEngine kReference;
const SubtractionEngine kSubtraction;
const FormulaEngine kFormula;
const AutoEngine kAuto;

/// Slowest first: `auto` takes the last engine that accepts the rule, and the first one accepts
/// every rule. AutoEngine makes the choice between dense and sparse.
constexpr std::array<const HeapEngine*, 5> kEngines = {&kReference, &kDenseEngine, &kSparseEngine,
                                                       &kFormula, &kSubtraction};

/// In shorter tables the search for a sparse space costs more than it saves.
constexpr HeapSize kSparseFrom = 1u << 12;

}  // namespace

std::span<const HeapEngine* const> heap_engines() noexcept {
  return kEngines;
}

const HeapEngine& detail::named_heap_engine(std::string_view name) noexcept {
  return **std::ranges::find(kEngines, name, &HeapEngine::name);
}

bool detail::suits(const HeapEngine& engine, const HeapRule& rule) {
  return engine.refusal(rule).empty() && engine.doubt(rule).empty();
}

const HeapEngine& select_heap_engine(std::string_view name, const HeapRule& rule, HeapSize count) {
  const auto refusal = [&](const HeapEngine& engine) { return engine.refusal(rule); };
  if (!leaves_choice(name)) {
    return named_engine(name, heap_engines(), "one heap", rule.canonical(), refusal);
  }
  const HeapEngine& fastest =
      **std::find_if(kEngines.rbegin(), kEngines.rend(), [&](const HeapEngine* engine) {
        if (engine == &kSparseEngine) return count >= kSparseFrom && kAuto.refusal(rule).empty();
        return refusal(*engine).empty();
      });
  return &fastest == &kSparseEngine ? kAuto : fastest;
}

std::string detail::reason_of_selection(const HeapEngine& engine, const HeapRule& rule) {
  if (&engine == &kSubtraction) return "the rule is a subtraction set";
  if (&engine == &kFormula) return "the rule is given by formulas";
  if (kAuto.refusal(rule).empty()) return "so short a table needs no sparse space";
  return "it is the fastest that takes the rule";
}

}  // namespace grundy
