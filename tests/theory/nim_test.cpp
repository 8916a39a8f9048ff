// The field axioms, the tables of the literature, and the expressions of `grundy nim`.
// SPDX-License-Identifier: MIT
#include <bit>
#include <cstdint>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/error.hpp>
#include <grundy/nim.hpp>

namespace grundy {
namespace {

using testing::ElementsAre;

/// Conway's definition: a * b = mex of a'b + ab' + a'b' over all a' < a, b' < b.
std::vector<std::vector<std::uint64_t>> products_by_definition(std::uint64_t size) {
  std::vector<std::vector<std::uint64_t>> table(size, std::vector<std::uint64_t>(size));
  std::vector<std::uint64_t> options;
  for (std::uint64_t a = 0; a < size; ++a) {
    for (std::uint64_t b = 0; b < size; ++b) {
      options.clear();
      for (std::uint64_t i = 0; i < a; ++i) {
        for (std::uint64_t j = 0; j < b; ++j) {
          options.push_back(table[i][b] ^ table[a][j] ^ table[i][j]);
        }
      }
      table[a][b] = mex(options);
    }
  }
  return table;
}

/// 2^i * 2^j by Conway's theorem on Fermat powers F = 2^(2^k): F * r is the ordinary product for
/// r < F, and F * F = F + F/2.
std::uint64_t product_of_powers(unsigned i, unsigned j) {
  if (i == 0 || j == 0) return std::uint64_t{1} << (i + j);
  const unsigned step = std::bit_floor(i | j);  // the exponent of the largest Fermat power
  const std::uint64_t rest = product_of_powers(i & (step - 1), j & (step - 1));
  if ((i & j & step) == 0) return rest << step;
  std::uint64_t half = 0;  // F/2 * rest
  for (unsigned bit = 0; bit < step; ++bit) {
    if ((rest >> bit & 1) != 0) half ^= product_of_powers(step - 1, bit);
  }
  return rest << step ^ half;
}

/// The product by distributivity.
std::uint64_t product_by_powers(std::uint64_t a, std::uint64_t b) {
  static const auto powers = [] {
    std::vector<std::vector<std::uint64_t>> all(64, std::vector<std::uint64_t>(64));
    for (unsigned i = 0; i < 64; ++i) {
      for (unsigned j = 0; j < 64; ++j) all[i][j] = product_of_powers(i, j);
    }
    return all;
  }();
  std::uint64_t sum = 0;
  for (unsigned i = 0; i < 64; ++i) {
    for (unsigned j = 0; j < 64; ++j) {
      if ((a >> i & b >> j & 1) != 0) sum ^= powers[i][j];
    }
  }
  return sum;
}

TEST(NimProduct, OfBytesIsThatOfThePowersOfTwo) {
  for (std::uint64_t a = 0; a < 256; ++a) {
    for (std::uint64_t b = 0; b < 256; ++b) {
      ASSERT_EQ(nim_product(a, b), product_by_powers(a, b)) << a << ' ' << b;
    }
  }
}

TEST(NimProduct, OfEveryWidthIsThatOfThePowersOfTwo) {
  std::mt19937_64 random(20261122);
  for (const unsigned bits : {8u, 16u, 32u, 64u}) {
    for (int i = 0; i < 3000; ++i) {
      const std::uint64_t a = random() >> (64 - bits);
      // The other operand is as wide, narrower or has few bits.
      std::uint64_t b = random() >> (64 - bits);
      if (i % 3 == 1) b >>= random() % bits;
      if (i % 3 == 2) b &= random() & random() & random();
      ASSERT_EQ(nim_product(a, b), product_by_powers(a, b)) << a << ' ' << b;
    }
  }
  // Sums of powers determine all products by linearity; here they are once each.
  for (unsigned i = 0; i < 64; ++i) {
    for (unsigned j = 0; j < 64; ++j) {
      const std::uint64_t a = std::uint64_t{1} << i, b = std::uint64_t{1} << j;
      ASSERT_EQ(nim_product(a, b), product_of_powers(i, j)) << i << ' ' << j;
    }
  }
}

TEST(NimProduct, IsConwaysProductByDefinition) {
  constexpr std::uint64_t kSize = 40;
  const auto table = products_by_definition(kSize);
  for (std::uint64_t a = 0; a < kSize; ++a) {
    for (std::uint64_t b = 0; b < kSize; ++b) {
      EXPECT_EQ(nim_product(a, b), table[a][b]);
      EXPECT_EQ(product_by_powers(a, b), table[a][b]);
    }
  }
}

TEST(NimProduct, OfFermatPowersIsThatOfConwaysTheorem) {
  // Distinct Fermat 2-powers multiply as numbers; the square of one is 3/2 of it.
  for (unsigned k = 0; k < 6; ++k) {
    const std::uint64_t fermat = std::uint64_t{1} << (1u << k);
    EXPECT_EQ(nim_product(fermat, fermat), fermat + fermat / 2);
    for (std::uint64_t smaller = 1; smaller < fermat && smaller != 0; smaller *= 2) {
      EXPECT_EQ(nim_product(fermat, smaller), fermat * smaller);
      if (smaller > (std::uint64_t{1} << 31)) break;
    }
  }
}

TEST(NimProduct, MakesTheNumbersOf64BitsAField) {
  std::mt19937_64 random(20261121);
  for (int i = 0; i < 300; ++i) {
    const unsigned shift = static_cast<unsigned>(random() % 64);
    const std::uint64_t a = random() >> shift;
    const std::uint64_t b = random() >> shift;
    const std::uint64_t c = random();
    EXPECT_EQ(nim_product(a, b), nim_product(b, a));
    EXPECT_EQ(nim_product(nim_product(a, b), c), nim_product(a, nim_product(b, c)));
    EXPECT_EQ(nim_product(a, b ^ c), nim_product(a, b) ^ nim_product(a, c));
    if (a != 0) {
      EXPECT_EQ(nim_product(a, nim_inverse(a)), 1u);
    }
    EXPECT_EQ(nim_power(a, 3), nim_product(a, nim_product(a, a)));
  }
  EXPECT_THROW(nim_inverse(0), Error);
}

TEST(NimProduct, OfTheLiterature) {
  // Golden rows of the project's reference data (Turning Corners, OEIS A051775; large ones computed
  // by two independent programs).
  const std::tuple<std::uint64_t, std::uint64_t, std::uint64_t> rows[] = {
      {100u, 200u, 62u},
      {3u, 3u, 2u},
      {15u, 15u, 9u},
      {9223372036854775808u, 9223372036854775808u, 16017865340936038689u},
      {10u, 11u, 4u},
      {65535u, 65535u, 40111u},
      {4u, 4u, 6u},
      {4u, 5u, 2u},
      {5u, 6u, 8u},
      {7u, 9u, 8u},
      {2u, 3u, 1u},
      {123456789u, 987654321u, 2797059340u},
      {18446744073709551615u, 18446744073709551615u, 11290409524105353207u},
      {12u, 12u, 11u},
      {256u, 256u, 384u},
  };
  for (const auto& [a, b, product] : rows) EXPECT_EQ(nim_product(a, b), product) << a << " " << b;
}

TEST(Mex, IsTheLeastMissingNumber) {
  EXPECT_EQ(mex({}), 0u);
  EXPECT_EQ(mex(std::vector<std::uint64_t>{0, 1, 3, ~std::uint64_t{0}}), 2u);
  EXPECT_EQ(mex(std::vector<std::uint64_t>{1, 2, 2}), 0u);
  EXPECT_EQ(mex(std::vector<std::uint64_t>{2, 0, 1}), 3u);
}

TEST(NimAddition, AsMexIsExclusiveOr) {
  constexpr std::size_t kSize = 70;
  const auto table = nim_addition_by_mex(kSize);
  for (std::size_t a = 0; a < kSize; ++a) {
    for (std::size_t b = 0; b < kSize; ++b) EXPECT_EQ(table[a * kSize + b], nim_sum(a, b));
  }
}

TEST(NimExpression, FollowsItsGrammar) {
  EXPECT_EQ(nim_evaluate("5 ^ 8 ^ 10"), 7u);
  EXPECT_EQ(nim_evaluate("13+12+8"), 9u);
  EXPECT_EQ(nim_evaluate("2*3 ^ 1"), nim_product(2, 3) ^ 1);
  EXPECT_EQ(nim_evaluate(" ( 6 + 3 ) * 4 / 4 "), 5u);
  EXPECT_EQ(nim_evaluate("7**3*2"), nim_product(nim_power(7, 3), 2));
  EXPECT_EQ(nim_evaluate("2*7 ** 3"), nim_product(nim_power(7, 3), 2));
  EXPECT_EQ(nim_evaluate("inv(12) * 12"), 1u);
  EXPECT_EQ(nim_evaluate("mex(0, 1, 2*2, 3 ^ 1)"), 4u);
  EXPECT_EQ(nim_evaluate("mex()"), 0u);
  EXPECT_EQ(nim_evaluate("18446744073709551615 ^ 0"), ~std::uint64_t{0});
  EXPECT_EQ(nim_evaluate("*5 + *6"), 3u);
  EXPECT_EQ(nim_evaluate("*2 * *3 ** 2"), nim_product(2, nim_power(3, 2)));
  EXPECT_EQ(nim_evaluate("5 ⊗ 6 ⊕ 1"), nim_product(5, 6) ^ 1);
}

TEST(NimExpression, NamesTheFault) {
  const std::string deep(1000, '(');
  for (const std::string& bad :
       {std::string(), std::string("5 ^"), std::string("5 5"), std::string("(5"), std::string("-1"),
        std::string("18446744073709551616"), std::string("1/0"), std::string("inv(0)"),
        std::string("mex 3"), std::string("2 ** (3)"), std::string("5)"), std::string("x"), deep}) {
    EXPECT_THROW(nim_evaluate(bad), Error) << bad;
  }
}

}  // namespace
}  // namespace grundy
