// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/heap/outcomes.hpp>

#include "core/advice.hpp"
#include "engines/heap/digit_moves.hpp"
#include "engines/heap/formula/engine.hpp"

namespace grundy {
namespace {

/// Number of heaps that are sieved at a time: their marks fit into the second-level cache.
constexpr HeapSize kBlock = HeapSize{1} << 19;
/// Heaps and numbers of moves are kept in 32 bits.
constexpr HeapSize kMostHeaps = HeapSize{1} << 32;

/// The numbers of tokens that moves take, ascending.
struct Moves {
  std::vector<std::uint32_t> to_zero;  ///< moves that take a whole heap
  std::vector<std::uint32_t> to_some;  ///< moves that leave a heap
};

/// The elements of `takes` that are at most `last`.
std::vector<std::uint32_t> up_to(HeapSize last, const std::vector<HeapSize>& takes) {
  return {takes.begin(), std::ranges::upper_bound(takes, last)};
}

/// @pre no move leaves several heaps, and options of the rule are not listed
Moves moves_up_to(const HeapRule& rule, HeapSize last) {
  if (const auto subtraction = rule.as_subtraction()) {
    const std::vector<std::uint32_t> takes = up_to(last, subtraction->allowed_up_to(last));
    return {.to_zero = takes, .to_some = takes};
  }
  const TakeBreakRule& code = *rule.take_break();
  Moves moves;
  const HeapSize most = std::min(last, rule.largest_take().value_or(last));
  for (HeapSize take = 1; take <= most; ++take) {
    const DigitMoves digit(code.digit(take));
    if (digit.whole) moves.to_zero.push_back(static_cast<std::uint32_t>(take));
    if (digit.single) moves.to_some.push_back(static_cast<std::uint32_t>(take));
  }
  return moves;
}

class OutcomeSieve {
 public:
  OutcomeSieve(const HeapTask& task, bool misere, ValueSink& sink)
      : task_(task),
        misere_(misere),
        sink_(sink),
        moves_(task.count > 0 ? moves_up_to(task.rule, task.count - 1) : Moves{}),
        slices_(task.executor.threads()) {}

  RunStatus run() {
    for (begin_ = 0; begin_ < task_.count; begin_ = end_) {
      if (task_.stop.stop_requested()) return RunStatus::kCancelled;
      end_ = std::min(begin_ + kBlock, task_.count);
      forget();
      mark_from_before();
      sieve();
      if (task_.stop.stop_requested()) return RunStatus::kCancelled;
      if (hand_over() == Flow::kStop) return RunStatus::kStoppedBySink;
    }
    return RunStatus::kComplete;
  }

 private:
  /// A P-position, with the number of the first move that leads to it from beyond the blocks so
  /// far.
  struct Source {
    std::uint32_t heap;
    std::uint32_t next;
  };

  [[nodiscard]] const std::vector<std::uint32_t>& moves_to(HeapSize heap) const noexcept {
    return heap == 0 ? moves_.to_zero : moves_.to_some;
  }

  [[nodiscard]] bool has_move(HeapSize heap) const noexcept {
    return (!moves_.to_some.empty() && moves_.to_some.front() < heap) ||
           std::ranges::binary_search(moves_.to_zero, heap);
  }

  /// Drops the P-positions that no move of a later heap reaches.
  void forget() {
    const auto is_over = [&](const Source& source) {
      return source.next == moves_to(source.heap).size();
    };
    const auto first = std::ranges::find_if_not(sources_, is_over);  // the oldest source ends first
    if (first - sources_.begin() > static_cast<std::ptrdiff_t>(sources_.size() / 2)) {
      sources_.erase(sources_.begin(), first);
    }
  }

  /// Marks the heaps with moves to earlier P-positions. Each thread takes a slice of these.
  void mark_from_before() {
    const std::size_t size = end_ - begin_;
    for (std::vector<std::uint8_t>& slice : slices_) slice.assign(size, 0);
    const std::size_t threads = slices_.size();
    task_.executor.parallel_for(threads, [&](std::size_t t) {
      const std::size_t first = sources_.size() * t / threads;
      const std::size_t last = sources_.size() * (t + 1) / threads;
      for (Source& source : std::span(sources_).subspan(first, last - first)) {
        if (task_.stop.stop_requested()) return;  // with many moves a block takes long
        source.next = mark(source.heap, source.next, slices_[t].data());
      }
    });
    for (std::size_t t = 1; t < threads; ++t) {
      for (std::size_t i = 0; i < size; ++i) slices_[0][i] |= slices_[t][i];
    }
  }

  /// Marks the heaps of the block with a move to `heap`. Returns the first move from beyond the
  /// block.
  std::uint32_t mark(HeapSize heap, std::uint32_t next, std::uint8_t* marks) const noexcept {
    const std::uint32_t* const moves = moves_to(heap).data();
    const auto count = static_cast<std::uint32_t>(moves_to(heap).size());
    const HeapSize before = begin_ - heap, limit = end_ - heap;
    for (; next < count && moves[next] < limit; ++next) marks[moves[next] - before] = 1;
    return next;
  }

  /// Finds the P-positions of the block in ascending order.
  void sieve() {
    std::uint8_t* const marks = slices_[0].data();
    const std::size_t size = end_ - begin_;
    for (std::size_t i = 0; i < size; ++i) {
      const void* const zero = std::memchr(marks + i, 0, size - i);
      if (zero == nullptr || task_.stop.stop_requested()) return;
      i = static_cast<std::size_t>(static_cast<const std::uint8_t*>(zero) - marks);
      if (misere_ && !has_move(begin_ + i)) {
        marks[i] = 1;
        continue;
      }
      const std::vector<std::uint32_t>& moves = moves_to(begin_ + i);
      std::uint32_t next = 0;
      for (; next < moves.size() && i + moves[next] < size; ++next) marks[i + moves[next]] = 1;
      sources_.push_back({static_cast<std::uint32_t>(begin_ + i), next});
    }
  }

  Flow hand_over() {
    Stretch stretch;
    stretch.begin = begin_;
    stretch.values = std::span<const std::uint8_t>(slices_[0]);
    const Flow flow = sink_.put(stretch);
    if (task_.progress != nullptr) {
      // A P-position marks more heaps the further the run is from it.
      const double share = static_cast<double>(end_) / static_cast<double>(task_.count);
      task_.progress->report(
          {.done = end_, .total = task_.count, .work_done = share * share, .work_total = 1});
    }
    return flow;
  }

  const HeapTask& task_;
  bool misere_;
  ValueSink& sink_;
  Moves moves_;
  std::vector<Source> sources_;  ///< ascending
  /// For each thread, a byte for each heap of the block: whether the heap reaches a P-position or,
  /// in misère play, has no move.
  std::vector<std::vector<std::uint8_t>> slices_;
  HeapSize begin_ = 0, end_ = 0;  ///< of the block
};

/// Whether the options of each heap are listed: of formulas that are no subtraction game.
bool lists_options(const HeapRule& rule) {
  return rule.formula() != nullptr && !rule.as_subtraction();
}

/// The most moves of a heap of `last` tokens at most. A list of moves may be as large as what is to
/// be refused.
std::uint64_t most_moves(const HeapRule& rule, HeapSize last) {
  const auto subtraction = rule.as_subtraction();
  if (!subtraction) return 2 * std::min(last, rule.largest_take().value_or(last));
  if (subtraction->kind == SubtractionRule::Kind::kAllBut) return last;
  if (subtraction->kind == SubtractionRule::Kind::kPrimes) {
    // pi(x) < 1.25506 x / ln x for x > 1 (Rosser and Schoenfeld 1962).
    const double x = std::max(2.0, static_cast<double>(last));
    return static_cast<std::uint64_t>(1.25506 * x / std::log(x)) + 1;
  }
  return subtraction->allowed_up_to(last).size();
}

}  // namespace

std::string outcomes_refusal(const HeapRule& rule, bool misere, HeapSize count) {
  if (rule.pass()) return "a heap has a pass, which only values know of";
  if (rule.max_heaps().value_or(2) > 1) {
    std::string reason =
        "a move may leave several heaps, whose outcomes do not tell that of their sum";
    if (misere) reason.append("; ").append(kFindGenera);
    return reason;
  }
  const bool sieves = !lists_options(rule) && !outcomes_are_in_values(rule, misere);
  if (sieves && count > kMostHeaps) return "heaps are below 2^32 here";
  return {};
}

bool outcomes_are_in_values(const HeapRule& rule, bool misere) {
  if (misere) return false;              // values say nothing there
  if (lists_options(rule)) return true;  // values look at no more options
  const auto subtraction = rule.as_subtraction();
  if (!subtraction) return false;
  // AllBut takes nearly every number. Up to 10^6 a sixth of all heaps are P-positions of the
  // primes, each of which has as many marks as there are primes.
  return subtraction->kind == SubtractionRule::Kind::kAllBut ||
         subtraction->kind == SubtractionRule::Kind::kPrimes;
}

std::uint64_t outcomes_memory_bytes(const HeapRule& rule, HeapSize count) {
  if (lists_options(rule)) return FormulaEngine().memory_bytes(rule, count, 1);
  constexpr std::uint64_t kThreads = 64;
  const std::uint64_t moves = count == 0 ? 0 : most_moves(rule, count - 1);
  return moves * (sizeof(HeapSize) + sizeof(std::uint32_t)) + kThreads * kBlock;
}

RunStatus run_outcomes(const HeapTask& task, bool misere, ValueSink& sink) {
  if (lists_options(task.rule)) return run_formula_outcomes(task, sink);
  return OutcomeSieve(task, misere, sink).run();
}

}  // namespace grundy
