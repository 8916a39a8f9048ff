// Provers accept right tables of every kind of rule, and name exactly the heap that is wrong.
// SPDX-License-Identifier: MIT
#include <random>

#include <gtest/gtest.h>

#include "games/heap/random_formula.hpp"
#include "verify/heap/definition.hpp"
#include "verify/heap/provers.hpp"
#include "verify/verify_testing.hpp"

namespace grundy::verify_test {
namespace {

struct ProvedGame {
  const char* notation;
  HeapSize count;
};

/// Every kind of move: splits, equal and unequal ones, whole heaps, single heaps, halves, three
/// heaps and more, any number of heaps, tails, and all kinds of subtraction sets.
const ProvedGame kGames[] = {
    {"0.77", 1500},
    {"4!.0", 1500},
    {"0.6", 1500},
    {"0.07", 700},
    {"0.007", 1500},
    {"0.127", 3000},
    {"0.106", 1500},
    {"4.3", 300},
    {"4.27", 300},
    {"0.26", 900},
    {"0.15", 900},
    {"0.1{2}=3", 400},
    {"0.{1,2}!7", 400},
    {"0.F", 300},
    {"0.8F", 300},
    {"0.8C", 300},
    {"hex:8.07", 200},
    {"0.G", 300},
    {"0.0V", 200},
    {"0.3GK", 200},
    {"0.0&128;", 150},
    {"0.{0,1,2,3}4", 200},
    {"0.{2+}", 40},
    {"0.{3}!7", 120},
    {"0.[3]", 200},
    {"0.[7]", 200},
    {"0.3[07]", 200},
    {"S{1,2,5}", 900},
    {"S{3,5,11}", 900},
    {"S{squares}", 900},
    {"S{primes}", 900},
    {"S{factorials}", 900},
    {"S{fibonacci}", 900},
    {"S{powers of 2}", 900},
    {"AllBut{2,4}", 900},
    {"AllBut{1,2,7}", 900},
    {"0.3337", 600},
    {"n -> n - 1, floor(n/2)", 900},
    {"n -> n - d : d | n, d < n", 900},
    {"n -> d : not d | n, d < n", 900},
    {"n -> n - d : d*d <= n, gcd(d, n) = 1; n - 7 : n mod 2 = 1", 900},
};

std::optional<HeapSize> first_wrong(const HeapRule& rule, const std::vector<Nimber>& values,
                                    const KernelSet& kernels, ValueWidth width,
                                    HeapSize begin = 0) {
  const Stored stored(values, width);
  const auto executor = make_executor(2, "threads");
  const auto prover = make_prover(rule, stored.get(), kernels, *executor);
  EXPECT_FALSE(prover->method().empty());
  const RangeResult result = prove_range(*prover, begin, values.size(), *executor, {}, nullptr);
  EXPECT_EQ(result.proved_to, result.wrong.value_or(values.size()));
  return result.wrong;
}

class ProverTest : public testing::TestWithParam<ProvedGame> {
 protected:
  HeapRule rule = HeapRule::parse(GetParam().notation);
  std::vector<Nimber> values = reference_values(rule, GetParam().count);
};

TEST_P(ProverTest, RightTablesAreProvedByEveryKernelAtEveryWidth) {
  for (const KernelSet& kernels : available_kernels()) {
    for (const ValueWidth width : {ValueWidth::kU8, ValueWidth::kU16, ValueWidth::kU32}) {
      EXPECT_EQ(first_wrong(rule, values, kernels, width), std::nullopt) << kernels.name;
    }
  }
  EXPECT_EQ(first_wrong(rule, values, select_kernels("auto"), ValueWidth::kU8, values.size() / 3),
            std::nullopt);
}

TEST_P(ProverTest, TheWrongHeapIsNamed) {
  std::mt19937 random(7);
  for (int i = 0; i < 60; ++i) {
    const HeapSize heap = i < 8 ? i : draw(random, static_cast<unsigned>(values.size()));
    std::vector<Nimber> wrong = values;
    wrong[heap] = i % 3 == 0 ? values[heap] + 1 : i % 3 == 1 ? values[heap] ^ 1 : draw(random, 8);
    if (wrong[heap] == values[heap]) continue;
    // Every option lies below a heap, so all heaps below the wrong one are still right.
    EXPECT_EQ(first_wrong(rule, wrong, select_kernels("auto"), ValueWidth::kU8), heap)
        << "value " << wrong[heap] << " instead of " << values[heap];
  }
}

TEST_P(ProverTest, DefinitionAgreesWithTheReferenceEngine) {
  const Stored stored(values);
  HeapDefinition definition(rule, stored.get().values, stored.get().largest);
  for (HeapSize n = 0; n < values.size(); n += 1 + n / 50) {
    ASSERT_EQ(definition.mex(n), values[n]) << "heap " << n;
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, ProverTest, testing::ValuesIn(kGames),
                         [](const auto& test) { return "Game" + std::to_string(test.index); });

/// Changes one of `count` right values. The prover names it, and nothing before.
void expect_a_wrong_value_is_found(const std::string& rule_text, HeapSize count,
                                   std::mt19937& random) {
  const HeapRule rule = HeapRule::parse(rule_text);
  std::vector<Nimber> values = reference_values(rule, count);
  ASSERT_EQ(first_wrong(rule, values, select_kernels("auto"), ValueWidth::kU8), std::nullopt)
      << rule_text;
  const HeapSize heap = draw(random, static_cast<unsigned>(values.size()));
  values[heap] += 1 + draw(random, 3);
  ASSERT_EQ(first_wrong(rule, values, select_kernels("auto"), ValueWidth::kU8), heap) << rule_text;
}

/// Random octal and hexadecimal codes, codes of up to four heaps, subtraction and all-but sets.
TEST(Prover, RandomRules) {
  std::mt19937 random(11);
  const char* const kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUV";
  for (int i = 0; i < 200; ++i) {
    std::string text;
    if (i % 4 == 0) {
      text = i % 8 == 0 ? "S{" : "AllBut{";
      for (unsigned s = 1 + draw(random, 4), k = 1 + draw(random, 4); k > 0;
           --k, s += 1 + draw(random, 9)) {
        text += std::to_string(s) + (k > 1 ? "," : "}");
      }
    } else {
      const unsigned base = 4u << i % 4;
      text =
          std::string(base == 16 ? "hex:" : "") + std::string(draw(random, 4) == 0 ? "4." : "0.");
      for (unsigned k = 0; k < 1 + draw(random, 4); ++k) text += kDigits[draw(random, base)];
      text += kDigits[1 + draw(random, base - 1)];
    }
    expect_a_wrong_value_is_found(text, 150 + draw(random, 200), random);
  }
}

TEST(Prover, RandomFormulas) {
  std::mt19937 random(13);
  const auto below = [&](std::uint64_t bound) { return random() % bound; };
  for (int i = 0; i < 200; ++i) {
    const std::string text = test::random_formula(below);
    expect_a_wrong_value_is_found(text, 100 + draw(random, 200), random);
  }
}

/// With few rare heaps only options that hold one are looked at; a wrong value among common and
/// among rare heaps must show all the same.
TEST(Prover, SplitsIntoRareAndCommonFindWrongValues) {
  for (const char* const notation : {"4!.0", "0.6", "0.77", "0.106"}) {
    const HeapRule rule = HeapRule::parse(notation);
    const std::vector<Nimber> values = testing_support::values_of(notation, 30000);
    ASSERT_EQ(first_wrong(rule, values, select_kernels("auto"), ValueWidth::kU8), std::nullopt);
    const Stored stored(values);
    const auto executor = make_executor(1, "threads");
    EXPECT_NE(make_prover(rule, stored.get(), select_kernels("auto"), *executor)
                  ->method()
                  .find("rare heaps"),
              std::string::npos);
    std::mt19937 random(5);
    for (int i = 0; i < 5; ++i) {
      const HeapSize heap = 15000 + draw(random, 15000);
      for (const Nimber flip : {1u, 2u, 6u, 16u}) {
        std::vector<Nimber> wrong = values;
        wrong[heap] ^= flip;
        ASSERT_EQ(first_wrong(rule, wrong, select_kernels("auto"), ValueWidth::kU8, 14000), heap)
            << notation << " flip " << flip;
      }
    }
  }
}

TEST(Prover, StopsWhenAsked) {
  const HeapRule rule = HeapRule::parse("0.77");
  const Stored stored(reference_values(rule, 2000));
  const auto executor = make_executor(1, "threads");
  const auto prover = make_prover(rule, stored.get(), select_kernels("auto"), *executor);
  std::stop_source source;
  source.request_stop();
  const RangeResult result = prove_range(*prover, 5, 2000, *executor, source.get_token(), nullptr);
  EXPECT_EQ(result.proved_to, 5u);
  EXPECT_FALSE(result.wrong);
}

}  // namespace
}  // namespace grundy::verify_test
