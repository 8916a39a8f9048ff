/// @file
/// Outcomes proved from the definition.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>
#include <grundy/outcomes.hpp>

#include "core/digest.hpp"
#include "core/stopwatch.hpp"
#include "session/first_fault.hpp"
#include "session/outcome_moves.hpp"
#include "session/position_walk.hpp"

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
      for (const std::uint64_t entry : some) {
        const LatticePoint& p = walk.at(entry);
        words.insert(words.end(), p.begin(), p.begin() + layout_.heaps);
        if (layout_.planes > 1) words.push_back(layout_.plane_of(entry));
      }
      digest.update(std::span<const Nimber>(words));
      listed_.insert(listed_.end(), some.begin(), some.end());
    }
    if (digest.value() != info.digest) {
      throw Error(ErrorCode::kCorrupt,
                  fmt::format("'{}' is damaged: its list has another digest", path.string()));
    }
  }

  [[nodiscard]] const std::vector<std::uint64_t>& listed() const noexcept { return listed_; }
  [[nodiscard]] std::uint64_t entries() const noexcept { return layout_.entries(); }

  /// What is wrong with an entry, as a sentence; empty if it is right.
  [[nodiscard]] std::string fault(std::uint64_t entry) const {
    const bool reaches =
        moves_.any_option(entry, [&](std::uint64_t option) { return is_listed(option); });
    const bool is_won = reaches || moves_.wins_without_option(entry);
    if (is_listed(entry) != is_won) return {};
    const LatticePoint p = layout_.position_at(entry);
    return fmt::format("({}){} is {}", fmt::join(std::span(p).first(layout_.heaps), ","),
                       layout_.plane_of(entry) > 0 ? " with a pass" : "",
                       !is_won   ? "not listed, but no option of it is either"
                       : reaches ? "listed, but an option of it is too"
                                 : "listed, but has no option, and who cannot move wins");
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

/// Samples of a batch. The time of the first batch predicts the time of all positions.
constexpr std::uint64_t kFirstSamples = 1024;
/// Positions of a batch when all positions are proved.
constexpr std::uint64_t kBatchOfAll = 4096;

}  // namespace

OutcomesCheck check_outcomes(const OutcomesCheckRequest& request, const Hooks& hooks) {
  const Stopwatch time;
  const auto executor = make_executor(request.machine.threads, request.machine.backend);
  const OutcomesReader reader(request.file);
  const OutcomesProof proof(reader, request.file);
  const Stopwatch proving;
  OutcomesCheck check{.info = reader.info()};
  const std::uint64_t entries = proof.entries();
  bool full = request.full || request.samples.value_or(0) >= entries;
  std::mt19937_64 random(request.seed);
  const auto next = [&](std::uint64_t n) {
    if (full) return n;
    const auto& listed = proof.listed();
    return n % 2 == 0 && !listed.empty() ? listed[random() % listed.size()] : random() % entries;
  };
  std::uint64_t most = full ? entries : request.samples.value_or(~std::uint64_t{0});
  bool timed = !full && !request.samples;
  std::vector<std::uint64_t> batch;
  while (check.proved < most && !(timed && proving.seconds() > request.seconds)) {
    batch.resize(std::min(full ? kBatchOfAll : kFirstSamples, most - check.proved));
    for (std::size_t i = 0; i < batch.size(); ++i) batch[i] = next(check.proved + i);
    const auto wrong = first_fault(*executor, batch.size(), hooks.stop,
                                   [&](std::size_t i) { return !proof.fault(batch[i]).empty(); });
    if (hooks.stop.stop_requested()) break;
    check.proved += wrong.value_or(batch.size());
    if (wrong) {
      check.wrong = proof.fault(batch[*wrong]);
      break;
    }
    if (timed && check.proved == kFirstSamples &&
        proving.seconds() * static_cast<double>(entries) < request.seconds * kFirstSamples / 2) {
      full = true;  // there is time for all positions
      timed = false;
      most = entries;
      check.proved = 0;
    }
    if (hooks.progress != nullptr) {
      hooks.progress->report(
          {.done = check.proved,
           .total = timed ? 0 : most,
           .work_done = timed ? proving.seconds() : static_cast<double>(check.proved),
           .work_total = timed ? request.seconds : static_cast<double>(most)});
    }
  }
  check.complete = !hooks.stop.stop_requested();
  check.seconds = time.seconds();
  return check;
}

}  // namespace grundy
