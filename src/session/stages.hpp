/// @file
/// What happens to the values of a run, in this order: they are checked, watched for a period,
/// counted, sealed and written. No stage knows another. compute_heaps.cpp, compute_lattice.cpp,
/// sealed_stripes.hpp and compute_stripes.cpp say which stages take part.
///
/// - The check comes first: a wrong value is neither counted nor sealed. Values of stripes are
///   checked when all are sealed, because until then their options may be with other ranks.
/// - The watch comes before all stages that keep values. If a period ends the run, the watch cuts
///   off the values that follow from the period, so they are neither counted nor sealed.
/// - Values are counted before they are sealed. So a bit that turns between the seal and the
///   publication of the table shows: the file must read back with the digest that was counted.
///   Tiles do not come in the order of the table, so sums by places are counted in place of a
///   digest. And a state says what was counted up to its seal.
/// - Values are sealed before they are written, so that the file can be made again from them. (A
///   file of heaps is made from the sealed values after the engine has ended.)
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <grundy/compute.hpp>
#include <grundy/lattice/tile.hpp>
#include <grundy/sink.hpp>

#include "core/stopwatch.hpp"
#include "kernels/kernels.hpp"
#include "run/sealed_values.hpp"
#include "run/self_check.hpp"
#include "session/milestones.hpp"
#include "session/period_search.hpp"
#include "table/table_writer.hpp"
#include "theory/return_search.hpp"
#include "theory/stats_collector.hpp"

namespace grundy {

class Stage {
 public:
  virtual ~Stage() = default;
  /// Takes the next stretch, and may cut off its end. kStop: no more stretches are needed.
  virtual Flow take(Stretch& stretch) = 0;
};

/// Computes random new values again from the definition.
class Check final : public Stage {
 public:
  /// Opens the values with smaller numbers than those of a stretch.
  using Opener = std::function<ValueOf()>;
  /// The opener for a stretch; empty if the values are not at hand.
  using Earlier = std::function<Opener(const Stretch&)>;

  /// @param known the number of values that earlier lives have checked
  Check(SelfCheck& check, HeapSize known, Earlier earlier)
      : check_(check), known_(known), earlier_(std::move(earlier)) {}
  Flow take(Stretch& stretch) override;

 private:
  SelfCheck& check_;
  HeapSize known_;
  Earlier earlier_;
};

/// Watches heaps for a period. If a period is to end the run, it cuts off the values that follow
/// from the period. Where the engine lets values go, it looks for a return of the newest values.
class Watch final : public Stage {
 public:
  /// @param known the number of values that earlier lives have seen
  /// @param blind use nothing that depends on blocks and interruptions
  /// @param returns null for a run that lets no values go, or whose states are not sealed
  Watch(PeriodSearch& search, ReturnSearch* returns, HeapSize known, bool ends, bool blind)
      : search_(search), returns_(returns), ends_(ends), blind_(blind), end_(known) {}
  Flow take(Stretch& stretch) override;
  /// From now on, says once a minute what is known.
  void tell(std::function<void(const std::string&)> narrate) { narrate_ = std::move(narrate); }
  /// A sentence: what is known of the period while no period is proved.
  [[nodiscard]] std::string knowledge() const;
  /// The part of it that no report has: which periods are ruled out. Empty if none is.
  [[nodiscard]] std::string exclusion() const;
  /// Whether the last stretch came with all values before it.
  [[nodiscard]] bool saw_whole_table() const noexcept { return whole_; }
  /// What the engine `sparse` has told last.
  [[nodiscard]] const std::optional<SparseFacts>& facts() const noexcept { return facts_; }

 private:
  PeriodSearch& search_;
  ReturnSearch* returns_;
  bool ends_;
  bool blind_;
  HeapSize end_;  ///< heaps below this were seen
  bool whole_ = false;
  std::optional<SparseFacts> facts_;
  std::function<void(const std::string&)> narrate_;
  Stopwatch since_told_;
};

/// Counts every value once, in the order of the table, takes the digest of the table, and hands the
/// value to the caller.
class Count final : public Stage {
 public:
  /// @param zeros the number of entries of value 0 that are listed, at most
  /// @param milestones for a run without a table; null for others
  Count(const KernelSet& kernels, const Hooks& hooks, std::uint64_t zeros,
        Milestones* milestones = nullptr)
      : stats_(std::in_place, kernels),
        hooks_(hooks),
        most_zeros_(zeros),
        milestones_(milestones) {}

  /// Goes on after the heaps that an earlier life has counted.
  void resume(StatsCollector counted);
  /// Counts the values of earlier lives on a thread of its own, while the engine takes them up.
  void catch_up(const KnownValues& known);
  /// Waits for that thread; take() does this by itself. @throws what the thread threw
  void wait();
  Flow take(Stretch& stretch) override;

  [[nodiscard]] TableStats stats() const { return stats_->stats(); }
  [[nodiscard]] const Digest128& whole_sections() const noexcept {
    return stats_->whole_sections();
  }
  /// The number of values that were counted.
  [[nodiscard]] HeapSize end() const noexcept { return end_; }
  /// Whether the caller wants no more values.
  [[nodiscard]] bool refused() const noexcept { return refused_; }
  /// Entries of value 0, in order.
  [[nodiscard]] const std::vector<std::uint64_t>& zeros() const noexcept { return zeros_; }
  /// The last one, if any are listed.
  [[nodiscard]] std::optional<std::uint64_t> last_zero() const noexcept { return last_zero_; }

 private:
  Flow count(const Stretch& block);

  std::optional<StatsCollector> stats_;  ///< always set
  const Hooks& hooks_;
  std::uint64_t most_zeros_;
  Milestones* milestones_;
  std::vector<std::uint64_t> zeros_;
  std::optional<std::uint64_t> last_zero_;
  HeapSize end_ = 0;
  bool refused_ = false;
  std::future<void> catching_up_;
};

/// Seals values, and compares sealed values with the memory of the engine.
class Seal final : public Stage {
 public:
  /// @param check compares what the engine keeps with what is sealed; null for several heaps, where
  /// no engine shows what it keeps
  Seal(SealedValues& sealed, SelfCheck* check) : sealed_(sealed), check_(check) {}
  Flow take(Stretch& stretch) override;

 private:
  SealedValues& sealed_;
  SelfCheck* check_;
};

/// Seals states: with the values as long as the engine keeps all of them or the run makes a table,
/// and without the values from then on. The last state of a run that is kept is sealed at the
/// stretch that ends it. An engine that tells no sparse space gets values sealed, and no states.
class SealStates final : public Stage {
 public:
  /// What the stage asks a run at the end of a stretch.
  struct Run {
    std::function<bool()> ends;  ///< no more heaps are needed
    /// The newest values that a life needs to go on from there. Empty if no life can go on: not all
    /// heaps are counted, or the values are too few.
    std::function<Values(const Stretch&)> newest_needed;
    std::function<std::string(const Stretch&)> state_text;  ///< the rest of the text of a state
    /// Hears of the stretch with the last heap, if a longer run can go on from it.
    std::function<void(const Stretch&)> ended;
  };

  /// A file of statistics holds at most this number of values, for runs that go on from it, if its
  /// engine has let none go.
  static constexpr HeapSize kMostInFile = HeapSize{1} << 24;

  /// @param values whether values are sealed, too
  /// @param heaps the heaps of the run
  /// @param is_kept whether others can go on from where this run ends or is stopped
  SealStates(SealedValues& sealed, SelfCheck& check, Run run, bool values, HeapSize heaps,
             bool is_kept, std::stop_token stop)
      : sealed_(sealed),
        check_(check),
        run_(std::move(run)),
        values_(values),
        heaps_(heaps),
        is_kept_(is_kept),
        stop_(std::move(stop)) {}
  Flow take(Stretch& stretch) override;

 private:
  SealedValues& sealed_;
  SelfCheck& check_;
  Run run_;
  bool values_;
  HeapSize heaps_;
  bool is_kept_;
  std::stop_token stop_;
};

/// Hands values on to a sink that sums them up by their places, or stores them.
class HandOn final : public Stage {
 public:
  explicit HandOn(ValueSink& sink) : sink_(sink) {}
  Flow take(Stretch& stretch) override { return sink_.put(stretch); }

 private:
  ValueSink& sink_;
};

/// The stages that take part, in their order; null for a stage that does not.
struct StagesOfRun {
  Stage* check = nullptr;
  Stage* watch = nullptr;
  Stage* count = nullptr;
  Stage* seal = nullptr;
  Stage* write = nullptr;
};

/// The sink that an engine sees: it hands stretches through the stages.
class Stages final : public ValueSink {
 public:
  explicit Stages(const StagesOfRun& all)
      : stages_{all.check, all.watch, all.count, all.seal, all.write} {}
  Flow put(const Stretch& handed) override;

 private:
  std::array<Stage*, 5> stages_;
};

}  // namespace grundy
