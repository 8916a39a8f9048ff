// SPDX-License-Identifier: MIT
#include "verify/heap/state_check.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
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
#include "verify/heap/state_period.hpp"
#include "verify/shared_proof.hpp"

namespace grundy {
namespace {

using Segments = std::vector<Segment>;

/// The engine that computes intervals.
constexpr const char* kEngine = "sparse";

constexpr const char* kStatementOfStates =
    "computed again from the state before it by the rule, the heaps of a range have the "
    "statistics, "
    "the digests and the newest values that the states in it keep";

/// Heaps first .. end-1, whose values follow from the segments below `before`.
struct Interval {
  std::size_t before;  ///< number of segments that are known; 0: the interval begins with heap 0
  std::size_t state;   ///< number of the state that ends it
  HeapSize first;
  HeapSize end;
};

/// An engine takes up all values before an interval if they are sealed. So a state with values ends
/// an interval only if the heaps have grown by this part of them, or if it is the last one.
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

/// Counts the values that an engine finds and compares them with the sealed ones.
class SealComparison final : public ValueSink {
 public:
  /// @param period its claim about all heaps is compared too; null if no period is claimed
  SealComparison(const Segments& segments, const Interval& interval, StatsCollector& counter,
                 Milestones& milestones, const StatePeriod* period)
      : sealed_(segments.begin(),
                segments.begin() + static_cast<std::ptrdiff_t>(interval.state) + 1),
        counter_(counter),
        milestones_(milestones),
        period_(period) {
    // Keep the values that are sealed in the interval, and those just before it that are computed
    // again.
    std::erase_if(sealed_, [&](const Segment& segment) {
      const bool near = segment.header.end() >= interval.first;
      return segment.header.is_state() && !near;
    });
  }

  Flow put(const Stretch& block) override {
    for (const Segment& segment : sealed_) {
      if (!compare(segment, block)) return Flow::kStop;
    }
    const HeapSize counted = counter_.stats().count;
    if (block.end() > counted) milestones_.count(block.from(counted), counter_);
    milestones_.note_rare(block);
    return period_ == nullptr || obeys_period(block) ? Flow::kContinue : Flow::kStop;
  }
  [[nodiscard]] const std::optional<WrongValue>& wrong() const noexcept { return wrong_; }

 private:
  /// Compares the values of the block that the segment has.
  bool compare(const Segment& segment, const Stretch& block) {
    const HeapSize first = std::max(segment.header.first(), block.begin);
    const HeapSize end = std::min(segment.header.end(), block.end());
    if (first >= end) return true;
    values_.resize(end - first);
    reader_of(segment).read(first, values_);
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const Nimber found = block.values[first + i - block.begin];
      if (found == values_[i]) continue;
      wrong_ = {first + i, fmt::format("heap {} was sealed with {} in '{}', and its value is {}",
                                       first + i, values_[i], segment.path.string(), found)};
      return false;
    }
    return true;
  }

  /// Several states may hold newest values of one block, so their readers are kept. Segments of
  /// values are read one after another and may be many, so one reader is kept for them.
  SegmentReader& reader_of(const Segment& segment) {
    if (!segment.header.has_values()) {
      return states_.try_emplace(segment.header.index, segment).first->second;
    }
    if (!reader_ || reader_->segment().header.index != segment.header.index) {
      reader_.emplace(segment);
    }
    return *reader_;
  }

  bool obeys_period(const Stretch& block) {
    return block.values.visit([&](auto values) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (period_->allows(block.begin + i, values[i])) continue;
        wrong_ = period_->rare_heap(block.begin + i);
        return false;
      }
      return true;
    });
  }

  Segments sealed_;
  StatsCollector& counter_;
  Milestones& milestones_;
  const StatePeriod* period_;
  std::map<std::uint64_t, SegmentReader> states_;  ///< by number in the chain
  std::optional<SegmentReader> reader_;            ///< of the values that were read last
  std::vector<Nimber> values_;
  std::optional<WrongValue> wrong_;
};

/// The first difference between two states at one heap, as a clause; empty if there is none.
std::string difference(const TableStats& found, const Milestones& milestones,
                       const RunState& sealed) {
  if (found.digest != sealed.stats.digest) {
    return fmt::format("has the digest {}, and the values below it have {}",
                       to_hex(sealed.stats.digest), to_hex(found.digest));
  }
  if (found != sealed.stats) return "has other statistics than the values below it";
  const HeapStatistics& lists = milestones.found();
  if (lists.milestones != sealed.statistics.milestones || lists.zeros != sealed.statistics.zeros) {
    return "has other statistics at powers of two than the values below it";
  }
  const auto listed = std::min(sealed.rare.size(), lists.rare_heaps.size());
  if (lists.sparse && lists.sparse->mask == sealed.facts.mask &&
      (lists.sparse->rare != sealed.rare.size() ||
       !std::equal(lists.rare_heaps.begin(),
                   lists.rare_heaps.begin() + static_cast<std::ptrdiff_t>(listed),
                   sealed.rare.begin()))) {
    return "has another list of rare heaps than the values below it";
  }
  return {};
}

class StatesVerification {
 public:
  StatesVerification(const Work& work, const RunContents& run)
      : work_(work),
        segments_(run.segments),
        rule_(HeapRule::parse(run.record->rule)),
        intervals_(intervals_of(segments_)) {
    const std::string& asked = work.request.machine.engine;
    if (!asked.empty() && !same_name(asked, "auto") && !same_name(asked, kEngine)) {
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
    report_.method =
        fmt::format("the engine {} from seal to seal, kernel {}, {} thread{}", engine().name(),
                    work.kernels.name, threads, threads == 1 ? "" : "s");
  }

  VerifyReport run() {
    for (const Segment& segment : segments_) check_segment(segment);
    if (!work_.agree_on_table(report_.info, segments_.back().chain, report_.periodic_from)) {
      return std::move(report_);
    }
    const Stopwatch time;
    const std::vector<Interval> wanted = selection();
    const bool samples = work_.request.proof == ProofKind::kSamples;
    const bool with_period = proves_period();
    if (work_.request.team != nullptr) {
      if (!check_together(*work_.request.team, wanted, with_period)) return std::move(report_);
    } else {
      SharedProgress all(work_.hooks.progress);
      all.expect(whole_of(pieces(wanted, with_period)));
      for (const Interval& interval : wanted) {
        if (in_time() && report_.random > 0 && time.seconds() > work_.request.seconds) break;
        PieceProgress progress(all, piece(interval));
        if (!check(interval, progress)) return stopped(wanted, with_period);
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

  /// The report of a proof that found a fault or was stopped. Of intervals in their order it states
  /// those that are proved, unless the period is proved with a heap of theirs: then the proof that
  /// goes on from here proves the period, too.
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
    if (interval.before != 0) take_up(known, work_.kernels, before, milestones, newest);
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
    engine().run(task_of(interval, known, nullptr), sink);
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
            .known = interval.before == 0 ? nullptr : &known};
  }

  /// Returns false if the interval is wrong, which is noted, or if it was stopped.
  bool check(const Interval& interval, ProgressSink& progress) {
    RunState before;
    Milestones milestones;
    ValueBuffer newest;
    SealedHeaps known = heaps_before(interval);
    StatsCollector counter = interval.before == 0
                                 ? StatsCollector(work_.kernels)
                                 : take_up(known, work_.kernels, before, milestones, newest);
    SealComparison comparison(segments_, interval, counter, milestones,
                              period_ ? &*period_ : nullptr);
    HeapsDone told(progress, interval.first, 0, interval.end - interval.first);
    const RunStatus status = engine().run(task_of(interval, known, &told), comparison);
    if (comparison.wrong()) {
      report_.wrong = comparison.wrong();
      return false;
    }
    if (status != RunStatus::kComplete) return false;
    const Segment& sealed = segments_[interval.state];
    const RunState state = parse_run_state(read_state_text(sealed), interval.end);
    const std::string clause = difference(counter.stats(), milestones, state);
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
  std::vector<Interval> intervals_;
  std::optional<PeriodClaim> claim_;
  std::optional<StatePeriod> period_;  ///< the period that is claimed
  HeapSize checked_ = 0;               ///< the end of the last interval that was right
  VerifyReport report_;
};

}  // namespace

bool keeps_states(const RunContents& run) noexcept {
  return !run.segments.empty() && run.record->stats_only && run.segments.back().header.is_state();
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
