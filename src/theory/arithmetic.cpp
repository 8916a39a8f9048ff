// SPDX-License-Identifier: MIT
#include <array>
#include <cstddef>

#include <grundy/error.hpp>
#include <grundy/nim.hpp>

namespace grundy {
namespace {

/// The product in the field of 2^bits elements. Halves of h = bits/2 bits are the coordinates over
/// the subfield: with F = 2^h, F * F = F + F/2, so (a1 F + a0)(b1 F + b0) =
/// (a1 b1 + a1 b0 + a0 b1) F + a0 b0 + a1 b1 (F/2), three products of halves and one by F/2.
constexpr std::uint64_t plain_product(std::uint64_t a, std::uint64_t b, unsigned bits) noexcept {
  if (bits == 1) return a & b;
  const unsigned h = bits / 2;
  const std::uint64_t low_mask = (std::uint64_t{1} << h) - 1;
  const std::uint64_t low = plain_product(a & low_mask, b & low_mask, h);
  const std::uint64_t high = plain_product(a >> h, b >> h, h);
  const std::uint64_t both = plain_product((a & low_mask) ^ (a >> h), (b & low_mask) ^ (b >> h), h);
  return (both ^ low) << h ^ low ^ plain_product(high, std::uint64_t{1} << (h - 1), h);
}

/// Discrete logarithms in the field of 256 elements, whose group is cyclic of order 255. They take
/// 3 KiB, so they stay in the nearest cache, where a table of all products does not.
struct Logarithms {
  static constexpr unsigned kOrder = 255;
  /// Stands for 0: a sum of three logarithms is at least this exactly if one of them is.
  static constexpr unsigned kZero = 3 * kOrder;

  std::array<std::uint16_t, 256> of{};
  std::array<std::uint8_t, 2 * kZero + kOrder> power{};  ///< by sums of logarithms

  constexpr Logarithms() {
    for (std::uint8_t base = 2; !fill(base);) ++base;
    for (unsigned n = kOrder; n < kZero; ++n) power[n] = power[n - kOrder];
    of[0] = kZero;
  }

 private:
  /// Returns false if some powers of the base are equal.
  constexpr bool fill(std::uint8_t base) {
    std::uint8_t x = 1;
    for (unsigned n = 0; n < kOrder; ++n) {
      if (n > 0 && x == 1) return false;
      power[n] = x;
      of[x] = static_cast<std::uint16_t>(n);
      x = static_cast<std::uint8_t>(plain_product(x, base, 8));
    }
    return true;
  }
};
constexpr Logarithms kLogarithms;

/// The products of all numbers of `kBits` bits with half of 2^kBits: the sum of an entry for each
/// byte, because products are linear.
template <unsigned kBits>
struct HalfProducts {
  std::array<std::array<std::uint32_t, 256>, kBits / 8> of_byte{};

  constexpr HalfProducts() {
    for (unsigned byte = 0; byte < kBits / 8; ++byte) {
      auto& products = of_byte[byte];
      for (unsigned x = 1; x < 256; ++x) {
        const unsigned rest = x & (x - 1), lowest = x ^ rest;
        products[x] =
            rest != 0
                ? products[rest] ^ products[lowest]
                : static_cast<std::uint32_t>(plain_product(std::uint64_t{lowest} << (8 * byte),
                                                           std::uint64_t{1} << (kBits - 1), kBits));
      }
    }
  }

  [[nodiscard]] std::uint64_t operator()(std::uint64_t x) const noexcept {
    std::uint64_t sum = 0;
    for (unsigned byte = 0; byte < kBits / 8; ++byte) sum ^= of_byte[byte][x >> (8 * byte) & 255];
    return sum;
  }
};
template <unsigned kBits>
constexpr HalfProducts<kBits> kHalfProducts;

/// plain_product() at a fixed width of 16 bits or more. Whole registers are faster than parts.
template <unsigned kBits>
std::uint64_t product(std::uint64_t a, std::uint64_t b) noexcept {
  constexpr unsigned kHalf = kBits / 2;
  constexpr std::uint64_t kLower = (std::uint64_t{1} << kHalf) - 1;
  const std::uint64_t a0 = a & kLower, a1 = a >> kHalf, b0 = b & kLower, b1 = b >> kHalf;
  if constexpr (kBits == 16) {
    const auto log = [](std::uint64_t x) -> unsigned { return kLogarithms.of[x]; };
    const std::uint64_t low = kLogarithms.power[log(a0) + log(b0)];
    const std::uint64_t both = kLogarithms.power[log(a0 ^ a1) + log(b0 ^ b1)];
    // The product of the upper halves with F/2 is one look-up, too.
    const std::uint64_t high = kLogarithms.power[log(a1) + log(b1) + kLogarithms.of[128]];
    return (both ^ low) << kHalf ^ low ^ high;
  } else {
    const std::uint64_t low = product<kHalf>(a0, b0);
    const std::uint64_t both = product<kHalf>(a0 ^ a1, b0 ^ b1);
    const std::uint64_t high = kHalfProducts<kHalf>(product<kHalf>(a1, b1));
    return (both ^ low) << kHalf ^ low ^ high;
  }
}

}  // namespace

[[gnu::flatten]] std::uint64_t nim_product(std::uint64_t a, std::uint64_t b) noexcept {
  // The least field that holds both operands also holds the product.
  const std::uint64_t either = a | b;
  if (either >> 16 == 0) return product<16>(a, b);
  if (either >> 32 == 0) return product<32>(a, b);
  return product<64>(a, b);
}

std::uint64_t nim_power(std::uint64_t a, std::uint64_t exponent) noexcept {
  std::uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = nim_product(result, a);
    a = nim_product(a, a);
  }
  return result;
}

std::uint64_t nim_inverse(std::uint64_t a) {
  if (a == 0) throw Error(ErrorCode::kUsage, "0 has no nim-inverse");
  // The multiplicative group of the field of 2^64 elements has order 2^64 - 1.
  return nim_power(a, ~std::uint64_t{0} - 1);
}

std::uint64_t mex(std::span<const std::uint64_t> values) {
  // n values leave at least one of 0 .. n out.
  std::vector<bool> seen(values.size() + 1);
  for (const std::uint64_t v : values) {
    if (v < seen.size()) seen[v] = true;
  }
  std::uint64_t m = 0;
  while (seen[m]) ++m;
  return m;
}

std::vector<std::uint64_t> nim_addition_by_mex(std::size_t size) {
  std::vector<std::uint64_t> table(size * size);
  std::vector<std::uint64_t> options;
  for (std::size_t a = 0; a < size; ++a) {
    for (std::size_t b = 0; b < size; ++b) {
      options.clear();
      for (std::size_t i = 0; i < a; ++i) options.push_back(table[i * size + b]);
      for (std::size_t j = 0; j < b; ++j) options.push_back(table[a * size + j]);
      table[a * size + b] = mex(options);
    }
  }
  return table;
}

}  // namespace grundy
