// SPDX-License-Identifier: MIT
#include "verify/class_theorems.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <grundy/heap/rule.hpp>

#include "atlas/family_game.hpp"
#include "atlas/standard_form.hpp"
#include "verify/heap/definition.hpp"
#include "verify/heap/period_check.hpp"

namespace grundy {
namespace {

using namespace atlas;

/// Whether the first values of a game, which tell its redundant moves, follow from its moves.
bool are_its_own(const std::string& code, std::span<const Nimber> values, HeapSize last) {
  if (values.size() <= last) return false;
  const HeapRule rule = HeapRule::parse(code);
  const std::span first = values.first(last + 1);
  HeapDefinition definition(rule, Values(first), std::ranges::max(first));
  for (HeapSize n = 0; n <= last; ++n) {
    if (definition.mex(n) != first[n]) return false;
  }
  return true;
}

/// Whether the codes prove that the game has the values of the class, by the theorem that its
/// evidence names. @param values of the class
bool equal_by_codes(const AtlasClass& c, const AtlasMember& member,
                    std::span<const Nimber> values) {
  const auto first = standard_form(HeapRule::parse(c.code));
  const auto form = standard_form(HeapRule::parse(member.code));
  if (!first || !form) return false;
  if (form->shift + c.members.front().lead != first->shift + member.lead) return false;
  if (member.evidence == AtlasEvidence::kStandardForm) return form->code == first->code;
  // From its shift on the game has the values that the class has from the other shift on.
  const auto all = with_redundant_moves(*first, values);
  if (!all || all != with_redundant_moves({form->code, first->shift}, values)) return false;
  // Moves that the zeros of one game make redundant may not be so in the other one.
  const FamilyGame game = game_of_class(c, member, values);
  return are_its_own(c.code, values, first->shift + kReach) &&
         are_its_own(member.code, game.values, form->shift + kReach);
}

/// The fault of the evidence of a game, as a clause; empty if there is none.
std::string evidence_fault(const AtlasClass& c, const AtlasMember& member,
                           std::span<const Nimber> values) {
  switch (member.evidence) {
    case AtlasEvidence::kStandardForm:
    case AtlasEvidence::kRedundantMoves:
      if (equal_by_codes(c, member, values)) return {};
      return "which their codes do not show";
    case AtlasEvidence::kPeriods:
      if (c.period.status == PeriodStatus::kCertified) return {};
      return "but the class has no certified period";
    case AtlasEvidence::kItself:
      if (&member == &c.members.front()) return {};
      return "but that game stands for the class";
    case AtlasEvidence::kObserved:
      break;
  }
  return {};
}

}  // namespace

std::uint64_t games_called_certified(const AtlasClass& c) noexcept {
  if (c.period.status != PeriodStatus::kCertified) return 0;
  const auto observed =
      std::ranges::count(c.members, AtlasEvidence::kObserved, &AtlasMember::evidence);
  return c.members.size() - static_cast<std::uint64_t>(observed);
}

ClassTheorems prove_theorems(const AtlasClass& c, std::span<const Nimber> values, bool keeps_proofs,
                             Executor& executor, const std::stop_token& stop) {
  const auto wrong_period = [&](const std::string& code, const PeriodReport& period,
                                std::span<const Nimber> shown) {
    return check_period(claim_of(period, shown), HeapRule::parse(code), executor, stop);
  };
  std::optional<WrongValue> wrong = wrong_period(c.code, c.period, values);
  const bool is_certified = c.period.status == PeriodStatus::kCertified && !wrong;
  if (wrong && !keeps_proofs) {
    // The proof may have rested on what the file does not keep. Then the equalities are left.
    PeriodReport seen = c.period;
    seen.status = PeriodStatus::kCandidate;
    wrong = wrong_period(c.code, seen, values);
  }
  if (wrong) return {.fault = fmt::format("class {}: {}", c.code, wrong->sentence)};
  ClassTheorems found;
  for (const AtlasMember& member : c.members) {
    if (stop.stop_requested()) return {};
    if (const std::string fault = evidence_fault(c, member, values); !fault.empty()) {
      return {.fault = fmt::format("class {}: {} is said to be in it by the evidence '{}', {}",
                                   c.code, member.code, to_string(member.evidence), fault)};
    }
    if (!is_certified || member.evidence == AtlasEvidence::kObserved) continue;
    if (member.evidence == AtlasEvidence::kPeriods) {
      const FamilyGame game = game_of_class(c, member, values);
      if (wrong_period(member.code, game.period, game.values)) continue;
    }
    ++found.certified;
  }
  return found;
}

}  // namespace grundy
