// SPDX-License-Identifier: MIT
#include <ostream>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/error.hpp>
#include <grundy/heap/rule.hpp>

#include "support/errors.hpp"

namespace grundy {
namespace {

using testing::HasSubstr;

struct Spelling {
  std::string text;
  std::string canonical;

  friend void PrintTo(const Spelling& s, std::ostream* out) { *out << s.text.substr(0, 40); }
};

class Accepted : public testing::TestWithParam<Spelling> {};

TEST_P(Accepted, HasCanonicalForm) {
  const HeapRule rule = HeapRule::parse(GetParam().text);
  EXPECT_EQ(rule.canonical(), GetParam().canonical);
  EXPECT_EQ(HeapRule::parse(rule.canonical()), rule);
}

const std::string kHighDigits = "0." + std::string(65534, '0') + "7";

INSTANTIATE_TEST_SUITE_P(
    Octal, Accepted,
    testing::Values(Spelling{"0.77", "0.77"}, Spelling{".77", "0.77"}, Spelling{"0,77", "0.77"},
                    Spelling{"4.007", "4.007"}, Spelling{"0.770", "0.77"}, Spelling{".0", "0.0"},
                    Spelling{"0.000", "0.0"}, Spelling{"4.0", "4.0"}, Spelling{"4.00", "4.0"},
                    Spelling{"4.", "4.0"}, Spelling{"0.", "0.0"}, Spelling{" 0.7 ", "0.7"},
                    Spelling{"\t.77\n", "0.77"}, Spelling{kHighDigits, kHighDigits}));

INSTANTIATE_TEST_SUITE_P(Pass, Accepted,
                         testing::Values(Spelling{"4.3646 pass 4", "4.3646 pass 4"},
                                         Spelling{".3646-PASS_4", "0.3646 pass 4"},
                                         Spelling{"0.77  Pass12", "0.77 pass 12"},
                                         Spelling{"0.[3] pass 3", "0.[3] pass 3"},
                                         Spelling{"hex: 0.8 pass 4095", "hex:0.8 pass 4095"},
                                         Spelling{"0.7pass", "0.7PASS"},
                                         Spelling{"0.0 pass 1", "0.0 pass 1"}));

INSTANTIATE_TEST_SUITE_P(
    BeyondOctal, Accepted,
    testing::Values(Spelling{"hex:0.8", "hex:0.8"}, Spelling{"hex: 0.8", "hex:0.8"},
                    Spelling{"HEX:.79", "hex:0.79"}, Spelling{"hex:0.77", "0.77"},
                    Spelling{"0.3F", "0.3F"}, Spelling{".3f", "0.3F"}, Spelling{"0.8C", "0.8C"},
                    Spelling{"0.v", "0.V"}, Spelling{"hex:8.0", "hex:8.0"}, Spelling{"C.0", "C.0"},
                    Spelling{"0.[8]", "0.[8]"}, Spelling{"0.&9;", "hex:0.9"},
                    Spelling{"0.&31;", "0.V"}, Spelling{"0.&123;", "0.&123;"},
                    Spelling{"0.&18446744073709551615;", "0.&18446744073709551615;"},
                    Spelling{"0.{2,3}", "0.C"}, Spelling{"0.{0,1}", "0.3"},
                    Spelling{"0.{63}", "0.&9223372036854775808;"}, Spelling{"{2}.0", "4.0"}));

INSTANTIATE_TEST_SUITE_P(
    AndMore, Accepted,
    testing::Values(Spelling{"0.*", "0.*"}, Spelling{"0.{0+}", "0.*"},
                    Spelling{"0.{0,1,2+}", "0.*"}, Spelling{"0.{2+}", "0.{2+}"},
                    Spelling{"0.{3,2+}", "0.{2+}"}, Spelling{"0.{0,2+}", "0.{0,2+}"},
                    Spelling{"0.*!", "0.*!"}, Spelling{"0.{0,1,2!+}", "0.*!"},
                    Spelling{"0.{1!+}", "0.{1,2!+}"}, Spelling{"0.*?", "0.*?"},
                    Spelling{"0.{2!,3?+}", "0.{2?+}"}, Spelling{"0.{2,3!+}", "0.{2,3!+}"},
                    Spelling{"{2+}.0", "{2+}.0"}, Spelling{"0.{63+}", "0.{63+}"}));

INSTANTIATE_TEST_SUITE_P(
    Constraints, Accepted,
    testing::Values(Spelling{"4!.0", "4!.0"}, Spelling{"4?.0", "4!.0"}, Spelling{"4=.0", "4=.0"},
                    Spelling{"0.3!", "0.3"}, Spelling{"0.0?", "0.0"}, Spelling{"0.7!", "0.7!"},
                    Spelling{"0.{2,3!}", "0.{2,3!}"}, Spelling{"0.{2,3}!", "0.C!"},
                    Spelling{"0.{2!,3!}", "0.C!"}, Spelling{"0.C?", "0.C?"},
                    Spelling{"S=.0", "S=.0"}, Spelling{"s.0", "S.0"}, Spelling{"0.{2!,3?}", "0.C?"},
                    Spelling{"0.&123;=", "0.&123;="}, Spelling{"0.{0!,1?,2}", "0.7"}));

INSTANTIATE_TEST_SUITE_P(Tails, Accepted,
                         testing::Values(Spelling{"0.[3]", "0.[3]"}, Spelling{"0.3[33]", "0.[3]"},
                                         Spelling{"0.[3737]", "0.[37]"},
                                         Spelling{"0.737[3737]", "0.[73]"},
                                         Spelling{"0.77[0]", "0.77"}, Spelling{"0.[000]", "0.0"},
                                         Spelling{"4.[4]", "4.[4]"}, Spelling{"0.0[37]", "0.0[37]"},
                                         Spelling{"0.3[033]", "0.[303]"},
                                         Spelling{"0.1[2!]", "0.1[2]"},
                                         Spelling{"4!.[{2+}7]", "4!.[{2+}7]"}));

INSTANTIATE_TEST_SUITE_P(
    Sets, Accepted,
    testing::Values(Spelling{"S{1,2,5}", "S{1,2,5}"}, Spelling{"s(5,2,1,1)", "S{1,2,5}"},
                    Spelling{"S={3}", "S{3}"}, Spelling{"AllBut{2,4}", "AllBut{2,4}"},
                    Spelling{"ALLBUT(4,2)", "AllBut{2,4}"}, Spelling{"allbut{}", "AllBut{}"},
                    Spelling{"S{18446744073709551615}", "S{18446744073709551615}"},
                    Spelling{"S{squares}", "S{squares}"}, Spelling{"S(Primes)", "S{primes}"},
                    Spelling{"S{FACTORIALS}", "S{factorials}"},
                    Spelling{"s={fibonacci}", "S{fibonacci}"},
                    Spelling{"S( Powers of 2 )", "S{powers of 2}"},
                    Spelling{"S{2, 5, 7}", "S{2,5,7}"}, Spelling{"S{ 1 .. 4 , 9 }", "S{1,2,3,4,9}"},
                    Spelling{"AllBut{2..4}", "AllBut{2,3,4}"}, Spelling{"S{ primes }", "S{primes}"},
                    Spelling{"S { 2 , 5 }", "S{2,5}"}, Spelling{"S = {2,5}", "S{2,5}"},
                    Spelling{"S{powers_of_2}", "S{powers of 2}"},
                    Spelling{"s{Powers-of-2}", "S{powers of 2}"},
                    Spelling{"All But {2}", "AllBut{2}"}, Spelling{"all-but(2)", "AllBut{2}"}));

struct Fault {
  std::string text;
  std::string complaint;

  friend void PrintTo(const Fault& f, std::ostream* out) { *out << f.text.substr(0, 40); }
};

class Refused : public testing::TestWithParam<Fault> {};

TEST_P(Refused, WithReason) {
  const Error error = testing_support::error_of([] { HeapRule::parse(GetParam().text); });
  EXPECT_EQ(error.code(), ErrorCode::kUsage);
  EXPECT_THAT(error.what(), HasSubstr(GetParam().complaint));
}

INSTANTIATE_TEST_SUITE_P(
    Codes, Refused,
    testing::Values(Fault{"", "empty"}, Fault{".", "no digit"}, Fault{"hex:.", "no digit"},
                    Fault{"5.", "play would never end"}, Fault{"7", "no point"},
                    Fault{"777", "has no point"},
                    Fault{"10x10", "character 3: 'x' stands where the point of a code"},
                    Fault{"0.8", "character 3: '8' is not an octal digit (0-7); write 'hex:0.8'"},
                    Fault{"0.79", "character 4: '9'"}, Fault{"8.0", "character 1: '8'"},
                    Fault{"0.7x", "character 4: 'x'"}, Fault{"0.7W", "character 4: 'W'"},
                    Fault{"20.017", "add tokens"}, Fault{"0..7", "character 3: '.'"},
                    Fault{"0.7.7", "character 4: '.'"}, Fault{"-0.7", "character 1: '-'"},
                    Fault{"0 .7", "character 2: white space"},
                    Fault{"0.\t7", "character 3: white space"}, Fault{"hex:", "ends where a digit"},
                    Fault{"0x.7", "character 2: 'x'"},
                    Fault{"0.7\xef\xbc\x97", "character 4: '\xef\xbc\x97'"},  // full-width 7
                    Fault{"0\xc2\xb7"
                          "77",
                          "character 2: '\xc2\xb7'"},  // middle dot
                    Fault{std::string("0.7\0007", 5), "character 4: '\\x00'"},
                    Fault{"0." + std::string(65536, '7'), "more than 65536 digits"}));

INSTANTIATE_TEST_SUITE_P(
    EndlessPlay, Refused,
    testing::Values(Fault{"1.0", "play would never end"}, Fault{"2.7", "play would never end"},
                    Fault{"3.7", "play would never end"}, Fault{"5.7", "play would never end"},
                    Fault{"6.7", "play would never end"}, Fault{"7.7", "play would never end"},
                    Fault{"F.0", "play would never end"}, Fault{"*.0", "play would never end"},
                    Fault{"{1,2}.0", "play would never end"}));

INSTANTIATE_TEST_SUITE_P(
    Extensions, Refused,
    testing::Values(Fault{"0.[33", "ends where a digit or ']'"}, Fault{"0.[]", "character 4: ']'"},
                    Fault{"0.[", "ends where a digit"}, Fault{"0.3]", "character 4: ']'"},
                    Fault{"0.[3]x", "character 6: 'x' stands"},
                    Fault{"0.[3][3]", "character 6: '['"}, Fault{"[3].0", "character 1: '['"},
                    Fault{"0.[3[3]]", "character 5: '['"}, Fault{"0.!", "character 3: '!'"},
                    Fault{"0.7!!", "character 5: '!'"}, Fault{"0.{}", "character 4: '}'"},
                    Fault{"0.{2", "ends where"}, Fault{"0.{2,}", "character 6: '}'"},
                    Fault{"0.{+}", "character 4: '+'"}, Fault{"0.{2+,3}", "character 6: ','"},
                    Fault{"0.{2,2}", "listed twice"}, Fault{"0.{64}", "beyond 63"},
                    Fault{"0.{2!,3}?", "marks of its own"}, Fault{"0.{-1}", "character 4: '-'"},
                    Fault{"0.&;", "character 4: ';'"}, Fault{"0.&12", "ends where ';'"},
                    Fault{"0.&-1;", "character 4: '-'"},
                    Fault{"0.&18446744073709551616;", "larger than"}));

INSTANTIATE_TEST_SUITE_P(Pass, Refused,
                         testing::Values(Fault{"0.77 pass", "ends where the number of tokens"},
                                         Fault{"0.77 pass x",
                                               "'x' stands where the number of tokens"},
                                         Fault{"0.77 pass -1", "character 11: '-' stands before"},
                                         Fault{"0.77-pass-1", "'-' stands before the number"},
                                         Fault{"0.77 pass- 1", "'-' stands before the number"},
                                         Fault{"0.77 pass 0", "1 to 4095 tokens, not 0"},
                                         Fault{"0.77 pass 4096", "larger than 4095"},
                                         Fault{"0.77 pass 3 4", "the end of the text"},
                                         Fault{"0.8 pass 3", "not an octal digit"},
                                         Fault{"0.* pass 3", "at most three heaps"},
                                         Fault{"0.0G pass 3", "at most three heaps"},
                                         Fault{"S{1,2} pass 3", "set with a pass"}));

INSTANTIATE_TEST_SUITE_P(
    Sets, Refused,
    testing::Values(
        Fault{"S{}", "at least one number"}, Fault{"S{0}", "sets hold positive numbers"},
        Fault{"S{1,0}", "character 5: 0 is not"}, Fault{"AllBut{0}", "sets hold positive numbers"},
        Fault{"S{-1}", "character 3: '-'"}, Fault{"S{1,,2}", "character 5: ','"},
        Fault{"S{1,}", "character 5: '}'"}, Fault{"S{1", "ends where"},
        Fault{"S(1}", "character 4: '}'"}, Fault{"S{1}x", "character 5: 'x'"},
        Fault{"S{1 2}", "character 5: '2'"}, Fault{"S{9..1}", "ends before it begins"},
        Fault{"S{0..3}", "sets hold positive numbers"}, Fault{"S{1..}", "character 6: '}'"},
        Fault{"S{1..65537}", "more than 65536 numbers"},
        Fault{"S{18446744073709551616}", "larger than"}, Fault{"S{cubes}", "character 3: 'c'"},
        Fault{"S{squares,1}", "character 10: ','"}, Fault{"AllBut{squares}", "character 8: 's'"},
        Fault{"AllBut", "ends where '{'"}, Fault{"S={", "ends where"},
        Fault{"S==", "character 3: '='"}, Fault{"S=", "no point"}));

TEST(Parse, SurvivesRandomBytes) {
  std::mt19937 random(20240229);
  // Half of the bytes come from the alphabet of the grammar, so that the text gets far.
  const std::string alphabet = "0123456789ABCDEFVacfsS.,[]{}()&;*!?=+:hexallbutprimes";
  std::size_t accepted = 0;
  for (int round = 0; round < 100'000; ++round) {
    std::string text = round % 2 == 0 ? "" : round % 4 == 1 ? "0." : "S{";
    for (auto length = random() % 16; length > 0; --length) {
      text += random() % 8 == 0 ? static_cast<char>(random() % 256)
                                : alphabet[random() % alphabet.size()];
    }
    try {
      const HeapRule rule = HeapRule::parse(text);
      ++accepted;
      ASSERT_EQ(HeapRule::parse(rule.canonical()), rule) << text;
      ASSERT_FALSE(rule.describe().empty()) << text;
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::kUsage) << text;
    }
  }
  EXPECT_GT(accepted, 1000u);  // else the loop tests only refusals
}

}  // namespace
}  // namespace grundy
