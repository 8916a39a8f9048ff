// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>

#include "core/text.hpp"
#include "run/run_directory.hpp"
#include "run/sealed_values.hpp"
#include "session/milestones.hpp"
#include "session/period_search.hpp"
#include "session/position_compute.hpp"
#include "session/prediction.hpp"
#include "session/provenance.hpp"
#include "session/run_state.hpp"
#include "session/run_terms.hpp"
#include "session/sealed_recomputation.hpp"
#include "session/setup.hpp"
#include "session/stages.hpp"
#include "table/lattice_array.hpp"
#include "table/table_writer.hpp"
#include "table/written_check.hpp"
#include "theory/periodic_extension.hpp"
#include "theory/sparse_certificate.hpp"

namespace grundy {
namespace {

/// Heaps that took longer than this to compute are sealed before the table is completed, and
/// positions before they are read back, which takes less time.
constexpr std::chrono::seconds kWorthSealing{1};
constexpr std::chrono::minutes kWorthSealingTiles{1};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The message of an error that ended a run after so many values were sealed: how to go on. After a
/// wrong value that is not to resume: the next life would build on what this machine has sealed.
std::string with_advice(const Error& error, const std::filesystem::path& output, HeapSize sealed) {
  const std::string directory = run_directory_for(output).string();
  if (!std::filesystem::exists(directory)) return error.what();
  const std::string clause = fmt::format("{} values are sealed", format_count(sealed));
  if (error.code() == ErrorCode::kMismatch) {
    return fmt::format(
        "{}; {} and kept, but not proved: `grundy verify {} --range 0:`, best on another machine, "
        "proves them or names the first wrong one; resume only after that",
        error.what(), clause, directory);
  }
  return fmt::format("{}; {}, and `grundy resume {}` goes on", error.what(), clause, directory);
}

/// One life of a computation: what games of one heap and of several heaps share.
class LifeOfRun {
 public:
  LifeOfRun(const Request& request, const Hooks& hooks, const NumberedGame& game)
      : request_(request), hooks_(hooks), game_(game), self_check_(game) {}

 protected:
  void say(const std::string& sentence) const {
    if (hooks_.narrate) hooks_.narrate(sentence);
  }
  [[nodiscard]] const std::filesystem::path& file() const noexcept { return request_.output.path; }
  [[nodiscard]] bool may_overwrite() const noexcept {
    return request_.output.overwrite || request_.force;
  }
  /// The states of a run that keeps no table stay: it can go on from them, and be checked by them.
  [[nodiscard]] bool keeps_run() const noexcept {
    const auto* const heaps = std::get_if<HeapGame>(&request_.game);
    return heaps != nullptr && heaps->stats_only;
  }
  [[nodiscard]] HeapSize frontier() const noexcept { return sealed_ ? sealed_->frontier() : 0; }

  /// Takes up the run directory; returns false if the table is in its place already.
  bool open_run(RunTerms terms) {
    sealed_.emplace(std::move(terms), game_, hooks_.control, hooks_.narrate);
    report_.run_directory = sealed_->path();
    return !sealed_->finished();
  }

  /// What provenance says of earlier lives.
  void note_earlier_lives() {
    if (frontier() == 0) return;
    life_.resumed_at = frontier();
    life_.begun = sealed_->directory().record()->created;
  }

  /// What a table says of its game and of who made it.
  [[nodiscard]] TableInfo described(const std::string& canonical, const std::string& moves,
                                    const MadeMachine& machine) const {
    const About& about = request_.about;
    TableInfo info;
    info.game = about.game;
    info.canonical = canonical;
    info.title = about.title.empty() ? canonical : about.title;
    info.description = about.rules.empty() ? moves : about.rules + " " + moves;
    info.reference = about.reference;
    info.kernel = machine.kernels.name;
    if (request_.output.reproducible) {
      info.kernel = request_.machine.kernel;  // which one was chosen depends on the machine
    } else if (life_.resumed_at > 0) {
      info.kernel = sealed_->directory().makers(&SegmentHeader::kernel, info.kernel);
    }
    return info;
  }
  [[nodiscard]] std::string engines_of_all_lives(const std::string& current) const {
    return sealed_->directory().makers(&SegmentHeader::engine, current);
  }
  [[nodiscard]] std::string provenance() const {
    return provenance_json(request_.output.command_line, request_.output.reproducible,
                           report_.threads, life_, report_.engines);
  }

  /// An earlier process has written the table and died before it could remove the directory.
  Report report_of_finished() {
    if (keeps_run()) {
      StatisticsFile statistics = read_statistics(file());
      report_.info = std::move(statistics.info);
      report_.statistics = std::move(statistics.statistics);
    } else {
      report_.info = TableReader::open(file())->info();
    }
    report_.complete = true;
    return conclude();
  }

  /// Does what a run is admitted for. @throws what `work` throws, with advice how to go on
  template <class Work>
  void advised(Work&& work) {
    try {
      work();
    } catch (const Error& error) {
      const HeapSize sealed = sealed_ ? hooks_.control->sealed() : 0;
      // Nobody can resume what is damaged, and the message says what to do.
      if (sealed == 0 || error.code() == ErrorCode::kCorrupt) throw;
      throw Error(error.code(), with_advice(error, file(), sealed));
    }
  }

  Report conclude() {
    if (report_.complete && !file().empty()) {
      report_.file_bytes = std::filesystem::file_size(file());
    }
    if (sealed_ && report_.complete && !keeps_run()) sealed_->finish();
    if (sealed_ && (!report_.complete || keeps_run())) {
      sealed_->log().seal();
      report_.sealed = sealed_->directory().frontier();
    }
    report_.seconds = life_.seconds();
    return std::move(report_);
  }

  Life life_;
  const Request& request_;
  const Hooks& hooks_;
  const NumberedGame& game_;
  SelfCheck self_check_;
  std::optional<SealedValues> sealed_;
  Report report_;
};

/// A life of a game of one heap. Heaps are counted and written as they come, in their order. What
/// follows from a period is added at the end.
class HeapLife final : LifeOfRun {
 public:
  HeapLife(const HeapSetup& setup, const Hooks& hooks, const NumberedHeaps& game)
      : LifeOfRun(setup.request, hooks, game),
        setup_(setup),
        count_(setup.kernels, hooks, 0, setup.game.stats_only ? &milestones_ : nullptr) {}

  Report run() {
    report_.threads = setup_.executor->threads();
    if (!file().empty()) {
      RunTerms terms = run_terms(setup_);
      replaces_ = terms.record.overwrite;
      if (!open_run(std::move(terms))) return report_of_finished();
      if (frontier() == 0 && !request_.output.base.empty()) begin_with_base();
      if (!sealed_->heaps().state_text().empty()) take_up_state();
    }
    if (frontier() < setup_.count) {
      const auto needs = admit(setup_, hooks_.stop, frontier());
      tell(needs, hooks_);
      // Compression finds time beside the engine; a short table or a later life has no use for it.
      if (needs && makes_table() && frontier() == 0) writer_ = make_writer(needs->max_value);
    }
    advised([this] { carry_out(); });
    if (setup_.game.stats_only) report_.statistics = milestones_.take();
    return conclude();
  }

 private:
  void carry_out() {
    PeriodSearch search(setup_.game.rule, setup_.count, searched());
    compute_values(search);

    const HeapSize computed = count_.end();
    const bool extends = search.certified() && setup_.game.extend && computed < setup_.count;
    const bool returned = returns_ && returns_->found() && !search.certified();
    const bool all = !count_.refused() && (extends || returned || computed == setup_.count);
    if (extends && all) {
      say(fmt::format(
          "period {} from heap {} on is certified after {} heaps; the rest follows from it",
          search.report().period, search.report().preperiod, computed));
    }
    report_.complete = all && finish(search, computed);
    if (!report_.complete) describe(search, computed);
  }

  /// What comes after the engine: to the table and, if it is new, to be counted.
  class Rest final : public ValueSink {
   public:
    explicit Rest(HeapLife& life) : life_(life) {}
    Flow put(const Stretch& block) override {
      if (life_.hooks_.stop.stop_requested()) return Flow::kStop;
      Stretch stretch = block;
      if (life_.count_.take(stretch) == Flow::kStop) return Flow::kStop;
      if (life_.writer_) life_.writer_->put(block);
      if (life_.hooks_.progress != nullptr) {
        const HeapSize all = life_.setup_.count;
        life_.hooks_.progress->report(
            {stretch.end(), all, static_cast<double>(stretch.end()) / static_cast<double>(all)});
      }
      return Flow::kContinue;
    }

   private:
    HeapLife& life_;
  };

  /// The first values in which earlier lives have searched for a period and found none. A table
  /// that is extended may end where one was found.
  [[nodiscard]] HeapSize searched() const {
    if (!sealed_ || !request_.output.base.empty()) return 0;
    return setup_.game.extend && sealed_->directory().record()->extend ? frontier() : 0;
  }

  [[nodiscard]] bool makes_table() const noexcept { return sealed_ && !keeps_run(); }

  /// Goes on where an earlier life has sealed a state.
  void take_up_state() {
    if (setup_.engine.name() != "sparse" && !setup_.chooses()) {
      throw Error(
          ErrorCode::kUsage,
          fmt::format("'{}' keeps no values that the engine '{}' could go on from; take the "
                      "engine sparse",
                      sealed_->path().string(), setup_.engine.name()));
    }
    count_.resume(take_up(sealed_->heaps(), setup_.kernels, state_, milestones_));
  }

  /// A run that lets values go finds periods by a return of the newest ones.
  void begin_to_watch_for_returns() {
    const HeapSize take = setup_.game.rule.largest_take().value_or(0);
    // Earlier lives that sealed values have left nothing of their search.
    returns_.emplace(take, state_.returns.value_or(ReturnState{.end = frontier()}));
  }

  /// The report of the return that was found, if there is one: its preperiod is looked for among
  /// the seals. Nothing if that was stopped.
  std::optional<PeriodReport> report_of_return() {
    const HeapSize take = setup_.game.rule.largest_take().value_or(0);
    const Return& found = *returns_->found();
    say(fmt::format(
        "the newest {} values were there {} heaps before: a period; looking for its "
        "preperiod among the seals",
        format_count(found.facts.count - found.first - found.period), format_count(found.period)));
    SealedRecomputation values(setup_, sealed_->log().segments(), hooks_);
    const auto preperiod = find_preperiod(found, take, values.seals(), values);
    if (!preperiod) return std::nullopt;
    return sparse_report(found.facts, take, preperiod->preperiod, found.period);
  }

  /// What a state says of the heaps up to the end of the stretch.
  [[nodiscard]] std::string state_text(const Stretch& stretch) {
    const TableStats stats = count_.stats();
    milestones_.note_seal({stats.count, stats.digest});
    // A search that goes on behind its first return would take the second one for the first.
    const bool searching = returns_ && !returns_->found();
    return to_text({.facts = *stretch.sparse,
                    .rare = {stretch.rare.begin(), stretch.rare.end()},
                    .stats = stats,
                    .whole_sections = count_.whole_sections(),
                    .statistics = milestones_.found(),
                    .returns = searching ? std::optional(returns_->state()) : std::nullopt});
  }

  /// Seals the values of a shorter table of the same game.
  void begin_with_base() {
    const auto table = TableReader::open(request_.output.base);
    const TableInfo& info = table->info();
    if (info.canonical != setup_.game.rule.canonical()) {
      throw Error(ErrorCode::kCorrupt,
                  fmt::format("'{}' is a table of {}, not of {}", request_.output.base.string(),
                              info.canonical, setup_.game.rule.canonical()));
    }
    // These values have other makers than what comes behind them.
    sealed_->log().set_engine(info.engine);
    sealed_->log().set_kernel(info.kernel);
    sealed_->begin_with([&](ValueSink& sink) {
      std::vector<Nimber> values;
      for (HeapSize begin = 0; begin < info.computed; begin += values.size()) {
        values.resize(std::min(table->chunk_size(), info.computed - begin));
        table->read(begin, values);
        sink.put({begin, Values(std::span<const Nimber>(values)), {}});
      }
    });
    sealed_->log().set_engine(std::string(setup_.engine.name()));
    sealed_->log().set_kernel(std::string(setup_.kernels.name));
  }

  void compute_values(PeriodSearch& search) {
    note_earlier_lives();
    const bool resumes = frontier() > 0;
    Check check(self_check_, frontier(), [](const Stretch& stretch) -> Check::Opener {
      if (stretch.table.empty()) return {};
      return [table = stretch.table] { return [table](HeapSize n) { return table[n]; }; };
    });
    if (sealed_ && !makes_table() && setup_.game.extend) begin_to_watch_for_returns();
    Watch watch(search, returns_ ? &*returns_ : nullptr, setup_.game.extend,
                request_.output.reproducible);
    std::optional<Seal> seal;
    std::optional<SealStates> seal_states;
    Hooks hooks = hooks_;
    if (makes_table()) {
      seal.emplace(*sealed_, self_check_);
    } else if (sealed_) {
      seal_states.emplace(*sealed_, self_check_, setup_.count, hooks_.stop,
                          [this](const Stretch& stretch) { return state_text(stretch); });
      hooks.stop = {};  // the stage stops the engine, once it has sealed the last state
    }
    WriteHeaps write(writer_);
    Stages intake({.check = &check,
                   .watch = &watch,
                   .count = &count_,
                   .seal = seal          ? static_cast<Stage*>(&*seal)
                           : seal_states ? &*seal_states
                                         : nullptr,
                   .write = &write});

    const SealedHeaps* const known = resumes ? &sealed_->heaps() : nullptr;
    if (known != nullptr && known->count() > 0 && known->gap() == nullptr) count_.catch_up(*known);
    const auto chosen = [this](const EngineChoice& choice) {
      if (sealed_) sealed_->log().set_engine(choice.engine);
      if (setup_.chooses()) {
        say(fmt::format("engine {} from heap {} on: {}", choice.engine, format_count(choice.from),
                        choice.reason));
      }
      report_.engines.push_back(choice);
    };
    const auto start = std::chrono::steady_clock::now();
    setup_.run(setup_.count, intake, hooks, known, chosen);
    count_.wait();
    report_.engine_seconds = seconds_since(start);
    report_.statistics.sparse = watch.facts();
  }

  [[nodiscard]] std::unique_ptr<TableWriter> make_writer(Nimber largest) const {
    return TableWriter::create(file(), Layout::of_heaps(setup_.count), *setup_.executor,
                               {.width = width_for(largest),
                                .chunk_size = request_.output.chunk,
                                .overwrite = may_overwrite(),
                                .reproducible = request_.output.reproducible,
                                .workplace = sealed_->path()});
  }

  /// Completes the table, or builds it from what was computed; false if it was stopped.
  bool finish(const PeriodSearch& search, HeapSize computed) {
    if (sealed_ && !makes_table()) return finish_statistics(search, computed);
    const Nimber largest = count_.stats().max_value;
    // The file must not be wider than its values are.
    if (writer_ && writer_->width() != width_for(largest)) writer_.reset();
    const bool whole = writer_ != nullptr;
    if (sealed_) {
      if (sealed_->log().unsealed_time() > kWorthSealing) sealed_->log().seal();
      if (life_.seconds() > kWorthSealing.count()) {
        say(whole ? fmt::format("completing '{}'", file().string())
                  : fmt::format("writing '{}' from the sealed values", file().string()));
      }
      if (!whole) writer_ = make_writer(largest);
    }
    Rest rest(*this);
    if (sealed_ && !whole && sealed_->log().replay(computed, rest) == Flow::kStop) return false;
    if (computed < setup_.count && extend_periodically(search.report(), search.pattern(), computed,
                                                       setup_.count, rest) == Flow::kStop) {
      return false;
    }
    describe(search, computed);
    if (writer_) writer_->finish(report_.info);
    return true;
  }

  /// Writes the statistics; false if it was stopped.
  bool finish_statistics(const PeriodSearch& search, HeapSize computed) {
    Rest rest(*this);
    if (search.certified() && computed < setup_.count &&
        extend_periodically(search.report(), search.pattern(), computed, setup_.count, rest) ==
            Flow::kStop) {
      return false;
    }
    describe(search, computed);
    if (!search.certified() && returns_ && returns_->found()) {
      const auto period = report_of_return();
      if (!period) return false;
      report_.info.period = *period;
    }
    report_.statistics = milestones_.found();
    write_statistics(file(), {report_.info, report_.statistics}, replaces_,
                     request_.output.reproducible);
    return true;
  }

  void describe(const PeriodSearch& search, HeapSize computed) {
    TableInfo& info = report_.info;
    info = described(setup_.game.rule.canonical(), setup_.game.rule.describe(), setup_);
    info.stats = count_.stats();
    info.layout = Layout::of_heaps(info.stats.count);
    info.period = search.report();
    info.computed = computed;
    // A period may be found somewhat later than it could be proved, which depends on blocks.
    if (search.certified() && setup_.game.extend) {
      info.computed = std::min(computed, info.period.verified_to);
    }
    // Interruptions decide whether the engine changed. A reproducible table does not show them.
    info.engine = request_.output.reproducible ? report_.engines.front().engine
                  : life_.resumed_at > 0       ? engines_of_all_lives(report_.engines.back().engine)
                                               : engines_at_work();
    info.provenance_json = provenance();
  }

  /// Their names, each once.
  [[nodiscard]] std::string engines_at_work() const {
    std::vector<std::string> names;
    for (const EngineChoice& choice : report_.engines) {
      if (std::ranges::find(names, choice.engine) == names.end()) names.push_back(choice.engine);
    }
    return fmt::format("{}", fmt::join(names, ", "));
  }

  const HeapSetup& setup_;
  Milestones milestones_;
  Count count_;
  RunState state_;                       ///< that an earlier life has sealed
  std::optional<ReturnSearch> returns_;  ///< of a run that lets values go
  bool replaces_ = false;                ///< the file may be there
  std::unique_ptr<TableWriter> writer_;  ///< of the table; in the run directory
};

/// A life of a game of several heaps. Positions come in the order of the engine. They are written
/// in every life, and counted in the order of the table when the file is read back.
class LatticeLife final : LifeOfRun {
 public:
  /// @param seals the engine can take up a run, so that its values are sealed
  LatticeLife(const LatticeSetup& setup, const Hooks& hooks, const NumberedGame& game, bool seals)
      : LifeOfRun(setup.request, hooks, game), setup_(setup), seals_(seals) {}

  Report run() {
    report_.threads = setup_.executor->threads();
    if (!file().empty()) {
      if (seals_ && !open_run(run_terms(setup_))) return report_of_finished();
      if (!seals_) {
        say(fmt::format("the engine '{}' cannot take up a run: nothing is sealed before the end",
                        setup_.engine.name()));
      }
      note_earlier_lives();
      writer_ =
          TableWriter::create(file(), setup_.stored, *setup_.executor,
                              {.sorted_tiles = setup_.computed.sorted,
                               .overwrite = may_overwrite(),
                               .reproducible = request_.output.reproducible,
                               .workplace = sealed_ ? sealed_->path() : std::filesystem::path()});
    }
    tell(admit(setup_, hooks_.stop), hooks_);
    if (!writer_) array_.emplace(setup_.stored, setup_.computed.sorted);
    describe({});
    advised([this] { report_.complete = compute_values() && finish(); });
    return conclude();
  }

 private:
  /// Returns false if it was stopped.
  bool compute_values() {
    std::optional<Check> check;
    std::optional<Seal> seal;
    std::optional<HandOn> sum;
    if (writer_) sum.emplace(expected_.emplace(setup_.stored, setup_.computed.sorted));
    HandOn write(writer_ ? static_cast<ValueSink&>(*writer_) : *array_);
    if (sealed_) {
      check.emplace(self_check_, frontier(), [this](const Stretch&) -> Check::Opener {
        if (sealed_->sealing()) return {};
        return [this] { return sealed_->earlier(); };
      });
      seal.emplace(*sealed_, self_check_);
    }
    Stages intake({.check = check ? &*check : nullptr,
                   .count = sum ? &*sum : nullptr,
                   .seal = seal ? &*seal : nullptr,
                   .write = &write});
    const auto start = std::chrono::steady_clock::now();
    const RunStatus status =
        setup_.run(setup_.computed, intake, hooks_, frontier() > 0 ? &*sealed_ : nullptr);
    report_.engine_seconds = seconds_since(start);
    if (sealed_ && sealed_->log().unsealed_time() > kWorthSealingTiles) sealed_->log().seal();
    return status == RunStatus::kComplete;
  }

  /// Counts the table in its order, and completes the file; false if it was stopped.
  bool finish() {
    Count count(setup_.kernels, hooks_, kMostListedPPositions);
    /// Counts until it is time to stop.
    class Counted final : public ValueSink {
     public:
      Counted(Count& next, const Hooks& hooks) : next_(next), hooks_(hooks) {}
      Flow put(const Stretch& block) override {
        Stretch stretch = block;
        const Flow flow = next_.take(stretch);
        return hooks_.stop.stop_requested() ? Flow::kStop : flow;
      }

     private:
      Count& next_;
      const Hooks& hooks_;
    } counted(count, hooks_);
    const Flow flow = writer_ ? writer_->read_back(counted, *expected_)
                              : counted.put({.begin = 0, .values = array_->values(), .table = {}});
    describe(count.stats());
    if (flow == Flow::kStop) return false;
    if (writer_) writer_->finish(report_.info, count.zeros());
    return true;
  }

  void describe(const TableStats& stats) {
    TableInfo& info = report_.info;
    info = described(setup_.game.rule.canonical(), setup_.game.rule.describe(), setup_);
    info.layout = setup_.stored;
    info.stats = stats;
    info.computed = stats.count;
    info.engine = setup_.engine.name();
    if (life_.resumed_at > 0) info.engine = engines_of_all_lives(info.engine);
    info.provenance_json = provenance();
  }

  const LatticeSetup& setup_;
  bool seals_;
  std::optional<LatticeArray> array_;     ///< without a file
  std::optional<WrittenCheck> expected_;  ///< of the file, from before the seal
  std::unique_ptr<TableWriter> writer_;
};

Report compute_heaps(const Request& request, const Hooks& hooks) {
  const HeapSetup setup(request);
  const NumberedHeaps game(setup.game.rule);
  return HeapLife(setup, hooks, game).run();
}

Report compute_lattice(const Request& request, const Hooks& hooks) {
  const LatticeSetup setup(request);
  const bool seals = !setup.tile_order().empty();
  const ValueOrder order = seals ? value_order(setup) : ValueOrder(setup.stored);
  const NumberedPositions game(setup.game.rule, order);
  return LatticeLife(setup, hooks, game, seals).run();
}

}  // namespace

Report compute(const Request& request, const Hooks& hooks) {
  if (std::holds_alternative<PositionGame>(request.game)) return compute_positions(request, hooks);
  CheckpointControl own;
  Hooks with_control = hooks;
  if (hooks.control == nullptr) with_control.control = &own;
  return std::holds_alternative<HeapGame>(request.game) ? compute_heaps(request, with_control)
                                                        : compute_lattice(request, with_control);
}

}  // namespace grundy
