// SPDX-License-Identifier: MIT
#include "engines/lattice/row_state.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include <grundy/error.hpp>

namespace grundy {
namespace {

/// Stands for a value below the base, for a column before the first one, and for the end of a set.
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

RowState::RowState(const LatticeRule& rule, std::uint32_t last_row)
    : rows_(last_row + 1), looks_(rows_), values_(rows_) {
  for (const LatticeRay& ray : rule.moves().rays) add_ray(ray);
  for (const LatticeBox& box : rule.moves().boxes) {
    if (box.heaps == 1) add_lines(1, 0);
    if (box.heaps == 2) steps_.push_back(1);
    if (box.heaps == 3) below_ = true;
  }
  for (const LatticeBand& band : rule.moves().bands) add_band(band);
  for (const std::uint32_t step : steps_) {
    cycle_ = std::lcm(cycle_, std::uint64_t{step});
    check_reach(cycle_ * rows_);
  }
  for (std::uint64_t distance = 0; distance < cycle_; ++distance) {
    is_step_.push_back(
        std::ranges::any_of(steps_, [&](std::uint32_t step) { return distance % step == 0; }));
  }
  for (std::vector<Look>& looks : looks_) {
    std::ranges::sort(looks);
    looks.erase(std::unique(looks.begin(), looks.end()), looks.end());
  }
  past_.resize(std::size_t{reach_} * rows_);
  least_missing_.resize(cycle_ * rows_);
  std::uint64_t sets = least_missing_.size();
  for (Lines& lines : lines_) {
    lines.first_set = static_cast<std::uint32_t>(sets);
    sets += std::uint64_t{lines.columns} * lines.u;
    check_reach(sets);
  }
  looked_ = static_cast<std::uint32_t>(sets);
  sets_ = MovingSets(sets + 1);
}

void RowState::add_look(std::uint32_t row, std::uint64_t taken, std::uint64_t back) {
  check_reach(back);
  looks_[row].push_back(
      {static_cast<std::uint32_t>(row - taken), static_cast<std::uint32_t>(back)});
  reach_ = std::max(reach_, looks_[row].back().back);
}

void RowState::add_ray(const LatticeRay& ray) {
  const auto [u, v] = std::pair{ray.step[0], ray.step[1]};
  if (ray.multiples.empty()) {
    if (u == 0) {
      steps_.push_back(v);
    } else {
      add_lines(u, v);
    }
  }
  for (const std::uint32_t t : ray.multiples) {
    for (std::uint64_t row = std::uint64_t{t} * u; row < rows_; ++row) {
      add_look(static_cast<std::uint32_t>(row), std::uint64_t{t} * u, std::uint64_t{t} * v);
    }
  }
}

void RowState::add_lines(std::uint32_t u, std::uint32_t v) {
  if (u >= rows_) return;
  const std::uint64_t columns = std::uint64_t{(rows_ - 1) / u} * v + 1;
  check_reach(columns * u);
  Lines lines{.u = u, .columns = static_cast<std::uint32_t>(columns), .first_set = 0, .offset = {}};
  for (std::uint32_t row = 0; row < rows_; ++row) {
    lines.offset.push_back(static_cast<std::int32_t>(row % u) -
                           static_cast<std::int32_t>(row / u * v * u));
  }
  lines_.push_back(std::move(lines));
}

void RowState::add_band(const LatticeBand& band) {
  for (std::uint32_t row = 0; row < rows_; ++row) {
    for (std::uint64_t k = 1; k <= row; ++k) {
      check_reach(k + band.width);
      const std::uint64_t least = k < band.width ? 1 : k - band.width + 1;
      for (std::uint64_t l = least; l < k + band.width; ++l) add_look(row, k, l);
    }
  }
}

void RowState::advance() {
  for (const Lines& lines : lines_) {
    for (std::uint32_t i = 0; i < lines.u; ++i) sets_.clear(lines.at(0) + i);
  }
  for (std::uint32_t row = 0; row < rows_; ++row) {
    collect_sets(row);
    Nimber value = sets_.mex(asked_, least_missing_[asked_.front()]);
    while (value == MovingSets::kNone) {
      sets_.grow();
      value = sets_.mex(asked_, least_missing_[asked_.front()]);
    }
    values_[row] = value;
    for (const Lines& lines : lines_) sets_.insert(lines.at(row), value);
  }
  // The rows take the values of the column only now; while it was computed they held earlier
  // columns only.
  for (std::uint32_t row = 0; row < rows_; ++row) use_in_rows(row, values_[row]);
  if (reach_ > 0) {
    std::ranges::copy(values_,
                      past_.begin() + static_cast<std::ptrdiff_t>(column_ % reach_ * rows_));
  }
  ++column_;
  for (Lines& lines : lines_) {
    lines.here += static_cast<std::int32_t>(lines.u);
    if (lines.here == lines.ring()) lines.here = 0;
  }
  if (steps_.empty()) return;  // nothing bounds the values of row 0 from below
  base_ = std::ranges::min(least_missing_);
  sets_.forget_below(base_);
}

/// Puts the sets of all options of a position into asked_, the set of its row first.
void RowState::collect_sets(std::uint32_t row) {
  asked_.clear();
  asked_.push_back(static_cast<std::uint32_t>(row * cycle_ + column_ % cycle_));
  for (const Lines& lines : lines_) asked_.push_back(lines.at(row));
  if (looks_[row].empty()) return;
  sets_.clear(looked_);
  for (const Look& look : looks_[row]) {
    if (look.back > column_) continue;
    const Nimber value = past(look.row, look.back);
    if (value >= base_) sets_.insert(looked_, value);
  }
  asked_.push_back(looked_);
}

/// Adds a value of this column to the sets of its row, for all positions that have it as an option.
void RowState::use_in_rows(std::uint32_t row, Nimber value) {
  std::uint64_t residue = column_ % cycle_;
  for (std::uint64_t distance = 0; distance < cycle_; ++distance) {
    if (is_step_[distance]) use(row * cycle_ + residue, value);
    for (std::size_t above = row + 1; below_ && above < rows_; ++above) {
      use(above * cycle_ + residue, value);
    }
    if (++residue == cycle_) residue = 0;
  }
}

void RowState::use(std::size_t set, Nimber value) {
  sets_.insert(set, value);
  if (value != least_missing_[set]) return;
  const auto only = static_cast<std::uint32_t>(set);
  Nimber least = sets_.mex({&only, 1}, value);
  while (least == MovingSets::kNone) {
    sets_.grow();
    least = sets_.mex({&only, 1}, value);
  }
  least_missing_[set] = least;
}

template <class Visit>
bool RowState::for_each_part(Visit&& visit) const {
  if (!visit(static_cast<std::uint32_t>(column_ % cycle_))) return false;
  const auto visit_set = [&](std::size_t set, Nimber from) {
    for (Nimber value = from; value < sets_.end(); ++value) {
      if (sets_.contains(set, value) && !visit(value - base_)) return false;
    }
    return visit(kGone);
  };
  // The last rows settle last, so they come first: comparing them soon tells most different states
  // apart.
  for (std::size_t set = least_missing_.size(); set-- > 0;) {
    if (!visit(least_missing_[set] - base_) || !visit_set(set, least_missing_[set])) return false;
  }
  for (const Lines& lines : lines_) {
    for (std::uint32_t back = 1; back < lines.columns; ++back) {
      // A line that began before column 0 is an empty set of the ring.
      const auto begun =
          (lines.here + lines.ring() - static_cast<std::int32_t>(back * lines.u)) % lines.ring();
      for (std::uint32_t i = 0; i < lines.u; ++i) {
        if (!visit_set(lines.first_set + static_cast<std::uint32_t>(begun) + i, base_))
          return false;
      }
    }
  }
  for (std::uint32_t row = 0; row < rows_; ++row) {
    for (std::uint32_t back = 1; back <= reach_; ++back) {
      const bool gone = back > column_ || past(row, back) < base_;
      if (!visit(gone ? kGone : past(row, back) - base_)) return false;
    }
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
