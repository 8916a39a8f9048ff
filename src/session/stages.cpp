// SPDX-License-Identifier: MIT
#include "session/stages.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/text.hpp"
#include "core/value_copy.hpp"

namespace grundy {
namespace {

/// Seconds between two reports of what is known.
constexpr double kTellingInterval = 60;

}  // namespace

Flow Check::take(Stretch& stretch) {
  if (stretch.end() > known_) {
    const Opener open_earlier = earlier_(stretch);
    if (open_earlier) check_.sample(stretch.begin, stretch.values, open_earlier);
  }
  return Flow::kContinue;
}

Flow Watch::take(Stretch& stretch) {
  if (stretch.sparse != nullptr) facts_ = *stretch.sparse;
  whole_ = stretch.table.size() == stretch.end();
  Stretch seen = stretch;
  // With the sparse space, the moment of the proof depends on blocks and interruptions.
  if (blind_) seen.sparse = nullptr;
  const bool certified = search_.observe(seen);
  // As long as the engine keeps all values, search_ sees them too, and can extend the period that
  // it finds.
  const bool returns = returns_ != nullptr && returns_->observe(stretch) && stretch.table.empty();
  const HeapSize seen_before = std::exchange(end_, std::max(end_, stretch.end()));
  if (!certified && !returns) {
    if (narrate_ && since_told_.seconds() >= kTellingInterval) {
      narrate_(knowledge());
      since_told_ = {};
    }
    return Flow::kContinue;
  }
  if (!ends_) return Flow::kContinue;
  const HeapSize needed = certified ? search_.report().verified_to : returns_->found()->facts.count;
  // A period that was found in the whole table may rest on earlier values alone. One that an
  // earlier life has found needs none that it has not seen.
  const HeapSize last = std::max(needed, seen_before);
  if (last > stretch.begin) stretch = stretch.to(last);
  return Flow::kStop;
}

std::string Watch::knowledge() const {
  std::string text = fmt::format("no period is proved in {} heaps", format_count(end_));
  if (facts_) {
    text += fmt::format("; {} of them are rare, the last is heap {}", format_count(facts_->rare),
                        format_count(facts_->last_rare));
  }
  const std::string excluded = exclusion();
  return excluded.empty() ? text : text + "; " + excluded;
}

std::string Watch::exclusion() const {
  const auto ruled_out = returns_ != nullptr ? returns_->ruled_out() : std::nullopt;
  if (!ruled_out) return {};
  return fmt::format("no period up to {} begins at heap {} or before it",
                     format_count(ruled_out->longest), format_count(ruled_out->first));
}

void Count::catch_up(const KnownValues& known) {
  catching_up_ = std::async(std::launch::async, [this, &known] {
    SinkOf sink([this](const Stretch& block) {
      return hooks_.stop.stop_requested() ? Flow::kStop : count(block);
    });
    known.replay(sink);
  });
}

void Count::resume(StatsCollector counted) {
  stats_.emplace(std::move(counted));
  end_ = stats_->stats().count;
}

void Count::wait() {
  if (catching_up_.valid()) catching_up_.get();
}

Flow Count::take(Stretch& stretch) {
  wait();
  if (milestones_ != nullptr) milestones_->note_rare(stretch);
  // The thread that catches up may have been stopped early.
  if (refused_ || end_ < stretch.begin) return Flow::kStop;
  if (stretch.end() <= end_) return Flow::kContinue;
  // A caller gets values alone, as with values that earlier lives have sealed.
  const Stretch later = stretch.from(end_);
  return count({later.begin, later.values, {}});
}

Flow Count::count(const Stretch& block) {
  if (milestones_ != nullptr) {
    milestones_->count(block, *stats_);
  } else {
    stats_->put(block);
  }
  list_zeros(block, most_zeros_, zeros_);
  if (zeros_.size() < most_zeros_) {
    if (!zeros_.empty()) last_zero_ = zeros_.back();
  } else if (const auto last = most_zeros_ > 0 ? grundy::last_zero(block) : std::nullopt) {
    last_zero_ = last;
  }
  end_ = block.begin + block.values.size();
  refused_ = hooks_.values && hooks_.values(block) == Flow::kStop;
  return refused_ ? Flow::kStop : Flow::kContinue;
}

Flow Seal::take(Stretch& stretch) {
  if (check_ != nullptr) sealed_.scrub(*check_, stretch);
  sealed_.put(stretch);
  return Flow::kContinue;
}

Flow SealStates::take(Stretch& stretch) {
  const bool stops = stop_.stop_requested();
  const Flow flow = stops ? Flow::kStop : Flow::kContinue;
  sealed_.scrub(check_, stretch);
  const bool is_whole = stretch.newest.empty();
  if (is_whole && (stretch.sparse == nullptr || stretch.sparse->mask == 0)) {
    sealed_.put(stretch);
    return flow;
  }
  const HeapSize end = stretch.end();
  Stretch last = stretch;
  if (is_whole) last.newest = stretch.table;
  last.newest = run_.newest_needed(last);
  if (is_whole) last.first = stretch.table.subspan(0, end - last.newest.size());
  // Without a state, a later life would go on from the state before it and find a return again.
  const bool goes_on = !last.newest.empty();
  const auto text = [&] { return run_.state_text(last); };
  const bool is_whole_run = is_kept_ && end == heaps_;
  const bool ended = is_whole_run || (is_kept_ && run_.ends());
  const bool is_left = is_kept_ && stops;
  if (values_ || is_whole) {
    if (goes_on && is_whole_run && (values_ || end <= kMostInFile)) run_.ended(last);
    // A table has its values in its file soon. Without one, the last state is what a longer run
    // begins with.
    const bool now = is_left || (ended && (!values_ || sealed_.log().is_worth_sealing()));
    sealed_.put(stretch, now, goes_on ? text : SegmentLog::StateText());
    return flow;
  }
  sealed_.put_state(last, is_left || ended, goes_on ? text : SegmentLog::StateText());
  // By now the last seal is noted.
  if (goes_on && is_whole_run) run_.ended(last);
  return flow;
}

Flow Stages::put(const Stretch& handed) {
  Stretch stretch = handed;
  Flow flow = Flow::kContinue;
  for (Stage* const stage : stages_) {
    if (stage != nullptr && stage->take(stretch) == Flow::kStop) flow = Flow::kStop;
  }
  return flow;
}

}  // namespace grundy
