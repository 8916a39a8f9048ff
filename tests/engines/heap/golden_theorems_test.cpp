/// @file
/// Theorems about heap games, as tests of whole tables.
// SPDX-License-Identifier: MIT
#include <bit>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "heap_testing.hpp"

namespace grundy {
namespace {

using testing_support::values_of;

/// The notation of a finite subtraction set.
template <class Set>
std::string subtraction(const Set& set) {
  std::string notation = "S{";
  for (const HeapSize s : set) {
    if (notation.back() != '{') notation += ',';
    notation += std::to_string(s);
  }
  notation += '}';
  return notation;
}

TEST(Theorems, NimHeapsAreTheirSizes) {
  const auto nim = values_of("0.[3]", 3000);
  for (HeapSize n = 0; n < nim.size(); ++n) ASSERT_EQ(nim[n], n);
}

// Lasker's Nim (Winning Ways, ch. 4): take any number, or split.
TEST(Theorems, LaskersNimSwapsEveryFourthPair) {
  const auto lasker = values_of("4.[3]", 3000);
  for (HeapSize n = 1; n < lasker.size(); ++n) {
    const HeapSize expected = n % 4 == 3 ? n + 1 : n % 4 == 0 ? n - 1 : n;
    ASSERT_EQ(lasker[n], expected) << "heap " << n;
  }
}

// Iannucci and Larsson, Game values of arithmetic functions, arXiv:2101.07608, for this and the
// next three. OEIS A007814.
TEST(Theorems, AProperDivisorTakenCountsTwos) {
  const auto values = values_of("n -> n - d : d | n, d < n", 200'000);
  for (HeapSize n = 1; n < values.size(); ++n) {
    ASSERT_EQ(values[n], static_cast<Nimber>(std::countr_zero(n))) << "heap " << n;
  }
}

// OEIS A001222.
TEST(Theorems, AProperDivisorLeftCountsPrimes) {
  const auto values = values_of("n -> d : d | n, d < n", 50'000);
  for (HeapSize n = 1; n < values.size(); ++n) {
    Nimber primes = 0;
    HeapSize rest = n;
    for (HeapSize p = 2; rest > 1; ++p) {
      for (; rest % p == 0; rest /= p) ++primes;
    }
    ASSERT_EQ(values[n], primes) << "heap " << n;
  }
}

/// Tables that an engine for which every option is a step would take minutes for.
constexpr HeapSize kManyHeaps = 1'000'000;

TEST(Theorems, CoprimeNumbersTellTheLeastPrime) {
  std::vector<Nimber> place(kManyHeaps);  // of the least prime of n among all primes, from 1 on
  Nimber primes = 0;
  for (HeapSize p = 2; p < kManyHeaps; ++p) {
    if (place[p] != 0) continue;
    ++primes;
    for (HeapSize n = p; n < kManyHeaps; n += p) {
      if (place[n] == 0) place[n] = primes;
    }
  }
  const auto taken = values_of("n -> n - d : gcd(d, n) = 1", kManyHeaps);
  const auto left = values_of("n -> d : gcd(d, n) = 1, d < n", kManyHeaps);
  for (HeapSize n = 2; n < kManyHeaps; ++n) {
    ASSERT_EQ(left[n], place[n]) << "heap " << n;
    ASSERT_EQ(taken[n], n % 2 == 0 ? 0 : place[n]) << "heap " << n;
  }
}

TEST(Theorems, ANondivisorTakenHalvesOddHeaps) {
  const auto values = values_of("n -> n - d : not d | n", kManyHeaps);
  for (HeapSize n = 1; n < kManyHeaps; n += 2) ASSERT_EQ(values[n], (n - 1) / 2) << n;
}

// Fraenkel, Aperiodic subtraction games (2011): the P-positions of Mark are the dopey numbers.
TEST(Theorems, MarkIsLostIfTwosAreOdd) {
  const auto values = values_of("n -> n - 1, floor(n/2)", 200'000);
  for (HeapSize n = 1; n < values.size(); ++n) {
    ASSERT_EQ(values[n] == 0, std::countr_zero(n) % 2 == 1) << "heap " << n;
  }
}

// A power of 2 is 1 or 2 modulo 3.
TEST(Theorems, PowersOfTwoCountModuloThree) {
  const auto values = values_of("S{powers of 2}", 100'000);
  for (HeapSize n = 0; n < values.size(); ++n) ASSERT_EQ(values[n], n % 3) << "heap " << n;
  EXPECT_EQ(values_of("n -> n - d : d in powers of 2", 100'000), values);
}

// The same moves in two notations.
TEST(Theorems, FormulasOfSubtractionSetsAreSubtractionGames) {
  EXPECT_EQ(values_of("n -> n - d : d in squares", 30'000), values_of("S{squares}", 30'000));
  EXPECT_EQ(values_of("n -> n - d*d", 20'000), values_of("S{squares}", 20'000));
  EXPECT_EQ(values_of("n -> n - d : d in primes", 20'000), values_of("S{primes}", 20'000));
  EXPECT_EQ(values_of("n -> n - d : not d in {2,5}", 2'000), values_of("AllBut{2,5}", 2'000));
  EXPECT_EQ(values_of("n -> n - 3, n - 7; n - 19", 70'000), values_of("S{3,7,19}", 70'000));
}

// OEIS A071434, whose heaps are smaller by two.
TEST(Theorems, DoubleKaylesIsKaylesTwice) {
  const auto kayles = values_of("0.77", 1001);
  const auto doubled = values_of("0.44", 2003);
  for (HeapSize n = 0; n <= 1000; ++n) {
    ASSERT_EQ(doubled[2 * n + 1], kayles[n]) << n;
    ASSERT_EQ(doubled[2 * n + 2], kayles[n]) << n;
  }
}

// Couples-are-Forever: split any heap but one of two tokens. A heap of n+1 is Officers' heap of n
// (OEIS A046695).
TEST(Theorems, CouplesAreForeverIsOfficers) {
  constexpr HeapSize kCount = 1500;
  std::vector<Nimber> couples = {0, 0, 0};
  for (HeapSize n = 3; n <= kCount; ++n) {
    std::set<Nimber> options;
    for (HeapSize a = 1; a < n; ++a) options.insert(couples[a] ^ couples[n - a]);
    Nimber mex = 0;
    while (options.contains(mex)) ++mex;
    couples.push_back(mex);
  }
  const auto officers = values_of("0.6", kCount);
  for (HeapSize n = 1; n <= kCount; ++n) ASSERT_EQ(couples[n], officers[n - 1]) << "heap " << n;
}

TEST(Theorems, TakingOneToKIsTheRemainder) {
  std::vector<HeapSize> set;
  for (HeapSize k = 1; k <= 9; ++k) {
    set.push_back(k);
    const auto values = values_of(subtraction(set), 500);
    for (HeapSize n = 0; n < values.size(); ++n) ASSERT_EQ(values[n], n % (k + 1)) << k;
  }
}

// Whoever may leave two equal heaps, or nothing, wins: the second player is mirrored.
RC_GTEST_PROP(Theorems, MirroringWinsWhereTwoEqualHeapsCanBeLeft, ()) {
  const auto digits = *rc::gen::container<std::vector<int>>(*rc::gen::inRange<std::size_t>(1, 6),
                                                            rc::gen::inRange(0, 8));
  std::string code = "0.";
  for (const int digit : digits) code += static_cast<char>('0' + digit);
  const auto values = values_of(code, 400);
  for (HeapSize removed = 1; removed <= digits.size(); ++removed) {
    const int digit = digits[removed - 1];
    if ((digit & 1) != 0) RC_ASSERT(values[removed] != 0u);
    if ((digit & 4) == 0) continue;
    for (HeapSize n = removed + 2; n < values.size(); n += 2) RC_ASSERT(values[n] != 0u);
  }
}

// Ferguson's pairing (1974): in a subtraction game with least element s, G(n) = 1 exactly if
// G(n-s) = 0.
RC_GTEST_PROP(Theorems, FergusonPairsOnesWithZeros, ()) {
  const auto set =
      *rc::gen::nonEmpty(rc::gen::container<std::set<HeapSize>>(rc::gen::inRange<HeapSize>(1, 60)));
  const auto values = values_of(subtraction(set), 1000);
  const HeapSize least = *set.begin();
  for (HeapSize n = 0; n < values.size(); ++n) {
    RC_ASSERT((values[n] == 1) == (n >= least && values[n - least] == 0));
  }
}

/// G(n + period) = G(n) + saltus for all n >= preperiod in the table.
void expect_regular(std::string_view notation, HeapSize preperiod, HeapSize period, Nimber saltus) {
  const auto values = values_of(notation, 1200);
  for (HeapSize n = preperiod; n + period < values.size(); ++n) {
    ASSERT_EQ(values[n + period], values[n] + saltus) << notation << " at heap " << n;
  }
}

// Observed to heap 800 by an independent program; Kenyon's game 0.3F is known to be arithmetically
// periodic (Winning Ways, ch. 4).
TEST(Theorems, HexadecimalGamesGrow) {
  expect_regular("0.3F", 0, 6, 3);
  expect_regular("hex:0.8", 1, 3, 1);
  expect_regular("0.C", 1, 2, 1);
  expect_regular("0.07F", 1, 2, 1);
  expect_regular("hex:0.29", 1, 53, 16);
  for (const char* notation : {"0.A", "0.B", "0.D", "0.F"}) expect_regular(notation, 1, 2, 0);
}

}  // namespace
}  // namespace grundy
