// SPDX-License-Identifier: MIT
#include "engines/lattice/line_sets.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include <grundy/error.hpp>

namespace grundy {

std::pair<std::uint64_t, std::uint64_t> LineAccess::lines_through(
    const TileArea& area) const noexcept {
  // The number of a line is monotone in x and in y, so its extremes lie at corners of the area.
  std::uint64_t least = ~std::uint64_t{0}, most = 0;
  const auto visit = [&](std::uint32_t x, std::uint32_t y) {
    const std::uint64_t here = line(x, y) - first;
    least = std::min(least, here);
    most = std::max(most, here);
  };
  const std::uint32_t x1 = area.x0 + area.nx - 1, y1 = area.y0 + area.ny - 1;
  // A sorted table has no positions beyond its diagonal, which cuts off a corner of the area.
  for (const std::uint32_t x : {area.x0, x1}) {
    for (const std::uint32_t y : {area.y0, y1}) visit(area.sorted ? std::min(x, y) : x, y);
  }
  if (area.sorted) {
    const std::uint32_t x = std::min(x1, y1);
    visit(x, std::max(area.y0, x));
  }
  const auto sharing = static_cast<std::uint64_t>(g);
  return {first + least / sharing * sharing, first + most / sharing * sharing + sharing - 1};
}

LineSets::LineSets(const LatticeRule& rule, const LatticeShape& shape)
    : sorted_(shape.sorted), planes_(rule.planes()) {
  const std::uint64_t nx = shape.extent[0];
  const std::uint64_t ny = shape.extent[1];
  for (unsigned plane = 0; plane < planes_; ++plane) {
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
      // Sorted positions lie on one side of the diagonal.
      const std::uint64_t beyond = shape.sorted && access.a == access.b ? 0 : access.b * (nx - 1);
      lines_ += (access.offset + beyond + 1) * access.g;
    }
  }
  // A value is at most the length of the longest game. Every move takes a token, except the one
  // pass.
  words_ = (nx + ny + planes_ - 1) / 64 + 1;
  stride_ = (words_ + LineBits::kBlock - 1) / LineBits::kBlock * LineBits::kBlock;
}

void LineSets::allocate() {
  data_ = ZeroPages(places_for(lines_) * stride_ * sizeof(std::uint64_t), "the line sets");
  low_.resize(lines_);
  high_.resize(lines_);
  places_.resize(lines_);
  std::iota(places_.begin(), places_.end(), std::uint64_t{0});
}

std::uint64_t* LineSets::held_by_all(std::uint64_t first, std::uint64_t last) {
  const std::lock_guard lock(held_mutex_);
  auto& held = held_[{first, last}];
  if (held.empty()) held.resize(stride_);
  return held.data();
}

std::uint64_t LineSets::bytes_of_belt(std::uint64_t slabs, std::uint64_t places) const noexcept {
  // In a family g (a, b), each further place adds g a lines and each slab adds g b lines. If slabs
  // go by the second heap, a and b change roles.
  std::uint64_t lines = 0;
  for (const LineAccess& access : accesses_) {
    const auto [a, b] =
        sorted_ != access.mirrored ? std::pair(access.b, access.a) : std::pair(access.a, access.b);
    lines += static_cast<std::uint64_t>(access.g) *
             (static_cast<std::uint64_t>(a) * places + static_cast<std::uint64_t>(b) * slabs);
  }
  return bytes_of(std::min(lines, lines_));
}

void LineSets::append_to(std::string& letter, std::span<const std::uint64_t> lines) {
  using Ends = std::array<std::uint32_t, 2>;
  const auto ends_of = [this](std::uint64_t line) {
    return Ends{low_[line], std::max(low_[line], high_[line])};
  };
  std::size_t size = letter.size();
  for (const std::uint64_t line : lines) {
    const Ends ends = ends_of(line);
    size += sizeof ends + (ends[1] - ends[0]) * sizeof(std::uint64_t);
  }
  letter.reserve(size);
  for (const std::uint64_t line : lines) {
    const Ends ends = ends_of(line);
    letter.append(reinterpret_cast<const char*>(ends.data()), sizeof ends);
    bits().for_pieces(line, ends[0], ends[1], [&](const std::uint64_t* at, std::size_t count) {
      letter.append(reinterpret_cast<const char*>(at), count * sizeof *at);
    });
  }
}

void LineSets::take(std::string_view& letter, std::uint64_t line) {
  std::array<std::uint32_t, 2> ends{};
  const auto cut = [&letter](void* to, std::size_t bytes) {
    if (letter.size() < bytes) throw Error(ErrorCode::kFailure, "a rank sent half a letter");
    std::memcpy(to, letter.data(), bytes);
    letter.remove_prefix(bytes);
  };
  cut(ends.data(), sizeof ends);
  if (ends[0] > ends[1] || ends[1] > words_) {
    throw Error(ErrorCode::kFailure, "a rank sent a line that cannot be");
  }
  std::uint32_t full = 0;
  {
    const std::lock_guard lock(free_mutex_);
    full = claim(line);
  }
  fill(line, full, ends[0], ~std::uint64_t{0});
  bits().for_pieces(line, ends[0], ends[1],
                    [&](std::uint64_t* at, std::size_t count) { cut(at, count * sizeof *at); });
  fill(line, ends[1], full, 0);
  low_[line] = ends[0];
  high_[line] = ends[1];
}

void LineSets::fill(std::uint64_t line, std::size_t begin, std::size_t end,
                    std::uint64_t word) noexcept {
  bits().for_pieces(line, begin, end,
                    [word](std::uint64_t* at, std::size_t count) { std::fill_n(at, count, word); });
}

void LineSets::release(std::span<const std::uint64_t> lines) {
  for (const std::uint64_t line : lines) fill(line, low_[line], high_[line], 0);
  const std::lock_guard lock(free_mutex_);
  for (const std::uint64_t line : lines) {
    free_.push_back({std::exchange(places_[line], kNone), std::exchange(low_[line], 0)});
    high_[line] = 0;
  }
}

void LineSets::release_all() {
  std::vector<std::uint64_t> lines(lines_);
  std::iota(lines.rbegin(), lines.rend(), std::uint64_t{0});
  release(lines);
}

void LineSets::claim(const TileArea& area) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> used;  // lines whose places are not empty
  {
    const std::lock_guard lock(free_mutex_);
    for (const LineAccess& access : accesses_) {
      const auto [first, last] = access.lines_through(area);
      for (std::uint64_t line = first; line <= last; ++line) {
        if (const std::uint32_t full = claim(line); full > 0) used.emplace_back(line, full);
      }
    }
  }
  for (const auto& [line, full] : used) fill(line, 0, full, 0);
}

std::uint32_t LineSets::claim(std::uint64_t line) {
  if (places_[line] != kNone) return 0;
  const Place place = free_.back();
  free_.pop_back();
  places_[line] = place.number;
  return place.full;
}

}  // namespace grundy
