// SPDX-License-Identifier: MIT
#include "atlas/family_game.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <grundy/error.hpp>

namespace grundy::atlas {
namespace {

/// The preperiod of a member. Its distance from the first nonzero value is the same as in the
/// class, or less if zeros before that value fit into the period.
HeapSize preperiod_of(const AtlasClass& c, const FamilyGame& game, HeapSize lead) {
  const PeriodReport& p = c.period;
  const HeapSize class_lead = c.members.front().lead;
  HeapSize begin = lead + std::max(p.preperiod, class_lead) - class_lead;
  const auto recurs = [&](HeapSize n) {
    const HeapSize later = n + p.period;
    return later < game.values.size() && game.values[later] == game.values[n] + p.saltus;
  };
  while (begin > 0 && recurs(begin - 1)) --begin;
  return begin;
}

}  // namespace

std::uint64_t FamilyGame::value(HeapSize n) const {
  if (n < values.size()) return values[n];
  const bool is_known = period.status == PeriodStatus::kCertified &&
                        values.size() >= period.preperiod + period.period;
  if (!is_known) {
    throw Error(ErrorCode::kUsage,
                fmt::format("heap {} of {} is not known: values of {} heaps are kept, and no "
                            "period is proved",
                            n, code, values.size()));
  }
  return periodic_value(period, std::span<const Nimber>(values), n);
}

FamilyGame game_of_class(const AtlasClass& c, const AtlasMember& member,
                         std::span<const Nimber> values) {
  const HeapSize lead = c.members.front().lead;
  FamilyGame game{.code = member.code,
                  .class_code = c.code,
                  .shift = static_cast<std::int64_t>(member.lead) - static_cast<std::int64_t>(lead),
                  .evidence = member.evidence,
                  .compared = member.compared,
                  .values = {},
                  .period = c.period};
  // The proof of the class is about the heaps of the game that stands for it.
  game.period.sparse.reset();
  HeapSize shared = values.size() - lead;
  const bool is_observed = member.evidence == AtlasEvidence::kObserved;
  if (is_observed) shared = std::min(shared, member.compared);
  game.values.resize(member.lead);
  const auto from = values.subspan(lead, shared);
  game.values.insert(game.values.end(), from.begin(), from.end());
  if (is_observed && game.period.status == PeriodStatus::kCertified) {
    game.period.status = PeriodStatus::kCandidate;
    game.period.theorem.clear();
  }
  if (game.period.status != PeriodStatus::kNone) {
    game.period.preperiod = preperiod_of(c, game, member.lead);
    game.period.verified_to = game.values.size();
  }
  return game;
}

}  // namespace grundy::atlas
