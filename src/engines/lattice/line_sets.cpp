// SPDX-License-Identifier: MIT
#include "engines/lattice/line_sets.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include <grundy/error.hpp>

namespace grundy {
namespace {

constexpr const char* kHalfALetter = "a rank sent half a letter";

/// The first word that is not known to be full, and the first one from which on all are empty.
using Ends = std::array<std::uint32_t, 2>;

constexpr std::uint32_t kBlock = LineBits::kBlock;

/// Letters carry whole blocks.
std::uint32_t first_block(const Ends& ends) noexcept {
  return ends[0] / kBlock;
}
std::uint32_t end_block(const Ends& ends) noexcept {
  return (ends[1] + kBlock - 1) / kBlock;
}

/// The most bytes of a block in a letter: whether each word is mixed, whether it is full, the mixed
/// words. Two thirds of the words between the ends of Wythoff's lines are full or empty.
constexpr std::size_t kBlockBytes = 2 + kBlock * sizeof(std::uint64_t);

/// Writes a block to a letter. There is no branch, because no processor would foretell it.
/// @return the end of what is written; kBlockBytes are written over
char* write_block(const std::uint64_t* block, char* to) noexcept {
  unsigned mixed = 0, full = 0;
  char* at = to + 2;
  for (std::uint32_t i = 0; i < kBlock; ++i) {
    const std::uint64_t word = block[i];
    const unsigned is_full = ~word == 0 ? 1 : 0;
    const unsigned is_mixed = word + 1 > 1 ? 1 : 0;
    std::memcpy(at, &word, sizeof word);
    at += is_mixed * sizeof word;
    mixed |= is_mixed << i;
    full |= is_full << i;
  }
  to[0] = static_cast<char>(mixed);
  to[1] = static_cast<char>(full);
  return at;
}

/// Reads what write_block() has written. kBlockBytes must be readable.
/// @return the end of what is read
const char* read_block(const char* from, std::uint64_t* block) noexcept {
  const auto mixed = static_cast<unsigned char>(from[0]);
  const auto full = static_cast<unsigned char>(from[1]);
  from += 2;
  for (std::uint32_t i = 0; i < kBlock; ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, sizeof word);
    const unsigned is_mixed = mixed >> i & 1u;
    block[i] = is_mixed != 0 ? word : -std::uint64_t{full >> i & 1u};
    from += is_mixed * sizeof word;
  }
  return from;
}

}  // namespace

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
  stride_ = (words_ + kBlock - 1) / kBlock * kBlock;
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

std::uint64_t LineSets::lines_of(std::uint64_t slabs, std::uint64_t places) const noexcept {
  // In a family g (a, b), each further place adds g a lines and each slab adds g b lines. If slabs
  // go by the second heap, a and b change roles.
  std::uint64_t lines = 0;
  for (const LineAccess& access : accesses_) {
    const auto [a, b] =
        sorted_ != access.mirrored ? std::pair(access.b, access.a) : std::pair(access.a, access.b);
    lines += static_cast<std::uint64_t>(access.g) *
             (static_cast<std::uint64_t>(a) * places + static_cast<std::uint64_t>(b) * slabs);
  }
  return lines;
}

std::uint64_t LineSets::bytes_of_belt(std::uint64_t slabs, std::uint64_t places,
                                      Nimber largest) const noexcept {
  return bytes_of(std::min(lines_of(slabs, places), lines_), largest);
}

void LineSets::append_to(std::string& letter, std::span<const std::uint64_t> lines) {
  struct Source {
    const std::uint64_t* set;
    std::uint32_t begin, end;
  };
  std::vector<Source> sources;
  std::uint32_t begin = ~std::uint32_t{0}, end = 0;
  std::size_t blocks = 0;
  for (const std::uint64_t line : lines) {
    const Ends ends = ends_of(line);
    const Source& source =
        sources.emplace_back(Source{bits().set(line), first_block(ends), end_block(ends)});
    begin = std::min(begin, source.begin);
    end = std::max(end, source.end);
    blocks += source.end - source.begin;
  }
  letter.reserve(letter.size() + lines.size() * sizeof(Ends) + (blocks + 1) * kBlockBytes);
  for (const std::uint64_t line : lines) {
    const Ends ends = ends_of(line);
    letter.append(reinterpret_cast<const char*>(ends.data()), sizeof ends);
  }
  std::array<char, 4096> bytes;
  char* at = bytes.data();
  // Equal blocks of lines are neighbours in memory.
  for (std::uint32_t block = begin; block < end; ++block) {
    for (const Source& source : sources) {
      if (block < source.begin || block >= source.end) continue;
      at = write_block(source.set + LineBits::offset_of(block * kBlock), at);
      if (at + kBlockBytes <= bytes.data() + bytes.size()) continue;
      letter.append(bytes.data(), at);
      at = bytes.data();
    }
  }
  letter.append(bytes.data(), at);
  letter.append(kBlockBytes, '\0');  // the last block may be read as if it were longer
}

void LineSets::take(std::string_view& letter, std::span<const std::uint64_t> lines) {
  struct Target {
    std::uint64_t* set;
    std::uint32_t full, begin, end, stale;
  };
  if (letter.size() < lines.size() * sizeof(Ends)) {
    throw Error(ErrorCode::kFailure, kHalfALetter);
  }
  std::vector<Target> targets;
  std::uint32_t begin = ~std::uint32_t{0}, end = 0;
  {
    const std::lock_guard lock(free_mutex_);
    for (const std::uint64_t line : lines) {
      Ends ends{};
      std::memcpy(ends.data(), letter.data(), sizeof ends);
      letter.remove_prefix(sizeof ends);
      if (ends[0] > ends[1] || ends[1] > words_) {
        throw Error(ErrorCode::kFailure, "a rank sent a line that cannot be");
      }
      const Place place = claim(line).value_or(Place{});
      low_[line] = ends[0];
      high_[line] = ends[1];
      const Target& target =
          targets.emplace_back(Target{bits().set(line), place.full / kBlock, first_block(ends),
                                      end_block(ends), (place.end + kBlock - 1) / kBlock});
      begin = std::min({begin, target.begin, target.full});
      end = std::max({end, target.end, target.stale});
    }
  }
  const char* at = letter.data();
  const char* const last = at + letter.size();
  for (std::uint32_t block = begin; block < end; ++block) {
    for (const Target& target : targets) {
      std::uint64_t* const words = target.set + LineBits::offset_of(block * kBlock);
      if (block < target.begin) {
        if (block >= target.full) std::fill_n(words, kBlock, ~std::uint64_t{0});
      } else if (block < target.end) {
        if (static_cast<std::size_t>(last - at) < kBlockBytes) {
          throw Error(ErrorCode::kFailure, kHalfALetter);
        }
        at = read_block(at, words);
      } else if (block < target.stale) {
        std::fill_n(words, kBlock, 0);
      }
    }
  }
  if (static_cast<std::size_t>(last - at) < kBlockBytes) {
    throw Error(ErrorCode::kFailure, kHalfALetter);
  }
  letter.remove_prefix(static_cast<std::size_t>(at - letter.data()) + kBlockBytes);
}

void LineSets::fill(std::uint64_t line, std::size_t begin, std::size_t end,
                    std::uint64_t word) noexcept {
  bits().for_pieces(line, begin, end,
                    [word](std::uint64_t* at, std::size_t count) { std::fill_n(at, count, word); });
}

void LineSets::release(std::span<const std::uint64_t> lines) {
  const std::lock_guard lock(free_mutex_);
  for (const std::uint64_t line : lines) {
    const auto [full, end] = ends_of(line);
    free_.push_back({std::exchange(places_[line], kNone), full, end});
    low_[line] = high_[line] = 0;
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
        if (const auto place = claim(line); place && place->end > 0) {
          used.emplace_back(line, place->end);
        }
      }
    }
  }
  for (const auto& [line, end] : used) fill(line, 0, end, 0);
}

std::optional<LineSets::Place> LineSets::claim(std::uint64_t line) {
  if (places_[line] != kNone) return std::nullopt;
  const Place place = free_.back();
  free_.pop_back();
  places_[line] = place.number;
  return place;
}

}  // namespace grundy
