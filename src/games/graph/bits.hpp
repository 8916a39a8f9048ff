/// @file
/// Words of 64 and of 128 bits, as sets of cells or vertices.
// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>

namespace grundy::graph {

__extension__ using WideBits = unsigned __int128;

/// Bits of a word.
template <class Bits>
inline constexpr unsigned kBits = 8 * sizeof(Bits);

constexpr std::uint64_t low_half(WideBits x) noexcept {
  return static_cast<std::uint64_t>(x);
}
constexpr std::uint64_t high_half(WideBits x) noexcept {
  return static_cast<std::uint64_t>(x >> 64);
}

/// The number of ones. std::popcount would be a call, because not every x86-64 has the instruction.
constexpr std::uint32_t count_ones(std::uint64_t x) noexcept {
  x -= x >> 1 & 0x5555555555555555u;
  x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return static_cast<std::uint32_t>(x * 0x0101010101010101u >> 56);
}
constexpr std::uint32_t count_ones(WideBits x) noexcept {
  return count_ones(low_half(x)) + count_ones(high_half(x));
}

/// The place of the lowest one. @pre there is one
constexpr unsigned lowest_one(std::uint64_t x) noexcept {
  return static_cast<unsigned>(std::countr_zero(x));
}
constexpr unsigned lowest_one(WideBits x) noexcept {
  return low_half(x) != 0 ? lowest_one(low_half(x)) : 64 + lowest_one(high_half(x));
}

/// The place of the highest one. @pre there is one
constexpr unsigned highest_one(std::uint64_t x) noexcept {
  return static_cast<unsigned>(std::bit_width(x)) - 1;
}
constexpr unsigned highest_one(WideBits x) noexcept {
  return high_half(x) != 0 ? 64 + highest_one(high_half(x)) : highest_one(low_half(x));
}

/// The bits in the opposite order.
constexpr std::uint64_t reversed(std::uint64_t x) noexcept {
  x = (x >> 1 & 0x5555555555555555u) | (x & 0x5555555555555555u) << 1;
  x = (x >> 2 & 0x3333333333333333u) | (x & 0x3333333333333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0f0f0f0f0fu) | (x & 0x0f0f0f0f0f0f0f0fu) << 4;
  return __builtin_bswap64(x);
}
constexpr WideBits reversed(WideBits x) noexcept {
  return WideBits{reversed(low_half(x))} << 64 | reversed(high_half(x));
}

}  // namespace grundy::graph
