// SPDX-License-Identifier: MIT
#include "engines/lattice/chomp_outcomes.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include <grundy/layout.hpp>

namespace grundy {
namespace {

constexpr unsigned kRows = 4;
/// Outcomes are handed over in stretches of this length or a little more.
constexpr std::size_t kStretch = std::size_t{1} << 18;

constexpr std::uint64_t words_for(std::uint64_t c) noexcept {
  return c / 64 + 1;
}

/// Bit sets over 0 .. c for each c below a size, one after another.
class SetsOfRow {
 public:
  explicit SetsOfRow(std::uint64_t size) : begin_(size + 1) {
    for (std::uint64_t c = 0; c < size; ++c) begin_[c + 1] = begin_[c] + words_for(c);
  }
  /// The word at which the set of c begins.
  [[nodiscard]] std::uint64_t begin(std::uint64_t c) const noexcept { return begin_[c]; }

 private:
  std::vector<std::uint64_t> begin_;
};

void add_to(std::uint64_t* set, std::uint64_t d) noexcept {
  set[d / 64] |= std::uint64_t{1} << (d % 64);
}

class ChompRun {
 public:
  ChompRun(const LatticeTask& task, ValueSink& sink)
      : task_(task), sink_(sink), size_(task.shape.extent[0]), row_(size_) {
    first_.resize(size_ + 1);
    for (std::uint64_t b = 0; b < size_; ++b) first_[b + 1] = first_[b] + row_.begin(b + 1);
    by_first_.resize(first_[size_]);
    two_equal_.resize(row_.begin(size_));
    by_second_.resize(row_.begin(size_));
    three_equal_.resize(words_for(size_));
    second_equal_.resize(words_for(size_));
    by_third_.resize(words_for(size_));
    outcomes_.reserve(kStretch + size_);
  }

  RunStatus run() {
    for (std::uint64_t a = 0; a < size_; ++a) {
      begin_first_row(a);
      for (std::uint64_t b = 0; b <= a; ++b) {
        if (task_.stop.stop_requested()) return RunStatus::kCancelled;
        if (solve(a, b) == Flow::kStop) return RunStatus::kStoppedBySink;
      }
    }
    return hand_over() == Flow::kStop ? RunStatus::kStoppedBySink : RunStatus::kComplete;
  }

 private:
  /// The sets for rows (a, a, c) come first: their options have no first row between a and the
  /// second row.
  void begin_first_row(std::uint64_t a) {
    std::copy_n(three_equal_.begin(), words_for(a), two_equal_.begin() + offset(row_.begin(a)));
    std::copy_n(two_equal_.begin(), row_.begin(a + 1), by_first_.begin() + offset(first_[a]));
    std::ranges::fill(second_equal_, 0);
    second_limit_ = size_;
  }

  /// Finds the outcomes of all rows (a, b, c, d).
  Flow solve(std::uint64_t a, std::uint64_t b) {
    std::copy_n(second_equal_.begin(), words_for(b), by_second_.begin() + offset(row_.begin(b)));
    std::ranges::fill(by_third_, 0);
    std::uint64_t third_limit = size_;
    for (std::uint64_t c = 0; c <= b; ++c) {
      std::uint64_t* const by_first = by_first_.data() + first_[b] + row_.begin(c);
      std::uint64_t* const by_second = by_second_.data() + row_.begin(c);
      const std::uint64_t end =
          std::min({c + 1, all_limit_, second_limit_, third_limit});  // d must be below it
      std::uint64_t d = end;
      for (std::uint64_t w = 0; w < words_for(c); ++w) {
        const std::uint64_t free = ~(by_first[w] | by_second[w] | by_third_[w]);
        if (free == 0) continue;
        d = 64 * w + static_cast<std::uint64_t>(std::countr_zero(free));
        break;
      }
      const std::size_t at = outcomes_.size();
      outcomes_.resize(at + c + 1, 1);
      if (d < end) {
        outcomes_[at + d] = 0;
        // With a = 0 there are no squares, and no bite leaves this position.
        if (a > 0) note(a, b, c, d, by_first, by_second, third_limit);
      }
    }
    if (outcomes_.size() >= kStretch) return hand_over();
    return Flow::kContinue;
  }

  /// Notes D(a,b,c) = d for all rows that have (a,b,c) as an option.
  void note(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d,
            std::uint64_t* by_first, std::uint64_t* by_second,
            std::uint64_t& third_limit) noexcept {
    add_to(by_first, d);
    add_to(by_second, d);
    add_to(by_third_.data(), d);
    if (c == d) third_limit = std::min(third_limit, c);
    if (b == c) {
      add_to(second_equal_.data(), d);
      if (c == d) second_limit_ = std::min(second_limit_, c);
    }
    if (a == b) {
      add_to(two_equal_.data() + row_.begin(c), d);
      if (b == c) {
        add_to(three_equal_.data(), d);
        if (c == d) all_limit_ = std::min(all_limit_, c);
      }
    }
  }

  Flow hand_over() {
    if (outcomes_.empty()) return Flow::kContinue;
    Tile ranks;
    ranks.first_rank = done_;
    const Flow flow = sink_.put({.begin = done_,
                                 .values = std::span<const std::uint8_t>(outcomes_),
                                 .table = {},
                                 .tile = &ranks});
    done_ += outcomes_.size();
    outcomes_.clear();
    if (task_.progress != nullptr) {
      const std::uint64_t all = sorted_count(kRows, size_);
      task_.progress->report({.done = done_,
                              .total = all,
                              .work_done = static_cast<double>(done_),
                              .work_total = static_cast<double>(all)});
    }
    return flow;
  }

  static std::ptrdiff_t offset(std::uint64_t words) noexcept {
    return static_cast<std::ptrdiff_t>(words);
  }

  const LatticeTask& task_;
  ValueSink& sink_;
  std::uint64_t size_;  ///< the lengths of rows are below it
  SetsOfRow row_;
  std::vector<std::uint64_t> first_;  ///< where the sets of (b, 0), (b, 1), .. begin in by_first_
  // Sets of the D that have been found. Of the options that shorten the first, second or third row:
  std::vector<std::uint64_t> by_first_;      ///< for each b, c: with a shorter first row
  std::vector<std::uint64_t> by_second_;     ///< for each c: this first row, a shorter second row
  std::vector<std::uint64_t> by_third_;      ///< with these two rows and a shorter third row
  std::vector<std::uint64_t> two_equal_;     ///< for each c: D(j, j, c)
  std::vector<std::uint64_t> three_equal_;   ///< D(j, j, j)
  std::vector<std::uint64_t> second_equal_;  ///< D(a, j, j) for this first row a
  /// The least j with D(j,j,j) = j, and the least j with D(a,j,j) = j for this first row a.
  std::uint64_t all_limit_ = ~std::uint64_t{0}, second_limit_ = 0;
  std::vector<std::uint8_t> outcomes_;  ///< outcomes that were not handed over yet
  std::uint64_t done_ = 0;              ///< number of outcomes that were handed over
};

}  // namespace

bool is_four_row_chomp(const LatticeRule& rule, const LatticeShape& shape) noexcept {
  const LatticeMoves& moves = rule.moves();
  return shape.sorted && moves.heaps == kRows && !moves.pass && !moves.misere &&
         moves.rays.empty() && moves.bands.empty() && moves.boxes.empty() &&
         moves.families == std::vector{LatticeFamily::kChomp};
}

std::uint64_t chomp_outcomes_bytes(const LatticeShape& shape) noexcept {
  const std::uint64_t n = shape.extent[0];
  // The set of (b, c) has c / 64 + 1 words, for c <= b < n.
  return 8 * (sorted_count(3, n) / 64 + sorted_count(2, n) * 2) + 4 * kStretch;
}

RunStatus run_chomp_outcomes(const LatticeTask& task, ValueSink& sink) {
  return ChompRun(task, sink).run();
}

}  // namespace grundy
