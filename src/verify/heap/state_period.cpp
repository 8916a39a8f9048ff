// SPDX-License-Identifier: MIT
#include "verify/heap/state_period.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "core/primes.hpp"
#include "core/shared_progress.hpp"
#include "core/text.hpp"
#include "theory/sparse_certificate.hpp"
#include "verify/heap/pair_moves.hpp"
#include "verify/heap/period_check.hpp"
#include "verify/heap/statistics_check.hpp"
#include "verify/heap/window_check.hpp"

namespace grundy {
namespace {

/// Number of values after the window that are compared at a time.
constexpr HeapSize kHeapsOfAPiece = HeapSize{1} << 22;

/// Thrown to end a proof from inside when a stop was requested.
struct StoppedProof {};

RunState last_state_of(const RunContents& run) {
  const Segment& last = run.segments.back();
  return parse_run_state(read_state_text(last), last.header.end());
}

HeapSize end_of_values(const RunContents& run) {
  HeapSize end = 0;
  for (const Segment& segment : run.segments) {
    if (!segment.header.has_values()) break;
    end = segment.header.end();
  }
  return end;
}

Request request_for(const Work& work, const HeapRule& rule, HeapSize count) {
  Request request{.game = HeapGame{.rule = rule, .last = count - 1, .stats_only = true}};
  request.machine = work.request.machine;
  return request;
}

/// Whether both facts describe the same sparse space, even if different heaps were looked at.
bool same_space(SparseFacts a, const SparseFacts& b) {
  a.count = b.count;
  return a == b;
}

}  // namespace

std::optional<PeriodClaim> claim_of_states(const std::filesystem::path& directory,
                                           const RunContents& run) {
  const HeapSize frontier = run.segments.back().header.end();
  if (auto file = statistics_beside(directory, *run.record)) {
    if (file->info.period.status != PeriodStatus::kCertified) return std::nullopt;
    const HeapSize computed = std::min(file->info.computed, run.record->count);
    return PeriodClaim{.report = std::move(file->info.period),
                       .computed = std::max(frontier, computed),
                       .last_exception = file->statistics.last_exception};
  }
  const RunState state = last_state_of(run);
  if (!state.returns || !state.returns->found) return std::nullopt;
  const Return& found = *state.returns->found;
  const HeapSize take = HeapRule::parse(run.record->rule).largest_take().value_or(0);
  PeriodReport report = sparse_report(found.facts, take, found.first, found.period);
  report.is_least = false;
  return PeriodClaim{.report = std::move(report),
                     .computed = std::max(frontier, found.facts.count)};
}

StatePeriod::StatePeriod(const Work& work, const RunContents& run, const HeapRule& rule,
                         const PeriodClaim& claim)
    : work_(work),
      claim_(claim),
      period_(claim.report),
      rule_(rule),
      state_(last_state_of(run)),
      values_end_(end_of_values(run)),
      quiet_{.stop = work.hooks.stop},
      request_(request_for(work, rule, state_.stats.count)),
      setup_(request_),
      values_(setup_, run.segments, quiet_),
      seals_(values_.seals()) {
  if (period_.period > 0) {
    for (const HeapSize prime : primes_of(period_.period)) {
      divisors_.push_back(period_.period / prime);
    }
  }
  window_ = period_.verified_to - std::min(period_.verified_to, period_.preperiod + period_.period);
  if (!period_.sparse) return;
  depth_ = period_.sparse->depth;
  const auto moves = PairMoves::from(rule_, 0);
  if (moves && !moves->splits.empty()) {
    split_.emplace(*moves, period_.sparse->mask, period_.sparse->parity);
  }
}

HeapSize StatePeriod::seal_before(HeapSize heap) const {
  const auto after = std::ranges::upper_bound(seals_, heap);
  return after == seals_.begin() ? 0 : *std::prev(after);
}

HeapSize StatePeriod::heaps_to_compute() const {
  const auto heaps = [&](HeapSize shift) {
    const HeapSize begin = period_.preperiod + shift;
    return begin + window_ - seal_before(begin);
  };
  HeapSize all = heaps(0) + heaps(period_.period);
  for (const HeapSize shorter : divisors_) all += heaps(shorter);
  return all;
}

void StatePeriod::compute(HeapSize begin, HeapSize end, ValueSink& sink) {
  const HeapSize from = seal_before(begin);
  std::optional<HeapsDone> told;
  if (progress_ != nullptr) {
    told.emplace(*progress_, from, done_, std::max(heaps_to_compute(), done_ + end - from));
  }
  if (values_.compute(begin, end, sink, told ? &*told : nullptr) == RunStatus::kCancelled) {
    throw StoppedProof();
  }
  done_ += end - from;
}

Values StatePeriod::remembered(HeapSize begin, HeapSize end) {
  if (!here_ || begin < first_ || end > first_ + here_->size()) {
    here_.emplace();
    first_ = begin;
    SinkOf keep([this](const Stretch& block) {
      here_->append(block.values);
      return Flow::kContinue;
    });
    compute(begin, end, keep);
  }
  return here_->values().subspan(begin - first_, end - begin);
}

void StatePeriod::compare(HeapSize begin, HeapSize end, HeapSize shift,
                          const std::function<Flow(const Difference&)>& visit) {
  bool stopped = false;
  for (HeapSize from = begin; from < end && !stopped;) {
    // Where the sequences differ, they mostly differ early.
    const HeapSize border = period_.preperiod + window_;
    const HeapSize to = std::min(end, from < border ? border : from + kHeapsOfAPiece);
    const Values here = remembered(from, to);
    SinkOf later([&](const Stretch& block) {
      for (std::size_t i = 0; i < block.values.size() && !stopped; ++i) {
        const HeapSize heap = block.begin + i - shift;
        const Nimber value = here[heap - from];
        if (value == block.values[i]) continue;
        stopped = visit({heap, value, block.values[i]}) == Flow::kStop;
      }
      return stopped ? Flow::kStop : Flow::kContinue;
    });
    compute(from + shift, to + shift, later);
    from = to;
  }
}

std::optional<WrongValue> StatePeriod::contradiction() const {
  const HeapSize e = period_.preperiod;
  const HeapSize p = period_.period;
  if (p == 0 || period_.verified_to > claim_.computed || period_.verified_to < e + p) {
    return WrongValue{e, fmt::format("the period {} from heap {} on claims to rest on the heaps "
                                     "below {}, of which {} were computed",
                                     p, e, period_.verified_to, claim_.computed)};
  }
  if (period_.saltus != 0 || !equalities_suffice(rule_, period_)) {
    return WrongValue{e, fmt::format("the period {} is called certified, but the {} heaps it rests "
                                     "on are not enough for a proof",
                                     p, period_.verified_to)};
  }
  if (state_.returns && state_.returns->found) {
    const Return& found = *state_.returns->found;
    // A period that was proved while all values were stored rests on a sparse space of fewer heaps.
    const bool same = period_.verified_to <= values_end_ ||
                      (period_.sparse && same_space(*period_.sparse, found.facts));
    if (found.period != p || e > found.first || !same) {
      return WrongValue{e, fmt::format("the statistics prove the period {} from heap {} on, and "
                                       "the last state of the run has found the period {} from "
                                       "heap {} on, in another way",
                                       p, e, found.period, found.first)};
    }
  }
  return std::nullopt;
}

std::optional<WrongValue> StatePeriod::check_exception(const std::optional<Difference>& last) {
  const HeapSize e = period_.preperiod;
  const auto& told = claim_.last_exception;
  if (!period_.is_least || (e == 0 && !told)) return std::nullopt;
  if (e == 0 || !last) {
    return WrongValue{e - std::min<HeapSize>(e, 1),
                      fmt::format("the preperiod {} is not the least, or the last exception is "
                                  "told wrongly: heap {} obeys the period {} as well",
                                  e, e - std::min<HeapSize>(e, 1), period_.period)};
  }
  if (!told || *told == LastException{last->heap, last->value, last->later}) return std::nullopt;
  return WrongValue{
      last->heap,
      fmt::format("the last exception is told to be heap {} with the value {}, and {} "
                  "a period later; it is heap {} with {} and {}",
                  told->heap, told->value, told->later, last->heap, last->value, last->later)};
}

std::optional<WrongValue> StatePeriod::compare_window() {
  const HeapSize e = period_.preperiod;
  const HeapSize p = period_.period;
  std::optional<Difference> last, first;  // before heap e, and from there on
  compare(e - std::min<HeapSize>(e, 1), e + window_, p, [&](const Difference& difference) {
    auto& place = difference.heap < e ? last : first;
    place = difference;
    return first ? Flow::kStop : Flow::kContinue;
  });
  if (!first) return check_exception(last);
  return WrongValue{first->heap + p,
                    fmt::format("heap {} has the value {}, but the period {} gives {}",
                                first->heap + p, first->later, p, first->value)};
}

std::optional<WrongValue> StatePeriod::check_divisors() {
  const HeapSize e = period_.preperiod;
  for (const HeapSize shorter : divisors_) {
    bool differs = false;
    compare(e, e + period_.period, shorter, [&](const Difference&) {
      differs = true;
      return Flow::kStop;
    });
    if (differs) continue;
    return WrongValue{e, fmt::format("the period {} is not the least: {} is one as well",
                                     period_.period, shorter)};
  }
  return std::nullopt;
}

std::optional<WrongValue> StatePeriod::check_behind_last_seal() {
  const HeapSize frontier = state_.stats.count;
  if (period_.verified_to <= frontier) return std::nullopt;
  std::optional<WrongValue> rare;
  HeapSize depth = 0;
  SinkOf look([&](const Stretch& block) {
    for (std::size_t i = 0; i < block.values.size(); ++i) {
      if (allows(block.begin + i, block.values[i])) continue;
      rare = rare_heap(block.begin + i);
      return Flow::kStop;
    }
    if (block.sparse != nullptr) depth = block.sparse->depth;
    return Flow::kContinue;
  });
  compute(frontier, period_.verified_to, look);
  return rare ? rare : note_depth(frontier, period_.verified_to, depth);
}

WrongValue StatePeriod::rare_heap(HeapSize heap) const {
  return {heap, fmt::format("heap {} is rare under mask {:#x}, but the proof of the period {} says "
                            "that heap {} is the last",
                            heap, period_.sparse->mask, period_.period, period_.sparse->last_rare)};
}

std::optional<WrongValue> StatePeriod::note_depth(HeapSize begin, HeapSize end, HeapSize depth) {
  const HeapSize used = period_.verified_to - period_.period;
  const bool is_used = begin < period_.verified_to && end > used;
  if (!period_.sparse || depth <= depth_ || !is_used) return std::nullopt;
  work_.say(
      fmt::format("this engine needs witnesses as deep as {}, the proof of the period speaks "
                  "of {}: the longer window is compared",
                  format_count(depth), format_count(depth_)));
  SparseFacts facts = *period_.sparse;
  facts.depth = depth_ = depth;
  window_ = sparse_window(facts, rule_.largest_take().value_or(0));
  try {
    return compare_window();
  } catch (const StoppedProof&) {
    return std::nullopt;
  }
}

std::optional<WrongValue> StatePeriod::check(ProgressSink* progress) {
  if (auto fault = contradiction()) return fault;
  work_.say(fmt::format("proving the period {} from heap {} on again, from {} heaps",
                        format_count(period_.period), format_count(period_.preperiod),
                        format_count(heaps_to_compute())));
  progress_ = progress;
  done_ = 0;
  std::optional<WrongValue> fault;
  try {
    fault = compare_window();
    if (!fault) fault = check_divisors();
    if (!fault) fault = check_behind_last_seal();
  } catch (const StoppedProof&) {
    fault.reset();
  }
  progress_ = nullptr;
  return fault;
}

std::string StatePeriod::proof() const {
  std::string text = fmt::format("G(n+{}) = G(n) for the {} heaps n from {} on, computed again",
                                 format_count(period_.period), format_count(window_),
                                 format_count(period_.preperiod));
  if (!period_.is_least) text += "; the preperiod may be less";
  if (period_.is_least && period_.preperiod > 0) {
    text += fmt::format("; not for heap {}", format_count(period_.preperiod - 1));
  }
  if (!divisors_.empty()) {
    text += fmt::format("; for no period that divides it ({} tried)", divisors_.size());
  }
  return text;
}

}  // namespace grundy
