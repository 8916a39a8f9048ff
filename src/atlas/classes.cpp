// SPDX-License-Identifier: MIT
#include "atlas/classes.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>

namespace grundy::atlas {
namespace {

constexpr HeapSize kForever = std::numeric_limits<HeapSize>::max();
/// Number of values, after the first nonzero one, by which classes are looked up.
constexpr HeapSize kKey = 64;

/// The key of the order of games: codes before sets, d0 = 0 before others, short before long.
std::tuple<int, std::size_t, std::string> order_of(const Game& game) {
  if (const TakeBreakRule* const code = game.rule.take_break()) {
    return {code->digits.front().empty() ? 0 : 1, code->digits.size(), game.code};
  }
  return {2, game.rule.subtraction()->elements.size(), game.code};
}

/// The values of a unit from the first nonzero one on, as far as they are known.
class Tail {
 public:
  explicit Tail(const GameResult& result)
      : values_(result.load()),
        lead_(lead_of(values_.view())),
        period_(result.certified() ? &result.period : nullptr) {}

  /// The number of known values from the lead on.
  [[nodiscard]] HeapSize known() const noexcept {
    return period_ != nullptr ? kForever : values_.view().size() - lead_;
  }
  /// @pre i < known()
  [[nodiscard]] std::uint64_t operator[](HeapSize i) const {
    const HeapSize n = lead_ + i;
    const Values values = values_.view();
    return n < values.size() ? values[n] : periodic_value(*period_, values, n);
  }
  [[nodiscard]] const PeriodReport* period() const noexcept { return period_; }
  /// The period holds from this index on, counted from the lead.
  [[nodiscard]] HeapSize periodic_from() const noexcept {
    return std::max(period_->preperiod, lead_) - lead_;
  }

 private:
  KeptValues values_;
  HeapSize lead_;
  const PeriodReport* period_;
};

bool equal_below(const Tail& a, const Tail& b, HeapSize end) {
  for (HeapSize i = 0; i < end; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

/// Whether two tails are equal as far as both are known, and the evidence for it.
std::optional<UnitClass::Entry> compare(std::size_t unit, const Tail& a, const Tail& b) {
  if (a.period() != nullptr && b.period() != nullptr) {
    // Equal sequences have the same least period.
    if (a.period()->period != b.period()->period || a.period()->saltus != b.period()->saltus) {
      return std::nullopt;
    }
    const HeapSize end = std::max(a.periodic_from(), b.periodic_from()) + a.period()->period;
    if (!equal_below(a, b, end)) return std::nullopt;
    return UnitClass::Entry{unit, AtlasEvidence::kPeriods, 0};
  }
  const HeapSize end = std::min(a.known(), b.known());
  if (end == 0 || !equal_below(a, b, end)) return std::nullopt;
  return UnitClass::Entry{unit, AtlasEvidence::kObserved, end};
}

std::vector<std::uint64_t> key_of(const Tail& tail, HeapSize length) {
  std::vector<std::uint64_t> key(length);
  for (HeapSize i = 0; i < length; ++i) key[i] = tail[i];
  return key;
}

}  // namespace

bool have_equal_periods(const GameResult& a, const GameResult& b) {
  const auto entry = compare(0, Tail(a), Tail(b));
  return entry && entry->evidence == AtlasEvidence::kPeriods;
}

HeapSize lead_of(Values values) noexcept {
  return values.visit([](auto table) {
    return static_cast<HeapSize>(std::ranges::find_if(table, [](auto v) { return v != 0; }) -
                                 table.begin());
  });
}

std::vector<Game> ordered_games(const std::vector<HeapRule>& rules) {
  std::vector<Game> games;
  for (const HeapRule& rule : rules) {
    if (rule.formula() != nullptr) {
      throw Error(ErrorCode::kUsage,
                  "an atlas has no rules given by formulas, whose patterns nothing proves");
    }
  }
  for (const HeapRule& rule : rules) games.push_back({rule, rule.canonical(), std::nullopt});
  std::ranges::sort(games, {}, order_of);
  const auto same_code = [](const Game& a, const Game& b) { return a.code == b.code; };
  games.erase(std::unique(games.begin(), games.end(), same_code), games.end());
  for (Game& game : games) game.form = standard_form(game.rule);
  return games;
}

std::vector<Unit> units_by_standard_form(const std::vector<Game>& games) {
  std::vector<Unit> units;
  std::map<PlainCode, std::size_t> unit_of;
  for (std::size_t i = 0; i < games.size(); ++i) {
    const auto next = units.size();
    const auto at =
        games[i].form ? unit_of.try_emplace(games[i].form->code, next).first->second : next;
    if (at == next) {
      units.push_back({{{i, AtlasEvidence::kItself}}, {}});
    } else {
      units[at].games.push_back({i, AtlasEvidence::kStandardForm});
    }
  }
  return units;
}

void join_redundant(const std::vector<Game>& games, std::vector<Unit>& units) {
  std::vector<Unit> joined;
  std::map<PlainCode, std::size_t> unit_of;
  for (Unit& unit : units) {
    const auto& form = games[unit.games.front().game].form;
    const KeptValues values = unit.result.load();
    const auto code = form ? with_redundant_moves(*form, values.view()) : std::nullopt;
    const auto next = joined.size();
    const auto at = code ? unit_of.try_emplace(*code, next).first->second : next;
    if (at == next) {
      joined.push_back(std::move(unit));
      continue;
    }
    Unit& first = joined[at];
    const Tail a(first.result), b(unit.result);
    if (!equal_below(a, b,
                     std::min(a.known(), b.known()) == kForever ? first.result.count
                                                                : std::min(a.known(), b.known()))) {
      throw Error(
          ErrorCode::kMismatch,
          fmt::format("{} and {} have the same moves but for redundant ones, and different "
                      "values",
                      games[first.games.front().game].code, games[unit.games.front().game].code));
    }
    for (const Unit::Entry& entry : unit.games) {
      first.games.push_back({entry.game, AtlasEvidence::kRedundantMoves});
    }
  }
  units = std::move(joined);
}

std::vector<UnitClass> classify(const std::vector<Unit>& units) {
  // Tails are loaded only for a comparison; only keys stay in memory.
  HeapSize length = kKey;
  for (const Unit& unit : units) length = std::min(length, Tail(unit.result).known());
  std::map<std::vector<std::uint64_t>, std::vector<std::size_t>> classes_of;
  std::vector<UnitClass> classes;
  for (std::size_t u = 0; u < units.size(); ++u) {
    const Tail tail(units[u].result);
    auto& candidates = classes_of[key_of(tail, length)];
    const auto home = std::ranges::find_if(candidates, [&](std::size_t c) {
      const auto entry = compare(u, Tail(units[classes[c].units.front().unit].result), tail);
      if (entry) classes[c].units.push_back(*entry);
      return entry.has_value();
    });
    if (home != candidates.end()) continue;
    candidates.push_back(classes.size());
    classes.push_back({{{u, AtlasEvidence::kItself, 0}}});
  }
  return classes;
}

}  // namespace grundy::atlas
