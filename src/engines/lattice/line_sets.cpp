// SPDX-License-Identifier: MIT
#include "engines/lattice/line_sets.hpp"

#include <algorithm>
#include <numeric>

namespace grundy {

LineSets::LineSets(const LatticeRule& rule, const LatticeShape& shape) {
  const std::uint64_t nx = shape.extent[0];
  const std::uint64_t ny = shape.extent[1];
  for (const LatticeRay& ray : rule.moves().rays) {
    if (!ray.multiples.empty()) continue;
    // The mirror image of the ray shares its family.
    if (shape.sorted && ray.step[0] < ray.step[1]) continue;
    LineAccess access;
    access.g = std::gcd(ray.step[0], ray.step[1]);
    access.a = ray.step[0] / access.g;
    access.b = ray.step[1] / access.g;
    access.offset = access.a * static_cast<std::int64_t>(ny - 1);
    access.first = lines_;
    access.family = families_++;
    accesses_.push_back(access);
    if (shape.sorted && access.a != access.b) {
      access.mirrored = true;
      accesses_.push_back(access);
    }
    // Sorted positions are on one side of the diagonal.
    const std::uint64_t beyond = shape.sorted && access.a == access.b ? 0 : access.b * (nx - 1);
    lines_ += (access.offset + beyond + 1) * access.g;
  }
  // A value is at most the length of the longest game, and every move takes a token.
  words_ = (nx + ny) / 64 + 1;
  // An odd number of cache lines keeps equal places of neighbouring sets out of one cache way.
  constexpr std::size_t kLine = 8;
  stride_ = ((words_ + kLine - 1) / kLine | 1) * kLine;
}

void LineSets::allocate() {
  data_ = ZeroPages(lines_ * stride_ * sizeof(std::uint64_t), "the line sets");
  low_.resize(lines_);
  high_.resize(lines_);
}

void LineSets::touch(std::size_t part, std::size_t parts) noexcept {
  constexpr std::uint64_t kPage = 4096 / sizeof(std::uint64_t);
  const std::uint64_t pages = (lines_ * stride_ + kPage - 1) / kPage;
  auto* const words = data_.as<std::uint64_t>();
  for (std::uint64_t i = pages * part / parts; i < pages * (part + 1) / parts; ++i) {
    words[kPage * i] = 0;
  }
}

}  // namespace grundy
