/// @file
/// Bit sets of the values on the lines of a table of two heaps: one family of parallel lines for
/// every ray. A rule with a pass has families for each of its planes.
///
/// The options p - t v of a ray are the positions before p on its line. A set holds the values of a
/// line as far as they are known. In any topological order that is up to p when p is computed.
///
/// Let v = g (a, b) with gcd(a, b) = 1. The number b x - a y is constant on a line, and g lines
/// share it; floor(x / a) mod g tells them apart (floor(y / b) if a = 0).
///
/// In a symmetric game with sorted positions x <= y, the rays (a, b) and (b, a) share one family:
/// the line of (b, a) through (x, y) is the mirror image of the line of (a, b) through (y, x).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <grundy/lattice/rule.hpp>
#include <grundy/lattice/tile.hpp>

#include "core/zero_pages.hpp"
#include "kernels/line_kernels.hpp"

namespace grundy {

/// How a position finds one of its lines.
struct LineAccess {
  std::uint64_t first = 0;  ///< number of the first line of the family
  std::int64_t a = 0, b = 0;
  std::int64_t g = 1;
  std::int64_t offset = 0;  ///< makes b x - a y non-negative
  std::size_t family = 0;
  bool mirrored = false;  ///< the line through (y, x)

  [[nodiscard]] std::uint64_t line(std::int64_t x, std::int64_t y) const noexcept {
    if (mirrored) std::swap(x, y);
    std::int64_t n = b * x - a * y + offset;
    if (g > 1) n = n * g + (a > 0 ? x / a : y / b) % g;
    return first + static_cast<std::uint64_t>(n);
  }
};

/// The sets of all lines; bit v of a set is value v.
class LineSets {
 public:
  /// Makes families for the rays of any multiple. Rays of finitely many multiples are left out.
  LineSets(const LatticeRule& rule, const LatticeShape& shape);
  /// Allocates the sets, all empty. @throws Error(kFailure) if there is no memory
  void allocate();
  /// Touches part number `part` of `parts` of the memory, so that the system provides it now. A
  /// page that is read before it is written costs two faults, and the second stops all threads.
  void touch(std::size_t part, std::size_t parts) noexcept;

  /// Of all planes.
  [[nodiscard]] const std::vector<LineAccess>& accesses() const noexcept { return accesses_; }
  [[nodiscard]] std::span<const LineAccess> accesses(unsigned plane) const noexcept {
    const std::size_t count = accesses_.size() / planes_;
    return std::span(accesses_).subspan(plane * count, count);
  }
  [[nodiscard]] std::size_t families() const noexcept { return families_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_of(lines_); }
  /// What the lines of a belt of `slabs` slabs take while it works on `places` places, if those
  /// that have left it are released.
  [[nodiscard]] std::uint64_t bytes_of_belt(std::uint64_t slabs,
                                            std::uint64_t places) const noexcept;

  /// Appends what some lines hold, as take() reads them one by one.
  void append_to(std::string& letter, std::span<const std::uint64_t> lines);
  /// Reads a line from the beginning of `letter` and cuts that off. @pre the line is empty
  /// @throws Error(kFailure) if the letter is too short or says what no line holds
  void take(std::string_view& letter, std::uint64_t line);
  /// Empties lines that nobody reads any more before take() fills them again. Gives their memory
  /// back as far as it makes huge pages: the first touch of small ones costs more than the work on
  /// their lines. Several threads may take and release lines that are not the same.
  /// @param lines ascending
  void release(std::span<const std::uint64_t> lines) noexcept;
  [[nodiscard]] LineBits bits() noexcept {
    return {data_.as<std::uint64_t>(), stride_, 64 * words_, low_.data(), high_.data()};
  }

 private:
  [[nodiscard]] std::uint64_t bytes_of(std::uint64_t lines) const noexcept {
    return lines * stride_ * sizeof(std::uint64_t) + lines_ * 2 * sizeof(std::uint32_t);
  }

  /// Whether huge page `page` lies in the sets and holds nothing but lines that were released.
  [[nodiscard]] bool is_free(std::uint64_t page) const noexcept;

  bool sorted_;
  unsigned planes_;
  std::vector<LineAccess> accesses_;
  std::size_t families_ = 0;
  std::uint64_t lines_ = 0;
  std::size_t words_ = 0;  ///< of a set; no value of the table lies beyond them
  std::size_t stride_ = 0;
  ZeroPages data_;
  std::vector<std::uint32_t> low_, high_;
  std::uint64_t first_page_ = 0;  ///< the byte of the sets where huge page 0 begins
  std::mutex released_mutex_;
  std::vector<std::uint8_t> released_;  ///< 1: the line was, and was not taken again
};

}  // namespace grundy
