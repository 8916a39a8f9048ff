/// @file
/// The period that a run without a table claims, proved again from its seals.
///
/// The values that prove the period are computed from the last seals before them: the values from
/// the last exception to the end of the window of the theorem, the values a period later, and, for
/// every prime q of the period p, the values p / q later, until one differs. So the proof costs the
/// heaps between two seals a few times, whatever the period is. The window certificate also makes
/// statements about all heaps; they are checked where these heaps are computed again
/// (state_check.hpp).
///
/// The depth of witnesses is not determined by the game: engines with other kernels and threads
/// sometimes look deeper. A proof for another depth compares a longer window.
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

/// The claim of a run about its period.
struct PeriodClaim {
  PeriodReport report;    ///< certified
  HeapSize computed = 0;  ///< number of heaps that were computed; some may lie after the last seal
  std::optional<LastException> last_exception{};
};

/// The claim of the file of statistics beside the run, or else that of its last state. Nothing if
/// none of them claims a proved period.
/// @pre the run ends in a state. @throws Error(kCorrupt) if one of them is damaged
std::optional<PeriodClaim> claim_of_states(const std::filesystem::path& directory,
                                           const RunContents& run);

class StatePeriod {
 public:
  /// All arguments but the rule must outlive this object.
  StatePeriod(const Work& work, const RunContents& run, const HeapRule& rule,
              const PeriodClaim& claim);

  /// The last heap whose value the proof uses.
  [[nodiscard]] HeapSize last_heap() const noexcept { return period_.verified_to - 1; }
  /// The approximate number of heaps that check() computes.
  [[nodiscard]] HeapSize heaps_to_compute() const;
  /// Proves the period. @return the fault, if there is one. Nothing is known if a stop was
  /// requested
  std::optional<WrongValue> check(ProgressSink* progress);
  /// What check() has compared, for people.
  [[nodiscard]] std::string proof() const;

  /// Whether a heap that was computed again obeys the claim: no heap after the last rare one is
  /// rare.
  [[nodiscard]] bool allows(HeapSize heap, Nimber value) const noexcept {
    return !split_ || heap <= period_.sparse->last_rare || split_->common(heap, value);
  }
  [[nodiscard]] WrongValue rare_heap(HeapSize heap) const;
  /// Notes that heaps begin .. end - 1 had witnesses down to this depth. If the proof uses these
  /// heaps, and the depth exceeds the proved one, the longer window is compared. @return as check()
  std::optional<WrongValue> note_depth(HeapSize begin, HeapSize end, HeapSize depth);

 private:
  struct Difference {
    HeapSize heap;
    Nimber value;
    Nimber later;
  };

  /// The claim's contradiction to itself or to the last state, if there is one.
  [[nodiscard]] std::optional<WrongValue> contradiction() const;
  /// Compares the window, and the heap before it, with the values a period later.
  std::optional<WrongValue> compare_window();
  [[nodiscard]] std::optional<WrongValue> check_exception(const std::optional<Difference>& last);
  std::optional<WrongValue> check_divisors();
  /// Checks the heaps after the last seal for the conditions that all heaps must meet.
  std::optional<WrongValue> check_behind_last_seal();
  /// Visits the heaps among begin .. end - 1 whose value differs from that of the heap `shift`
  /// later, until `visit` returns kStop.
  void compare(HeapSize begin, HeapSize end, HeapSize shift,
               const std::function<Flow(const Difference&)>& visit);
  /// Values of heaps begin .. end - 1; values that were computed last are used again.
  Values remembered(HeapSize begin, HeapSize end);
  void compute(HeapSize begin, HeapSize end, ValueSink& sink);
  /// The last seal at the heap or before it.
  [[nodiscard]] HeapSize seal_before(HeapSize heap) const;

  const Work& work_;
  const PeriodClaim& claim_;
  const PeriodReport& period_;
  HeapRule rule_;
  RunState state_;                   ///< the last state
  HeapSize values_end_;              ///< heaps below this are sealed as values
  HeapSize window_ = 0;              ///< number of equalities that the theorem needs
  HeapSize depth_ = 0;               ///< the depth for which the window is proved
  std::optional<ValueSplit> split_;  ///< of a window certificate
  Hooks quiet_;
  Request request_;
  HeapSetup setup_;
  SealedRecomputation values_;
  std::vector<HeapSize> seals_;
  std::vector<HeapSize> divisors_;   ///< the period divided by each of its primes
  std::optional<ValueBuffer> here_;  ///< values that were computed last, from heap first_ on
  HeapSize first_ = 0;
  ProgressSink* progress_ = nullptr;
  HeapSize done_ = 0;  ///< heaps that have been computed for the proof
};

}  // namespace grundy
