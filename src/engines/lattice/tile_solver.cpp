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

void mark_lines(LineSets& lines, const TileArea& area, TileValues& values) noexcept {
  for (std::uint32_t i = 0; i < area.nx; ++i) {
    for (std::uint32_t j = area.sorted && area.x0 == area.y0 ? i : 0; j < area.ny; ++j) {
      for (const LineAccess& access : lines.accesses()) {
        insert(lines.set(access.line(area.x0 + i, area.y0 + j)), values.at(i, j));
      }
    }
  }
}

void TileSolver::solve(const TileArea& area, std::size_t words, TileValues& out) {
  if (lines_.accesses().empty()) return solve_vectors(area, out);
  find_runs(area);
  find_alive(words);
  pack();
  solve_lines(area, out);
  unpack();
}

void TileSolver::find_runs(const TileArea& area) {
  runs_.clear();
  run_of_.clear();
  std::size_t slots = 0;
  std::vector<std::size_t> run_of_family(lines_.families(), kDead);
  for (const LineAccess& access : lines_.accesses()) {
    // The number of a line is monotone in x and in y, so its extremes lie at corners of the tile.
    // Where several lines share a number, the range is widened to all of them.
    std::uint64_t first = ~std::uint64_t{0};
    std::uint64_t last = 0;
    for (const std::uint32_t x : {area.x0, area.x0 + area.nx - 1}) {
      for (const std::uint32_t y : {area.y0, area.y0 + area.ny - 1}) {
        const std::uint64_t line = access.line(x, y) - access.first;
        const auto g = static_cast<std::uint64_t>(access.g);
        first = std::min(first, access.first + line / g * g);
        last = std::max(last, access.first + line / g * g + g - 1);
      }
    }
    // Where the runs of two directions of a family overlap, a line must have one copy only.
    std::size_t& known = run_of_family[access.family];
    if (known != kDead && first <= runs_[known].last && last >= runs_[known].first) {
      Run& run = runs_[known];
      run.first = std::min(run.first, first);
      run.last = std::max(run.last, last);
      run_of_.push_back(known);
      continue;
    }
    known = runs_.size();
    run_of_.push_back(known);
    runs_.push_back({first, last, 0});
  }
  for (Run& run : runs_) {
    run.slot = slots;
    slots += run.last - run.first + 1;
  }
  low_.assign(slots + 1, 0);  // the last set is that of the vectors
}

void TileSolver::find_alive(std::size_t words) {
  // Values that all lines of a run hold at the start are dead.
  std::size_t begin = 0;
  for (const Run& run : runs_) {
    std::size_t low = words;
    for (std::uint64_t line = run.first; line <= run.last; ++line) {
      low = std::min<std::size_t>(low, lines_.low(line));
    }
    begin = std::max(begin, low);
  }
  dead_.assign(words, 0);
  for (const Run& run : runs_) {
    const std::uint64_t* const head = lines_.set(run.first);
    common_.assign(head + begin, head + words);
    for (std::uint64_t line = run.first + 1; line <= run.last; ++line) {
      kernels_.and_words(common_.data(), lines_.set(line) + begin, words - begin);
    }
    for (std::size_t w = begin; w < words; ++w) dead_[w] |= common_[w - begin];
  }
  alive_word_.clear();
  alive_mask_.clear();
  alive_.clear();
  if (!vectors_.empty()) index_of_.assign(64 * words, kDead);
  for (std::size_t w = begin; w < words; ++w) {
    const std::uint64_t mask = ~dead_[w];
    if (mask == 0) continue;
    alive_word_.push_back(static_cast<std::uint32_t>(w));
    alive_mask_.push_back(mask);
    for (std::uint64_t left = mask; left != 0; left &= left - 1) {
      const auto value = static_cast<Nimber>(64 * w + std::countr_zero(left));
      if (!vectors_.empty()) index_of_[value] = static_cast<std::uint32_t>(alive_.size());
      alive_.push_back(value);
    }
  }
}

void TileSolver::pack() {
  packed_words_ = alive_.size() / 64 + 1;
  packed_stride_ = packed_words_ + kSetSlack;
  packed_.resize(low_.size() * packed_stride_ + kSetSlack);
  std::fill_n(packed(low_.size() - 1), packed_stride_, 0);
  for (const Run& run : runs_) {
    for (std::uint64_t line = run.first; line <= run.last; ++line) {
      const std::size_t slot = run.slot + (line - run.first);
      std::uint64_t* const out = packed(slot);
      kernels_.pack_bits(lines_.set(line), alive_word_.data(), alive_mask_.data(),
                         alive_word_.size(), out);
      std::fill_n(out + packed_words_, kSetSlack, 0);
      while (~out[low_[slot]] == 0) ++low_[slot];
    }
  }
}

/// Fills the last packed set with the values that the vectors of a position reach.
void TileSolver::look_up(TileValues& out, std::int64_t i, std::int64_t j) {
  std::uint64_t* const set = packed(low_.size() - 1);
  std::fill_n(set, packed_words_, 0);
  low_.back() = 0;
  for (const auto& [a, b] : vectors_) {
    const Nimber value = out.at(i - a, j - b);
    if (value == TileValues::kOutside || index_of_[value] == kDead) continue;
    insert(set, index_of_[value]);
  }
}

void TileSolver::solve_lines(const TileArea& area, TileValues& out) {
  const auto& accesses = lines_.accesses();
  const bool vectors = !vectors_.empty();
  const std::size_t count = accesses.size() + (vectors ? 1 : 0);
  const bool mirrored = area.sorted && area.x0 == area.y0;
  const PackedSets sets{packed_.data(), packed_stride_, low_.data()};
  slots_.assign(count * std::max(area.nx, area.ny), static_cast<std::uint32_t>(low_.size() - 1));
  found_.resize(std::max(area.nx, area.ny));

  // Positions of an antidiagonal have no line in common, so the processor overlaps their work.
  const std::int64_t nx = area.nx;
  const std::int64_t ny = area.ny;
  for (std::int64_t total = 0; total < nx + ny - 1; ++total) {
    const std::int64_t first = std::max<std::int64_t>(0, total - ny + 1);
    std::int64_t last = std::min(nx - 1, total);
    if (mirrored) last = std::min(last, total / 2);
    for (std::size_t k = 0; k < accesses.size(); ++k) {
      const LineAccess access = accesses[k];
      const Run& run = runs_[run_of_[k]];
      const auto slot_of = [&](std::int64_t i) {
        const std::uint64_t line = access.line(area.x0 + i, area.y0 + total - i);
        return static_cast<std::uint32_t>(run.slot + (line - run.first));
      };
      std::uint32_t* slot = slots_.data() + k;
      if (access.g == 1) {  // equally spaced
        std::uint32_t next = slot_of(first);
        const std::uint32_t step = first < last ? slot_of(first + 1) - next : 0;
        for (std::int64_t i = first; i <= last; ++i, slot += count, next += step) *slot = next;
      } else {
        for (std::int64_t i = first; i <= last; ++i, slot += count) *slot = slot_of(i);
      }
    }
    const auto cells = static_cast<std::size_t>(last - first + 1);
    if (!vectors) kernels_.place_cells(sets, slots_.data(), count, cells, found_.data());
    for (std::size_t c = 0; c < cells; ++c) {
      const std::int64_t i = first + static_cast<std::int64_t>(c);
      if (vectors) {
        look_up(out, i, total - i);
        kernels_.place_cells(sets, slots_.data() + c * count, count, 1, found_.data() + c);
      }
      out.at(i, total - i) = alive_[found_[c]];
      if (mirrored) out.at(total - i, i) = alive_[found_[c]];
    }
  }
}

void TileSolver::unpack() {
  for (const Run& run : runs_) {
    for (std::uint64_t line = run.first; line <= run.last; ++line) {
      kernels_.unpack_bits(packed(run.slot + (line - run.first)), alive_word_.data(),
                           alive_mask_.data(), alive_word_.size(), lines_.set(line));
      lines_.raise_low(line);
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
      *here = static_cast<Nimber>(std::countr_one(options));
      if (mirrored) out.at(j, i) = *here;
    }
  }
}

}  // namespace grundy
