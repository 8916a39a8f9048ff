/// @file
/// The table of a sparse-space run and its slow, complete way to one more value.
///
/// append() decides one heap by the definition; the split is only a short cut. A value of the
/// common type is reached only through a rare heap or by a move that leaves at most one heap, so
/// O(R) marks decide it. A value of the rare type is looked for among all splits of the heap until
/// one reaches it. append() opens every table, and it decides the heaps at which the fast way
/// stops: new rare heaps, new bits of values, wider storage.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include <grundy/heap/engine.hpp>
#include <grundy/types.hpp>

#include "engines/heap/sparse/split.hpp"
#include "engines/heap/sparse/value_window.hpp"
#include "engines/heap/two_heap_moves.hpp"
#include "kernels/kernels.hpp"

namespace grundy::sparse {

class SparseTable {
 public:
  /// @param least in constant memory: the least number of values that are kept below each block
  /// that is handed out; nothing: all are kept
  /// @param recall for values that were dropped; may be empty
  SparseTable(TwoHeapMoves moves, const KernelSet& kernels,
              std::optional<HeapSize> least = std::nullopt, HeapTask::Recall recall = {});

  /// If more heaps are rare than this, some heaps look far back.
  static constexpr std::uint64_t kFewRare = 64;
  /// The least number of newest values that are kept for this many rare heaps. If there are many
  /// rare heaps, more values are kept in proportion, because some heaps of such games look far back
  /// (Grundy's game at heap 47 342 435).
  [[nodiscard]] static HeapSize least_kept(HeapSize least, std::uint64_t rare) noexcept {
    return least * std::max<std::uint64_t>(rare / kFewRare, 1);
  }
  /// The most heaps of a block that is handed out, in constant memory. As many values may be there
  /// that are not handed out yet.
  [[nodiscard]] static constexpr HeapSize largest_block(HeapSize least) noexcept {
    return least / 4;
  }
  /// The most values that a run keeps, with room for new ones, if heaps look back at most so far.
  [[nodiscard]] static HeapSize most_kept(HeapSize least, std::uint64_t rare,
                                          HeapSize looked_back) noexcept;

  [[nodiscard]] const TwoHeapMoves& moves() const noexcept { return moves_; }
  [[nodiscard]] const Split& split() const noexcept { return split_; }
  /// Rare heaps under the split, ascending; heap 0 is not one.
  [[nodiscard]] const std::vector<HeapSize>& rare() const noexcept { return rare_; }
  /// All heaps below this have their final value.
  [[nodiscard]] HeapSize size() const noexcept { return size_; }
  /// Whether no value has been dropped.
  [[nodiscard]] bool complete() const noexcept { return window_.complete(); }
  /// All values. @pre complete()
  [[nodiscard]] Values values() const noexcept { return window_.values(0, size_); }
  [[nodiscard]] const ValueWindow& window() const noexcept { return window_; }
  /// The number of newest values that are kept. @pre !complete()
  [[nodiscard]] HeapSize newest() const noexcept { return size_ - window_.begin(); }
  /// The depth of witnesses: every value of the rare type below that of a common heap is reached by
  /// a split whose smaller heap is at most this, or by a move that leaves at most one heap.
  /// Only the proofs of final heaps count, so that it depends neither on threads nor on blocks.
  [[nodiscard]] HeapSize depth() const noexcept { return depth_; }
  /// Raises the depth. @pre no proof is under way
  void note_depth(HeapSize depth) const noexcept;
  /// A power of two above all values, and so above every nim-sum of two values.
  [[nodiscard]] Nimber value_limit() const noexcept { return value_limit_; }

  /// Takes the values that are known; reserve() may drop some of them later. If all values are
  /// known, the split must be chosen afterwards. @pre the table is empty
  void load(const HeapTask& task);
  /// Changes the split and lists the rare heaps anew. @pre complete()
  void set_split(const Split& split);
  /// Decides the next heap. If the table is not complete and the value has a bit that no earlier
  /// value has, the mask includes that bit if this makes the heap common. If values are needed that
  /// were dropped, all values are recalled and stay.
  /// @throws Error(kFailure) if memory runs out, or if such values cannot be recalled
  void append();

  /// Makes room for heaps below `end`. They are written through buffer() at index() and then made
  /// final by extend_to().
  void reserve(HeapSize end);
  [[nodiscard]] ValueBuffer& buffer() noexcept { return window_.buffer(); }
  /// Makes the heaps below `end` final. All are common and were proved elsewhere.
  /// @pre no proof is under way
  void extend_to(HeapSize end) noexcept;

  enum class Search { kFound, kAbsent, kUnknown };
  /// Whether some option of heap n has this value. Looks at all options; the answer is kUnknown if
  /// no option whose values are still kept has it. Heaps below n must have values, at least in the
  /// buffer. Safe to call from several threads.
  [[nodiscard]] Search find(HeapSize n, Nimber value) const noexcept;

 private:
  /// The least number of newest values that are kept in constant memory.
  [[nodiscard]] HeapSize least_kept() const noexcept {
    return least_kept(least_.value_or(0), rare_.size());
  }
  /// The number of newest values that are kept: at least least_kept(), and at least twice as many
  /// as any heap so far has looked back.
  [[nodiscard]] HeapSize kept() const noexcept;
  /// The number of first values that are kept.
  [[nodiscard]] HeapSize first_kept() const noexcept;
  /// Makes the table complete. @throws Error(kFailure) if heap n needs values that cannot be
  /// recalled
  void recall_for(HeapSize n);
  void load_around(const KnownValues& known, const KnownValues::Gone& gone);
  /// Makes room for values up to `largest`.
  void raise_value_limit(Nimber largest);
  /// Notes the values of the rare heaps. @pre they are there
  void note_rare_values();
  void mark(Nimber value) noexcept { seen_[value] = stamp_; }
  [[nodiscard]] bool seen(Nimber v) const noexcept {
    return v < seen_.size() && seen_[v] == stamp_;
  }
  /// find() among the pairs of heap n. Values nearly repeat in many games, so the pairs around the
  /// one that had this value last come first.
  template <class T>
  [[nodiscard]] Search find_pair(HeapSize n, T value) const noexcept;
  /// Of the pairs of heap n whose smaller heaps are first .. end - 1, the smaller heap of the first
  /// one with this value; `end` or more if there is none.
  template <class T>
  [[nodiscard]] HeapSize first_pair(const SplitMove& split, HeapSize n, HeapSize first,
                                    HeapSize end, T value) const noexcept;
  template <class T>
  void mark_options(HeapSize n);
  /// Marks pairs with rare heaps, numbers first .. end - 1 of their list. The partner of rare heap
  /// r has the value partner[-r].
  template <class T>
  void mark_rare(std::size_t first, std::size_t end, const T* partner) noexcept;
  /// The least value of the common type that is not seen, or the value limit: no option has it.
  [[nodiscard]] Nimber least_common(HeapSize n) const noexcept;
  /// Makes a list of the values of the rare type below `bound` that are not seen. While these are
  /// many, they are looked for all at once, among pairs whose depth is known to be needed.
  template <class T>
  void list_unseen(HeapSize n, Nimber bound);
  /// The number of pairs of heap n whose values are still there: their smaller heaps are 1, 2, ...
  [[nodiscard]] HeapSize pairs_there(const SplitMove& split, HeapSize n) const noexcept;

  const TwoHeapMoves moves_;
  const KernelSet& kernels_;
  std::optional<HeapSize> least_;
  HeapTask::Recall recall_;
  Split split_;
  ValueWindow window_;
  HeapSize size_ = 0;
  Nimber value_limit_ = 1;
  std::vector<HeapSize> rare_;
  std::vector<Nimber> rare_values_;  ///< in the same order
  mutable HeapSize depth_ = 0;
  HeapSize farthest_ = 0;  ///< smaller heap of a pair that find() has found
  /// A pair of a heap that find() has found deeper than it was known to be necessary.
  struct DeepPair {
    HeapSize heap, smaller;
  };
  mutable std::mutex deep_mutex_;
  mutable std::vector<DeepPair> deep_;  ///< they count once their heaps are final
  std::vector<std::uint64_t> seen_;     ///< by value: the last heap (plus one) with such an option
  std::uint64_t stamp_ = 0;
  /// By value: the smaller heap of the pair that find() found last. Threads share it.
  mutable std::vector<HeapSize> last_found_;
  std::vector<Nimber> unseen_;  ///< for append(): values of the rare type, ascending
};

}  // namespace grundy::sparse
