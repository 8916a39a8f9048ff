// SPDX-License-Identifier: MIT
#include "engines/lattice/line_sets.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

#include <grundy/error.hpp>

#include "engines/lattice/state_bytes.hpp"

namespace grundy {
namespace {

constexpr const char* kHalfALetter = "a rank sent half a letter";

/// The first word that is not known to be full, and the first one from which on all are empty.
using Ends = std::array<std::uint32_t, 2>;

constexpr std::uint32_t kBlock = LineMemory::kBlock;

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

/// What a letter says of a block of a line, and the bytes that say it.
struct BlockKind {
  bool is_empty = false, is_full = false;
  std::size_t bytes = 0;
};

/// The kind of what write_block() has written.
BlockKind kind_of_block(const char* from) noexcept {
  const auto mixed = static_cast<unsigned char>(from[0]);
  const auto full = static_cast<unsigned char>(from[1]);
  return {.is_empty = mixed == 0 && full == 0,
          .is_full = mixed == 0 && full == 0xff,
          .bytes = 2 + static_cast<std::size_t>(std::popcount(mixed)) * sizeof(std::uint64_t)};
}

/// Reads what write_block() has written. kBlockBytes must be readable.
void read_block(const char* from, std::uint64_t* block) noexcept {
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
}

}  // namespace

std::pair<std::uint64_t, std::uint64_t> LineAccess::lines_through(
    const TileArea& area) const noexcept {
  if (g == 1 && (!area.sorted || area.x0 + area.nx <= area.y0)) {
    const auto [x, nx] = mirrored ? std::pair(area.y0, area.ny) : std::pair(area.x0, area.nx);
    const auto [y, ny] = mirrored ? std::pair(area.x0, area.nx) : std::pair(area.y0, area.ny);
    const std::int64_t least = b * x - a * (std::int64_t{y} + ny - 1) + offset;
    return {first + static_cast<std::uint64_t>(least),
            first + static_cast<std::uint64_t>(least + b * (nx - 1) + a * (ny - 1))};
  }
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

std::uint32_t band_width(const LatticeRule& rule) noexcept {
  std::uint32_t width = 0;
  for (const LatticeBand& band : rule.moves().bands) width = std::max(width, band.width);
  return width;
}

LineSets::LineSets(const LatticeRule& rule, const LatticeShape& shape)
    : sorted_(shape.sorted), planes_(rule.planes()) {
  const std::uint64_t nx = shape.extent[0];
  const std::uint64_t ny = shape.extent[1];
  const LatticeRay diagonal{.step = {1, 1}, .multiples = {}};
  std::vector<LatticeRay> rays = rule.moves().rays;
  if (band_width(rule) > 0 && !std::ranges::count(rays, diagonal)) rays.push_back(diagonal);
  for (unsigned plane = 0; plane < planes_; ++plane) {
    for (const LatticeRay& ray : rays) {
      if (!ray.multiples.empty()) continue;
      // The mirror image of the ray shares its family.
      if (shape.sorted && ray.step[0] < ray.step[1]) continue;
      LineAccess access;
      access.g = std::gcd(ray.step[0], ray.step[1]);
      access.a = ray.step[0] / access.g;
      access.b = ray.step[1] / access.g;
      access.offset = access.a * static_cast<std::int64_t>(ny - 1);
      // Then the lines of rays (1, 0), (0, 1) and (1, 1) through whole tiles are whole groups, if
      // the edge of a tile is a multiple of a group.
      constexpr std::uint64_t kGroup = LineMemory::kGroup;
      lines_ += kGroup - 1 - (lines_ + access.a * ny + kGroup - 1) % kGroup;
      access.first = lines_;
      access.family = families_.size();
      accesses_.push_back(access);
      if (shape.sorted && access.a != access.b) {
        access.mirrored = true;
        accesses_.push_back(access);
      }
      // Sorted positions lie on one side of the diagonal.
      const std::uint64_t beyond = shape.sorted && access.a == access.b ? 0 : access.b * (nx - 1);
      lines_ += (access.offset + beyond + 1) * access.g;
      std::uint64_t longest = std::max(nx, ny);
      if (ray.step[0] > 0) longest = std::min(longest, (nx - 1) / ray.step[0] + 1);
      if (ray.step[1] > 0) longest = std::min(longest, (ny - 1) / ray.step[1] + 1);
      families_.push_back({.first = access.first, .end = lines_, .longest = longest});
    }
  }
  // A value is at most the length of the longest game. Every move takes a token, except the one
  // pass.
  const std::uint64_t words = (nx + ny + planes_ - 1) / 64 + 1;
  stride_ = (words + kBlock - 1) / kBlock * kBlock;
}

void LineSets::allocate() {
  memory_.allocate(lines_, stride_ / kBlock);
  low_.resize(lines_);
  high_.resize(lines_);
  in_use_.assign(lines_, true);
  used_of_group_.assign(LineMemory::groups(lines_), LineMemory::kGroup);
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

std::uint64_t LineSets::bytes(Nimber largest) const noexcept {
  // The values of a line lie in bands below three times their number. The longer the lines, the
  // more of these words are empty or full at any time, as measured from 2^13 to 2^18 (NOTES.md).
  constexpr std::uint64_t kSpread = 3;
  constexpr double kLiving = 1 / 3.0, kLength = 1 << 14;
  double living = 0;
  for (const Family& family : families_) {
    const std::uint64_t values = std::min(std::uint64_t{largest}, kSpread * family.longest);
    const std::uint64_t words = std::min<std::uint64_t>(stride_, values / 64 + kBlock);
    const double part =
        std::min(1.0, kLiving / std::pow(static_cast<double>(family.longest) / kLength, 0.25));
    living += part * static_cast<double>((family.end - family.first) * words);
  }
  return static_cast<std::uint64_t>(living) * sizeof(Word) + bytes_beside_sets();
}

std::uint64_t LineSets::bytes_of_belt(std::uint64_t slabs, std::uint64_t places,
                                      Nimber largest) const noexcept {
  // Lines come late and leave early, so that half as much of each lives, as measured.
  const std::uint64_t lines = std::max<std::uint64_t>(1, lines_);
  return bytes(largest) / lines * std::min(lines_of(slabs, places), lines) / 2;
}

void LineSets::append_to(std::string& letter, std::span<const std::uint64_t> lines) {
  struct Source {
    std::uint64_t line;
    std::uint32_t begin, end;
  };
  std::vector<Source> sources;
  std::uint32_t begin = ~std::uint32_t{0}, end = 0;
  std::size_t blocks = 0;
  for (const std::uint64_t line : lines) {
    while (low_[line] < high_[line] && ~word(line, low_[line]) == 0) ++low_[line];
    const Ends ends = ends_of(line);
    const Source& source = sources.emplace_back(Source{line, first_block(ends), end_block(ends)});
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
      at = write_block(memory_.read(source.line, block), at);
      if (at + kBlockBytes <= bytes.data() + bytes.size()) continue;
      letter.append(bytes.data(), at);
      at = bytes.data();
    }
  }
  letter.append(bytes.data(), at);
  letter.append(kBlockBytes, '\0');  // the last block may be read as if it were longer
}

void LineSets::take(std::string_view& letter, std::span<const std::uint64_t> lines) {
  /// Lines of one group that follow one another in the letter.
  struct Batch {
    std::uint64_t group;
    std::size_t first, last;
    bool is_whole;
  };
  std::vector<Batch> batches;
  const std::string_view all_ends = letter.substr(0, lines.size() * sizeof(Ends));
  if (all_ends.size() < lines.size() * sizeof(Ends)) {
    throw Error(ErrorCode::kFailure, kHalfALetter);
  }
  letter.remove_prefix(all_ends.size());
  {
    const std::lock_guard lock(use_mutex_);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      Ends ends{};
      std::memcpy(ends.data(), all_ends.data() + i * sizeof ends, sizeof ends);
      if (ends[0] > ends[1] || ends[1] > stride_) {
        throw Error(ErrorCode::kFailure, "a rank sent a line that cannot be");
      }
      use(lines[i]);
      low_[lines[i]] = ends[0];
      high_[lines[i]] = ends[1];
      const std::uint64_t group = lines[i] / LineMemory::kGroup;
      if (batches.empty() || batches.back().group != group) {
        batches.push_back({.group = group, .first = i, .last = i, .is_whole = false});
      }
      Batch& batch = batches.back();
      batch.last = i;
      batch.is_whole = i - batch.first + 1 == LineMemory::kGroup;
    }
  }
  const char* at = letter.data();
  const char* const last = at + letter.size();
  const auto kind_of = [&](std::size_t i, std::uint32_t block, const char* from) {
    const Ends ends = ends_of(lines[i]);
    if (block < first_block(ends)) return BlockKind{.is_full = true};
    if (block >= end_block(ends)) return BlockKind{.is_empty = true};
    if (static_cast<std::size_t>(last - from) < kBlockBytes) {
      throw Error(ErrorCode::kFailure, kHalfALetter);
    }
    return kind_of_block(from);
  };
  for (std::uint32_t block = 0; block < memory_.blocks(); ++block) {
    for (const Batch& batch : batches) {
      if (batch.is_whole) {
        // A piece that is full or empty takes no memory.
        BlockKind all{.is_empty = true, .is_full = true};
        const char* next = at;
        for (std::size_t i = batch.first; i <= batch.last && (all.is_empty || all.is_full); ++i) {
          const BlockKind kind = kind_of(i, block, next);
          all.is_empty = all.is_empty && kind.is_empty;
          all.is_full = all.is_full && kind.is_full;
          next += kind.bytes;
        }
        if (all.is_empty) memory_.clear(batch.group, block);
        if (all.is_full) memory_.fill(batch.group, block);
        if (all.is_empty || all.is_full) {
          at = next;
          continue;
        }
      }
      for (std::size_t i = batch.first; i <= batch.last; ++i) {
        const BlockKind kind = kind_of(i, block, at);
        if (kind.is_empty || kind.is_full) {
          set_block(lines[i], block, kind.is_full);
        } else {
          read_block(at, memory_.write(lines[i], block));
        }
        at += kind.bytes;
      }
    }
  }
  if (static_cast<std::size_t>(last - at) < kBlockBytes) {
    throw Error(ErrorCode::kFailure, kHalfALetter);
  }
  letter.remove_prefix(static_cast<std::size_t>(at - letter.data()) + kBlockBytes);
}

void LineSets::save(const LatticeStates::Write& write) {
  // A letter has whole groups, so that those of their pieces that are full take no memory again.
  constexpr std::uint64_t kLinesOfLetter = 16 * LineMemory::kGroup;
  std::vector<std::uint64_t> lines;
  std::string letter;
  for (std::uint64_t first = 0; first < lines_; first += kLinesOfLetter) {
    lines.clear();
    for (std::uint64_t line = first; line < std::min(first + kLinesOfLetter, lines_); ++line) {
      if (in_use_[line]) lines.push_back(line);
    }
    if (lines.empty()) continue;
    letter.clear();
    append_to(letter, lines);
    write_list<std::uint64_t>(write, lines);
    write_list<char>(write, letter);
  }
  write_list<std::uint64_t>(write, {});
}

void LineSets::restore(LatticeStates& states) {
  release_all();
  for (;;) {
    const auto lines = read_list<std::uint64_t>(states, lines_);
    if (lines.empty()) return;
    if (std::ranges::any_of(lines, [this](std::uint64_t line) { return line >= lines_; })) {
      refuse_state();
    }
    const auto bytes = read_list<char>(states, (lines.size() + 1) * bytes_of_line());
    std::string_view letter(bytes.data(), bytes.size());
    take(letter, lines);
  }
}

void LineSets::set_block(std::uint64_t line, std::size_t block, bool full) {
  const std::uint64_t group = line / LineMemory::kGroup;
  if (full ? memory_.is_full(group, block) : memory_.is_empty(group, block)) return;
  std::fill_n(memory_.write(line, block), kBlock, full ? ~Word{0} : Word{0});
}

void LineSets::use(std::uint64_t line) {
  in_use_[line] = true;
  ++used_of_group_[line / LineMemory::kGroup];
}

void LineSets::release(std::span<const std::uint64_t> lines) {
  const std::lock_guard lock(use_mutex_);
  for (const std::uint64_t line : lines) {
    in_use_[line] = false;
    low_[line] = high_[line] = 0;
    if (--used_of_group_[line / LineMemory::kGroup] > 0) continue;
    for (std::size_t block = 0; block < memory_.blocks(); ++block) {
      memory_.clear(line / LineMemory::kGroup, block);
    }
  }
}

void LineSets::release_all() {
  in_use_.assign(lines_, false);
  used_of_group_.assign(used_of_group_.size(), 0);
}

void LineSets::claim(const TileArea& area) {
  std::vector<std::uint64_t> claimed;
  {
    const std::lock_guard lock(use_mutex_);
    for (const LineAccess& access : accesses_) {
      const auto [first, last] = access.lines_through(area);
      for (std::uint64_t line = first; line <= last; ++line) {
        if (in_use_[line]) continue;
        use(line);
        claimed.push_back(line);
      }
    }
  }
  for (const std::uint64_t line : claimed) {
    for (std::size_t block = 0; block < memory_.blocks(); ++block) set_block(line, block, false);
  }
}

void LineSets::settle(std::uint64_t first, std::uint64_t last, std::size_t end) {
  const auto reached = static_cast<std::uint32_t>(end);
  for (std::uint64_t line = first; line <= last; ++line) {
    high_[line] = std::max(high_[line], reached);
  }
  constexpr std::uint64_t kGroup = LineMemory::kGroup;
  for (std::uint64_t group = first / kGroup; group <= last / kGroup; ++group) {
    const std::uint64_t begin = std::max(first, group * kGroup);
    const std::uint64_t count = std::min(last + 1, (group + 1) * kGroup) - begin;
    if (count < kGroup) continue;
    for (std::size_t block = 0; block < memory_.blocks(); ++block) {
      if (memory_.is_empty(group, block) || memory_.is_full(group, block)) continue;
      const Word* const words = memory_.read(begin, block);
      const auto is_full = [](Word word) { return ~word == 0; };
      if (std::all_of(words, words + count * kBlock, is_full)) memory_.fill(group, block);
    }
  }
}

}  // namespace grundy
