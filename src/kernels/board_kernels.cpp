// SPDX-License-Identifier: MIT
#include "kernels/board_kernels.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#ifndef GRUNDY_BOARD_KERNELS_SCALAR  // once, not once for each target
#define GRUNDY_BOARD_KERNELS_SCALAR
namespace grundy {
namespace {

/// The most parts of all sets, and room for the lanes of a vector.
inline constexpr std::size_t kMostParts = kMostSets * 32 + 8;

/// The place of a part that is not small among the small values.
inline constexpr std::uint64_t kNotSmall = ~std::uint64_t{0};

/// Parts in the order in which they were found, with the number of their set.
struct FoundParts {
  std::array<std::uint64_t, kMostParts> parts;
  std::array<std::uint8_t, kMostParts> owners;
  std::size_t count = 0;
};

/// Writes the parts one after another, set by set.
inline void sort_by_set(const FoundParts& found, std::size_t sets, BoardParts& out) noexcept {
  std::array<std::uint32_t, kMostSets> place{};
  for (std::size_t i = 0; i < found.count; ++i) ++place[found.owners[i]];
  std::uint32_t end = 0;
  for (std::size_t set = 0; set < sets; ++set) {
    const std::uint32_t size = place[set];
    place[set] = end;
    out.ends[set] = end += size;
  }
  for (std::size_t i = 0; i < found.count; ++i)
    out.parts[place[found.owners[i]]++] = found.parts[i];
}

}  // namespace

namespace scalar {
namespace {

/// Cells with these bits of a colour are counted, in this order.
constexpr unsigned kBitsOfCounts[] = {0b0001, 0b0010, 0b0100, 0b1000, 0b0011,
                                      0b1100, 0b0101, 0b1001, 0b0110, 0b1010,
                                      0b0111, 0b1011, 0b1101, 0b1110, 0b1111};

/// Works on one set after another, cell by cell.
class Sets {
 public:
  explicit Sets(const BoardShape& shape) noexcept : shape_(shape) {}

  std::uint64_t right_of(std::uint64_t s) const noexcept { return (s & ~shape_.last_column) << 1; }
  std::uint64_t left_of(std::uint64_t s) const noexcept { return s >> 1 & ~shape_.last_column; }
  std::uint64_t above(std::uint64_t s) const noexcept { return s >> shape_.columns; }
  std::uint64_t below(std::uint64_t s) const noexcept { return s << shape_.columns; }
  std::uint64_t around(std::uint64_t s) const noexcept {
    return right_of(s) | left_of(s) | above(s) | below(s);
  }

  std::uint64_t without_surplus(std::uint64_t set) const noexcept {
    std::uint64_t ends = 0, joints = 0, surplus = 0;
    for (std::uint64_t rest = set; rest != 0; rest &= rest - 1) {
      const std::uint64_t cell = rest & (0 - rest);
      if (std::has_single_bit(around(cell) & set)) ends |= cell;
    }
    // If there are several ends at a joint, the first one in this order remains.
    for (const auto from : {&Sets::left_of, &Sets::right_of, &Sets::below, &Sets::above}) {
      for (std::uint64_t rest = ends; rest != 0; rest &= rest - 1) {
        const std::uint64_t end = rest & (0 - rest);
        const std::uint64_t joint = around(end) & set;
        if ((this->*from)(end) != joint) continue;
        if ((joints & joint) != 0) surplus |= end;
        joints |= joint;
      }
    }
    const std::uint64_t others = set & ~joints;
    return set & ~surplus & ~(others & ~ends & ~around(others));
  }

  std::uint64_t part_of(std::uint64_t set) const noexcept {
    std::uint64_t part = set & (0 - set);
    for (std::uint64_t before = 0; part != before;) {
      before = part;
      part |= around(part) & set;
    }
    return part;
  }

  /// The set in the corner of cell 0, with its rows in the order of `up`, its columns in that of
  /// `left`, and both exchanged if `turn`; all ones if it does not fit.
  std::uint64_t image(std::uint64_t set, bool up, bool left, bool turn) const noexcept {
    unsigned top = 64, bottom = 0, first = 64, last = 0;
    for (std::uint64_t rest = set; rest != 0; rest &= rest - 1) {
      const auto cell = static_cast<unsigned>(std::countr_zero(rest));
      const unsigned row = cell / shape_.columns, column = cell % shape_.columns;
      top = std::min(top, row), bottom = std::max(bottom, row);
      first = std::min(first, column), last = std::max(last, column);
    }
    const bool is_tall = bottom - top > last - first, is_wide = bottom - top < last - first;
    if (turn ? is_wide : is_tall) return ~std::uint64_t{0};
    std::uint64_t out = 0;
    for (std::uint64_t rest = set; rest != 0; rest &= rest - 1) {
      const auto cell = static_cast<unsigned>(std::countr_zero(rest));
      unsigned row = cell / shape_.columns, column = cell % shape_.columns;
      row = up ? bottom - row : row - top;
      column = left ? last - column : column - first;
      if (turn) std::swap(row, column);
      out |= std::uint64_t{1} << (row * shape_.columns + column);
    }
    return out;
  }

  std::uint64_t canonical(std::uint64_t set) const noexcept {
    std::uint64_t least = ~std::uint64_t{0};
    for (unsigned i = 0; i < 8; ++i) {
      least = std::min(least, image(set, (i & 1) != 0, (i & 2) != 0, (i & 4) != 0));
    }
    return least;
  }

  std::uint64_t small_place(std::uint64_t set) const noexcept {
    while ((set & shape_.row) == 0) set = above(set);
    while ((set & shape_.last_column >> (shape_.columns - 1)) == 0) set = left_of(set);
    std::uint64_t place = 0;
    for (; set != 0; set &= set - 1) {
      const auto cell = static_cast<unsigned>(std::countr_zero(set));
      const unsigned row = cell / shape_.columns, column = cell % shape_.columns;
      if (row >= kSmallSide || column >= kSmallSide) return kNotSmall;
      place |= std::uint64_t{1} << (kSmallSide * row + column);
    }
    return place;
  }

 private:
  const BoardShape& shape_;
};

void take_apart(const BoardShape& shape, const std::uint64_t* sets, std::size_t count,
                BoardParts& out) noexcept {
  const Sets board(shape);
  FoundParts found;
  std::fill_n(out.values.begin(), count, std::uint8_t{0});
  for (std::size_t i = 0; i < count; ++i) {
    for (std::uint64_t rest = board.without_surplus(sets[i]); rest != 0;) {
      const std::uint64_t part = board.part_of(rest);
      rest &= ~part;
      const std::uint64_t place = board.small_place(part);
      if (place == kNotSmall) {
        found.parts[found.count] = board.canonical(part);
        found.owners[found.count++] = static_cast<std::uint8_t>(i);
      } else {
        out.values[i] ^= shape.small_values[place];
      }
    }
  }
  sort_by_set(found, count, out);
}

void colour(const BoardShape& shape, const std::uint64_t* sets, std::size_t count,
            BoardColours& out) noexcept {
  const Sets board(shape);
  for (std::size_t i = 0; i < count; ++i) {
    std::array<std::array<unsigned, 4>, 64> bits{}, next{};
    for (std::uint64_t rest = sets[i]; rest != 0; rest &= rest - 1) {
      bits[static_cast<std::size_t>(std::countr_zero(rest))][0] = 1;
    }
    for (std::size_t plane = 0; plane < kColourPlanes; ++plane) out.planes[plane][i] = 0;
    for (int round = 1; round <= kColourRounds; ++round) {
      for (std::uint64_t rest = sets[i]; rest != 0; rest &= rest - 1) {
        const auto cell = static_cast<std::size_t>(std::countr_zero(rest));
        std::array<unsigned, 4> counts{}, mixed{};
        for (std::uint64_t near = board.around(rest & (0 - rest)) & sets[i]; near != 0;
             near &= near - 1) {
          const auto& its = bits[static_cast<std::size_t>(std::countr_zero(near))];
          for (std::size_t k = 0; k < 4; ++k) counts[k] += its[k];
        }
        for (std::size_t k = 0; k < 4; ++k) {
          mixed[k] = (counts[k] & 1) ^ (counts[(k + 1) % 4] >> 1 & 1) ^ bits[cell][(k + 3) % 4];
        }
        for (std::size_t k = 0; k < 4; ++k) {
          // One bit is turned, so that colours do not all become 0.
          next[cell][k] = mixed[k] ^ ((mixed[(k + 1) % 4] ^ 1) & mixed[(k + 2) % 4]) ^ (k == 0);
        }
      }
      bits = next;
      if (round < kColourRounds - 1) continue;
      for (std::uint64_t rest = sets[i]; rest != 0; rest &= rest - 1) {
        const auto cell = static_cast<std::size_t>(std::countr_zero(rest));
        for (std::size_t k = 0; k < 4; ++k) {
          const std::size_t plane = round == kColourRounds ? k + 4 : k;
          out.planes[plane][i] |= std::uint64_t{bits[cell][k]} << cell;
        }
      }
    }
  }
}

void hash_colours(const BoardColours& colours, std::size_t count, std::uint64_t* hashes) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    std::array<std::uint64_t, 2> hash{};
    for (std::size_t round = 0; round < 2; ++round) {
      for (const unsigned bits : kBitsOfCounts) {
        std::uint64_t cells = ~std::uint64_t{0};
        for (std::size_t k = 0; k < 4; ++k) {
          if ((bits >> k & 1) != 0) cells &= colours.planes[4 * round + k][i];
        }
        hash[round] = (hash[round] << 4) + static_cast<std::uint64_t>(std::popcount(cells));
      }
    }
    hashes[i] = hash[1] ^ std::rotl(hash[0], 31);
  }
}

constexpr BoardKernels kKernels{take_apart, colour, hash_colours};

}  // namespace
}  // namespace scalar
}  // namespace grundy
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/board_kernels.cpp"
#include <hwy/foreach_target.h>
// The order matters: foreach_target.h includes this file again, once for every target.
#include <hwy/highway.h>

#include "kernels/targets.hpp"

// Highway's stand-ins for processors without vectors are left out: the set `scalar` serves those.
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

HWY_BEFORE_NAMESPACE();
namespace grundy::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Works on one set in each lane.
class Lanes {
 public:
  using D = hn::CappedTag<std::uint64_t, 8>;
  using V = hn::Vec<D>;
  static constexpr std::size_t kLanes = HWY_MIN(HWY_LANES(std::uint64_t), 8);

  explicit Lanes(const BoardShape& shape)
      : shape_(shape),
        columns_(static_cast<int>(shape.columns)),
        row_(hn::Set(D(), shape.row)),
        small_row_(hn::Set(D(), shape.row & ones(kSmallSide))),
        not_last_(hn::Set(D(), ~shape.last_column)),
        not_first_(hn::Set(D(), ~(shape.last_column >> (shape.columns - 1)))) {}

  HWY_INLINE V right_of(V s) const { return hn::ShiftLeft<1>(hn::And(s, not_last_)); }
  HWY_INLINE V left_of(V s) const { return hn::And(hn::ShiftRight<1>(s), not_last_); }
  HWY_INLINE V above(V s) const { return hn::ShiftRightSame(s, columns_); }
  HWY_INLINE V below(V s) const { return hn::ShiftLeftSame(s, columns_); }
  HWY_INLINE V around(V s) const {
    return hn::Or(hn::Or(right_of(s), left_of(s)), hn::Or(above(s), below(s)));
  }

  HWY_INLINE V without_surplus(V set) const {
    const V right = hn::And(set, left_of(set)), left = hn::And(set, right_of(set));
    const V lower = hn::And(set, above(set)), upper = hn::And(set, below(set));
    const V across = hn::Or(left, right), down = hn::Or(upper, lower);
    const V several =
        hn::Or(hn::Or(hn::And(left, right), hn::And(upper, lower)), hn::And(across, down));
    const V ends = hn::AndNot(several, hn::Or(across, down));
    const V at_right = left_of(hn::And(ends, left));
    const V at_left = right_of(hn::And(ends, right));
    V joints = at_right;
    V surplus = left_of(hn::And(at_left, joints));
    joints = hn::Or(joints, at_left);
    const V at_top = below(hn::And(ends, lower));
    surplus = hn::Or(surplus, above(hn::And(at_top, joints)));
    joints = hn::Or(joints, at_top);
    const V at_bottom = above(hn::And(ends, upper));
    surplus = hn::Or(surplus, below(hn::And(at_bottom, joints)));
    joints = hn::Or(joints, at_bottom);
    const V others = hn::AndNot(joints, set);
    const V lost = hn::AndNot(hn::Or(ends, around(others)), others);
    return hn::AndNot(hn::Or(surplus, lost), set);
  }

  /// The part of each set that has the lowest cell.
  HWY_INLINE V part_of(V set) const {
    const D d;
    // With AVX-512 a step is three operations that wait for each other: a shift and two that join.
    const V from_left = hn::And(set, not_first_), from_right = hn::And(set, not_last_);
    const auto step = [&](V part) HWY_ATTR {
      const V right = hn::OrAnd(part, hn::ShiftLeft<1>(part), from_left);
      const V left = hn::And(hn::ShiftRight<1>(part), from_right);
      return hn::Or3(right, left, hn::And(hn::Or(above(part), below(part)), set));
    };
    V part = hn::And(set, hn::Sub(hn::Zero(d), set));
    for (V before = hn::Zero(d); !hn::AllTrue(d, hn::Eq(part, before));) {
      for (int i = 0; i < 3; ++i) before = step(part), part = step(before);
    }
    return part;
  }

  /// The sets moved into the corner of cell 0.
  HWY_INLINE V in_corner(V set) const {
    const D d;
    const V zero = hn::Zero(d);
    for (unsigned rows = most_rows(); rows != 0; rows /= 2) {
      const auto none = hn::Eq(hn::And(set, hn::Set(d, ones(rows * shape_.columns))), zero);
      set = hn::IfThenElse(none, rows_up(set, rows), set);
    }
    V used = used_columns(set);
    for (unsigned columns = most_columns(); columns != 0; columns /= 2) {
      const auto none = hn::Eq(hn::And(used, hn::Set(d, ones(columns))), zero);
      const int by = static_cast<int>(columns);
      used = hn::IfThenElse(none, hn::ShiftRightSame(used, by), used);
      set = hn::IfThenElse(none, hn::ShiftRightSame(set, by), set);
    }
    return set;
  }

  /// Tells which sets in the corner are small.
  HWY_INLINE auto is_small(V set) const {
    V within = small_row_;
    for (unsigned row = 1; row < std::min(kSmallSide, shape_.rows); ++row) {
      within = hn::Or(below(within), small_row_);
    }
    return hn::Eq(hn::AndNot(within, set), hn::Zero(D()));
  }

  /// The values of the sets that are small.
  HWY_INLINE V small_value(V set) const {
    const D d;
    V place = hn::And(set, small_row_);
    for (unsigned row = 1; row < std::min(kSmallSide, shape_.rows); ++row) {
      set = above(set);
      const int by = static_cast<int>(row * kSmallSide);
      place = hn::Or(place, hn::ShiftLeftSame(hn::And(set, small_row_), by));
    }
    const auto* const base = reinterpret_cast<const std::uint64_t*>(shape_.small_values);
    const V values = hn::GatherOffset(d, base, hn::BitCast(hn::RebindToSigned<D>(), place));
    return hn::And(values, hn::Set(d, 255));
  }

  /// Four bits of a colour for each cell. Members, because GCC keeps arrays of vectors in memory.
  struct Colours {
    V a, b, c, d;
  };
  /// The colours of the next round.
  HWY_INLINE Colours next(V set, const Colours& now) const {
    const Counts a = count(now.a), b = count(now.b), c = count(now.c), d = count(now.d);
    const V w = hn::Xor(hn::Xor(a.ones, b.twos), now.d);
    const V x = hn::Xor(hn::Xor(b.ones, c.twos), now.a);
    const V y = hn::Xor(hn::Xor(c.ones, d.twos), now.b);
    const V z = hn::Xor(hn::Xor(d.ones, a.twos), now.c);
    return {hn::AndNot(hn::Xor(w, hn::AndNot(x, y)), set),
            hn::And(set, hn::Xor(x, hn::AndNot(y, z))), hn::And(set, hn::Xor(y, hn::AndNot(z, w))),
            hn::And(set, hn::Xor(z, hn::AndNot(w, x)))};
  }

  /// Sets in the corner, with their bounding boxes.
  struct Box {
    V cells;
    V height, width;
  };
  HWY_INLINE Box box_of(V set) const {
    const D d;
    const V zero = hn::Zero(d);
    V height = hn::Set(d, 1), width = height;
    V rest = above(set);
    for (unsigned rows = most_rows(); rows != 0; rows /= 2) {
      const auto none = hn::Eq(rows_up(rest, rows - 1), zero);
      height = hn::IfThenElse(none, height, hn::Add(height, hn::Set(d, rows)));
      rest = hn::IfThenElse(none, rest, rows_up(rest, rows));
    }
    rest = hn::ShiftRight<1>(used_columns(set));
    for (unsigned columns = most_columns(); columns != 0; columns /= 2) {
      const auto none = hn::Eq(hn::ShiftRightSame(rest, static_cast<int>(columns - 1)), zero);
      width = hn::IfThenElse(none, width, hn::Add(width, hn::Set(d, columns)));
      rest = hn::IfThenElse(none, rest, hn::ShiftRightSame(rest, static_cast<int>(columns)));
    }
    return {set, height, width};
  }

  /// The least images. If a box is taller than wide, its image lies on its side.
  HWY_INLINE V canonical(const Box& box) const {
    const D d;
    const auto is_tall = hn::Not(hn::Eq(hn::Max(box.height, box.width), box.width));
    const auto is_square = hn::Eq(box.height, box.width);
    if (hn::AllFalse(d, hn::Or(is_tall, is_square))) return least_reflection(box);
    const V turned = transposed(box.cells);
    const Box lying{hn::IfThenElse(is_tall, turned, box.cells),
                    hn::IfThenElse(is_tall, box.width, box.height),
                    hn::IfThenElse(is_tall, box.height, box.width)};
    const V least = least_reflection(lying);
    if (hn::AllFalse(d, is_square)) return least;
    const V other = least_reflection({turned, box.height, box.width});
    return hn::IfThenElse(is_square, hn::Min(least, other), least);
  }

 private:
  /// How many neighbours of each cell belong to a set: the last two bits of the number.
  struct Counts {
    V ones, twos;
  };
  HWY_INLINE Counts count(V s) const {
    const V right = right_of(s), left = left_of(s), upper = above(s), lower = below(s);
    const V across = hn::Xor(right, left), down = hn::Xor(upper, lower);
    return {hn::Xor(across, down),
            hn::Xor(hn::Xor(hn::And(right, left), hn::And(upper, lower)), hn::And(across, down))};
  }

  static constexpr std::uint64_t ones(unsigned count) {
    return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  }
  /// The largest power of two below the number of rows, or 0. Steps of this length, half of it, … 1
  /// reach every row.
  unsigned most_rows() const { return std::bit_floor(shape_.rows - 1); }
  unsigned most_columns() const { return std::bit_floor(shape_.columns - 1); }

  HWY_INLINE V rows_up(V set, unsigned rows) const {
    return hn::ShiftRightSame(set, static_cast<int>(rows * shape_.columns));
  }

  /// The columns that have cells, as cells of row 0.
  HWY_INLINE V used_columns(V set) const {
    for (unsigned rows = most_rows(); rows != 0; rows /= 2) set = hn::Or(set, rows_up(set, rows));
    return hn::And(set, row_);
  }

  /// @pre no side of the box exceeds the rows of the board
  HWY_INLINE V transposed(V cells) const {
    const D d;
    const hn::RebindToSigned<D> di;
    const V eight = hn::And(row_, hn::Set(d, 255));
    V out = hn::Zero(d);
    for (unsigned row = 0; row < shape_.rows; ++row) {
      const V column = hn::GatherIndex(d, shape_.spread, hn::BitCast(di, hn::And(cells, eight)));
      out = hn::Or(out, hn::ShiftLeftSame(column, static_cast<int>(row)));
      cells = above(cells);
    }
    return out;
  }

  HWY_INLINE V upside_down(V cells) const {
    V out = hn::And(cells, row_);
    for (unsigned row = 1; row < shape_.rows; ++row) {
      cells = above(cells);
      out = hn::Or(below(out), hn::And(cells, row_));
    }
    return out;
  }

  static HWY_INLINE V reversed(V cells) {
    const D d;
    const hn::Repartition<std::uint8_t, D> db;
    alignas(16) static constexpr std::uint8_t kNibbles[16] = {0, 8, 4, 12, 2, 10, 6, 14,
                                                              1, 9, 5, 13, 3, 11, 7, 15};
    alignas(16) static constexpr std::uint8_t kBytes[16] = {7,  6,  5,  4,  3,  2,  1, 0,
                                                            15, 14, 13, 12, 11, 10, 9, 8};
    const auto nibbles = hn::LoadDup128(db, kNibbles);
    const auto low = hn::Set(d, 0x0f0f0f0f0f0f0f0fu);
    const auto lower = hn::BitCast(db, hn::And(cells, low));
    const auto upper = hn::BitCast(db, hn::And(hn::ShiftRight<4>(cells), low));
    const V swapped = hn::Or(hn::ShiftLeft<4>(hn::BitCast(d, hn::TableLookupBytes(nibbles, lower))),
                             hn::BitCast(d, hn::TableLookupBytes(nibbles, upper)));
    return hn::BitCast(d,
                       hn::TableLookupBytes(hn::BitCast(db, swapped), hn::LoadDup128(db, kBytes)));
  }

  HWY_INLINE V least_reflection(const Box& box) const {
    const D d;
    // The numbers of rows and columns of the board that the box leaves free.
    const V rows = hn::Sub(hn::Set(d, shape_.rows), box.height);
    V below_box = hn::Zero(d);  // number of cells: columns times rows, without a multiplication
    for (unsigned bit = 1; bit < shape_.rows; bit *= 2) {
      const auto has = hn::Ne(hn::And(rows, hn::Set(d, bit)), hn::Zero(d));
      below_box = hn::Add(below_box, hn::IfThenElseZero(has, hn::Set(d, bit * shape_.columns)));
    }
    const unsigned beyond = 64 - shape_.rows * shape_.columns;  // bits of a word behind the board
    const V behind = hn::Sub(hn::Set(d, shape_.columns + beyond), box.width);
    const V turned = hn::Shr(reversed(box.cells), hn::Add(below_box, behind));
    const V flipped = hn::Shr(upside_down(box.cells), below_box);
    const V mirrored = hn::Shr(upside_down(turned), below_box);
    return hn::Min(hn::Min(box.cells, turned), hn::Min(flipped, mirrored));
  }

  const BoardShape& shape_;
  int columns_;
  V row_, small_row_, not_last_, not_first_;
};

void take_apart(const BoardShape& shape, const std::uint64_t* sets, std::size_t count,
                BoardParts& out) noexcept {
  const Lanes::D d;
  constexpr std::size_t kLanes = Lanes::kLanes;
  const Lanes board(shape);
  FoundParts found;
  alignas(64) std::uint64_t words[kLanes];
  for (std::size_t first = 0; first < count; first += kLanes) {
    const std::size_t lanes = std::min(kLanes, count - first);
    std::fill_n(words, kLanes, std::uint64_t{0});
    std::copy_n(sets + first, lanes, words);
    auto rest = board.without_surplus(hn::Load(d, words));
    auto values = hn::Zero(d);
    do {
      const auto part = board.part_of(rest);
      rest = hn::AndNot(part, rest);
      const auto cells = board.in_corner(part);
      const auto is_small = board.is_small(cells);
      values = hn::Xor(values, hn::IfThenElseZero(is_small, board.small_value(cells)));
      // Few lanes are left, so they are copied one by one: Compress() copies a table of 2 KiB.
      hn::Store(cells, d, words);
      std::uint8_t others[8] = {};
      hn::StoreMaskBits(d, hn::Not(is_small), others);
      for (unsigned lane = others[0]; lane != 0; lane &= lane - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(lane));
        found.parts[found.count] = words[i];
        found.owners[found.count++] = static_cast<std::uint8_t>(first + i);
      }
    } while (!hn::AllTrue(d, hn::Eq(rest, hn::Zero(d))));
    hn::Store(values, d, words);
    for (std::size_t i = 0; i < lanes; ++i) {
      out.values[first + i] = static_cast<std::uint8_t>(words[i]);
    }
  }
  // The parts that are not small are collected first, so that no lane is idle in the longest step.
  std::fill_n(&found.parts[found.count], kLanes, std::uint64_t{0});  // in the last lanes
  for (std::size_t i = 0; i < found.count; i += kLanes) {
    const auto box = board.box_of(hn::LoadU(d, &found.parts[i]));
    hn::StoreU(board.canonical(box), d, &found.parts[i]);
  }
  sort_by_set(found, count, out);
}

void colour(const BoardShape& shape, const std::uint64_t* sets, std::size_t count,
            BoardColours& out) noexcept {
  const Lanes::D d;
  constexpr std::size_t kLanes = Lanes::kLanes;
  const Lanes board(shape);
  alignas(64) std::uint64_t words[kLanes];
  for (std::size_t first = 0; first < count; first += kLanes) {
    std::fill_n(words, kLanes, std::uint64_t{0});
    std::copy_n(sets + first, std::min(kLanes, count - first), words);
    const auto set = hn::Load(d, words);
    Lanes::Colours colours{set, hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    for (int round = 1; round < kColourRounds; ++round) colours = board.next(set, colours);
    const auto last = board.next(set, colours);
    static_assert(kMostSets % kLanes == 0);
    hn::StoreU(colours.a, d, &out.planes[0][first]);
    hn::StoreU(colours.b, d, &out.planes[1][first]);
    hn::StoreU(colours.c, d, &out.planes[2][first]);
    hn::StoreU(colours.d, d, &out.planes[3][first]);
    hn::StoreU(last.a, d, &out.planes[4][first]);
    hn::StoreU(last.b, d, &out.planes[5][first]);
    hn::StoreU(last.c, d, &out.planes[6][first]);
    hn::StoreU(last.d, d, &out.planes[7][first]);
  }
}

/// A hash of the numbers of cells that have one, two, three or all of four bits.
HWY_INLINE Lanes::V hash_of_counts(Lanes::V a, Lanes::V b, Lanes::V c, Lanes::V d) {
  const Lanes::V ab = hn::And(a, b), cd = hn::And(c, d);
  Lanes::V hash = hn::PopulationCount(a);
  const auto add = [&hash](Lanes::V cells) HWY_ATTR {
    hash = hn::Add(hn::ShiftLeft<4>(hash), hn::PopulationCount(cells));
  };
  add(b), add(c), add(d), add(ab), add(cd);
  add(hn::And(a, c)), add(hn::And(a, d)), add(hn::And(b, c)), add(hn::And(b, d));
  add(hn::And(ab, c)), add(hn::And(ab, d)), add(hn::And(cd, a)), add(hn::And(cd, b));
  add(hn::And(ab, cd));
  return hash;
}

void hash_colours(const BoardColours& colours, std::size_t count, std::uint64_t* hashes) noexcept {
  const Lanes::D d;
  constexpr std::size_t kLanes = Lanes::kLanes;
  alignas(64) std::uint64_t words[kLanes];
  for (std::size_t first = 0; first < count; first += kLanes) {
    const auto plane = [&](std::size_t k)
                           HWY_ATTR { return hn::LoadU(d, &colours.planes[k][first]); };
    const auto before = hash_of_counts(plane(0), plane(1), plane(2), plane(3));
    const auto last = hash_of_counts(plane(4), plane(5), plane(6), plane(7));
    hn::Store(hn::Xor(last, hn::RotateRight<33>(before)), d, words);
    std::copy_n(words, std::min(kLanes, count - first), hashes + first);
  }
}

constexpr BoardKernels kKernels{take_apart, colour, hash_colours};

}  // namespace
}  // namespace grundy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

#if HWY_ONCE
GRUNDY_KERNELS_OF_EVERY_TARGET(BoardKernels)
#endif
