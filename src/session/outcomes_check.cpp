/// @file
/// Outcomes proved from the definition.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>
#include <grundy/outcomes.hpp>

#include "core/digest.hpp"
#include "core/spread.hpp"
#include "core/stopwatch.hpp"
#include "engines/lattice/chomp_outcomes.hpp"
#include "session/list_proof.hpp"
#include "session/machine.hpp"
#include "session/outcome_moves.hpp"
#include "session/position_walk.hpp"
#include "session/prediction.hpp"
#include "theory/four_row_chomp.hpp"

namespace grundy {
namespace {

constexpr std::uint64_t kBlock = std::uint64_t{1} << 20;

/// The list in memory, and the rule.
class OutcomesProof {
 public:
  /// Reads the whole list. @throws Error(kCorrupt) if its count or digest is not the file's
  explicit OutcomesProof(const OutcomesReader& reader, const std::filesystem::path& path)
      : layout_(reader.info().layout), moves_(moves_of(reader.info(), path)) {
    const OutcomesInfo& info = reader.info();
    SequentialDigest digest;
    std::vector<Nimber> words;
    PositionWalk walk(layout_);
    for (std::uint64_t first = 0; first < info.p_positions; first += kBlock) {
      const auto some = reader.entries(first, std::min(kBlock, info.p_positions - first));
      if (!listed_.empty() && some.front() <= listed_.back()) {
        throw Error(ErrorCode::kCorrupt,
                    fmt::format("'{}': row {} is out of order", path.string(), first));
      }
      words.clear();
      for (const std::uint64_t entry : some) walk.append_row(entry, words);
      digest.update(std::span<const Nimber>(words));
      listed_.insert(listed_.end(), some.begin(), some.end());
    }
    if (digest.value() != info.digest) {
      throw Error(ErrorCode::kCorrupt,
                  fmt::format("'{}' is damaged: its list has another digest", path.string()));
    }
  }

  [[nodiscard]] const std::vector<std::uint64_t>& listed() const noexcept { return listed_; }
  [[nodiscard]] const Layout& layout() const noexcept { return layout_; }
  [[nodiscard]] std::uint64_t entries() const noexcept { return layout_.entries(); }

  /// What is wrong with an entry, as a sentence; empty if it is right.
  [[nodiscard]] std::string fault(std::uint64_t entry) const {
    const bool reaches = moves_.reaches(entry, listed_);
    const bool is_won = reaches || moves_.wins_without_option(entry);
    return p_position_fault(is_listed(entry), reaches, is_won, [&] {
      const LatticePoint p = layout_.position_at(entry);
      return fmt::format("({}){}", fmt::join(std::span(p).first(layout_.heaps), ","),
                         layout_.plane_of(entry) > 0 ? " with a pass" : "");
    });
  }

 private:
  static OutcomeMoves moves_of(const OutcomesInfo& info, const std::filesystem::path& path) {
    try {
      return OutcomeMoves(info);
    } catch (const Error& error) {
      throw Error(ErrorCode::kCorrupt, fmt::format("'{}': {}", path.string(), error.what()));
    }
  }

  [[nodiscard]] bool is_listed(std::uint64_t entry) const {
    return std::ranges::binary_search(listed_, entry);
  }

  Layout layout_;
  OutcomeMoves moves_;
  std::vector<std::uint64_t> listed_;
};

/// The longest row if the list is one of four-row Chomp, which is proved as a whole.
std::optional<std::uint32_t> longest_row_of_chomp(const OutcomesInfo& info) {
  if (!info.layout.is_lattice() || info.misere) return std::nullopt;
  const LatticeShape shape = info.layout.shape();
  if (!is_four_row_chomp(LatticeRule::parse(info.canonical), shape)) return std::nullopt;
  return shape.extent[0] - 1;
}

/// Compares the list with the P-positions of Chomp, found another way; both ascend. False if the
/// list is wrong or a stop was requested.
bool prove_chomp(const OutcomesProof& proof, std::uint32_t longest, const Hooks& hooks,
                 OutcomesCheck& check) {
  constexpr std::size_t kReported = 1 << 16;
  const std::vector<std::uint64_t>& listed = proof.listed();
  std::size_t right = 0;  // of the list, from its beginning
  std::optional<std::uint64_t> wrong;
  for_each_p_position_of_chomp(longest, [&](const FourRows& rows) {
    const std::uint64_t entry = proof.layout().entry_of({rows[3], rows[2], rows[1], rows[0]});
    const std::uint64_t next = right < listed.size() ? listed[right] : proof.entries();
    if (next != entry) {
      wrong = std::min(next, entry);
      return Flow::kStop;
    }
    ++right;
    if (right % kReported == 0 && hooks.progress != nullptr) {
      hooks.progress->report({.done = entry,
                              .total = proof.entries(),
                              .work_done = static_cast<double>(entry),
                              .work_total = static_cast<double>(proof.entries())});
    }
    return hooks.stop.stop_requested() ? Flow::kStop : Flow::kContinue;
  });
  const bool stopped = hooks.stop.stop_requested();
  if (!wrong && !stopped && right < listed.size()) wrong = listed[right];
  check.methods = {"the least last row that no move forbids, for every three rows"};
  check.proved = wrong        ? *wrong
                 : !stopped   ? proof.entries()
                 : right == 0 ? 0
                              : listed[right - 1] + 1;
  if (!wrong) return !stopped;
  check.wrong = proof.fault(*wrong);
  if (check.wrong.empty()) {
    throw Error(ErrorCode::kFailure,
                fmt::format("two proofs contradict each other in entry {}", *wrong));
  }
  return false;
}

/// Random positions whose time foretells that of all; fewer if they take so much of the time.
constexpr std::uint64_t kTrial = 1024;
constexpr double kTimeOfTrial = 0.1;
/// Positions that are proved at once: of the trial, of samples, and where all are.
constexpr std::uint64_t kBatchOfTrial = 64;
constexpr std::uint64_t kBatchOfSamples = 1024;
constexpr std::uint64_t kBatchOfAll = 4096;

/// All positions in the order of the samples. After the trial every second one is a P-position
/// until all P-positions were taken, so that a sample costs little more than the whole. A
/// P-position may come twice.
class Samples {
 public:
  /// @pre there are positions
  /// @param trial how many of all positions come first
  Samples(const std::vector<std::uint64_t>& listed, std::uint64_t entries, std::uint64_t seed,
          std::uint64_t trial)
      : listed_(listed),
        trial_(trial),
        of_list_(seed, std::max<std::uint64_t>(listed.size(), 1)),
        of_all_(seed, entries) {}

  /// @pre fewer positions were counted than there are
  [[nodiscard]] std::uint64_t operator[](std::uint64_t n) const noexcept {
    if (n < trial_) return of_all_(n);
    const std::uint64_t m = n - trial_;
    if (m % 2 == 0 && m / 2 < listed_.size()) return listed_[of_list_(m / 2)];
    return of_all_(n - std::min<std::uint64_t>((m + 1) / 2, listed_.size()));
  }
  /// Whether sample n is counted: it does not come as another sample, too.
  [[nodiscard]] bool is_counted(std::uint64_t n) const noexcept {
    const bool is_of_list =
        n >= trial_ && (n - trial_) % 2 == 0 && (n - trial_) / 2 < listed_.size();
    return is_of_list || !std::ranges::binary_search(listed_, (*this)[n]);
  }

 private:
  const std::vector<std::uint64_t>& listed_;
  std::uint64_t trial_;
  Spread of_list_, of_all_;
};

}  // namespace

OutcomesCheck check_outcomes(const ListCheckRequest& request, const Hooks& hooks) {
  const Stopwatch time;
  const auto executor = make_executor(request.machine.threads, request.machine.backend);
  const OutcomesReader reader(request.file);
  const OutcomesProof proof(reader, request.file);
  const Stopwatch proving;
  const std::uint64_t entries = proof.entries();
  OutcomesCheck check;
  check.info = reader.info();
  check.notation = check.info.canonical;
  check.unit = check.info.layout.is_lattice() ? "positions" : "heaps";
  check.count = entries;
  check.digest = check.info.digest;
  check.statement = p_positions_statement(check.info.misere);
  check.methods = {kPPositionsMethod};
  // Proves positions taken .. taken + size - 1 of an order, or those up to a wrong one. False if
  // none should follow.
  std::uint64_t taken = 0;
  const auto prove = [&](std::uint64_t size, const auto& position, const auto& is_counted) {
    const auto wrong = first_fault(*executor, size, hooks.stop, [&](std::size_t i) {
      return !proof.fault(position(taken + i)).empty();
    });
    if (hooks.stop.stop_requested()) return false;
    if (wrong) check.wrong = proof.fault(position(taken + *wrong));
    for (const std::uint64_t end = taken + wrong.value_or(size); taken < end; ++taken) {
      if (is_counted(taken)) ++check.proved;
    }
    return !wrong;
  };
  const auto prove_samples = [&](std::uint64_t size, const Samples& samples) {
    return prove(
        size, [&](std::uint64_t n) { return samples[n]; },
        [&](std::uint64_t n) { return samples.is_counted(n); });
  };
  bool full = request.full || request.samples.value_or(0) >= entries;
  bool right = true;
  if (!full && !request.samples) {
    const std::uint64_t tried = std::min(kTrial, entries);
    const Samples trial(proof.listed(), entries, request.seed, tried);
    do {
      right = prove_samples(std::min(kBatchOfTrial, tried - taken), trial);
    } while (right && taken < tried && proving.seconds() <= kTimeOfTrial * request.seconds);
    // A sample that costs as much as the whole is the whole.
    full = right && proving.seconds() * static_cast<double>(entries) <=
                        request.seconds * static_cast<double>(taken);
    if (full) check.proved = taken = 0;
  }
  const Samples samples(proof.listed(), entries, request.seed, taken);
  const std::uint64_t most = std::min(full ? entries : request.samples.value_or(entries), entries);
  if (const auto longest = longest_row_of_chomp(check.info); right && full && longest) {
    require("memory", p_positions_of_chomp_bytes(*longest),
            request.machine.memory.value_or(memory_available()), "prove samples");
    right = prove_chomp(proof, *longest, hooks, check);
  }
  const ProofBudget budget(proving, full ? std::nullopt : seconds_of_samples(request), most,
                           hooks.progress);
  while (right && budget.lasts(check.proved)) {
    const std::uint64_t size = budget.next(full ? kBatchOfAll : kBatchOfSamples, check.proved);
    right = full ? prove(
                       size, [](std::uint64_t n) { return n; }, [](std::uint64_t) { return true; })
                 : prove_samples(size, samples);
    if (right) budget.report(check.proved);
  }
  check.complete = !hooks.stop.stop_requested();
  if (check.holds() && check.proved == check.count) check.proved_range = {0, check.count - 1};
  check.seconds = time.seconds();
  return check;
}

}  // namespace grundy
