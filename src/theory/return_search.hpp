/// @file
/// The search for a period in constant memory: a remembered window of values that returns.
///
/// Between two rare heaps the values of a sparse game are a function of the newest values
/// (sparse_certificate.hpp). So a window that comes again proves a period. A run of 10^12 heaps
/// keeps no table to look back at. The search remembers the values before one heap, its *place*,
/// and compares all that come later with them (R. P. Brent, 1980). When the run has reached twice
/// the place, it remembers anew there, since an older window may lie in the preperiod.
///
/// The first return is at the least period. Let the window end at m and return at m + p, no
/// earlier, and let the certificate hold. Then the values from the begin of the window on repeat
/// with p. If they repeated with a smaller q from some heap on, they would do so from the begin of
/// the window on, since every heap k p later has the same value. So the window would have come
/// again at m + q.
///
/// How late it is noticed: let e be the preperiod, p the period, L the length of the window. A
/// place m >= max(e + L, p) is the last one, and the return is noticed at m + p. Places double, so
/// this is below 2 max(e + L, p) + p, where e + p + L values are needed at least.
///
/// Cost: a few values of the window, the *needle*, are looked for by a loop that compilers
/// vectorise. Only where it occurs the window is compared. The needle is chosen to be rare among
/// the newest values, and chosen anew if it is found too often. What is found does not depend on
/// the needle.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include <grundy/sink.hpp>
#include <grundy/stats.hpp>
#include <grundy/types.hpp>

#include "theory/newest_values.hpp"

namespace grundy {

/// A return that proves a period: G(n + period) = G(n) for all n >= first, and not for a smaller
/// period from any heap on. The preperiod is at most `first`.
struct Return {
  HeapSize first = 0;
  HeapSize period = 0;
  SparseFacts facts;  ///< of the heaps that were needed, 0 .. facts.count - 1

  friend bool operator==(const Return&, const Return&) = default;
};

/// What a search that is taken up has to know. One that says nothing but `end` begins there.
struct ReturnState {
  HeapSize end = 0;               ///< heaps below this were seen
  HeapSize next = 0;              ///< where values are remembered next
  NewestValues remembered{};      ///< those before the place; it ends at 0 if there is none
  HeapSize newest = 0;            ///< so many values before `end` it needs besides
  std::optional<Return> found{};  ///< by which the search has ended; then no values are needed

  friend bool operator==(const ReturnState&, const ReturnState&) = default;
};

/// What a search has not found: no game that it sees has a period of at most `longest` heaps from
/// heap `first` or an earlier one on.
struct RuledOut {
  HeapSize first = 0;
  HeapSize longest = 0;
};

/// Watches a run whose engine tells its sparse space (Stretch::sparse). Stretches without it are
/// seen and not searched.
class ReturnSearch {
 public:
  /// No shorter window is remembered: a needle is to be rare in it.
  static constexpr HeapSize kLeastWindow = HeapSize{1} << 14;
  /// A game whose certificate needs a longer one is not searched: memory would not be constant.
  static constexpr HeapSize kLargestWindow = HeapSize{1} << 26;

  /// How many of the newest values a search watches, if it knows these facts: room for a window
  /// twice as long as the certificate needs. 0 if there is none, or if that is too long.
  [[nodiscard]] static HeapSize watched(const SparseFacts& facts, HeapSize largest_take,
                                        HeapSize least_window = kLeastWindow) noexcept;

  /// @param largest_take the most tokens that a move removes
  /// @pre least_window >= 8
  explicit ReturnSearch(HeapSize largest_take, HeapSize least_window = kLeastWindow);
  /// Goes on as if the search that told `state` had not been interrupted.
  /// @param newest the values before state.end: as many as it says
  /// @throws Error(kCorrupt) if the state contradicts itself
  ReturnSearch(HeapSize largest_take, ReturnState state, Values newest,
               HeapSize least_window = kLeastWindow);

  /// Takes the next block of heaps; true from the first return that proves a period on. That
  /// depends neither on the blocks nor on interruptions, if the facts of a stretch do not. Heaps
  /// that were seen are skipped.
  /// @throws Error(kFailure) if heaps are left out
  bool observe(const Stretch& block);
  [[nodiscard]] const std::optional<Return>& found() const noexcept { return found_; }
  /// The heap behind the remembered values; 0 if there are none.
  [[nodiscard]] HeapSize place() const noexcept { return window_.end(); }
  /// Whether the newest facts ask for a longer window than any that is remembered. Then the search
  /// keeps no values.
  [[nodiscard]] bool has_given_up() const noexcept { return given_up_; }
  /// What follows from the values that have not returned, from those that are remembered or from
  /// earlier ones: the longest periods. Nothing if none were remembered.
  [[nodiscard]] std::optional<RuledOut> ruled_out() const noexcept;
  [[nodiscard]] ReturnState state() const;
  /// The newest values, as many as the state says; the next block ends the view.
  [[nodiscard]] Values newest() const noexcept { return found_ ? Values{} : newest_.view(); }

 private:
  static constexpr std::size_t kLongestNeedle = 8;
  struct Needle {
    std::size_t offset = 0;  ///< in the window
    std::size_t length = 0;
  };

  void remember();
  void forget() noexcept;
  /// Sees no more values of the run than where it stands.
  void give_up(HeapSize end);
  void search(const SparseFacts& facts);
  /// Whether the remembered values come again as the last ones before heap `end`.
  [[nodiscard]] bool returns_at(HeapSize end) const noexcept;
  /// Looks for the window in all values from now on.
  void begin_to_look();
  void choose_needle();
  /// Takes the rarest needle of this length; tells whether it is rare enough.
  template <class T>
  bool choose_needle(std::size_t length);
  /// The first of `count` places from heap `begin` on where the needle occurs; `count` if it does
  /// at none.
  [[nodiscard]] HeapSize find_needle(HeapSize begin, HeapSize count) const noexcept;

  HeapSize take_;
  HeapSize least_;
  HeapSize wanted_;      ///< so many of the newest values are remembered
  HeapSize next_;        ///< the heap at which they are
  NewestValues window_;  ///< the remembered values
  NewestValues newest_;
  HeapSize looked_ = 0;  ///< windows that end at this heap or before it were compared
  Needle needle_;
  HeapSize chosen_ = 0;  ///< from this heap on it is counted how often the needle is found
  HeapSize hits_ = 0;
  HeapSize patience_ = 0;            ///< heaps after which that is judged
  std::optional<RuledOut> earlier_;  ///< by what was remembered before
  bool given_up_ = false;
  std::optional<Return> found_;
};

}  // namespace grundy
