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
/// Products in the field of 2^leaf_bits elements come from `leaf`.
template <class Leaf>
constexpr std::uint64_t product(std::uint64_t a, std::uint64_t b, unsigned bits, unsigned leaf_bits,
                                const Leaf& leaf) noexcept {
  if (bits == leaf_bits) return leaf(a, b);
  const unsigned h = bits / 2;
  const std::uint64_t low_mask = (std::uint64_t{1} << h) - 1;
  const auto multiply = [&](std::uint64_t x, std::uint64_t y) {
    return product(x, y, h, leaf_bits, leaf);
  };
  const std::uint64_t low = multiply(a & low_mask, b & low_mask);
  const std::uint64_t high = multiply(a >> h, b >> h);
  const std::uint64_t both = multiply((a & low_mask) ^ (a >> h), (b & low_mask) ^ (b >> h));
  return (both ^ low) << h ^ low ^ multiply(high, std::uint64_t{1} << (h - 1));
}

/// All products in the field of 16 elements, from the field of 2 where the product is "and".
constexpr std::array<std::uint8_t, 256> kProducts16 = [] {
  std::array<std::uint8_t, 256> table{};
  const auto conjunction = [](std::uint64_t a, std::uint64_t b) { return a & b; };
  for (std::uint64_t a = 0; a < 16; ++a) {
    for (std::uint64_t b = 0; b < 16; ++b) {
      table[a << 4 | b] = static_cast<std::uint8_t>(product(a, b, 4, 1, conjunction));
    }
  }
  return table;
}();

}  // namespace

std::uint64_t nim_product(std::uint64_t a, std::uint64_t b) noexcept {
  // The least field that holds both operands also holds the product.
  unsigned bits = 4;
  while (bits < 64 && (a | b) >> bits != 0) bits *= 2;
  return product(a, b, bits, 4, [](std::uint64_t x, std::uint64_t y) -> std::uint64_t {
    return kProducts16[x << 4 | y];
  });
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
