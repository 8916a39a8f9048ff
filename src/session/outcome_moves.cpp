// SPDX-License-Identifier: MIT
#include "session/outcome_moves.hpp"

#include <algorithm>

#include <grundy/error.hpp>
#include <grundy/heap/options.hpp>
#include <grundy/heap/outcomes.hpp>
#include <grundy/lattice/options.hpp>

namespace grundy {
namespace {

std::variant<HeapRule, LatticeRule> rule_of(const OutcomesInfo& info) {
  if (info.layout.is_lattice()) return LatticeRule::parse(info.canonical);
  return HeapRule::parse(info.canonical);
}

}  // namespace

OutcomeMoves::OutcomeMoves(const OutcomesInfo& info)
    : layout_(info.layout), misere_(info.misere), rule_(rule_of(info)) {
  bool fits = false;
  if (const auto* lattice = std::get_if<LatticeRule>(&rule_)) {
    fits = lattice->heaps() == layout_.heaps && lattice->planes() == layout_.planes;
  } else {
    const auto& heap = std::get<HeapRule>(rule_);
    const HeapSize count = layout_.extent[0];
    fits = outcomes_refusal(heap, misere_, count).empty();
    const auto subtraction = fits ? heap.as_subtraction() : std::nullopt;
    if (subtraction && subtraction->kind == SubtractionRule::Kind::kAllBut) {
      all_but_ = subtraction;
    } else if (subtraction) {
      moves_ = subtraction->allowed_up_to(count - 1);
    }
  }
  if (!fits) throw Error(ErrorCode::kUsage, "the rule does not fit the shape");
}

bool OutcomeMoves::any_option(std::uint64_t entry,
                              const std::function<bool(std::uint64_t)>& is_wanted) const {
  if (!layout_.is_lattice()) {
    for (const HeapSize move : moves_) {
      if (move > entry) break;
      if (is_wanted(entry - move)) return true;
    }
    if (!moves_.empty()) return false;
    bool found = false;
    for_each_option(std::get<HeapRule>(rule_), entry, [&](const HeapMove& move) {
      found = is_wanted(move.left.empty() ? 0 : move.left.front());
      return found ? Flow::kStop : Flow::kContinue;
    });
    return found;
  }
  const LatticePoint p = layout_.position_at(entry);
  bool found = false;
  for_each_option(std::get<LatticeRule>(rule_), p, layout_.plane_of(entry),
                  [&](const LatticePoint& option, unsigned plane) {
                    found = found || is_wanted(layout_.entry_of(option, plane));
                  });
  return found;
}

bool OutcomeMoves::reaches(std::uint64_t entry, std::span<const std::uint64_t> listed) const {
  // Where there are fewer listed heaps than moves, each is asked whether a move leads to it.
  // AllBut takes nearly every number.
  if (all_but_ || listed.size() < moves_.size()) {
    const std::vector<HeapSize>& numbers = all_but_ ? all_but_->elements : moves_;
    return std::ranges::any_of(listed, [&](std::uint64_t option) {
      return option < entry &&
             std::ranges::binary_search(numbers, entry - option) != all_but_.has_value();
    });
  }
  return any_option(
      entry, [&](std::uint64_t option) { return std::ranges::binary_search(listed, option); });
}

bool OutcomeMoves::wins_without_option(std::uint64_t entry) const {
  if (!misere_) return false;
  const auto* const rule = std::get_if<LatticeRule>(&rule_);
  if (rule != nullptr) return is_terminal(*rule, layout_.position_at(entry));
  return !any_option(entry, [](std::uint64_t) { return true; });
}

}  // namespace grundy
