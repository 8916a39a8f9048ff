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
/// A band of width a has the options (x - i, y - j) with i, j >= 1 and |i - j| < a. Those with i or
/// j 1 lie in the row or the column before; the others are the options of (x - 1, y - 1). So a
/// diagonal holds them: when (x, y) is known, its diagonal takes its value and those of the a - 1
/// positions before it in its row and in its column (tile_solver.hpp).
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
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <grundy/lattice/engine.hpp>
#include <grundy/lattice/rule.hpp>
#include <grundy/lattice/tile.hpp>

#include "engines/lattice/diagonal_tiles.hpp"
#include "engines/lattice/line_memory.hpp"

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

/// The width of the widest band of a rule of two heaps; 0 if it has none.
std::uint32_t band_width(const LatticeRule& rule) noexcept;

/// The sets of all lines; bit v of a set is value v.
class LineSets {
 public:
  using Word = LineMemory::Word;

  /// Makes families for the rays with any multiple, and for the diagonals of bands. Rays with
  /// finitely many multiples are left out.
  LineSets(const LatticeRule& rule, const LatticeShape& shape);
  /// Allocates the sets, all empty. @throws Error(kFailure) if there is no memory
  void allocate();
  /// The accesses of all planes.
  [[nodiscard]] const std::vector<LineAccess>& accesses() const noexcept { return accesses_; }
  [[nodiscard]] std::span<const LineAccess> accesses(unsigned plane) const noexcept {
    const std::size_t count = accesses_.size() / planes_;
    return std::span(accesses_).subspan(plane * count, count);
  }
  [[nodiscard]] std::size_t families() const noexcept { return families_.size(); }
  /// The bytes that all lines are expected to take at one time, if no value exceeds `largest`.
  [[nodiscard]] std::uint64_t bytes(Nimber largest) const noexcept;
  /// The most bytes that the sets have taken at one time since they were allocated.
  [[nodiscard]] std::uint64_t most_bytes() const noexcept {
    return memory_.bytes() + bytes_beside_sets();
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
  /// Reads as many lines from the beginning of `letter` and removes them from there. They are in
  /// use then. @pre they are not
  /// @throws Error(kFailure) if the letter is too short or has contents that no line can have
  void take(std::string_view& letter, std::span<const std::uint64_t> lines);
  /// Writes the contents of all lines that are in use, and which these are.
  void save(const LatticeStates::Write& write);
  /// Reads what save() has written. Other lines are out of use then. @pre nothing was inserted yet
  /// @throws Error(kCorrupt) if the state ends too early, Error(kFailure) as take()
  void restore(LatticeStates& states);
  /// Takes lines out of use. A group of lines that are out of use takes no memory. Nothing may be
  /// asked of such a line before it is claimed or taken again. Several threads may release, claim
  /// and take different lines at the same time.
  void release(std::span<const std::uint64_t> lines);
  void release_all();
  /// Takes the lines through an area into use. Those that were not are empty then.
  void claim(const TileArea& area);

  /// The words of the lines, all of them in use. Several threads may use different lines at the
  /// same time.
  [[nodiscard]] LineMemory& memory() noexcept { return memory_; }
  [[nodiscard]] Word word(std::uint64_t line, std::size_t w) const noexcept {
    return memory_.read(line, w / LineMemory::kBlock)[w % LineMemory::kBlock];
  }
  void insert(std::uint64_t line, Nimber value) {
    constexpr std::size_t kBlockBits = 64 * LineMemory::kBlock;
    memory_.write(line, value / kBlockBits)[value % kBlockBits / 64] |= Word{1} << (value % 64);
    high_[line] = std::max(high_[line], value / 64 + 1);
  }
  /// All words of the lines first .. last from this one on are empty.
  [[nodiscard]] std::uint32_t end_of(std::uint64_t first, std::uint64_t last) const noexcept {
    return *std::max_element(high_.data() + first, high_.data() + last + 1);
  }
  /// The number of words of a set, in whole blocks.
  [[nodiscard]] std::size_t words() const noexcept { return stride_; }
  /// Notes that the lines first .. last have taken values below word `end`. Pieces of whole groups
  /// that are full need no memory any longer.
  void settle(std::uint64_t first, std::uint64_t last, std::size_t end);

  /// A record of the values that all lines first .. last held when the caller last wrote it: as
  /// many words as a set has, zero at first. Lines lose no values, so the record stays true; its
  /// address does not change. Simultaneous callers must ask for different lines.
  [[nodiscard]] std::uint64_t* held_by_all(std::uint64_t first, std::uint64_t last);

 private:
  /// Parallel lines.
  struct Family {
    std::uint64_t first, end;  ///< numbers of its lines
    std::uint64_t longest;     ///< the most positions of a line
  };
  /// The bytes of the ends and marks of lines.
  [[nodiscard]] std::uint64_t bytes_beside_sets() const noexcept {
    return lines_ * (2 * sizeof(std::uint32_t) + 1);
  }
  /// The most bytes of a line in a letter; the end of a letter counts as one more line.
  [[nodiscard]] std::uint64_t bytes_of_line() const noexcept {
    return 16 + stride_ * (sizeof(std::uint64_t) + 1);
  }
  /// The number of lines through so many slabs and places.
  [[nodiscard]] std::uint64_t lines_of(std::uint64_t slabs, std::uint64_t places) const noexcept;
  void use(std::uint64_t line);
  /// Sets all words of a line in a block, or none.
  void set_block(std::uint64_t line, std::size_t block, bool full);
  [[nodiscard]] std::array<std::uint32_t, 2> ends_of(std::uint64_t line) const noexcept {
    return {low_[line], std::max(low_[line], high_[line])};
  }

  bool sorted_;
  unsigned planes_;
  std::vector<LineAccess> accesses_;
  std::vector<Family> families_;
  std::uint64_t lines_ = 0;
  std::size_t stride_ = 0;  ///< words of a set; all values of the table fit in them
  LineMemory memory_;
  std::vector<std::uint32_t> low_, high_;
  std::vector<bool> in_use_;
  std::vector<std::uint16_t> used_of_group_;  ///< lines that are in use
  std::mutex use_mutex_;
  std::mutex held_mutex_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<std::uint64_t>> held_;
};

}  // namespace grundy
