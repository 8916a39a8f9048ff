// SPDX-License-Identifier: MIT
#include "engines/lattice/tile_solver.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

namespace grundy {

/// The bound: the least index that the options of a position leave free exceeds the largest index
/// that lines hold by at most one for each position of a chain before it and for each look-up of
/// these positions.
std::size_t TileSolver::growth(const TileArea& area) const noexcept {
  const std::size_t looked_up = vectors_.size() + (passed_ != nullptr ? 1 : 0);
  return (std::size_t{area.nx} + area.ny) * (1 + looked_up);
}

void TileSolver::solve(const TileArea& area, TileValues& out, TileValues* passed) {
  passed_ = passed;
  if (accesses_.empty()) return solve_vectors(area, out);
  packing_.pack(area, growth(area), looks_up() ? kStrip : 0);
  for (std::uint32_t i0 = 0; i0 < area.nx; i0 += kStrip) {
    solve_strip(area, i0, std::min(kStrip, area.nx - i0), out);
  }
  packing_.unpack();
}

void TileSolver::solve_terminals(const TileArea& area, Nimber terminal, TileValues& out,
                                 TileValues* passed) {
  const bool mirrored = area.sorted && area.x0 == area.y0;
  for (std::uint32_t i = 0; i < area.nx; ++i) {
    for (std::uint32_t j = mirrored ? i : 0; j < area.ny; ++j) {
      reached_.clear();
      for (const LineAccess& access : accesses_) {
        const std::uint64_t line = access.line(area.x0 + i, area.y0 + j);
        for (std::size_t word = 0; word < lines_.end_of(line, line); ++word) {
          for (std::uint64_t left = lines_.word(line, word); left != 0; left &= left - 1) {
            reached_.mark(static_cast<Nimber>(word * 64) +
                          static_cast<Nimber>(std::countr_zero(left)));
          }
        }
      }
      for (const auto& [a, b] : vectors_) {
        const Nimber value = out.at(std::int64_t{i} - a, std::int64_t{j} - b);
        if (value != TileValues::kOutside) reached_.mark(value);
      }
      if (passed != nullptr && !reached_.empty()) reached_.mark(passed->at(i, j));
      const Nimber value = reached_.empty() ? terminal : reached_.value();
      out.at(i, j) = value;
      if (mirrored) out.at(j, i) = value;
      for (const LineAccess& access : accesses_) {
        lines_.insert(access.line(area.x0 + i, area.y0 + j), value);
      }
      for_each_in_band(out, i, j, [&](Nimber near) {
        lines_.insert(accesses_[diagonal_].line(area.x0 + i, area.y0 + j), near);
      });
    }
  }
}

void TileSolver::look_up(TileValues& out, std::int64_t i, std::int64_t j, std::uint64_t set,
                         bool clear) {
  const PackedBits& bits = packing_.bits();
  const auto reach = [&](Nimber value) {
    if (value == TileValues::kOutside) return;
    const std::uint32_t index = packing_.index_of(value);
    if (index == LinePacking::kDead) return;
    std::uint64_t& word = bits.words[index / 64 * bits.stride + set];
    word = clear ? 0 : word | std::uint64_t{1} << (index % 64);
  };
  for (const auto& [a, b] : vectors_) reach(out.at(i - a, j - b));
  if (passed_ != nullptr) reach(passed_->at(i, j));
}

template <class Take>
void TileSolver::for_each_in_band(TileValues& values, std::int64_t i, std::int64_t j,
                                  const Take& take) const {
  for (std::int64_t back = 1; back < band_; ++back) {
    for (const Nimber value : {values.at(i, j - back), values.at(i - back, j)}) {
      if (value != TileValues::kOutside) take(value);
    }
  }
}

void TileSolver::widen(const TileArea& area, TileValues& values, std::int64_t total,
                       std::int64_t first, std::size_t cells) {
  if (band_ < 2) return;
  const PackedBits& bits = packing_.bits();
  for (std::size_t c = 0; c < cells; ++c) {
    const std::int64_t i = first + static_cast<std::int64_t>(c);
    const std::int64_t j = total - i;
    std::uint64_t* const set = bits.words + sets_[diagonal_].of(c);
    for_each_in_band(values, i, j, [&](Nimber value) {
      const std::uint32_t index = packing_.index_of(value);
      if (index != LinePacking::kDead) {
        set[index / 64 * bits.stride] |= std::uint64_t{1} << (index % 64);
        return;
      }
      // A value of another tile is dead here if all rows or columns hold it. The diagonal goes on.
      // A value that no set has room for is a wrong one, which is found by its digest.
      if (value / 64 >= lines_.words()) return;
      const std::uint64_t line = accesses_[diagonal_].line(area.x0 + i, area.y0 + j);
      if ((lines_.word(line, value / 64) >> (value % 64) & 1) == 0) lines_.insert(line, value);
    });
  }
}

void TileSolver::begin_sets() {
  sets_.clear();
  lists_.resize(accesses_.size());
  for (std::size_t k = 0; k < accesses_.size(); ++k) {
    sets_.push_back({.descend = packing_.descends(k)});
    if (accesses_[k].g == 1) continue;
    lists_[k].assign(kStrip + kSetSlack, 0);
    sets_[k].list = lists_[k].data();
  }
}

void TileSolver::find_sets(const TileArea& area, std::int64_t total, std::int64_t first,
                           std::size_t cells) {
  for (std::size_t k = 0; k < accesses_.size(); ++k) {
    const auto set_of = [&](std::int64_t i) {
      return packing_.set_of(k, accesses_[k].line(area.x0 + i, area.y0 + total - i));
    };
    sets_[k].first = set_of(first);
    if (sets_[k].list == nullptr) continue;
    for (std::size_t c = 0; c < cells; ++c) {
      lists_[k][c] = static_cast<std::int64_t>(set_of(first + static_cast<std::int64_t>(c)));
    }
  }
}

void TileSolver::mark(const TileArea& area, TileValues& values, TileValues* passed) {
  passed_ = passed;
  if (accesses_.empty()) return;
  packing_.pack(area, growth(area), 0);
  begin_sets();
  for (std::uint32_t i0 = 0; i0 < area.nx; i0 += kStrip) {
    mark_strip(area, i0, std::min(kStrip, area.nx - i0), values);
  }
  packing_.unpack();
}

void TileSolver::mark_strip(const TileArea& area, std::uint32_t i0, std::uint32_t nx,
                            TileValues& values) {
  const bool mirrored = area.sorted && area.x0 == area.y0;
  const PackedBits& bits = packing_.bits();
  const std::int64_t ny = area.ny;
  const std::int64_t top = i0;
  const std::int64_t bottom = i0 + nx - std::int64_t{1};
  for (std::int64_t total = mirrored ? 2 * top : top; total < bottom + ny; ++total) {
    const std::int64_t first = std::max(top, total - ny + 1);
    const std::int64_t last = std::min({bottom, total, mirrored ? total / 2 : total});
    const auto cells = static_cast<std::size_t>(last - first + 1);
    find_sets(area, total, first, cells);
    for (std::size_t c = 0; c < cells; ++c) {
      const std::int64_t i = first + static_cast<std::int64_t>(c);
      const std::uint32_t index = packing_.index_of(values.at(i, total - i));
      // Only a wrong value is dead, and it is found by its digest.
      if (index == LinePacking::kDead) continue;
      std::uint64_t* const words = bits.words + index / 64 * bits.stride;
      for (const CellSets& sets : sets_) words[sets.of(c)] |= std::uint64_t{1} << (index % 64);
    }
    widen(area, values, total, first, cells);
  }
}

void TileSolver::solve_strip(const TileArea& area, std::uint32_t i0, std::uint32_t nx,
                             TileValues& out) {
  const bool mirrored = area.sorted && area.x0 == area.y0;
  const std::uint64_t spare = packing_.spare_set();
  begin_sets();
  if (looks_up()) sets_.push_back({.first = spare});

  const std::int64_t ny = area.ny;
  const std::int64_t top = i0;
  const std::int64_t bottom = i0 + nx - std::int64_t{1};
  words_.resize((kStrip + kernels_.group - 1) / kernels_.group);
  lists_of_words_.resize(words_.size());
  CellSearch search{.bits = packing_.bits(),
                    .words = lists_of_words_.data(),
                    .value = packing_.values(),
                    .sets = sets_.data(),
                    .marked = accesses_.size(),
                    .count = sets_.size()};
  // The words from this one on are listed without a look, because gaps are rarely found there. The
  // next antidiagonals reach about as far as the last ones.
  constexpr std::size_t kFurther = 3;
  std::size_t unseen = std::numeric_limits<std::size_t>::max();
  std::size_t furthest = 0;  // end of the words that were read since full words were noted
  std::int64_t noted = 0;    // at this antidiagonal full words are noted again
  std::int64_t listed = 0;   // and at this one lists are made again
  for (std::int64_t total = mirrored ? 2 * top : top; total < bottom + ny; ++total) {
    const std::int64_t first = std::max(top, total - ny + 1);
    const std::int64_t last = std::min({bottom, total, mirrored ? total / 2 : total});
    const auto cells = static_cast<std::size_t>(last - first + 1);
    // The part of the tile with the positions of these rows until an antidiagonal.
    const auto part_until = [&](std::int64_t end, std::int64_t from, std::int64_t to) {
      const std::int64_t j = std::max<std::int64_t>(mirrored ? from : 0, total - to);
      const std::int64_t last_j = std::min(ny, end - from) - 1;
      return TileArea{area.x0 + static_cast<std::uint32_t>(from),
                      area.y0 + static_cast<std::uint32_t>(j),
                      static_cast<std::uint32_t>(to - from + 1),
                      static_cast<std::uint32_t>(last_j - j + 1), area.sorted};
    };
    if (total >= noted) {
      noted = total + kNoted;
      if (furthest > 0) unseen = std::exchange(furthest, 0) + kFurther;
      packing_.note_full(part_until(noted, top, bottom), unseen);
    }
    if (total >= listed) {
      listed = std::min(total + kListed, bottom + ny);
      const std::int64_t last_first = std::max(top, listed - ny);
      const auto group = static_cast<std::int64_t>(kernels_.group);
      for (std::size_t n = 0; n < words_.size(); ++n) {
        const std::int64_t from = first + static_cast<std::int64_t>(n) * group;
        const std::int64_t to = std::min({bottom, last_first + from - first + group - 1,
                                          mirrored ? (listed - 1) / 2 : listed - 1});
        if (from > to) break;
        packing_.living_words(part_until(listed, from, to), unseen, words_[n]);
        lists_of_words_[n] = words_[n].data();
      }
    }
    find_sets(area, total, first, cells);
    const auto look_up_all = [&](bool clear) {
      for (std::size_t c = 0; c < cells; ++c) {
        const std::int64_t i = first + static_cast<std::int64_t>(c);
        look_up(out, i, total - i, spare + c, clear);
      }
    };
    if (looks_up()) look_up_all(false);
    const std::size_t end = kernels_.place_cells(search, cells, &out.at(first, total - first),
                                                 static_cast<std::ptrdiff_t>(out.pitch) - 1);
    furthest = std::max(furthest, end);
    if (looks_up()) look_up_all(true);
    if (mirrored) {
      for (std::int64_t i = first; i <= last; ++i) out.at(total - i, i) = out.at(i, total - i);
    }
    widen(area, out, total, first, cells);
  }
}

void TileSolver::solve_vectors(const TileArea& area, TileValues& out) const {
  std::array<std::size_t, kMaxVectors> back{};
  for (std::size_t k = 0; k < vectors_.size(); ++k) {
    back[k] = std::size_t{vectors_[k].first} * out.pitch + vectors_[k].second;
  }
  const bool mirrored = area.sorted && area.x0 == area.y0;
  for (std::uint32_t i = 0; i < area.nx; ++i) {
    // In a tile on the diagonal the left part is a copy of the upper part, which is complete
    // already.
    for (std::uint32_t j = mirrored ? i : 0; j < area.ny; ++j) {
      Nimber* const here = &out.at(i, j);
      std::uint64_t options = 0;
      for (std::size_t k = 0; k < vectors_.size(); ++k) {
        const Nimber value = *(here - back[k]);
        // A missing option has the value kOutside, which shifts to bit 63. That bit is never
        // needed.
        options |= std::uint64_t{1} << (value & 63);
      }
      if (passed_ != nullptr) options |= std::uint64_t{1} << (passed_->at(i, j) & 63);
      *here = static_cast<Nimber>(std::countr_one(options));
      if (mirrored) out.at(j, i) = *here;
    }
  }
}

}  // namespace grundy
