// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>
#include <grundy/statistics.hpp>
#include <grundy/table.hpp>

#include "core/stopwatch.hpp"
#include "core/text.hpp"
#include "core/value_buffer.hpp"
#include "session/base_of_run.hpp"
#include "session/compute_kinds.hpp"
#include "session/life_of_run.hpp"
#include "session/period_search.hpp"
#include "session/prediction.hpp"
#include "session/setup.hpp"
#include "session/shared_run.hpp"
#include "session/stages.hpp"
#include "session/window_proof.hpp"
#include "session/windowed_run.hpp"
#include "table/table_writer.hpp"
#include "theory/periodic_extension.hpp"

namespace grundy {
namespace {

/// A table that takes more seconds to write is announced.
constexpr double kWorthSaying = 1;

/// Values that follow from a period are read in pieces of this size.
constexpr HeapSize kExtended = HeapSize{1} << 18;
/// The part of the time after the last value that it takes to copy chunks. The file is read back in
/// the rest.
constexpr double kCopying = 0.3;

/// A life of a game of one heap. Heaps are counted and sealed in their order, as they come. At the
/// end the table is made from the sealed chunks and from the values that follow from a period.
class HeapLife final : LifeOfRun {
 public:
  HeapLife(const HeapSetup& setup, const Hooks& hooks, NumberedHeaps& game,
           const OutputPlace& place)
      : LifeOfRun(setup.request, hooks, game, place),
        setup_(setup),
        summons_(setup.request.team),
        heaps_(game),
        count_(setup.kernels, hooks, setup.request.output.path.empty() ? kMilestoneZeros : 0,
               milestones()) {}

  Report run() {
    report_.threads = setup_.executor->threads();
    report_.wanted = setup_.count;
    if (!file().empty()) {
      RunTerms terms = run_terms(setup_);
      replaces_ = terms.record.overwrite;
      if (place().is_scratch) terms.matches = Matches::kNone;
      if (!open_run(std::move(terms))) return with_last_zero(report_of_finished());
      if (frontier() == 0 && !request_.output.base.empty()) begin_with_base();
      take_up_state();
    }
    if (frontier() < setup_.count) {
      if (const auto doubt = setup_.doubt(); !doubt.empty()) {
        say(fmt::format("the engine '{}' is slow here because {}", setup_.engine.name(), doubt));
      }
      const SealedHeaps* const earlier = sealed_ ? &sealed_->heaps() : nullptr;
      needs_ = admit(setup_, hooks_.stop, earlier, place());
      tell(needs_, hooks_);
    }
    advised([this] { carry_out(); });
    if (setup_.game.stats_only) {
      report_.statistics = windowed_->milestones().take();
    } else {
      report_.statistics.zeros = count_.zeros();
    }
    return with_last_zero(conclude());
  }

 private:
  /// @return the notes that a run in a window keeps beside the statistics; null for any other run
  Milestones* milestones() {
    return setup_.lets_values_go() ? &windowed_.emplace(setup_, hooks_).milestones() : nullptr;
  }

  [[nodiscard]] Report with_last_zero(Report report) const {
    report.last_zero = setup_.game.stats_only ? last_zero(report.info.stats, report.statistics)
                                              : count_.last_zero();
    return report;
  }

  void begin_with_base() {
    try {
      begin_with(*sealed_, setup_, request_.output.base, hooks_.stop);
    } catch (const Error&) {
      // A run that has sealed nothing must not be resumed.
      if (sealed_->log().sealed().empty()) sealed_->finish();
      throw;
    }
  }

  /// Goes on from a state that an earlier life has sealed, if the engine can, and if no hook asks
  /// for the values of that life.
  void take_up_state() {
    SealedHeaps& heaps = sealed_->heaps();
    if (!heaps.has_state()) return;
    const bool takes = windowed_ && setup_.takes_states();
    if (!heaps.has_values() && !takes) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("'{}' keeps no values that the engine '{}' could go on from; take "
                              "the engine sparse",
                              sealed_->path().string(), setup_.engine.name()));
    }
    if (heaps.has_values() && (!takes || hooks_.values)) return heaps.take_values();
    // Without a table the sealed values are few, and the end of the run does not check them.
    if (!heaps.has_values()) heaps.check_values();
    count_.resume(windowed_->take_up(heaps));
  }

  void carry_out() {
    PeriodSearch search(setup_.game.rule, setup_.count, searched());
    compute_values(search);

    const HeapSize computed = count_.end();
    const AtPeriod at_period = setup_.game.at_period;
    const bool returned = !search.certified() && windowed_ && windowed_->returned();
    const bool extends = (search.certified() || (returned && makes_table())) &&
                         at_period == AtPeriod::kExtend && computed < setup_.count;
    const bool ends = returned ? !makes_table() && windowed_->ends()
                               : search.certified() && at_period == AtPeriod::kEnd;
    const bool all = !count_.refused() && (extends || ends || computed == setup_.count);
    period_ = search.report();
    if (makes_table() && computed == setup_.count && !is_proved() && !returned) search_seals();
    report_.complete = all && (!returned || settle_period()) && finish(search, computed, extends);
    if (!report_.complete) describe(search, computed);
  }

  /// Makes the last search for a period of a table whose engine has let values go, in the sealed
  /// values, if there are not too many of them.
  void search_seals() {
    if (whole_ || setup_.count > PeriodSearch::kLastSearchLimit) return;
    ValueBuffer values;
    SinkOf collector([&](const Stretch& block) { values.append(block.values); });
    replay(sealed_->log().segments(), 0, setup_.count, collector);
    period_ = period_of_table(setup_.game.rule, values.values());
  }

  /// Looks for the preperiod of a period that a return has proved; false if the search was stopped.
  bool settle_period() {
    period_ = windowed_->period(sealed_->log().segments());
    return is_proved();
  }
  [[nodiscard]] bool is_proved() const noexcept {
    return period_.status == PeriodStatus::kCertified;
  }

  /// Takes stretches after the engine has ended: for the table and, if they are new, the count.
  Flow take_rest(const Stretch& block) {
    if (hooks_.stop.stop_requested()) return Flow::kStop;
    Stretch stretch = block;
    if (count_.take(stretch) == Flow::kStop) return Flow::kStop;
    if (writer_) writer_->put(block);
    report_progress(stretch.end());
    return Flow::kContinue;
  }

  /// Reports that the table has the heaps below `end`.
  void report_progress(HeapSize end) {
    const double part = static_cast<double>(end) / static_cast<double>(setup_.count);
    if (report_reading(kCopying * part) || hooks_.progress == nullptr) return;
    hooks_.progress->report({end, setup_.count, part});
  }

  /// The number of first values in which earlier lives have searched for a period and found none:
  /// all but the last one, because what is sealed may end where a period was found. 0 for a table
  /// that is extended: its values may go on behind such a heap.
  [[nodiscard]] HeapSize searched() const {
    if (frontier() == 0 || !request_.output.base.empty()) return 0;
    const RunRecord& record = *sealed_->directory().record();
    return searches() && (record.extend || record.end_at_period) ? frontier() - 1 : 0;
  }

  /// Whether the engine computes only until a period is proved.
  [[nodiscard]] bool searches() const noexcept {
    return setup_.game.at_period != AtPeriod::kCompute;
  }

  [[nodiscard]] bool makes_table() const noexcept { return sealed_ && !setup_.game.stats_only; }

  /// Opens the values that a sample of the stretch needs; empty if the engine let some of them go.
  [[nodiscard]] Check::Opener opener_for(const Stretch& stretch) {
    if (!stretch.table.empty()) {
      heaps_.list_up_to(stretch.sparse != nullptr ? stretch.sparse->depth : kNoBound);
      return [table = stretch.table] { return [table](HeapSize n) { return table[n]; }; };
    }
    if (stretch.newest.empty()) return {};
    const HeapSize depth = stretch.sparse->depth;
    const HeapSize begin = stretch.end() - stretch.newest.size();
    const HeapSize reach = depth + setup_.game.rule.largest_take().value_or(0);
    if (depth >= stretch.first.size() || begin + reach > stretch.begin) return {};
    heaps_.list_up_to(depth);
    return [first = stretch.first, newest = stretch.newest, begin] {
      return [=](HeapSize n) { return n < first.size() ? first[n] : newest[n - begin]; };
    };
  }

  void compute_values(PeriodSearch& search) {
    note_earlier_lives();
    const bool resumes = frontier() > 0;
    Check check(self_check_, frontier(),
                [this](const Stretch& stretch) { return opener_for(stretch); });
    ReturnSearch* const returns = sealed_ && windowed_ ? &windowed_->watch(frontier()) : nullptr;
    Watch watch(search, returns, frontier(), searches(), request_.output.reproducible);
    const bool only_period = setup_.game.at_period == AtPeriod::kEnd;
    if (only_period) watch.tell(hooks_.narrate);
    std::optional<Seal> seal;
    std::optional<SealStates> seal_states;
    Hooks hooks = hooks_with_reading(needs_);
    if (sealed_ && !windowed_) {
      seal.emplace(*sealed_, &self_check_);
    } else if (sealed_) {
      WindowedRun& run = *windowed_;
      seal_states.emplace(
          *sealed_, self_check_,
          SealStates::Run{
              .ends = [&run] { return run.ends(); },
              .newest_needed =
                  [&run, this](const Stretch& end) {
                    return count_.end() == end.end() ? run.newest_needed(end) : Values{};
                  },
              .state_text = [&run,
                             this](const Stretch& end) { return run.state_text(end, count_); },
              .ended =
                  [&run, this](const Stretch& end) {
                    extension_state_ = run.extension_state(end, count_, !makes_table());
                  }},
          makes_table(), setup_.count, !place().is_scratch, hooks_.stop);
      // The stage stops the engine, after it has sealed what it seals last.
      if (setup_.takes_states() && !hooks_.stop.stop_requested()) hooks.stop = {};
    }
    Stages intake({.check = &check,
                   .watch = &watch,
                   .count = &count_,
                   .seal = seal          ? static_cast<Stage*>(&*seal)
                           : seal_states ? &*seal_states
                                         : nullptr});

    const SealedHeaps* const known = resumes ? &sealed_->heaps() : nullptr;
    if (known != nullptr && known->count() > 0 && known->gone() == nullptr) count_.catch_up(*known);
    const auto chosen = [this](const EngineChoice& choice) {
      if (sealed_) sealed_->set_engine(choice.engine, choice.slowness);
      if (setup_.chooses()) {
        say(fmt::format("engine {} from heap {} on: {}", choice.engine, format_count(choice.from),
                        choice.reason));
      }
      report_.engines.push_back(choice);
    };
    const Stopwatch engine;
    summons_.begin();
    const auto recall = [this](HeapSize from, HeapSize to, ValueSink& sink) {
      say(
          fmt::format("heap {} and later ones need values that were let go: all are in memory from "
                      "now on",
                      format_count(count_.end())));
      require_memory_for(to);
      replay(sealed_->log().segments(), from, to, sink);
    };
    setup_.run(setup_.count, intake, hooks, known, chosen, request_.team,
               makes_table() ? recall : HeapTask::Recall());
    count_.wait();
    report_.engine_seconds = engine.seconds();
    report_.statistics.sparse = watch.facts();
    whole_ = watch.saw_whole_table();
    const bool proved = search.certified() || (returns != nullptr && returns->found());
    // The report says the rest.
    if (const std::string excluded = watch.exclusion();
        only_period && !proved && !excluded.empty()) {
      say(excluded);
    }
  }

  /// @throws Error(kFailure) if the values of `heaps` heaps do not fit the memory
  void require_memory_for(HeapSize heaps) const {
    if (setup_.request.force) return;
    require("memory", heaps * byte_count(width_for(count_.stats().max_value)), setup_.memory,
            "allow more memory");
  }

  [[nodiscard]] std::unique_ptr<TableWriter> make_writer(Nimber largest) const {
    return TableWriter::create(file(), Layout::of_heaps(setup_.count), *setup_.executor,
                               {.width = width_for(largest),
                                .chunk_size = request_.output.chunk,
                                .overwrite = request_.output.overwrite,
                                .reproducible = request_.output.reproducible,
                                .workplace = sealed_->path()});
  }

  /// Makes the table from the computed values, or writes the statistics, and adds what follows from
  /// the period; false if it was stopped.
  bool finish(const PeriodSearch& search, HeapSize computed, bool extends) {
    SinkOf rest([this](const Stretch& block) { return take_rest(block); });
    if (makes_table() && copy_sealed(computed, rest) == Flow::kStop) return false;
    if (extends && !extend(search, computed, rest)) return false;
    describe(search, computed);
    if (writer_) writer_->finish(report_.info, {}, extension_state_);
    if (sealed_ && !makes_table() && !place().is_scratch) {
      report_.statistics = windowed_->milestones().found();
      write_statistics(file(), {report_.info, report_.statistics, extension_state_}, replaces_,
                       request_.output.reproducible, sealed_->path());
    }
    return true;
  }

  /// Begins the table with the sealed heaps below `computed`. Whole chunks are copied as they are
  /// sealed; the other values go through `rest`.
  Flow copy_sealed(HeapSize computed, ValueSink& rest) {
    if (sealed_->log().is_worth_sealing()) sealed_->log().seal();
    if (life_.time.seconds() > kWorthSaying) {
      say(fmt::format("writing '{}' from the sealed values", file().string()));
    }
    // The file must not be wider than its values are.
    writer_ = make_writer(count_.stats().max_value);
    const HeapSize chunk = request_.output.chunk;
    return sealed_->log().replay_chunks(
        computed, writer_->width(), chunk,
        [&](HeapSize begin, const SegmentReader::Encoded& sealed) {
          if (hooks_.stop.stop_requested()) return Flow::kStop;
          writer_->put_chunk(begin, sealed.values_xxh3, sealed.bytes);
          report_progress(begin + chunk);
          return Flow::kContinue;
        },
        rest);
  }

  /// Adds the values that follow from the period, up to the last heap; false if it was stopped.
  [[nodiscard]] bool extend(const PeriodSearch& search, HeapSize computed, ValueSink& rest) {
    say(fmt::format(
        "period {} from heap {} on is certified after {} heaps; the rest follows from it",
        period_.period, period_.preperiod, computed));
    const Flow flow = search.certified() ? extend_periodically(period_, search.pattern(), computed,
                                                               setup_.count, rest)
                                         : extend_from_seals(computed, rest);
    return flow == Flow::kContinue;
  }

  /// Like extend(), for a period in the sealed values only. It may be longer than the memory.
  Flow extend_from_seals(HeapSize computed, ValueSink& rest) {
    SegmentCursor sealed(sealed_->log().segments());
    std::vector<Nimber> values;
    for (HeapSize n = computed; n < setup_.count; n += values.size()) {
      const HeapSize offset = (n - period_.preperiod) % period_.period;
      values.resize(std::min({kExtended, period_.period - offset, setup_.count - n}));
      sealed.read(period_.preperiod + offset, values);
      const Stretch block{.begin = n, .values = std::span<const Nimber>(values), .table = {}};
      if (rest.put(block) == Flow::kStop) return Flow::kStop;
    }
    return Flow::kContinue;
  }

  void describe(const PeriodSearch& search, HeapSize computed) {
    TableInfo& info = report_.info;
    info = described(setup_.game.rule.canonical(), setup_.game.rule.describe(), setup_);
    info.stats = count_.stats();
    info.layout = Layout::of_heaps(info.stats.count);
    info.period = period_;
    info.computed = computed;
    if (info.period.status == PeriodStatus::kNone && info.period.verified_to == 0) {
      info.period.verified_to = whole_ ? search.searched() : has_looked() ? computed : 0;
    }
    // A period may be found somewhat later than it could be proved. The delay depends on blocks.
    if (is_proved() && searches()) {
      info.computed = std::min(computed, info.period.verified_to);
    }
    // Interruptions decide where engines change. A reproducible table tells what was asked for.
    info.engine = request_.output.reproducible ? setup_.engine.name()
                  : life_.resumed_at > 0
                      ? makers(&SegmentHeader::engine, report_.engines.back().engine)
                      : engines_at_work();
    info.provenance_json = provenance();
  }

  /// Whether a search for returns has looked at all values.
  [[nodiscard]] bool has_looked() const noexcept {
    return sealed_ && windowed_ && !windowed_->has_given_up() &&
           (!makes_table() || windowed_->has_looked());
  }

  /// The names of the engines that were at work, each once.
  [[nodiscard]] std::string engines_at_work() const {
    std::vector<std::string> names;
    for (const EngineChoice& choice : report_.engines) {
      if (std::ranges::find(names, choice.engine) == names.end()) names.push_back(choice.engine);
    }
    return fmt::format("{}", fmt::join(names, ", "));
  }

  const HeapSetup& setup_;
  Summons summons_;
  NumberedHeaps& heaps_;
  std::optional<Prediction> needs_;
  std::optional<WindowedRun> windowed_;  ///< if the engine may let values go
  bool whole_ = false;                   ///< the engine has kept all values
  PeriodReport period_;
  Count count_;
  bool replaces_ = false;                ///< whether a file in its place may be replaced
  std::string extension_state_;          ///< of the file; empty if the engine gives none
  std::unique_ptr<TableWriter> writer_;  ///< of the table; in the run directory
};

}  // namespace

Report compute_heaps(const Request& request, const Hooks& hooks, const OutputPlace& place) {
  const HeapSetup setup(request);
  if (request.team != nullptr && request.team->rank() > 0) return assist(setup, hooks);
  NumberedHeaps game(setup.game.rule);
  return HeapLife(setup, hooks, game, place).run();
}

}  // namespace grundy
