// SPDX-License-Identifier: MIT
#include "engines/lattice/row_state.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include <grundy/error.hpp>

namespace grundy {
namespace {

/// Stands for a value below the base and for a column before the first. Neither matters any more.
constexpr std::uint32_t kGone = std::numeric_limits<std::uint32_t>::max();

/// @throws Error(kUsage) if a state would hold too many columns
void check_reach(std::uint64_t columns) {
  constexpr std::uint64_t kMost = 1u << 20;
  if (columns <= kMost) return;
  throw Error(
      ErrorCode::kUsage,
      fmt::format("the moves reach back {} columns; the periods of rows are looked for with "
                  "at most {}",
                  columns, kMost));
}

}  // namespace

void UsedValues::insert(Nimber value) {
  const std::uint64_t word = value / 64;
  if (word < first_word_) return;
  if (word - first_word_ >= words_.size()) words_.resize(word - first_word_ + 1);
  words_[word - first_word_] |= std::uint64_t{1} << value % 64;
  if (value != least_missing_) return;
  std::size_t at = 0;
  while (at < words_.size() && ~words_[at] == 0) ++at;
  const std::uint64_t first = at < words_.size() ? words_[at] : 0;
  least_missing_ =
      static_cast<Nimber>(64 * (first_word_ + at)) + static_cast<Nimber>(std::countr_one(first));
  first_word_ += at;
  words_.erase(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(at));
}

bool UsedValues::contains(Nimber value) const noexcept {
  const std::uint64_t word = value / 64;
  if (word < first_word_) return true;
  if (word - first_word_ >= words_.size()) return false;
  return (words_[word - first_word_] >> value % 64 & 1) != 0;
}

RowState::RowState(const LatticeRule& rule, std::uint32_t last_row)
    : looks_(last_row + 1), rows_(last_row + 1) {
  for (const LatticeRay& ray : rule.moves().rays) {
    if (ray.multiples.empty() && ray.step[0] == 0) {
      steps_.push_back(ray.step[1]);
    } else {
      for (std::uint32_t row = 0; row <= last_row; ++row) add_ray(ray, row);
    }
  }
  for (const LatticeBox& box : rule.moves().boxes) {
    if (box.heaps == 2) steps_.push_back(1);  // the second heap, by any amount
    if (box.heaps == 3) below_ = true;
    for (std::uint32_t row = 0; row <= last_row && box.heaps == 1; ++row) {
      for (std::uint32_t taken = 1; taken <= row; ++taken) add_look(row, taken, 0);
    }
  }
  for (const std::uint32_t step : steps_) {
    cycle_ = std::lcm(cycle_, std::uint64_t{step});
    check_reach(cycle_ * rows_.size());
  }
  if (!steps_.empty() || below_) sets_.resize(cycle_ * rows_.size());
  for (const LatticeBand& band : rule.moves().bands) {
    for (std::uint32_t row = 0; row <= last_row; ++row) {
      for (std::uint64_t k = 1; k <= row; ++k) {
        check_reach(k + band.width);
        const std::uint64_t least = k < band.width ? 1 : k - band.width + 1;
        for (std::uint64_t l = least; l < k + band.width; ++l) add_look(row, k, l);
      }
    }
  }
  for (std::vector<Look>& looks : looks_) {
    std::ranges::sort(looks);
    looks.erase(std::unique(looks.begin(), looks.end()), looks.end());
  }
}

void RowState::add_look(std::uint32_t row, std::uint64_t taken, std::uint64_t back) {
  check_reach(back);
  looks_[row].push_back(
      {static_cast<std::uint32_t>(row - taken), static_cast<std::uint32_t>(back)});
  reach_ = std::max(reach_, looks_[row].back().back);
}

void RowState::add_ray(const LatticeRay& ray, std::uint32_t row) {
  const std::uint64_t most =
      ray.step[0] == 0 ? std::numeric_limits<std::uint32_t>::max() : row / ray.step[0];
  const auto take = [&](std::uint64_t t) { add_look(row, t * ray.step[0], t * ray.step[1]); };
  if (ray.multiples.empty()) {
    for (std::uint64_t t = 1; t <= most; ++t) take(t);
  }
  for (const std::uint32_t t : ray.multiples) {
    if (t <= most) take(t);
  }
}

void RowState::advance() {
  for (std::uint32_t row = 0; row < rows_.size(); ++row) rows_[row].push_back(value_at(row));
  // The sets take the column only now: while it was computed they held earlier columns alone.
  for (std::uint32_t row = 0; row < rows_.size(); ++row) insert(row, rows_[row].back());
  ++column_;
  if (steps_.empty()) return;  // nothing bounds the values of row 0 from below
  base_ = std::numeric_limits<Nimber>::max();
  for (const UsedValues& set : sets_) base_ = std::min(base_, set.least_missing());
}

/// Adds a value of this column to the sets of all positions that have it as an option.
void RowState::insert(std::uint32_t row, Nimber value) {
  const std::uint64_t here = column_ % cycle_;
  for (std::uint64_t residue = 0; residue < cycle_; ++residue) {
    const std::uint64_t distance = (residue + cycle_ - here) % cycle_;
    if (std::ranges::any_of(steps_, [&](std::uint32_t step) { return distance % step == 0; })) {
      sets_[row * cycle_ + residue].insert(value);
    }
    for (std::size_t above = row + 1; below_ && above < rows_.size(); ++above) {
      sets_[above * cycle_ + residue].insert(value);
    }
  }
}

Nimber RowState::value_at(std::uint32_t row) {
  ++stamp_;
  for (const Look& look : looks_[row]) {
    if (look.back > column_) continue;
    const Nimber value = rows_[look.row][column_ - look.back];
    if (value < base_) continue;
    if (value - base_ >= seen_.size()) seen_.resize(2 * std::size_t{value - base_} + 64);
    seen_[value - base_] = stamp_;
  }
  const auto is_seen = [&](Nimber value) {
    return value >= base_ && value - base_ < seen_.size() && seen_[value - base_] == stamp_;
  };
  const UsedValues none;
  const UsedValues& used = sets_.empty() ? none : sets_[row * cycle_ + column_ % cycle_];
  Nimber value = used.least_missing();
  while (is_seen(value) || used.contains(value)) ++value;
  return value;
}

template <class Visit>
bool RowState::for_each_part(Visit&& visit) const {
  if (!visit(static_cast<std::uint32_t>(column_ % cycle_))) return false;
  for (const std::vector<Nimber>& row : rows_) {
    for (std::uint32_t back = 1; back <= reach_; ++back) {
      const bool gone = back > column_ || row[column_ - back] < base_;
      if (!visit(gone ? kGone : row[column_ - back] - base_)) return false;
    }
  }
  for (const UsedValues& set : sets_) {
    for (Nimber value = set.least_missing(); value < set.end(); ++value) {
      if (set.contains(value) && !visit(value - base_)) return false;
    }
    if (!visit(set.least_missing() - base_) || !visit(kGone)) return false;
  }
  return true;
}

std::vector<std::uint32_t> RowState::snapshot() const {
  std::vector<std::uint32_t> parts;
  for_each_part([&](std::uint32_t part) {
    parts.push_back(part);
    return true;
  });
  return parts;
}

bool RowState::matches(const std::vector<std::uint32_t>& snapshot) const {
  std::size_t at = 0;
  const bool equal = for_each_part(
      [&](std::uint32_t part) { return at < snapshot.size() && snapshot[at++] == part; });
  return equal && at == snapshot.size();
}

}  // namespace grundy
