// SPDX-License-Identifier: MIT
#include "engines/lattice/line_border.hpp"

#include <algorithm>
#include <utility>

namespace grundy {
namespace {

/// The longest step of a line across slabs; at least 1.
std::int64_t longest_step(const std::vector<LineAccess>& accesses, bool sorted) noexcept {
  std::int64_t longest = 1;
  for (const LineAccess& access : accesses) {
    longest = std::max(longest, access.g * (sorted ? std::max(access.a, access.b) : access.a));
  }
  return longest;
}

}  // namespace

std::vector<std::uint64_t> LineBorder::lines(std::uint32_t begin, std::uint32_t end) const {
  std::vector<std::uint64_t> found;
  const std::int64_t border = slab_;
  const std::int64_t first =
      std::max<std::int64_t>(0, border - longest_step(accesses_, shape_.sorted));
  for (std::int64_t u = first; u < border; ++u) {
    const std::int64_t last = shape_.sorted ? std::min<std::int64_t>(end, u + 1) : end;
    for (std::int64_t v = begin; v < last; ++v) {
      const auto [x, y] = shape_.sorted ? std::pair(v, u) : std::pair(u, v);
      for (const LineAccess& access : accesses_) {
        // (next_x, next_y) is the next position of the line. The slab of a sorted position is its
        // larger heap.
        const std::int64_t next_x = (access.mirrored ? y : x) + access.a * access.g;
        const std::int64_t next_y = (access.mirrored ? x : y) + access.b * access.g;
        const std::int64_t next = shape_.sorted ? std::max(next_x, next_y) : next_x;
        if (next >= border) found.push_back(access.line(x, y));
      }
    }
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace grundy
