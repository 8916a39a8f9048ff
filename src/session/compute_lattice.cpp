// SPDX-License-Identifier: MIT
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "core/atomic_file.hpp"
#include "core/stopwatch.hpp"
#include "session/compute_kinds.hpp"
#include "session/entry_statistics.hpp"
#include "session/lattice_forecast.hpp"
#include "session/life_of_lattice.hpp"
#include "session/prediction.hpp"
#include "session/sealed_states.hpp"
#include "session/setup.hpp"
#include "session/stages.hpp"
#include "table/lattice_array.hpp"
#include "table/table_writer.hpp"
#include "table/written_check.hpp"

namespace grundy {
namespace {

/// A life of a game of several heaps. Positions come in the order of the engine. Every life writes
/// them. They are counted in the order of the table when the file is read back.
class LatticeLife final : LifeOfLattice {
 public:
  /// @param seals values are sealed, because the engine can resume a run
  LatticeLife(const LatticeSetup& setup, const Hooks& hooks, const NumberedGame& game, bool seals)
      : LifeOfLattice(setup, hooks, game), seals_(seals) {}

  Report run() {
    report_.threads = setup_.executor->threads();
    if (!file().empty()) {
      if (seals_ && !open_run(run_terms(setup_))) return report_of_finished();
      if (!seals_) {
        tell_of_no_seals(fmt::format("the engine '{}' cannot take up a run", setup_.engine.name()));
      }
      note_earlier_lives();
      writer_ = TableWriter::create(file(), setup_.stored, *setup_.executor,
                                    writing(sealed_ ? sealed_->path() : std::filesystem::path()));
    }
    const std::optional<Prediction> needs = admit(setup_, hooks_.stop);
    tell(needs, hooks_);
    const Hooks hooks = hooks_with_reading(needs);
    if (!writer_) {
      const std::optional<Nimber> foretold = needs ? needs->max_value : std::nullopt;
      array_.emplace(setup_.stored, setup_.computed.sorted,
                     width_for(foretold.value_or(largest_possible(setup_))));
    }
    describe({});
    advised([&] { report_.complete = compute_values(hooks) && finish(); });
    return conclude();
  }

 private:
  /// Returns false if it was stopped.
  bool compute_values(const Hooks& hooks) {
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
      seal.emplace(*sealed_, nullptr);
    }
    Stages intake({.check = check ? &*check : nullptr,
                   .count = sum ? &*sum : nullptr,
                   .seal = seal ? &*seal : nullptr,
                   .write = &write});
    const Stopwatch engine;
    const RunStatus status =
        setup_.run(setup_.computed, intake, hooks, frontier() > 0 ? &*sealed_ : nullptr);
    report_.engine_seconds = engine.seconds();
    if (sealed_ && sealed_->log().is_worth_sealing()) sealed_->log().seal();
    return status == RunStatus::kComplete;
  }

  /// Counts the table, and completes the file; false if it was stopped.
  bool finish() {
    return complete(writer_.get(), [this](ValueSink& census) {
      return writer_ ? writer_->read_back(census, *expected_)
                     : census.put({.begin = 0, .values = array_->values(), .table = {}});
    });
  }

  bool seals_;
  std::optional<LatticeArray> array_;     ///< without a file
  std::optional<WrittenCheck> expected_;  ///< of the file, taken before the values were sealed
  std::unique_ptr<TableWriter> writer_;
};

/// A life that keeps no values: they are counted as they come. With a file it seals states.
class StatisticsLife final : LifeOfLattice {
 public:
  StatisticsLife(const LatticeSetup& setup, const Hooks& hooks, const NumberedGame& game)
      : LifeOfLattice(setup, hooks, game),
        counted_(setup.kernels, setup.stored, setup.computed.sorted, kMilestoneZeros) {
    report_.wanted = setup.stored.entries();  // what is counted has mirror images
  }

  Report run() {
    report_.threads = setup_.executor->threads();
    if (!file().empty()) {
      if (!open()) {
        states_->finish();
        return report_of_finished();
      }
      note_counted_before();
    }
    const std::optional<Prediction> needs = admit(setup_, hooks_.stop);
    tell(needs, hooks_);
    describe({});
    advised([&] { compute_values(); });
    return conclude();
  }

 private:
  /// Returns false if the file is already in its place.
  bool open() {
    if (!setup_.has_states()) {
      check_target(file(), request_.output.overwrite);
      tell_of_no_seals(fmt::format("the engine '{}' keeps no states", setup_.engine.name()));
      return true;
    }
    states_.emplace(run_terms(setup_), game_, *hooks_.control, hooks_.narrate, counted_);
    report_.run_directory = states_->path();
    return !states_->finished();
  }

  void note_counted_before() {
    if (!states_ || !states_->has_state()) return;
    report_.resumed_at = life_.resumed_at = counted_.stats().count;
    life_.begun = states_->directory().record()->created;
  }

  void compute_values() {
    const Stopwatch engine;
    const RunStatus status =
        setup_.run(setup_.computed, counted_, hooks_, nullptr, states_ ? &*states_ : nullptr);
    report_.engine_seconds = engine.seconds();
    report_.complete = status == RunStatus::kComplete;
    if (states_) states_->wait();
    report_counted(counted_);
    if (report_.complete) {
      write_counted(counted_);
      if (states_) states_->finish();
    } else if (states_ && states_->directory().frontier() > 0) {
      report_.sealed = counted_.stats().count;  // a run that is stopped keeps a state
    }
  }

  void rescue() noexcept override {
    try {
      if (states_) states_->wait();
    } catch (const Error&) {  // its own failure was told
    }
  }

  [[nodiscard]] std::string makers(std::string SegmentHeader::*name,
                                   const std::string& current) override {
    states_->wait();
    return grundy::makers(states_->directory().segments(), name, current);
  }

  EntryStatistics counted_;
  std::optional<SealedStates> states_;
};

}  // namespace

Report compute_lattice(const Request& request, const Hooks& hooks) {
  const LatticeSetup setup(request);
  const bool seals = !setup.tile_order().empty();
  const ValueOrder order = seals ? value_order(setup) : ValueOrder(setup.stored);
  const NumberedPositions game(setup.game.rule, order);
  return setup.game.stats_only ? StatisticsLife(setup, hooks, game).run()
                               : LatticeLife(setup, hooks, game, seals).run();
}

}  // namespace grundy
