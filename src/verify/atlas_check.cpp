/// @file
/// Proves the values of the games of a family from the definition, and their periods by theorems.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/atlas.hpp>
#include <grundy/error.hpp>
#include <grundy/verify.hpp>

#include "atlas/atlas_file.hpp"
#include "atlas/family_game.hpp"
#include "core/digest.hpp"
#include "core/stopwatch.hpp"
#include "core/text.hpp"
#include "core/value_buffer.hpp"
#include "games/heap/notation.hpp"
#include "kernels/kernels.hpp"
#include "session/list_proof.hpp"
#include "table/file_kind.hpp"
#include "verify/class_theorems.hpp"
#include "verify/heap/definition.hpp"
#include "verify/heap/provers.hpp"
#include "verify/prover.hpp"

namespace grundy {
namespace {

using namespace atlas;

/// The number of random heaps of each game, unless the request gives it.
constexpr std::uint64_t kHeapsOfGame = 16;

/// The values that a class gives to a game: 0 before the lead, the values of the class from there
/// on.
class Claim {
 public:
  Claim(const AtlasClass& c, const AtlasMember& member, std::span<const Nimber> values)
      : rule_(HeapRule::parse(member.code)), code_(member.code) {
    refuse_pass(rule_, "a family");
    const FamilyGame game = game_of_class(c, member, values);
    if (game.values.empty()) return;
    values_.append(Values{std::span(game.values)});
    largest_ = std::ranges::max(game.values);
  }

  [[nodiscard]] HeapSize heaps() const noexcept { return values_.size(); }

  /// The first wrong heap, as a sentence; empty if there is none, or once a stop is requested.
  [[nodiscard]] std::string prove_all(const KernelSet& kernels, Executor& executor,
                                      const std::stop_token& stop) const {
    if (heaps() == 0) return {};
    const auto prover = make_prover(rule_, {values_.values(), largest_}, kernels, executor);
    const RangeResult result = prove_range(*prover, 0, heaps(), executor, stop, nullptr);
    return result.wrong ? fault_of(*result.wrong) : std::string();
  }

  /// The first wrong one of `samples` random heaps, as a sentence; empty if all are right.
  /// @pre heaps() > 0
  [[nodiscard]] std::string prove_some(std::uint64_t samples, std::uint64_t seed) const {
    HeapDefinition definition = this->definition();
    std::mt19937_64 random(seed);
    for (std::uint64_t i = 0; i < samples; ++i) {
      const HeapSize n = random() % heaps();
      if (definition.mex(n) != values_.values()[n]) return fault_of(n);
    }
    return {};
  }

 private:
  [[nodiscard]] HeapDefinition definition() const { return {rule_, values_.values(), largest_}; }
  [[nodiscard]] std::string fault_of(HeapSize n) const {
    return fmt::format("heap {} of {} {}", n, code_, definition().fault(n));
  }

  HeapRule rule_;
  std::string code_;
  ValueBuffer values_;
  Nimber largest_ = 0;
};

/// What was proved of the games of one class.
struct ClassProof {
  std::string fault;  ///< of the first game that has one, as a sentence; empty if none has
  std::uint64_t heaps = 0;
};

/// Proves `samples` random heaps of each of some games of a class, or all heaps. Once a stop is
/// requested, some are left out.
ClassProof prove_games(const AtlasClass& c, std::span<const AtlasMember> members,
                       std::span<const Nimber> values, std::optional<std::uint64_t> samples,
                       std::mt19937_64& random, const KernelSet& kernels, Executor& executor,
                       const std::stop_token& stop) {
  const std::size_t games = members.size();
  // What is drawn does not depend on the order in which threads come to the games.
  std::vector<std::uint64_t> seeds(games);
  if (samples) std::ranges::generate(seeds, std::ref(random));
  std::vector<std::string> faults(games);
  std::atomic<std::uint64_t> heaps = 0;
  executor.parallel_for(games, [&](std::size_t i) {
    if (stop.stop_requested()) return;
    const Claim claim(c, members[i], values);
    if (!samples || *samples >= claim.heaps()) {
      faults[i] = claim.prove_all(kernels, executor, stop);
      heaps += claim.heaps();
    } else {
      faults[i] = claim.prove_some(*samples, seeds[i]);
      heaps += *samples;
    }
  });
  const auto first = std::ranges::find_if(faults, [](const auto& f) { return !f.empty(); });
  return {first == faults.end() ? std::string() : std::move(*first), heaps};
}

/// Reads all classes and says what the file holds. `each` gets each class and its values.
AtlasCheck read_classes(
    AtlasReader& reader,
    const std::function<void(const AtlasClass&, std::span<const Nimber>)>& each) {
  AtlasCheck check;
  check.unit = "games";
  check.count = reader.games();
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
    check.called_certified += games_called_certified(c);
    each(c, values);
  }
  check.digest = digest.value();
  // Other games may have the same values, so a certificate must name the games, too.
  check.notation = fmt::format("{} games of one heap to heap {}, members {}", check.count,
                               check.last, to_hex(members.value()));
  return check;
}

}  // namespace

AtlasCheck read_atlas(const std::filesystem::path& file) {
  AtlasReader reader(file);
  return read_classes(reader, [](const AtlasClass&, std::span<const Nimber>) {});
}

AtlasCheck check_atlas(const ListCheckRequest& request, const Hooks& hooks) {
  const Stopwatch time;
  const auto executor = make_executor(request.machine.threads, request.machine.backend);
  const KernelSet& kernels = select_kernels(request.machine.kernel);
  AtlasReader reader(request.file);
  if (request.range) check_range(*request.range, reader.games(), "games");
  const bool keeps_proofs = reader.keeps_proofs();
  ClassTheorems theorems;
  std::vector<std::uint64_t> games;  // in each class
  AtlasCheck check = read_classes(reader, [&](const AtlasClass& c, std::span<const Nimber> values) {
    games.push_back(c.members.size());
    if (!theorems.fault.empty() || hooks.stop.stop_requested()) return;
    ClassTheorems found = prove_theorems(c, values, keeps_proofs, *executor, hooks.stop);
    theorems.fault = std::move(found.fault);
    theorems.certified += found.certified;
  });
  check.wrong = std::move(theorems.fault);
  check.certified = theorems.certified;
  check.statement =
      "the value that a game has for a heap by its class is the mex of the values of its options";
  check.methods = {"no option has the value, and every smaller number is the value of an option"};
  std::mt19937_64 random(request.seed);
  std::vector<std::uint64_t> first(check.classes);  // game of each class
  std::exclusive_scan(games.begin(), games.end(), first.begin(), std::uint64_t{0});
  std::vector<std::size_t> order(check.classes);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::optional<EntryRange> range = request.range;
  if (!range && request.full) range = {0, check.count - 1};
  if (!range) std::ranges::shuffle(order, random);
  std::optional<std::uint64_t> samples;
  if (!range) samples = request.samples.value_or(kHeapsOfGame);
  if (samples == 0) order.clear();  // no value is to be proved, so values are not read again
  const EntryRange wanted = range.value_or(EntryRange{0, check.count - 1});
  const ProofBudget budget({}, range ? std::nullopt : seconds_of_samples(request),
                           wanted.last + 1 - wanted.first, hooks.progress);
  for (const std::size_t i : order) {
    const std::uint64_t from = std::max(wanted.first, first[i]);
    const std::uint64_t to = std::min(wanted.last + 1, first[i] + games[i]);
    if (from >= to) continue;
    if (!check.wrong.empty() || hooks.stop.stop_requested()) break;
    if (!budget.lasts(check.proved)) break;
    std::vector<Nimber> values;
    const AtlasClass c = reader.read(i, values);
    const auto members = std::span(c.members).subspan(from - first[i], to - from);
    ClassProof proof =
        prove_games(c, members, values, samples, random, kernels, *executor, hooks.stop);
    check.wrong = std::move(proof.fault);
    if (hooks.stop.stop_requested() || !check.wrong.empty()) break;
    check.proved += members.size();
    check.heaps += proof.heaps;
    budget.report(check.proved);
  }
  check.complete = !hooks.stop.stop_requested();
  // Classes come in the order of the file, so what is proved when it is stopped is a range.
  if (range && check.wrong.empty() && check.proved > 0) {
    check.proved_range = {range->first, range->first + check.proved - 1};
    check.methods.push_back(fmt::format(
        "{} of {} certified periods are proved again for all heaps, by their theorems from these "
        "values",
        check.certified, check.called_certified));
  }
  check.seconds = time.seconds();
  return check;
}

}  // namespace grundy
