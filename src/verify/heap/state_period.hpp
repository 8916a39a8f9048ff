/// @file
/// The period that a run without a table claims, proved again from its seals.
///
/// The values that prove it are computed from the last seals before them: those from the last
/// exception to the end of the window of the theorem, those a period later, and, for every prime q
/// of the period p, those p / q later, until one differs. So the proof costs the heaps between two
/// seals some times, whatever the period is. What else the window certificate rests on is a
/// statement about all heaps, and is checked where these are computed again (state_check.hpp).
///
/// The depth of witnesses is no number of the game: engines with other kernels and threads look
/// deeper now and then. A proof for another depth compares a longer window.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <grundy/heap/rule.hpp>
#include <grundy/statistics.hpp>

#include "core/value_buffer.hpp"
#include "run/run_directory.hpp"
#include "session/run_state.hpp"
#include "session/sealed_recomputation.hpp"
#include "session/setup.hpp"
#include "verify/heap/value_split.hpp"
#include "verify/work.hpp"

namespace grundy {

/// What a run says of its period.
struct PeriodClaim {
  PeriodReport report;  ///< certified
  /// The preperiod is the least. A run that has ended before it was found says no more than that
  /// the values repeat from some heap on.
  bool is_least = true;
  HeapSize computed = 0;  ///< heaps that were computed, of which some may lie behind the last seal
  std::optional<LastException> last_exception{};
};

/// The claim of the file of statistics beside the run, or else that of its last state; nothing if
/// no period is said to be proved.
/// @pre the run ends in a state. @throws Error(kCorrupt) if one of them is damaged
std::optional<PeriodClaim> claim_of_states(const std::filesystem::path& directory,
                                           const RunContents& run);

class StatePeriod {
 public:
  /// All arguments but the rule must outlive it.
  StatePeriod(const Work& work, const RunContents& run, const HeapRule& rule,
              const PeriodClaim& claim);

  /// The last heap whose value the proof uses.
  [[nodiscard]] HeapSize last_heap() const noexcept { return period_.verified_to - 1; }
  /// What check() computes, about.
  [[nodiscard]] HeapSize heaps_to_compute() const;
  /// Proves it. @return what is wrong, if anything is. Nothing is known if a stop was asked for
  std::optional<WrongValue> check(ProgressSink* progress);
  /// What check() has compared, for people.
  [[nodiscard]] std::string proof() const;

  /// What heaps that were computed again must obey: no heap behind the last rare one is rare.
  [[nodiscard]] bool allows(HeapSize heap, Nimber value) const noexcept {
    return !split_ || heap <= period_.sparse->last_rare || split_->common(heap, value);
  }
  [[nodiscard]] WrongValue rare_heap(HeapSize heap) const;
  /// Heaps begin .. end - 1 had witnesses down to this depth. If the proof uses them, and they lie
  /// deeper than it is known for, the longer window is compared. @return as check()
  std::optional<WrongValue> note_depth(HeapSize begin, HeapSize end, HeapSize depth);

 private:
  struct Difference {
    HeapSize heap;
    Nimber value;
    Nimber later;
  };

  /// In what the claim contradicts itself or the last state.
  [[nodiscard]] std::optional<WrongValue> contradiction() const;
  /// Compares the window, and the heap before it, with the heaps a period later.
  std::optional<WrongValue> compare_window();
  [[nodiscard]] std::optional<WrongValue> check_exception(const std::optional<Difference>& last);
  std::optional<WrongValue> check_divisors();
  /// The heaps that no state follows: what else is asked of heaps that are computed again.
  std::optional<WrongValue> check_behind_last_seal();
  /// Visits heaps begin .. end - 1 whose value is not that of the heap `shift` later, until kStop.
  void compare(HeapSize begin, HeapSize end, HeapSize shift,
               const std::function<Flow(const Difference&)>& visit);
  /// Values that may have been computed before.
  Values remembered(HeapSize begin, HeapSize end);
  void compute(HeapSize begin, HeapSize end, ValueSink& sink);
  /// The last seal at the heap or before it.
  [[nodiscard]] HeapSize seal_before(HeapSize heap) const;

  const Work& work_;
  const PeriodClaim& claim_;
  const PeriodReport& period_;
  HeapRule rule_;
  RunState state_;                   ///< the last one
  HeapSize values_end_;              ///< heaps below are sealed as values
  HeapSize window_ = 0;              ///< equalities that the theorem needs
  HeapSize depth_ = 0;               ///< for which the window is proved
  std::optional<ValueSplit> split_;  ///< of a window certificate
  Hooks quiet_;
  Request request_;
  HeapSetup setup_;
  SealedRecomputation values_;
  std::vector<HeapSize> seals_;
  std::vector<HeapSize> divisors_;   ///< the period through each of its primes
  std::optional<ValueBuffer> here_;  ///< what was remembered last, from heap first_ on
  HeapSize first_ = 0;
  ProgressSink* progress_ = nullptr;
  HeapSize done_ = 0;  ///< heaps that were computed for it
};

}  // namespace grundy
