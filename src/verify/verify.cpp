/// @file
/// The frame of every verification. It opens what is stored, checks that it holds what was written,
/// proves its values in one of the ways that can be asked for, checks its period, and reports.
/// Kinds of games differ only in their subjects (subject.hpp).
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/file_kind.hpp>
#include <grundy/graph/file.hpp>
#include <grundy/verify.hpp>

#include "core/advice.hpp"
#include "core/names.hpp"
#include "core/shared_progress.hpp"
#include "core/stopwatch.hpp"
#include "core/text.hpp"
#include "dist/team_stop.hpp"
#include "run/run_directory.hpp"
#include "session/agreement.hpp"
#include "session/machine.hpp"
#include "theory/stats_collector.hpp"
#include "verify/graph/subject.hpp"
#include "verify/heap/state_check.hpp"
#include "verify/proof_cost.hpp"
#include "verify/samples.hpp"
#include "verify/shared_proof.hpp"
#include "verify/stored_table.hpp"
#include "verify/subject.hpp"

namespace grundy {
namespace {

class Verification {
 public:
  Verification(const Work& work, Subject& subject)
      : work_(work), request_(work.request), subject_(subject) {
    report_.info = subject.info();
    report_.unit = subject.unit();
    report_.periodic_from = subject.periodic_from();
    if (request_.proof == ProofKind::kRange) check_range(request_.range, count(), report_.unit);
    const std::string& asked = request_.machine.engine;
    const bool is_asked = !leaves_choice(asked);
    if (request_.proof == ProofKind::kFull) {
      engine_ = is_asked ? asked : subject.other_engine();
    } else if (is_asked) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("an engine computes all values of a table anew, or what lies between "
                              "the states of a run of statistics; other proofs need no engine, so "
                              "{} or name none",
                              kProveAll));
    }
  }

  VerifyReport run() {
    kept_ = entries_to_keep();
    if (!subject_.load(kept_)) return std::move(report_);
    report_.info = subject_.info();
    if (!work_.agree_on_table(report_.info, report_.info.stats.digest, report_.periodic_from)) {
      return std::move(report_);
    }
    // The largest value, and so the memory that proofs need, may be known only now.
    if (request_.proof != ProofKind::kSamples) check_room(kept_);
    prove_values();
    if (work_.hooks.stop.stop_requested() || stopped_elsewhere_) return stopped();
    if (!report_.wrong) prove_period();
    if (!report_.wrong && work_.hooks.stop.stop_requested()) return stopped();
    if (!report_.wrong && proved_to_border_) report_.proved = wanted();
    report_.complete = true;
    return std::move(report_);
  }

  /// Returns nothing if it was stopped.
  std::optional<Prediction> foretell() {
    const bool draws = request_.proof == ProofKind::kSamples;
    const bool in_ranges = !draws && !(request_.proof == ProofKind::kFull && by_engine_alone());
    const HeapSize end = draws || count() == 0 ? 0 : wanted().last + 1;
    Prediction needs{.engine = "the definition, one by one",
                     .kernel = std::string(work_.kernels.name),
                     .threads = work_.executor->threads(),
                     .memory_available = work_.memory.value_or(memory_available())};
    kept_ = draws ? entries_to_keep() : in_ranges ? std::min(end, report_.periodic_from) : 0;
    needs.memory_bytes = process_bytes(request_.team) + kept_ * subject_.value_bytes() +
                         subject_.prover_bytes(kept_);
    if (*needs.memory_bytes > needs.memory_available) return needs;
    const Stopwatch reading;
    if (!subject_.load(kept_)) return std::nullopt;
    report_.info = subject_.info();
    double seconds = reading.seconds();
    if (draws) {
      if (!request_.samples) needs.seconds = seconds + request_.seconds;
      return needs;
    }
    if (in_ranges && count() > 0) {
      seconds += foretell_ranges(wanted().first, kept_, needs);
      if (work_.hooks.stop.stop_requested()) return std::nullopt;
    }
    needs.seconds = seconds;
    if (engine_.empty() || count() == 0) return needs;
    const std::optional<Prediction> anew = subject_.foretell_again(engine_);
    needs.engine = in_ranges ? fmt::format("{}; engine {}", needs.engine, engine_) : engine_;
    if (!anew) {
      needs.seconds.reset();
      return needs;
    }
    needs.memory_bytes = *needs.memory_bytes + anew->memory_bytes.value_or(0);
    needs.memory_may_grow = anew->memory_may_grow;
    if (anew->seconds) {
      *needs.seconds += *anew->seconds;
    } else {
      needs.seconds.reset();
      needs.seconds_least = anew->seconds_least;
      needs.seconds_most = anew->seconds_most;
    }
    return needs;
  }

 private:
  /// The report of a proof that was stopped. The last entry is left open unless the period is
  /// proved, so that the proof that goes on from here proves the period, too.
  VerifyReport stopped() {
    const bool owes_period =
        report_.info.period.status == PeriodStatus::kCertified && report_.period_proof.empty();
    if (report_.proved && report_.proved->last == wanted().last && owes_period) {
      if (report_.proved->last-- == report_.proved->first) report_.proved.reset();
    }
    return std::move(report_);
  }

  /// Seconds to prove the entries begin .. end-1, estimated from some pieces.
  double foretell_ranges(HeapSize begin, HeapSize end, Prediction& needs) {
    if (begin >= end) {
      needs.engine = "the certified period";
      return 0;
    }
    constexpr double kTrial = 0.5;
    constexpr std::uint64_t kPieces = 64;  // equal_ranges() makes sixteen pieces of each
    const Stopwatch making;
    needs.engine = subject_.prover().method();
    const double once = making.seconds();
    const ProofCost cost(begin, end, [this](HeapSize entry) { return subject_.cost(entry); });
    std::vector<EntryRange> ranges = equal_ranges(kPieces, begin, end, cost);
    std::mt19937_64 random(request_.seed);
    std::ranges::shuffle(ranges, random);
    const Stopwatch time;
    double tried = 0;
    for (const EntryRange& range : ranges) {
      if (time.seconds() > kTrial || work_.hooks.stop.stop_requested()) break;
      prove(range.first, range.last + 1, nullptr);
      tried += cost.before(range.last + 1) - cost.before(range.first);
    }
    double ranks = 1;
    if (Team* const team = request_.team) {
      ranks = static_cast<double>(team->size());
      needs.traffic_bytes =
          team->bytes_of_dealing(equal_ranges(team->size(), begin, end, cost).size());
    }
    return once + time.seconds() * cost.before(end) / tried / ranks;
  }

  [[nodiscard]] HeapSize count() const noexcept { return report_.info.stats.count; }

  /// The entries that are to be proved. @pre they are not drawn at random, and there are some
  [[nodiscard]] EntryRange wanted() const {
    return request_.proof == ProofKind::kRange ? request_.range : EntryRange{0, count() - 1};
  }

  /// Whether everything is proved by comparison with values that an engine finds anew.
  [[nodiscard]] bool by_engine_alone() const {
    return !engine_.empty() && subject_.engine_is_enough();
  }

  /// The number of entries that must be in memory at a time: the options of an entry come before
  /// it.
  HeapSize entries_to_keep() const {
    switch (request_.proof) {
      case ProofKind::kFull:
        return by_engine_alone() ? 0 : check_room(report_.periodic_from);
      case ProofKind::kRange:
        return check_room(std::min(request_.range.last + 1, report_.periodic_from));
      case ProofKind::kSamples:
        break;
    }
    if (!work_.memory || subject_.value_bytes() == 0) return report_.periodic_from;
    // A half is for values, a half for everything else.
    const HeapSize fits = *work_.memory / 2 / subject_.value_bytes();
    if (fits < report_.periodic_from) {
      work_.say(fmt::format("{} from {} on are not drawn: their options do not fit in memory",
                            report_.unit, format_count(fits)));
    }
    return std::min(fits, report_.periodic_from);
  }

  HeapSize check_room(HeapSize entries) const {
    work_.check_memory(entries * subject_.value_bytes() + subject_.prover_bytes(entries));
    return entries;
  }

  void prove_values() {
    switch (request_.proof) {
      case ProofKind::kSamples:
        return by_samples();
      case ProofKind::kRange:
        return by_range(request_.range);
      case ProofKind::kFull:
        return in_full();
    }
  }

  void by_samples() {
    report_.method = report_.unit == "heaps" ? "the definition, heap by heap"
                                             : "the definition, position by position";
    const SampleResult result = prove_samples(subject_, work_, kept_);
    report_.conspicuous = result.conspicuous;
    report_.random = result.random;
    // The definition has refuted it, whatever the prover says.
    if (result.wrong) {
      report_.wrong = first_wrong_up_to(*result.wrong).value_or(wrong(*result.wrong));
    }
  }

  void by_range(EntryRange range) {
    const HeapSize end = range.last + 1;
    const HeapSize border = std::clamp(report_.periodic_from, range.first, end);
    RangeResult result{range.first, std::nullopt};
    if (border > range.first) {
      report_.method = subject_.prover().method();
      if (request_.team != nullptr) {
        result.proved_to = prove_together(*request_.team, range.first, border);
      } else {
        result = prove(range.first, border, work_.hooks.progress);
        if (result.wrong) report_.wrong = wrong(*result.wrong);
      }
    } else {
      report_.method = "the certified period";
    }
    proved_to_border_ = result.proved_to == border && !report_.wrong;
    if (result.proved_to > range.first) report_.proved = {range.first, result.proved_to - 1};
    if (range.first != 0 || result.proved_to != count()) return;
    if (const auto fault = subject_.prover().fault_of_whole()) refute(wrong(*fault));
  }

  void in_full() {
    if (count() == 0) {
      report_.method = "the table is empty";
      return;
    }
    if (!by_engine_alone()) {
      if (subject_.engine_is_enough()) {
        work_.say("no other engine is left for this rule; every entry is proved by itself");
      }
      by_range({0, count() - 1});
    }
    if (!engine_.empty() && !report_.wrong && !work_.hooks.stop.stop_requested()) by_engine();
  }

  void by_engine() {
    const SecondComputation anew = subject_.compute_again(engine_);
    if (!report_.method.empty()) report_.method += "; ";
    report_.method += anew.method;
    if (anew.difference) return refute(wrong(*anew.difference));
    if (anew.complete) report_.proved = {0, count() - 1};
  }

  void prove_period() {
    const auto false_claim = subject_.check_period();
    if (!false_claim) {
      const bool is_proved = report_.info.period.status == PeriodStatus::kCertified;
      if (is_proved && !work_.hooks.stop.stop_requested()) {
        report_.period_proof =
            fmt::format("holds for every stored heap; it proves heaps from {} on",
                        format_count(report_.periodic_from));
      }
      return;
    }
    const auto first = first_wrong_up_to(std::min(false_claim->entry, count() - 1));
    refute(first.value_or(*false_claim));
  }

  /// The first wrong entry, given that one up to `entry` seems to be wrong; nothing if all of these
  /// entries that are in memory are right.
  std::optional<WrongValue> first_wrong_up_to(HeapSize entry) {
    const HeapSize end = std::min<HeapSize>(entry + 1, kept_);
    if (end == 0) return std::nullopt;
    work_.say(fmt::format("something is wrong at or before {}; looking for the first",
                          subject_.name(entry)));
    const RangeResult result = prove(0, end, work_.hooks.progress);
    if (result.wrong) return wrong(*result.wrong);
    // The search was stopped, so the entry that was found first is named.
    if (result.proved_to < end && entry < kept_) return wrong(entry);
    return std::nullopt;
  }

  RangeResult prove(HeapSize begin, HeapSize end, ProgressSink* progress) {
    return prove_range(subject_.prover(), begin, end, *work_.executor, work_.hooks.stop, progress);
  }

  /// Ranges of whole groups that cost about the same; the last entries come first.
  [[nodiscard]] std::vector<EntryRange> equal_ranges(std::uint64_t ranks, HeapSize begin,
                                                     HeapSize end, const ProofCost& cost) {
    constexpr HeapSize kPiecesOfARank = 16;
    const HeapSize group = subject_.prover().group();
    const HeapSize pieces = std::min(kPiecesOfARank * ranks, (end - begin - 1) / group + 1);
    std::vector<EntryRange> ranges;
    HeapSize to = end;
    for (HeapSize i = pieces; i-- > 0 && to > begin;) {
      const HeapSize from = begin + (cost.border(i, pieces) - begin) / group * group;
      if (from == to) continue;
      ranges.push_back({from, to - 1});
      to = from;
    }
    return ranges;
  }

  /// Does what prove() does, shared with the other ranks.
  /// @returns `end`, or `begin` if a value is wrong, which is noted, or if a rank left pieces out
  HeapSize prove_together(Team& team, HeapSize begin, HeapSize end) {
    if (report_.unit == "positions") {
      throw Error(ErrorCode::kUsage, "a table of positions is proved by one rank");
    }
    const ProofCost cost(begin, end, [this](HeapSize entry) { return subject_.cost(entry); });
    const std::vector<EntryRange> ranges = equal_ranges(team.size(), begin, end, cost);
    std::vector<Piece> pieces;
    for (const EntryRange& range : ranges) {
      pieces.push_back(
          {range.last + 1 - range.first, cost.before(range.last + 1) - cost.before(range.first)});
    }
    SharedProof proof = share_proof(
        team, pieces,
        [&](std::uint64_t i, ProgressSink& progress) -> std::optional<WrongValue> {
          const auto found = prove(ranges[i].first, ranges[i].last + 1, &progress).wrong;
          return found ? std::optional(wrong(*found)) : std::nullopt;
        },
        work_.hooks.stop, work_.hooks.progress);
    report_.wrong = std::move(proof.wrong);
    stopped_elsewhere_ = !proof.complete;
    return proof.complete && !report_.wrong ? end : begin;
  }

  [[nodiscard]] WrongValue wrong(HeapSize entry) const {
    return wrong({entry, subject_.fault(entry)});
  }
  [[nodiscard]] WrongValue wrong(const Fault& fault) const {
    return {fault.entry, fmt::format("{} {}", subject_.name(fault.entry), fault.clause)};
  }

  /// Notes a fault although all entries that were proved seemed right.
  void refute(WrongValue wrong) {
    report_.proved.reset();
    report_.wrong = std::move(wrong);
  }

  const Work& work_;
  const VerifyRequest& request_;
  Subject& subject_;
  std::string engine_;  ///< kFull: the engine that computes the table anew; empty: none does
  HeapSize kept_ = 0;   ///< entries in memory
  /// kRange or kFull: every entry that does not follow from the period is proved.
  bool proved_to_border_ = false;
  bool stopped_elsewhere_ = false;  ///< another rank did not do its share
  VerifyReport report_;
};

}  // namespace

VerifyReport verify(const VerifyRequest& request, const Hooks& hooks) {
  const Stopwatch time;
  agree(request.team, {.work = {"verify"}});
  const TeamStop stop(request.team, hooks.stop);
  Hooks of_all_ranks = hooks;
  of_all_ranks.stop = stop.token();
  const Work work = make_work(request, of_all_ranks);
  const auto verified = [&work] {
    if (std::filesystem::is_directory(work.request.table)) {
      const RunContents run = read_run(work.request.table);
      if (keeps_states(run)) return verify_states(work, run);
    }
    const auto subject = open_subject(work);
    return Verification(work, *subject).run();
  };
  VerifyReport report = verified();
  report.seconds = time.seconds();
  return report;
}

std::optional<Prediction> predict(const VerifyRequest& request, const Hooks& hooks) {
  const Work work = make_work(request, hooks);
  if (std::filesystem::is_directory(request.table)) {
    const RunContents run = read_run(request.table);
    if (keeps_states(run)) return predict_states(work, run);
  }
  const auto subject = open_subject(work);
  return Verification(work, *subject).foretell();
}

TableInfo stored_info(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) {
    return kind_of(path) == FileKind::kPositions ? graph_table_info(path)
                                                 : TableReader::open(path)->info();
  }
  if (const RunContents run = read_run(path); keeps_states(run)) {
    return statistics_of_states(path, run).info;
  }
  const auto table = open_run_table(path);
  const auto executor = make_executor(1, "threads");
  StatsCollector collector(select_kernels("auto"));
  table->scan(*executor, collector);
  TableInfo info = table->info();
  info.stats = collector.stats();
  return info;
}

}  // namespace grundy
