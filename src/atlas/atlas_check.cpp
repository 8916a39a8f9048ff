/// @file
/// Proves the values of the games of a family from the definition.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/atlas.hpp>
#include <grundy/error.hpp>
#include <grundy/heap/options.hpp>

#include "atlas/atlas_file.hpp"
#include "atlas/family_game.hpp"
#include "core/digest.hpp"
#include "core/stopwatch.hpp"
#include "core/text.hpp"
#include "games/heap/notation.hpp"
#include "session/first_fault.hpp"
#include "table/file_kind.hpp"

namespace grundy {
namespace {

using namespace atlas;

/// The number of random heaps of each game, unless the request gives it.
constexpr std::uint64_t kHeapsOfGame = 16;
/// The number of heaps that are proved at once.
constexpr std::size_t kBatch = 4096;

/// The values that a class gives to a game: 0 before the lead, the values of the class from there
/// on.
struct Claim {
  HeapRule rule;
  FamilyGame game;
};

/// The fault of a heap, as a sentence; empty if its value is the mex of those of its options.
std::string fault_of(const Claim& claim, HeapSize n) {
  std::vector<bool> seen;
  for_each_option(claim.rule, n, [&](const HeapMove& move) {
    Nimber value = 0;
    for (const HeapSize heap : move.left) value ^= claim.game.values[heap];
    if (value >= seen.size()) seen.resize(value + 1);
    seen[value] = true;
    return Flow::kContinue;
  });
  const auto mex = static_cast<std::uint64_t>(std::ranges::find(seen, false) - seen.begin());
  if (mex == claim.game.values[n]) return {};
  return fmt::format(
      "heap {} of {} has the value {}, but the mex of the values of its options is {}", n,
      claim.game.code, claim.game.values[n], mex);
}

/// The fault of the period that a class claims, found heap by heap.
std::string period_fault(const AtlasClass& c, std::span<const Nimber> values) {
  const PeriodReport& p = c.period;
  if (p.status == PeriodStatus::kNone) return {};
  const auto recurs = [&](HeapSize n) { return values[n + p.period] == values[n] + p.saltus; };
  const HeapSize end = values.size() < p.period ? 0 : values.size() - p.period;
  for (HeapSize n = p.preperiod; n < end; ++n) {
    if (!recurs(n))
      return fmt::format("the period {} of {} does not hold at heap {}", p.period, c.code, n);
  }
  if (p.preperiod == 0 || p.preperiod > end || !recurs(p.preperiod - 1)) return {};
  return fmt::format("the period {} of {} begins before heap {}", p.period, c.code, p.preperiod);
}

/// The heaps to prove of the games of one class.
class ClassProof {
 public:
  ClassProof(const AtlasClass& c, std::span<const Nimber> values) {
    for (const AtlasMember& member : c.members) {
      HeapRule rule = HeapRule::parse(member.code);
      refuse_pass(rule, "a family");
      claims_.push_back({std::move(rule), game_of_class(c, member, values)});
    }
  }

  /// Chooses all heaps, or random heaps of each game.
  void choose(bool all, std::uint64_t samples, std::mt19937_64& random) {
    for (std::size_t game = 0; game < claims_.size(); ++game) {
      const HeapSize count = claims_[game].game.values.size();
      const HeapSize some = all ? count : std::min(count, samples);
      for (HeapSize i = 0; i < some; ++i) {
        heaps_.emplace_back(game, some == count ? i : random() % count);
      }
    }
  }

  /// The fault of one of the heaps; empty if none has one. Once a stop is requested, some heaps are
  /// left out.
  [[nodiscard]] std::string prove(Executor& executor, const std::stop_token& stop) const {
    for (std::size_t at = 0; at < heaps_.size() && !stop.stop_requested(); at += kBatch) {
      const auto wrong = first_fault(executor, std::min(kBatch, heaps_.size() - at), stop,
                                     [&](std::size_t i) { return !fault_at(at + i).empty(); });
      if (wrong) return fault_at(at + *wrong);
    }
    return {};
  }

  /// Games of which heaps were chosen.
  [[nodiscard]] std::uint64_t games() const noexcept { return heaps_.empty() ? 0 : claims_.size(); }
  [[nodiscard]] std::uint64_t heaps() const noexcept { return heaps_.size(); }

 private:
  [[nodiscard]] std::string fault_at(std::size_t i) const {
    const auto& [game, heap] = heaps_[i];
    return fault_of(claims_[game], heap);
  }

  std::vector<Claim> claims_;
  std::vector<std::pair<std::size_t, HeapSize>> heaps_;
};

}  // namespace

AtlasCheck check_atlas(const ListCheckRequest& request, const Hooks& hooks) {
  const Stopwatch time;
  const auto executor = make_executor(request.machine.threads, request.machine.backend);
  AtlasReader reader(request.file);
  AtlasCheck check;
  check.unit = "games";
  check.count = reader.games();
  check.statement =
      "the value that a game has for a heap by its class is the mex of the values of its options";
  check.methods = {"values are compared with the mex of those of all options"};
  check.last = reader.last();
  check.classes = reader.classes();
  SequentialDigest digest, members;
  for (std::size_t i = 0; i < check.classes; ++i) {
    std::vector<Nimber> values;
    const AtlasClass c = reader.read(i, values);
    digest.update(std::span<const std::uint8_t>(c.stats.digest));
    for (const AtlasMember& member : c.members) {
      const std::string text = fmt::format("{},{},{},{},{}\n", member.code, c.code, member.lead,
                                           to_string(member.evidence), member.compared);
      members.update(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
    }
    if (c.period.status == PeriodStatus::kCertified) check.certified += c.members.size();
    if (check.wrong.empty()) check.wrong = period_fault(c, values);
  }
  check.digest = digest.value();
  // Other games may have the same values, so a certificate must name the games, too.
  check.notation = fmt::format("{} games of one heap to heap {}, members {}", check.count,
                               check.last, to_hex(members.value()));
  const Stopwatch proving;
  std::mt19937_64 random(request.seed);
  std::vector<std::size_t> order(check.classes);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!request.full) std::ranges::shuffle(order, random);
  const bool timed = !request.full && !request.samples;
  for (const std::size_t i : order) {
    if (!check.wrong.empty() || hooks.stop.stop_requested()) break;
    if (timed && proving.seconds() > request.seconds) break;
    std::vector<Nimber> values;
    const AtlasClass c = reader.read(i, values);
    ClassProof proof(c, values);
    proof.choose(request.full, request.samples.value_or(kHeapsOfGame), random);
    check.wrong = proof.prove(*executor, hooks.stop);
    if (hooks.stop.stop_requested() || !check.wrong.empty()) break;
    check.proved += proof.games();
    check.heaps += proof.heaps();
    if (hooks.progress != nullptr) {
      hooks.progress->report({.done = check.proved,
                              .total = check.count,
                              .work_done = static_cast<double>(check.proved),
                              .work_total = static_cast<double>(check.count)});
    }
  }
  check.complete = !hooks.stop.stop_requested();
  if (request.full && check.holds()) check.proved_to = check.count;
  check.seconds = time.seconds();
  return check;
}

}  // namespace grundy
