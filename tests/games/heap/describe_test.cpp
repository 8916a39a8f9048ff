// SPDX-License-Identifier: MIT
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include <grundy/heap/rule.hpp>

namespace grundy {
namespace {

struct Wording {
  std::string notation;
  std::string english;

  friend void PrintTo(const Wording& w, std::ostream* out) { *out << w.notation; }
};

class Describe : public testing::TestWithParam<Wording> {};

TEST_P(Describe, SaysTheMoves) {
  EXPECT_EQ(HeapRule::parse(GetParam().notation).describe(), GetParam().english);
}

INSTANTIATE_TEST_SUITE_P(
    Rules, Describe,
    testing::Values(
        Wording{
            "0.77",
            "take 1 or 2 tokens from a heap and, if you like, split what is left into two heaps"},
        Wording{"0.6",
                "take 1 token from a larger heap and, if you like, split what is left into two "
                "heaps"},
        Wording{"0.1337",
                "take a whole heap of 1 token; or take 2 or 3 tokens from a heap; or take 4 tokens "
                "from a heap and, if you like, split what is left into two heaps"},
        Wording{"4!.0", "split a heap into two unequal heaps"},
        Wording{"4.[3]", "split a heap into two heaps; or take any number of tokens from a heap"},
        Wording{"0.15",
                "take a whole heap of 1 token; or take 2 tokens from a heap and leave "
                "nothing or two heaps"},
        Wording{"0.1[3]", "take a whole heap of 1 token; or take 2 or more tokens from a heap"},
        Wording{"0.303[3]", "take 1 or 3 or more tokens from a heap"},
        Wording{"0.[30]", "take 1, 3, 5, ... tokens from a heap"},
        Wording{"0.3F",
                "take 1 token from a heap; or take 2 tokens from a heap and leave nothing "
                "or one to three heaps"},
        Wording{"0.*", "take 1 token from a heap and split what is left into any number of heaps"},
        Wording{"{2!+}.0", "split a heap into two or more heaps of different sizes"},
        Wording{"0.C?", "take 1 token from a heap and leave two or three heaps not all equal"},
        Wording{"0.0", "there are no moves"},
        Wording{"S{1,2,5}", "take 1, 2 or 5 tokens from a heap"},
        Wording{"S{1}", "take 1 token from a heap"},
        Wording{"S{1,2,3,4,7}", "take 1 to 4 or 7 tokens from a heap"},
        Wording{"AllBut{2,4}", "take any number of tokens except 2 and 4 from a heap"},
        Wording{"AllBut{}", "take any number of tokens from a heap"},
        Wording{"S{squares}", "take a square number (1, 4, 9, ...) of tokens from a heap"}));

TEST(Describe, CutsLongLists) {
  std::string set = "S{1";
  for (int s = 3; s < 1000; s += 2) set.append(",").append(std::to_string(s));
  EXPECT_EQ(HeapRule::parse(set + "}").describe(),
            "take 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, ... or 999 tokens from a heap");
}

}  // namespace
}  // namespace grundy
