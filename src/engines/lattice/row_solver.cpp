// SPDX-License-Identifier: MIT
#include "engines/lattice/row_solver.hpp"

#include <algorithm>

#include <grundy/lattice/options.hpp>

namespace grundy {
namespace {

/// Whether the numbers of a row are equally spaced.
bool even(const std::vector<std::uint64_t>& part) noexcept {
  for (std::size_t y = 3; y < part.size(); ++y) {  // y = 0 is a piece of its own
    if (part[y] - part[y - 1] != part[2] - part[1]) return false;
  }
  return true;
}

}  // namespace

RowSolver::RowSolver(const LatticeRule& rule, const SetPlan& plan, SetArena& arena,
                     const SetKernels& kernels, SlabRing& slabs, std::uint64_t scratch)
    : rule_(rule),
      plan_(plan),
      planes_(rule.planes()),
      arena_(arena),
      kernels_(kernels),
      slabs_(slabs),
      scratch_(scratch),
      last_(plan.heaps - 1),
      look_ups_(!plan.vectors.empty() || !plan.gathers.empty() || planes_ > 1) {
  one_by_one_ = look_ups_;
  const auto look = [&](const SetAccess& access) {
    one_by_one_ |= !even(access.number.part[last_]);
  };
  std::ranges::for_each(plan.marked, look);
  std::ranges::for_each(plan.read, look);
  for (const SetUpdate& update : plan.updates) {
    look(update.into);
    std::ranges::for_each(update.from, look);
  }
}

/// The end of a piece of the row in which no condition changes. Conditions ask whether the last
/// heap is empty and, in a sorted table, whether it equals the heap before it.
std::uint32_t RowSolver::piece_end(const LatticePoint& y, std::uint32_t end) const noexcept {
  const std::uint32_t x = y[last_];
  if (one_by_one_ || x == 0) return x + 1;
  if (plan_.sorted && x < y[last_ - 1]) return std::min(end, y[last_ - 1]);
  return end;
}

SetStride RowSolver::row_of(const SetNumber& number, const LatticePoint& y,
                            unsigned plane) const noexcept {
  const auto& part = number.part[last_];
  const std::uint64_t step = part.size() < 3 ? 0 : part[2] - part[1];
  return {number(y) + plane * plan_.sets, static_cast<std::int64_t>(step)};
}

Nimber RowSolver::solve(LatticePoint y, std::uint32_t end, bool known) {
  Nimber* values = slabs_.at(y);
  Nimber largest = 0;
  while (y[last_] < end) {
    // The sets do not know about misère play, in which terminal positions have a given value. A row
    // begins with its terminal positions.
    const bool given = rule_.terminal_value() != 0 && !known && is_terminal(rule_, y);
    const std::uint32_t piece = given ? y[last_] + 1 : piece_end(y, end);
    const std::size_t cells = piece - y[last_];
    if (given) std::fill_n(values, planes_, rule_.terminal_value());
    for (unsigned plane = 0; plane < planes_; ++plane) {
      if (known || given) {
        mark(y, cells, plane, values + plane);
      } else {
        place(y, cells, plane, values + plane);
      }
      for (const SetUpdate& update : plan_.updates) {
        if (!update.into.when.holds(y)) continue;
        from_.clear();
        for (const SetAccess& access : update.from) {
          if (access.when.holds(y)) from_.push_back(row_of(access.number, y, plane));
        }
        kernels_.extend_row(arena_.view(), row_of(update.into.number, y, plane), from_.data(),
                            from_.size(), cells, values + plane);
      }
    }
    largest = std::max(largest, *std::max_element(values, values + cells * planes_));
    values += cells * planes_;
    y[last_] = piece;
  }
  return largest;
}

void RowSolver::place(const LatticePoint& y, std::size_t cells, unsigned plane, Nimber* values) {
  rows_.clear();
  for (const SetAccess& access : plan_.marked) {
    if (access.when.holds(y)) rows_.push_back(row_of(access.number, y, plane));
  }
  const std::size_t marked = rows_.size();
  for (const SetAccess& access : plan_.read) {
    if (access.when.holds(y)) rows_.push_back(row_of(access.number, y, plane));
  }
  if (look_ups_) look_up(y, plane, values);
  kernels_.place_row(arena_.view(), rows_.data(), marked, rows_.size(), cells, values);
  for (const Nimber value : looked_up_) arena_.erase(scratch_, value);
  looked_up_.clear();
}

/// Changes the sets as place() does, but for values that are known.
void RowSolver::mark(const LatticePoint& y, std::size_t cells, unsigned plane,
                     const Nimber* values) {
  rows_.clear();
  for (const SetAccess& access : plan_.marked) {
    if (!access.when.holds(y)) continue;
    const SetStride row = row_of(access.number, y, plane);
    for (std::size_t cell = 0; cell < cells; ++cell) {
      arena_.insert(row.first + static_cast<std::uint64_t>(row.step) * cell, values[cell]);
    }
  }
  gather(y, plane);
}

/// Fills the gathered sets of one position from the table, and adds these values to the sets that
/// it reads.
void RowSolver::gather(const LatticePoint& y, unsigned plane) {
  for (const SetGather& gather : plan_.gathers) {
    if (!gather.set.when.holds(y)) continue;
    const SetStride row = row_of(gather.set.number, y, plane);
    for (const LatticePoint& step : gather.steps) {
      const Nimber* const option = slabs_.behind(y, step);
      if (option != nullptr) arena_.insert(row.first, option[plane]);
    }
    rows_.push_back(row);
  }
}

/// Adds the values that one position looks up in the table.
void RowSolver::look_up(const LatticePoint& y, unsigned plane, const Nimber* values) {
  gather(y, plane);
  const auto take = [&](Nimber value) {
    arena_.insert(scratch_, value);
    looked_up_.push_back(value);
  };
  for (const LatticePoint& vector : plan_.vectors) {
    const Nimber* const option = slabs_.behind(y, vector);
    if (option != nullptr) take(option[plane]);
  }
  rows_.push_back({scratch_, 0});
  // A player with another option may pass.
  if (plane == 1 &&
      std::ranges::any_of(rows_, [&](const SetStride& row) { return !arena_.empty(row.first); })) {
    take(values[-1]);
  }
}

}  // namespace grundy
