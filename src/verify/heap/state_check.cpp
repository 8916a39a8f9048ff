// SPDX-License-Identifier: MIT
#include "verify/heap/state_check.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>
#include <grundy/heap/engine.hpp>

#include "core/digest.hpp"
#include "core/names.hpp"
#include "core/shared_progress.hpp"
#include "core/stopwatch.hpp"
#include "core/text.hpp"
#include "run/sealed_heaps.hpp"
#include "session/machine.hpp"
#include "session/milestones.hpp"
#include "session/run_state.hpp"
#include "theory/stats_collector.hpp"
#include "verify/heap/pair_moves.hpp"
#include "verify/heap/seal_comparison.hpp"
#include "verify/heap/state_period.hpp"
#include "verify/shared_proof.hpp"

namespace grundy {
namespace {

/// The engine that goes on from a state. Heaps from 0 on may have many rare heaps, so that a run
/// leaves them to another engine; the first interval is computed like a run.
constexpr const char* kEngine = "sparse";

constexpr const char* kStatementOfStates =
    "computed again from the state before it by the rule, the heaps of a range have the "
    "statistics, "
    "the digests and the newest values that the states in it keep";

/// An engine takes up all values before an interval if they are sealed. So a state with values ends
/// an interval only if the heaps have grown by this part of them, or if it is the last one. A run
/// writes its states by the same part (run/segment_log.cpp), but may have been made by another
/// version.
constexpr HeapSize kGrowth = 16;

std::vector<Interval> intervals_of(const Segments& segments) {
  std::vector<Interval> intervals;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const SegmentHeader& header = segments[i].header;
    if (!header.is_state()) continue;
    const bool from_state = !intervals.empty();
    const HeapSize first = from_state ? intervals.back().end : 0;
    const bool is_last = i + 1 == segments.size();
    if (header.has_values() && !is_last && header.end() - first < header.end() / kGrowth) continue;
    intervals.push_back({from_state ? i : 0, i, first, header.end()});
  }
  return intervals;
}

/// The cost of a heap before the state. A heap is compared with all rare heaps, and these make up
/// nearly all of the text of a state.
std::uint64_t cost_of_heap(const Segment& state) noexcept {
  return state.header.text_bytes;
}

class StatesVerification {
 public:
  StatesVerification(const Work& work, const RunContents& run)
      : work_(work),
        segments_(run.segments),
        rule_(HeapRule::parse(run.record->rule)),
        moves_(PairMoves::from(rule_, run.segments.back().header.end())),
        intervals_(intervals_of(segments_)) {
    const std::string& asked = work.request.machine.engine;
    if (!leaves_choice(asked) && !same_name(asked, kEngine)) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("the engine {} cannot go on from a sealed state; intervals between "
                              "seals are computed by {}",
                              in_quotes(asked), kEngine));
    }
    report_.info = statistics_of_states(work.request.table, run).info;
    report_.periodic_from = report_.info.stats.count;
    report_.statement = kStatementOfStates;
    if (work.request.proof == ProofKind::kRange) {
      check_range(work.request.range, report_.periodic_from, report_.unit);
    }
    claim_ = claim_of_states(work.request.table, run);
    if (claim_) period_.emplace(work, run, rule_, *claim_);
    const std::size_t threads = work.executor->threads();
    const HeapSize end_of_first = intervals_.front().end;
    const bool is_free = !period_ && leaves_choice(asked);
    first_engine_ = &select_heap_engine(is_free ? kAutoName : kEngine, rule_, end_of_first);
    report_.method = fmt::format(
        "the engine {} from seal to seal{}, kernel {}, {} thread{}", engine().name(),
        first_engine_ == &engine() ? std::string()
                                   : fmt::format(" and {} to the first", first_engine_->name()),
        work.kernels.name, threads, threads == 1 ? "" : "s");
  }

  VerifyReport run() {
    for (const Segment& segment : segments_) check_segment(segment);
    if (!work_.agree_on_table(report_.info, segments_.back().chain, report_.periodic_from)) {
      return std::move(report_);
    }
    time_ = Stopwatch();
    const std::vector<Interval> wanted = selection();
    const bool samples = work_.request.proof == ProofKind::kSamples;
    const bool with_period = proves_period();
    if (work_.request.team != nullptr) {
      if (!check_together(*work_.request.team, wanted, with_period)) return std::move(report_);
    } else {
      SharedProgress all(work_.hooks.progress);
      all.expect(whole_of(pieces(wanted, with_period)));
      for (const Interval& interval : wanted) {
        if (is_late()) break;
        PieceProgress progress(all, piece(interval));
        if (!check(interval, progress)) {
          if (is_late() && !report_.wrong && !work_.hooks.stop.stop_requested()) break;
          return stopped(wanted, with_period);
        }
        checked_ = interval.end;
        progress.finish();
        report_.random += interval.end - interval.first;
      }
      if (with_period) {
        PieceProgress progress(all, period_piece());
        if (!check_period(progress)) return stopped(wanted, with_period);
        progress.finish();
      }
    }
    report_.complete = true;
    if (with_period) report_.period_proof = period_->proof();
    if (wanted.empty()) {
      report_.method =
          fmt::format("no interval between two seals ends in the range; the run has {}",
                      format_count(intervals_.size()));
    }
    if (!samples) report_.random = 0;
    if (!samples && !wanted.empty()) {
      report_.proved = EntryRange{wanted.front().first, wanted.back().end - 1};
    }
    return std::move(report_);
  }

  /// Returns nothing if it was stopped.
  std::optional<Prediction> foretell() {
    Prediction needs{.engine = report_.method,
                     .kernel = std::string(work_.kernels.name),
                     .threads = work_.executor->threads(),
                     .memory_available = work_.memory.value_or(memory_available())};
    HeapSize newest = 0;
    for (const Segment& segment : segments_) {
      // An engine that goes on from values has all of them in memory.
      const SegmentHeader& header = segment.header;
      newest = std::max(newest, header.has_values() ? header.end() : header.newest);
    }
    // An engine that goes on keeps twice as many values, and codes of one byte for some of them.
    needs.memory_bytes = process_bytes(work_.request.team) + newest +
                         engine().memory_bytes(rule_, 2 * newest, report_.info.stats.max_value);
    const std::vector<Interval> wanted = selection();
    const std::vector<Piece> all = pieces(wanted, proves_period());
    const Team* const team = work_.request.team;
    if (team != nullptr) needs.traffic_bytes = team->bytes_of_dealing(all.size());
    if (wanted.empty()) return needs;
    // The first heaps of a run are slow, and a short interval tells little.
    const auto longest = std::ranges::max_element(
        wanted, {}, [](const Interval& interval) { return interval.end - interval.first; });
    const double in_a_second = work_in_a_second(*longest);
    if (work_.hooks.stop.stop_requested()) return std::nullopt;
    double seconds = 0;
    for (const Piece& each : all) {
      if (in_time() && seconds > work_.request.seconds) break;
      seconds += each.work / in_a_second;
    }
    needs.seconds =
        seconds_to_read() + seconds / (team != nullptr ? static_cast<double>(team->size()) : 1);
    return needs;
  }

 private:
  static constexpr double kTrial = 0.5;

  /// The report of a proof that found a fault or was stopped. If intervals come in their order, it
  /// states those that are proved, unless the period is proved with a heap of theirs: then the
  /// proof that goes on from here proves the period, too.
  VerifyReport stopped(const std::vector<Interval>& wanted, bool with_period) {
    if (report_.wrong || work_.request.proof == ProofKind::kSamples) return std::move(report_);
    for (const Interval& interval : wanted) {
      if (interval.end > checked_ || (with_period && interval.end > heap_of_period())) break;
      report_.proved = EntryRange{wanted.front().first, interval.end - 1};
    }
    return std::move(report_);
  }

  /// The heap whose part proves the period. @pre a period is claimed
  [[nodiscard]] HeapSize heap_of_period() const {
    return std::min(period_->last_heap(), report_.info.stats.count - 1);
  }

  /// Whether intervals are proved for as long as there is time.
  [[nodiscard]] bool in_time() const noexcept {
    return work_.request.proof == ProofKind::kSamples && !work_.request.samples;
  }

  /// Whether the time is over. One interval is proved in any case.
  [[nodiscard]] bool is_late() const noexcept {
    return in_time() && report_.random > 0 && time_.seconds() > work_.request.seconds;
  }

  /// Seconds to compare all segments with their digests, estimated from the first ones.
  double seconds_to_read() const {
    const auto bytes_of = [](const Segment& segment) {
      return static_cast<double>(std::filesystem::file_size(segment.path));
    };
    const Stopwatch time;
    double read = 0, all = 0;
    for (const Segment& segment : segments_) {
      all += bytes_of(segment);
      if (time.seconds() > kTrial) continue;
      check_segment(segment);
      read += bytes_of(segment);
    }
    return time.seconds() * all / read;
  }

  /// The work of an interval that is done in a second, measured in a trial.
  double work_in_a_second(const Interval& interval) const {
    RunState before;
    Milestones milestones;
    ValueBuffer newest;
    SealedHeaps known = heaps_before(interval);
    if (!interval.is_first()) take_up(known, work_.kernels, before, milestones, newest);
    std::optional<Stopwatch> time;
    double seconds = 0;
    HeapSize begin = 0, end = 0;
    SinkOf sink([&](const Stretch& block) {
      if (!time) {  // the work before the first block is done only once
        time.emplace();
        begin = block.end();
      }
      seconds = time->seconds();
      end = block.end();
      return seconds > kTrial ? Flow::kStop : Flow::kContinue;
    });
    const Stopwatch whole;
    engine_for(interval).run(task_of(interval, known, nullptr), sink);
    if (end == begin) {  // there was one block only
      seconds = whole.seconds();
      begin = std::min(interval.first, end);
    }
    const HeapSize heaps = interval.end - interval.first;
    const double share = static_cast<double>(end - begin) / static_cast<double>(heaps);
    return piece(interval).work * share / std::max(seconds, 1e-9);
  }

  [[nodiscard]] Piece piece(const Interval& interval) const {
    const HeapSize heaps = interval.end - interval.first;
    return {heaps, static_cast<double>(heaps) *
                       static_cast<double>(cost_of_heap(segments_[interval.state]))};
  }
  /// The work of proving the period: its heaps cost as much as those before the last state.
  [[nodiscard]] Piece period_piece() const {
    if (!period_) return {};
    const HeapSize heaps = period_->heaps_to_compute();
    return {heaps,
            static_cast<double>(heaps) * static_cast<double>(cost_of_heap(segments_.back()))};
  }
  /// The pieces of the intervals, then that of the period.
  [[nodiscard]] std::vector<Piece> pieces(const std::vector<Interval>& intervals,
                                          bool with_period) const {
    std::vector<Piece> all;
    for (const Interval& interval : intervals) all.push_back(piece(interval));
    if (with_period) all.push_back(period_piece());
    return all;
  }

  /// If several parts share the proof, one of them proves the period.
  [[nodiscard]] bool proves_period() const {
    if (!period_ || work_.request.proof != ProofKind::kRange) return period_.has_value();
    const HeapSize last = heap_of_period();
    return work_.request.range.first <= last && last <= work_.request.range.last;
  }

  /// Returns false if the period is wrong, which is noted, or if it was stopped.
  bool check_period(ProgressSink& progress) {
    report_.wrong = period_->check(&progress);
    return !report_.wrong && !work_.hooks.stop.stop_requested();
  }

  [[nodiscard]] const HeapEngine& engine() const {
    return select_heap_engine(kEngine, rule_, report_.info.stats.count);
  }

  [[nodiscard]] const HeapEngine& engine_for(const Interval& interval) const {
    return interval.is_first() ? *first_engine_ : engine();
  }

  [[nodiscard]] std::vector<Interval> selection() const {
    std::vector<Interval> wanted = intervals_;
    switch (work_.request.proof) {
      case ProofKind::kFull:
        break;
      case ProofKind::kSamples: {
        std::mt19937_64 random(work_.request.seed);
        std::ranges::shuffle(wanted, random);
        if (const auto most = work_.request.samples; most && *most < wanted.size()) {
          wanted.erase(wanted.begin() + static_cast<std::ptrdiff_t>(*most), wanted.end());
        }
        // One interval is proved in any case, so it is the one that takes the least time.
        if (in_time() && !wanted.empty()) {
          std::ranges::iter_swap(
              wanted.begin(), std::ranges::min_element(
                                  wanted, {}, [this](const Interval& i) { return piece(i).work; }));
        }
        break;
      }
      case ProofKind::kRange: {
        const EntryRange range = work_.request.range;
        std::erase_if(wanted, [&](const Interval& interval) {
          return interval.end - 1 < range.first || interval.end - 1 > range.last;
        });
      }
    }
    return wanted;
  }

  [[nodiscard]] SealedHeaps heaps_before(const Interval& interval) const {
    const auto at = segments_.begin() + static_cast<std::ptrdiff_t>(interval.before);
    return {Segments(segments_.begin(), at), interval.first};
  }

  [[nodiscard]] HeapTask task_of(const Interval& interval, const SealedHeaps& known,
                                 ProgressSink* progress) const {
    return {.rule = rule_,
            .count = interval.end,
            .kernels = work_.kernels,
            .executor = *work_.executor,
            .stop = work_.hooks.stop,
            .progress = progress,
            .keep_table = false,
            .known = interval.is_first() ? nullptr : &known};
  }

  /// Returns false if the interval is wrong, which is noted, or if it was stopped.
  bool check(const Interval& interval, ProgressSink& progress) {
    RunState before;
    Milestones milestones;
    ValueBuffer newest;
    SealedHeaps known = heaps_before(interval);
    StatsCollector counter = interval.is_first()
                                 ? StatsCollector(work_.kernels)
                                 : take_up(known, work_.kernels, before, milestones, newest);
    const Segment& sealed = segments_[interval.state];
    const RunState state = parse_run_state(read_state_text(sealed), interval.end);
    std::optional<RareComparison> rare;
    if (interval.is_first() && moves_ && !moves_->splits.empty()) rare.emplace(*moves_, state);
    SealComparison comparison(segments_, interval, counter, milestones,
                              period_ ? &*period_ : nullptr, rare ? &*rare : nullptr);
    HeapsDone told(progress, interval.first, 0, interval.end - interval.first);
    SinkOf until_late(
        [&](const Stretch& block) { return is_late() ? Flow::kStop : comparison.put(block); });
    const RunStatus status = engine_for(interval).run(task_of(interval, known, &told), until_late);
    if (comparison.wrong()) {
      report_.wrong = comparison.wrong();
      return false;
    }
    if (status != RunStatus::kComplete) return false;
    std::string clause = difference(counter.stats(), milestones, state);
    if (clause.empty() && rare && !rare->same()) clause = kOtherRareHeaps;
    if (!clause.empty()) {
      report_.wrong = {interval.end - 1, fmt::format("'{}' {}", sealed.path.string(), clause)};
      return false;
    }
    const auto& facts = milestones.found().sparse;
    if (period_ && facts) {
      report_.wrong = period_->note_depth(interval.first, interval.end, facts->depth);
    }
    return !report_.wrong && !work_.hooks.stop.stop_requested();
  }

  /// Checks the intervals and the period, shared with the other ranks.
  bool check_together(Team& team, std::vector<Interval> intervals, bool with_period) {
    std::ranges::stable_sort(intervals, std::greater{},
                             [this](const Interval& interval) { return piece(interval).work; });
    SharedProof proof = share_proof(
        team, pieces(intervals, with_period),
        [&](std::uint64_t i, ProgressSink& progress) {
          if (i < intervals.size()) {
            check(intervals[i], progress);
          } else {
            check_period(progress);
          }
          return std::exchange(report_.wrong, std::nullopt);
        },
        work_.hooks.stop, work_.hooks.progress);
    report_.wrong = std::move(proof.wrong);
    return proof.complete && !report_.wrong;
  }

  const Work& work_;
  const Segments& segments_;
  HeapRule rule_;
  std::optional<PairMoves> moves_;
  std::vector<Interval> intervals_;
  const HeapEngine* first_engine_ = nullptr;
  std::optional<PeriodClaim> claim_;
  std::optional<StatePeriod> period_;  ///< the period that is claimed
  HeapSize checked_ = 0;               ///< the end of the last interval that was right
  Stopwatch time_;                     ///< of the intervals
  VerifyReport report_;
};

}  // namespace

bool keeps_states(const RunContents& run) noexcept {
  return !run.segments.empty() && run.record->stats_only && !run.record->lattice &&
         run.segments.back().header.is_state();
}

StatisticsFile statistics_of_states(const std::filesystem::path& directory,
                                    const RunContents& run) {
  const Segment& last = run.segments.back();
  RunState state = parse_run_state(read_state_text(last), last.header.end());
  const auto names = [&](std::string SegmentHeader::*maker) {
    return fmt::format("{}", fmt::join(makers_of(run.segments, maker), ", "));
  };
  StatisticsFile file;
  TableInfo& info = file.info;
  info.game = run.record->game;
  info.title = run.record->title.empty() ? run.record->rule : run.record->title;
  info.canonical = run.record->rule;
  info.description = HeapRule::parse(run.record->rule).describe();
  info.layout = Layout::of_heaps(state.stats.count);
  info.stats = state.stats;
  info.computed = state.stats.count;
  info.engine = names(&SegmentHeader::engine);
  info.kernel = names(&SegmentHeader::kernel);
  if (auto claim = claim_of_states(directory, run)) info.period = std::move(claim->report);
  file.statistics = std::move(state.statistics);
  file.statistics.sparse = state.facts;
  if (state.rare.size() > kMilestoneRare) state.rare.resize(kMilestoneRare);
  file.statistics.rare_heaps = std::move(state.rare);
  std::vector<Nimber>& tail = file.statistics.tail;
  tail.resize(std::min<HeapSize>(kTailValues, last.header.end() - last.header.first()));
  SegmentReader(last).read(last.header.end() - tail.size(), tail);
  return file;
}

std::function<std::uint64_t(HeapSize)> cost_of_states(const RunContents& run) {
  return [&run](HeapSize heap) {
    const auto behind = std::ranges::upper_bound(
        run.segments, heap, {}, [](const Segment& segment) { return segment.header.end(); });
    const auto state = std::ranges::find_if(behind, run.segments.end(),
                                            [](const Segment& s) { return s.header.is_state(); });
    return cost_of_heap(*state);
  };
}

VerifyReport verify_states(const Work& work, const RunContents& run) {
  return StatesVerification(work, run).run();
}

std::optional<Prediction> predict_states(const Work& work, const RunContents& run) {
  return StatesVerification(work, run).foretell();
}

}  // namespace grundy
