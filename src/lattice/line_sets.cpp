// SPDX-License-Identifier: MIT
#include "lattice/line_sets.hpp"

#include <algorithm>
#include <numeric>

#include <grundy/error.hpp>

#include "core/text.hpp"

namespace grundy {

LineSets::LineSets(const LatticeRule& rule, const LatticeShape& shape) {
  const std::uint64_t nx = shape.extent[0];
  const std::uint64_t ny = shape.extent[1];
  for (const Ray& ray : rule.moves().rays) {
    if (!ray.multiples.empty()) continue;
    // Its mirror image comes in the same family.
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
    lines_ += (access.offset + access.b * (nx - 1) + 1) * access.g;
  }
  // A value is at most the length of the longest game, and every move takes a token.
  words_ = (nx + ny) / 64 + 1;
  // An odd number of cache lines, so that equal places of neighbouring sets do not share a way.
  constexpr std::size_t kLine = 8;
  stride_ = ((words_ + kLine - 1) / kLine | 1) * kLine;
}

void LineSets::allocate() {
  if (lines_ == 0) return;
  data_.reset(static_cast<std::uint64_t*>(
      std::calloc(lines_ * stride_, sizeof(std::uint64_t))));  // pages come when they are touched
  if (!data_) {
    throw Error(ErrorCode::kFailure,
                "there is no memory for the line sets, which need " + format_bytes(bytes()));
  }
}

}  // namespace grundy
