// SPDX-License-Identifier: MIT
#include "engines/lattice/tile_solver.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace grundy {
namespace {

constexpr std::uint32_t kDead = ~std::uint32_t{0};

void insert(std::uint64_t* set, std::size_t bit) noexcept {
  set[bit / 64] |= std::uint64_t{1} << (bit % 64);
}

}  // namespace

void mark_lines(LineSets& lines, unsigned plane, const TileArea& area,
                TileValues& values) noexcept {
  const LineBits bits = lines.bits();
  for (std::uint32_t i = 0; i < area.nx; ++i) {
    for (std::uint32_t j = area.sorted && area.x0 == area.y0 ? i : 0; j < area.ny; ++j) {
      const Nimber value = values.at(i, j);
      for (const LineAccess& access : lines.accesses(plane)) {
        const std::uint64_t line = access.line(area.x0 + i, area.y0 + j);
        insert(bits.set(line), value);
        bits.high[line] = std::max(bits.high[line], value / 64 + 1);
      }
    }
  }
}

/// The least index that the options of a position leave free exceeds the indices that lines hold by
/// one at most for each position of a chain before it and each look-up of these.
std::size_t TileSolver::growth(const TileArea& area) const noexcept {
  const std::size_t looked_up = vectors_.size() + (passed_ != nullptr ? 1 : 0);
  return (std::size_t{area.nx} + area.ny) * (1 + looked_up);
}

void TileSolver::solve(const TileArea& area, TileValues& out, TileValues* passed) {
  passed_ = passed;
  if (accesses_.empty()) return solve_vectors(area, out);
  if (std::max(area.nx, area.ny) > kPart) return solve_parts(area, out);
  part_packing_.pack(area, lines_.bits(), growth(area));
  solve_lines(area, 0, 0, nullptr, out);
  part_packing_.unpack();
}

void TileSolver::solve_terminals(const TileArea& area, Nimber terminal, TileValues& out,
                                 TileValues* passed) {
  const LineBits bits = lines_.bits();
  const bool mirrored = area.sorted && area.x0 == area.y0;
  const auto reach = [this](std::size_t value) {
    if (value >= reached_.size()) reached_.resize(value + 1);
    reached_[value] = true;
  };
  for (std::uint32_t i = 0; i < area.nx; ++i) {
    for (std::uint32_t j = mirrored ? i : 0; j < area.ny; ++j) {
      reached_.clear();
      for (const LineAccess& access : accesses_) {
        const std::uint64_t line = access.line(area.x0 + i, area.y0 + j);
        for (std::size_t word = 0; word < bits.high[line]; ++word) {
          for (std::uint64_t left = bits.set(line)[word]; left != 0; left &= left - 1) {
            reach(word * 64 + static_cast<std::size_t>(std::countr_zero(left)));
          }
        }
      }
      for (const auto& [a, b] : vectors_) {
        const Nimber value = out.at(std::int64_t{i} - a, std::int64_t{j} - b);
        if (value != TileValues::kOutside) reach(value);
      }
      if (passed != nullptr && !reached_.empty()) reach(passed->at(i, j));
      const auto mex = std::ranges::find(reached_, false) - reached_.begin();
      const Nimber value = reached_.empty() ? terminal : static_cast<Nimber>(mex);
      out.at(i, j) = value;
      if (mirrored) out.at(j, i) = value;
      for (const LineAccess& access : accesses_) {
        const std::uint64_t line = access.line(area.x0 + i, area.y0 + j);
        insert(bits.set(line), value);
        bits.high[line] = std::max(bits.high[line], value / 64 + 1);
      }
    }
  }
}

void TileSolver::solve_parts(const TileArea& area, TileValues& out) {
  const bool mirrored = area.sorted && area.x0 == area.y0;
  tile_packing_.pack(area, lines_.bits(), growth(area));
  for (std::uint32_t i0 = 0; i0 < area.nx; i0 += kPart) {
    for (std::uint32_t j0 = mirrored ? i0 : 0; j0 < area.ny; j0 += kPart) {
      const TileArea part{area.x0 + i0, area.y0 + j0, std::min(kPart, area.nx - i0),
                          std::min(kPart, area.ny - j0), area.sorted};
      part_packing_.pack(part, tile_packing_, growth(part));
      solve_lines(part, i0, j0, &tile_packing_, out);
      part_packing_.unpack();
      if (!mirrored || i0 == j0) continue;
      for (std::uint32_t i = i0; i < i0 + part.nx; ++i) {
        for (std::uint32_t j = j0; j < j0 + part.ny; ++j) out.at(j, i) = out.at(i, j);
      }
    }
  }
  tile_packing_.unpack();
}

/// Fills the spare set with the values that vectors and the pass of a position reach.
void TileSolver::look_up(TileValues& out, std::int64_t i, std::int64_t j) {
  const LineBits& bits = part_packing_.bits();
  const std::uint64_t spare = part_packing_.spare_set();
  std::fill_n(bits.set(spare), bits.bits / 64 + 1, 0);
  bits.low[spare] = 0;
  const auto reach = [&](Nimber value) {
    if (value == TileValues::kOutside || value >= index_of_.size()) return;
    if (index_of_[value] != kDead) insert(bits.set(spare), index_of_[value]);
  };
  for (const auto& [a, b] : vectors_) reach(out.at(i - a, j - b));
  if (passed_ != nullptr) reach(passed_->at(i, j));
}

void TileSolver::solve_lines(const TileArea& part, std::uint32_t i0, std::uint32_t j0,
                             const LinePacking* outer, TileValues& out) {
  const bool looks_up = !vectors_.empty() || passed_ != nullptr;
  values_.resize(part_packing_.living_count());
  for (std::size_t k = 0; k < values_.size(); ++k) {
    const std::uint32_t at = part_packing_.living(k);
    values_[k] = outer == nullptr ? at : outer->living(at);
  }
  if (looks_up) {
    index_of_.assign(values_.empty() ? 0 : values_.back() + std::size_t{1}, kDead);
    for (std::size_t k = 0; k < values_.size(); ++k) {
      index_of_[values_[k]] = static_cast<std::uint32_t>(k);
    }
  }
  const std::size_t count = accesses_.size() + (looks_up ? 1 : 0);
  const bool mirrored = part.sorted && part.x0 == part.y0;
  const LineBits& bits = part_packing_.bits();
  const std::uint32_t longest = std::max(part.nx, part.ny);
  sets_.assign(count * longest, static_cast<std::uint32_t>(part_packing_.spare_set()));
  found_.resize(longest);

  // Positions of an antidiagonal have no line in common, so the processor overlaps their work.
  const std::int64_t nx = part.nx;
  const std::int64_t ny = part.ny;
  for (std::int64_t total = 0; total < nx + ny - 1; ++total) {
    const std::int64_t first = std::max<std::int64_t>(0, total - ny + 1);
    std::int64_t last = std::min(nx - 1, total);
    if (mirrored) last = std::min(last, total / 2);
    for (std::size_t k = 0; k < accesses_.size(); ++k) {
      const LineAccess& access = accesses_[k];
      const auto set_of = [&](std::int64_t i) {
        return static_cast<std::uint32_t>(
            part_packing_.set_of(k, access.line(part.x0 + i, part.y0 + total - i)));
      };
      std::uint32_t* set = sets_.data() + k;
      if (access.g == 1) {  // equally spaced
        std::uint32_t next = set_of(first);
        const std::uint32_t step = first < last ? set_of(first + 1) - next : 0;
        for (std::int64_t i = first; i <= last; ++i, set += count, next += step) *set = next;
      } else {
        for (std::int64_t i = first; i <= last; ++i, set += count) *set = set_of(i);
      }
    }
    const auto cells = static_cast<std::size_t>(last - first + 1);
    if (!looks_up) {
      kernels_.place_cells(bits, sets_.data(), count, cells, found_.data());
      Nimber* to = &out.at(i0 + first, j0 + total - first);
      for (std::size_t c = 0; c < cells; ++c, to += out.pitch - 1) *to = values_[found_[c]];
    } else {
      for (std::size_t c = 0; c < cells; ++c) {
        const std::int64_t i = i0 + first + static_cast<std::int64_t>(c);
        const std::int64_t j = j0 + total - first - static_cast<std::int64_t>(c);
        look_up(out, i, j);
        std::uint32_t found = 0;
        kernels_.place_cells(bits, sets_.data() + c * count, count, 1, &found);
        out.at(i, j) = values_[found];
      }
    }
    if (!mirrored) continue;
    for (std::int64_t i = first; i <= last; ++i) {
      out.at(i0 + total - i, j0 + i) = out.at(i0 + i, j0 + total - i);
    }
  }
}

void TileSolver::solve_vectors(const TileArea& area, TileValues& out) const {
  std::array<std::size_t, kMaxVectors> back{};
  for (std::size_t k = 0; k < vectors_.size(); ++k) {
    back[k] = std::size_t{vectors_[k].first} * out.pitch + vectors_[k].second;
  }
  const bool mirrored = area.sorted && area.x0 == area.y0;
  for (std::uint32_t i = 0; i < area.nx; ++i) {
    // In a tile on the diagonal the left part is a copy of the upper part, which is there already.
    for (std::uint32_t j = mirrored ? i : 0; j < area.ny; ++j) {
      Nimber* const here = &out.at(i, j);
      std::uint64_t options = 0;
      for (std::size_t k = 0; k < vectors_.size(); ++k) {
        const Nimber value = *(here - back[k]);
        // kOutside, the value of a missing option, shifts to bit 63, which is never needed.
        options |= std::uint64_t{1} << (value & 63);
      }
      if (passed_ != nullptr) options |= std::uint64_t{1} << (passed_->at(i, j) & 63);
      *here = static_cast<Nimber>(std::countr_one(options));
      if (mirrored) out.at(j, i) = *here;
    }
  }
}

}  // namespace grundy
