/// @file
/// Bit sets of the values on the lines of a table of two heaps: one family of parallel lines for
/// every ray. A rule with a pass has families for each of its planes.
///
/// The options p - t v of a ray are the positions before p on its line. A set holds the known
/// values of a line. In any topological order these are the values before p when p is computed.
///
/// Let v = g (a, b) with gcd(a, b) = 1. The number b x - a y is constant on a line, and g lines
/// share it; floor(x / a) mod g tells them apart (floor(y / b) if a = 0).
///
/// In a symmetric game with sorted positions x <= y, the rays (a, b) and (b, a) share one family:
/// the line of (b, a) through (x, y) is the mirror image of the line of (a, b) through (y, x).
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <grundy/lattice/rule.hpp>
#include <grundy/lattice/tile.hpp>

#include "core/zero_pages.hpp"
#include "engines/lattice/diagonal_tiles.hpp"
#include "kernels/line_kernels.hpp"

namespace grundy {

/// Finds the line of a family through a position.
struct LineAccess {
  std::uint64_t first = 0;  ///< number of the first line of the family
  std::int64_t a = 0, b = 0;
  std::int64_t g = 1;
  std::int64_t offset = 0;  ///< makes b x - a y non-negative
  std::size_t family = 0;
  bool mirrored = false;  ///< take the line through (y, x) instead

  [[nodiscard]] std::uint64_t line(std::int64_t x, std::int64_t y) const noexcept {
    if (mirrored) std::swap(x, y);
    std::int64_t n = b * x - a * y + offset;
    if (g > 1) n = n * g + (a > 0 ? x / a : y / b) % g;
    return first + static_cast<std::uint64_t>(n);
  }
  /// The first and the last line through an area. If several lines share a number, all of them
  /// count.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> lines_through(
      const TileArea& area) const noexcept;
};

/// The sets of all lines; bit v of a set is value v.
class LineSets {
 public:
  /// Makes families for the rays with any multiple. Rays with finitely many multiples are left out.
  LineSets(const LatticeRule& rule, const LatticeShape& shape);
  /// Allocates the sets, all empty. @throws Error(kFailure) if there is no memory
  void allocate();
  /// The accesses of all planes.
  [[nodiscard]] const std::vector<LineAccess>& accesses() const noexcept { return accesses_; }
  [[nodiscard]] std::span<const LineAccess> accesses(unsigned plane) const noexcept {
    const std::size_t count = accesses_.size() / planes_;
    return std::span(accesses_).subspan(plane * count, count);
  }
  [[nodiscard]] std::size_t families() const noexcept { return families_; }
  /// The most bytes of all lines, if no value exceeds `largest`. The system gives memory to words
  /// only when they are written, in large pages.
  [[nodiscard]] std::uint64_t bytes(Nimber largest) const noexcept {
    return bytes_of(lines_, largest);
  }
  /// The bytes that the sets take since they were allocated. Memory that was written is kept, so
  /// this is the most so far. @throws Error(kFailure) if the system does not tell
  [[nodiscard]] std::uint64_t bytes_in_memory() const {
    return data_.bytes_in_memory() + bytes_beside_sets();
  }
  /// The most bytes that held_by_all() takes if it is called for the lines through tiles of this
  /// edge. Runs of lines begin an edge apart, and runs through tiles at the end of the table are
  /// shorter.
  [[nodiscard]] std::uint64_t bytes_of_held(std::uint32_t edge) const noexcept {
    return 2 * (lines_ / edge + accesses_.size()) * stride_ * sizeof(std::uint64_t);
  }
  /// The same of the lines of a belt of `slabs` slabs that works on `places` places, if the lines
  /// that have left it are released.
  [[nodiscard]] std::uint64_t bytes_of_belt(std::uint64_t slabs, std::uint64_t places,
                                            Nimber largest) const noexcept;
  /// The bytes of the lines up to the value `largest` that cross a border at so many places.
  [[nodiscard]] std::uint64_t bytes_across(std::uint32_t places, Nimber largest) const noexcept {
    return lines_of(0, places) * (largest / 64 + 1) * sizeof(std::uint64_t);
  }

  /// Appends the contents of some lines, in the form that take() reads.
  void append_to(std::string& letter, std::span<const std::uint64_t> lines);
  /// Reads as many lines from the beginning of `letter` and removes them from there. @pre the lines
  /// are empty
  /// @throws Error(kFailure) if the letter is too short or has contents that no line can have
  void take(std::string_view& letter, std::span<const std::uint64_t> lines);
  /// Takes lines out of use and gives their memory to new ones. So only as many lines take memory
  /// as are in use at the same time, and no memory is touched for the first time twice. A released
  /// line has no set until it is claimed again. Several threads may release, claim and take
  /// different lines at the same time.
  void release(std::span<const std::uint64_t> lines);
  void release_all();
  /// Gives empty sets to the lines through an area that have none.
  void claim(const TileArea& area);

  /// A record of the values that all lines first .. last held when the caller last wrote it: as
  /// many words as a set has, zero at first. Lines lose no values, so the record stays true; its
  /// address does not change. Simultaneous callers must ask for different lines.
  [[nodiscard]] std::uint64_t* held_by_all(std::uint64_t first, std::uint64_t last);

  [[nodiscard]] LineBits bits() noexcept {
    return {
        data_.as<std::uint64_t>(), stride_, 64 * words_, low_.data(), high_.data(), places_.data()};
  }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  static constexpr std::uint64_t kPageWords = (2u << 20) / sizeof(std::uint64_t);

  [[nodiscard]] std::uint64_t bytes_of(std::uint64_t lines, Nimber largest) const noexcept {
    const std::uint64_t page = kPageWords / LineBits::kGroup;
    const std::uint64_t words = std::min(stride_, (largest / 64 / page + 1) * page);
    return lines * words * sizeof(std::uint64_t) + bytes_beside_sets();
  }
  /// The bytes of the ends and places of lines.
  [[nodiscard]] std::uint64_t bytes_beside_sets() const noexcept {
    return lines_ * 2 * (sizeof(std::uint32_t) + sizeof(std::uint64_t));
  }
  /// The number of lines through so many slabs and places.
  [[nodiscard]] std::uint64_t lines_of(std::uint64_t slabs, std::uint64_t places) const noexcept;
  /// The number of places in the groups of so many lines.
  [[nodiscard]] static std::uint64_t places_for(std::uint64_t lines) noexcept {
    return (lines + LineBits::kGroup - 1) / LineBits::kGroup * LineBits::kGroup;
  }
  /// A free place. A line leaves its words there, because the next one has about as many full ones.
  struct Place {
    std::uint64_t number;
    std::uint32_t full, end;  ///< words below `full` are full, words from `end` on are empty
  };
  /// Gives a line a place, if it has none. Returns the place, which the caller empties. @pre
  /// free_mutex_ is held
  std::optional<Place> claim(std::uint64_t line);
  [[nodiscard]] std::array<std::uint32_t, 2> ends_of(std::uint64_t line) const noexcept {
    return {low_[line], std::max(low_[line], high_[line])};
  }
  void fill(std::uint64_t line, std::size_t begin, std::size_t end, std::uint64_t word) noexcept;

  bool sorted_;
  unsigned planes_;
  std::vector<LineAccess> accesses_;
  std::size_t families_ = 0;
  std::uint64_t lines_ = 0;
  std::size_t words_ = 0;  ///< words of a set; all values of the table fit in them
  std::size_t stride_ = 0;
  ZeroPages data_;
  std::vector<std::uint32_t> low_, high_;
  std::vector<std::uint64_t> places_;  ///< place of each line; kNone: the line has no set
  std::mutex free_mutex_;
  std::mutex held_mutex_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<std::uint64_t>> held_;
  std::vector<Place> free_;  ///< the last one is used next
};

}  // namespace grundy
