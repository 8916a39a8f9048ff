/// @file
/// The search for a period in constant memory: a remembered window of values that returns.
///
/// Between two rare heaps the values of a sparse game are a function of the newest values
/// (sparse_certificate.hpp). So a window that comes again proves a period. A run of 10^12 heaps
/// keeps no table to look back at. Instead the search remembers the values before one heap, its
/// *place*, and compares all later values with them (R. P. Brent, 1980). When the run has reached
/// twice the place, the search remembers the values there instead, since an older window may lie in
/// the preperiod.
///
/// The first return is at the least period. Let the window end at m and return at m + p, no
/// earlier, and let the certificate hold. Then the values from the beginning of the window on
/// repeat with p. Suppose that they repeated with a smaller q from some heap on. Then they would do
/// so from the beginning of the window on, since every heap k p later has the same value. So the
/// window would have come again at m + q, a contradiction.
///
/// When the return is noticed: let e be the preperiod, p the period, L the length of the window. A
/// place m >= max(e + L, p) is the last one, and the return is noticed at m + p. Places double, so
/// this is below 2 max(e + L, p) + p. Any search of this kind needs at least e + p + L values.
///
/// Cost: a loop that compilers vectorise looks for a few values of the window, the *needle*. The
/// window is compared only where the needle occurs. The needle is chosen to be rare among the
/// newest values, and chosen anew if it occurs too often. The choice of the needle does not change
/// the result.
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
  SparseFacts facts;  ///< of the heaps that the proof needs, 0 .. facts.count - 1

  friend bool operator==(const Return&, const Return&) = default;
};

/// All that is needed to continue a search. A state with nothing but `end` begins a search there.
struct ReturnState {
  HeapSize end = 0;               ///< heaps below this were seen
  HeapSize next = 0;              ///< the heap at which values are remembered next
  NewestValues remembered{};      ///< the values before the place; ends at 0 if there is no place
  HeapSize newest = 0;            ///< number of values before `end` that the search needs as well
  std::optional<Return> found{};  ///< the return that ended the search; then it needs no values

  friend bool operator==(const ReturnState&, const ReturnState&) = default;
};

/// What a search without a return has proved: the game has no period of at most `longest` heaps
/// that begins at heap `first` or earlier.
struct RuledOut {
  HeapSize first = 0;
  HeapSize longest = 0;
};

/// Watches a run whose engine reports its sparse space (Stretch::sparse). Stretches without it are
/// counted as seen, but not searched.
class ReturnSearch {
 public:
  /// The least length of a remembered window: a needle must be able to be rare in it.
  static constexpr HeapSize kLeastWindow = HeapSize{1} << 14;
  /// The largest window. A game whose certificate needs a longer one is not searched, because
  /// memory would not be constant.
  static constexpr HeapSize kLargestWindow = HeapSize{1} << 26;

  /// The number of newest values that a search with these facts watches: room for a window twice as
  /// long as the certificate needs. 0 if there are no facts, or if that window is too long.
  [[nodiscard]] static HeapSize watched(const SparseFacts& facts, HeapSize largest_take,
                                        HeapSize least_window = kLeastWindow) noexcept;

  /// @param largest_take the most tokens that a move removes
  /// @pre least_window >= 8
  explicit ReturnSearch(HeapSize largest_take, HeapSize least_window = kLeastWindow);
  /// Goes on as if the search that told `state` had not been interrupted.
  /// @param newest the values before state.end, as many as state.newest says
  /// @throws Error(kCorrupt) if the state contradicts itself
  ReturnSearch(HeapSize largest_take, ReturnState state, Values newest,
               HeapSize least_window = kLeastWindow);

  /// Takes the next block of heaps. Returns true from the first return on that proves a period. The
  /// result depends neither on the blocks nor on interruptions, as long as the facts of a stretch
  /// do not. Heaps that were seen before are skipped.
  /// @throws Error(kFailure) if heaps are left out
  bool observe(const Stretch& block);
  [[nodiscard]] const std::optional<Return>& found() const noexcept { return found_; }
  /// The heap after the remembered values; 0 if there are none.
  [[nodiscard]] HeapSize place() const noexcept { return window_.end(); }
  /// Whether the newest facts require a longer window than any that is remembered. Then the search
  /// keeps no values.
  [[nodiscard]] bool has_given_up() const noexcept { return given_up_; }
  /// The longest periods that are ruled out because remembered values, the present or earlier ones,
  /// have not returned. Nothing if no values were ever remembered.
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
  /// Forgets all values. From now on only the heap that the run has reached is followed.
  void give_up(HeapSize end);
  void search(const SparseFacts& facts);
  /// Whether the remembered values occur again as the last ones before heap `end`.
  [[nodiscard]] bool returns_at(HeapSize end) const noexcept;
  /// Looks for the window in all values from now on.
  void begin_to_look();
  void choose_needle();
  /// Takes the rarest needle of this length. Returns whether it is rare enough.
  template <class T>
  bool choose_needle(std::size_t length);
  /// The first of `count` places from heap `begin` on at which the needle occurs; `count` if there
  /// is none.
  [[nodiscard]] HeapSize find_needle(HeapSize begin, HeapSize count) const noexcept;

  HeapSize take_;
  HeapSize least_;
  HeapSize wanted_;      ///< number of newest values that are remembered
  HeapSize next_;        ///< the heap at which values are remembered next
  NewestValues window_;  ///< the remembered values
  NewestValues newest_;
  HeapSize looked_ = 0;  ///< windows that end at or before this heap were compared
  Needle needle_;
  HeapSize chosen_ = 0;  ///< occurrences of the needle are counted from this heap on
  HeapSize hits_ = 0;
  HeapSize patience_ = 0;            ///< number of heaps after which the needle is judged
  std::optional<RuledOut> earlier_;  ///< by the values that were remembered before
  bool given_up_ = false;
  std::optional<Return> found_;
};

}  // namespace grundy
