/// @file
/// The list of engines and the choice among them.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/heap/engine.hpp>

#include "core/names.hpp"
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

/// Slowest first: `auto` takes the last engine that accepts the rule, and leaves the choice between
/// dense and sparse to AutoEngine.
constexpr std::array<const HeapEngine*, 5> kEngines = {&kReference, &kDenseEngine, &kSparseEngine,
                                                       &kFormula, &kSubtraction};

constexpr const char* kAutoName = "auto";

/// In shorter tables the search for a sparse space costs more than it saves.
constexpr HeapSize kSparseFrom = 1u << 12;

std::string names_of_engines_for(const HeapRule& rule) {
  std::string names;
  for (const HeapEngine* engine : kEngines) {
    if (!detail::suits(*engine, rule)) continue;
    if (!names.empty()) names += ", ";
    names += engine->name();
  }
  return names;
}

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
  const bool any = same_name(name, kAutoName);
  std::vector<std::string> names{kAutoName};
  for (auto engine = kEngines.rbegin(); engine != kEngines.rend(); ++engine) {
    names.emplace_back((*engine)->name());
    if (!any && !same_name(name, names.back())) continue;
    if (any && *engine == &kSparseEngine) {
      if (count >= kSparseFrom && kAuto.refusal(rule).empty()) return kAuto;
      continue;
    }
    const std::string reason = (*engine)->refusal(rule);
    if (reason.empty()) return **engine;
    if (!any) {
      throw Error(ErrorCode::kUsage, "engine '" + names.back() + "' cannot compute " +
                                         rule.canonical() + " because " + reason +
                                         "; engines that can: " + names_of_engines_for(rule));
    }
  }
  throw Error(ErrorCode::kUsage, no_such_name("engine for one heap", name, names,
                                              "engines for " + rule.canonical() + ": " + kAutoName +
                                                  ", " + names_of_engines_for(rule)));
}

std::string detail::reason_of_selection(const HeapEngine& engine, const HeapRule& rule) {
  if (&engine == &kSubtraction) return "the rule is a subtraction set";
  if (&engine == &kFormula) return "the rule is given by formulas";
  if (kAuto.refusal(rule).empty()) return "so short a table needs no sparse space";
  return "it is the fastest that takes the rule";
}

}  // namespace grundy
