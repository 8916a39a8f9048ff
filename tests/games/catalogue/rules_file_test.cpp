/// @file
/// Rules files: their meaning, and the places of their faults.
// SPDX-License-Identifier: MIT
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include <grundy/error.hpp>
#include <grundy/games.hpp>

#include "support/errors.hpp"
#include "support/files.hpp"

namespace grundy {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class RulesFileTest : public testing::Test {
 protected:
  AnyGame read(const std::string& text) const {
    std::ofstream(directory_ / "game.toml") << text;
    return read_rules_file(directory_ / "game.toml");
  }
  [[nodiscard]] std::string refusal(const std::string& text) const {
    const Error error = testing_support::error_of([&] { static_cast<void>(read(text)); });
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return error.what();
  }

  testing_support::TemporaryDirectory directory_;
};

TEST_F(RulesFileTest, TellsTheGame) {
  const AnyGame game = read(R"toml(# a comment
title = "Wythoff with a jump"
rules = "As Wythoff, or one and two."
reference = "nowhere"
heaps = 2
moves = ["sym (1,0)*", '(1,1)*',
         """
         sym (1,2)"""]
)toml");
  EXPECT_EQ(game.lattice(), LatticeRule::parse("2: sym (1,0)* + (1,1)* + sym (1,2)"));
  EXPECT_EQ(game.title, "Wythoff with a jump");
  EXPECT_EQ(game.rules, "As Wythoff, or one and two.");
  EXPECT_EQ(game.reference, "nowhere");
  EXPECT_EQ(read("heaps = 3\nmoves = [\"sym (1,0,0)* + pass\"]").title, "3: sym (1,0,0)* + pass");
}

TEST_F(RulesFileTest, TellsAGameOfOneHeap) {
  const AnyGame game = read(R"toml(title = "Divide or take one"
heaps = 1
moves = ["n - 1", '''
floor(n/k) : k | n, k > 1''']
)toml");
  EXPECT_EQ(game.heap(), HeapRule::parse("n -> n - 1; floor(n/d) : d | n, 1 < d"));
  EXPECT_EQ(game.notation, "n -> n - 1; floor(n/d) : d | n, 1 < d");
  EXPECT_EQ(game.title, "Divide or take one");
}

TEST_F(RulesFileTest, SaysWhereItIsWrong) {
  const auto at = [](int line, int column) {
    return HasSubstr("game.toml, line " + std::to_string(line) + ", column " +
                     std::to_string(column) + ": ");
  };
  EXPECT_THAT(refusal("heaps = 2\nmoves = [\"(1,0)*\""), HasSubstr("game.toml, line 2"));
  EXPECT_THAT(refusal("heaps = 2\nmoves = [\"(1,0)*\", \"(1,2,3)\"]"),
              AllOf(at(2, 21), HasSubstr("the step has 3 entries, but the game has 2 heaps")));
  EXPECT_THAT(refusal("heaps = 2\nmoves = [\"(0,0)\"]"), AllOf(at(2, 11), HasSubstr("nothing")));
  EXPECT_THAT(refusal("heaps = 2\nmoves = [\"(1,-1)\"]"),
              AllOf(at(2, 14), HasSubstr("adds no tokens")));
  EXPECT_THAT(refusal("heaps = 2\nmoves = ['''\n  (1,0)*\n  + (0,q)''']"),
              AllOf(at(4, 8), HasSubstr("'q'")));
  EXPECT_THAT(refusal("heaps = 2\nmoves = []"), AllOf(at(2, 9), HasSubstr("no moves")));
  EXPECT_THAT(refusal("heaps = 2\nmoves = [\"pass\"]"), AllOf(at(2, 9), HasSubstr("no moves")));
  EXPECT_THAT(refusal("heaps = 2\nmoves = [7]"), at(2, 10));
  EXPECT_THAT(refusal("heaps = 2\nmoves = \"(1,0)*\""), at(2, 9));
  EXPECT_THAT(refusal("heaps = 9\nmoves = [\"(1,0)*\"]"), AllOf(at(1, 9), HasSubstr("1 to 8")));
  EXPECT_THAT(refusal("heaps = 2\nmove = [\"(1,0)*\"]"),
              AllOf(at(2, 1), HasSubstr("the keys are title, rules, reference, heaps, moves")));
  EXPECT_THAT(refusal("title = 3\nheaps = 2\nmoves = [\"(1,0)*\"]"), at(1, 9));
  EXPECT_THAT(refusal("heaps = 1\nmoves = [\"n - 1\", \"n - d : d $ n\"]"),
              AllOf(at(2, 30), HasSubstr("'$' stands where a relation")));
  EXPECT_THAT(refusal("heaps = 1\nmoves = [\"n\"]"),
              AllOf(at(2, 9), HasSubstr("heap 1 may become heap 1")));
  EXPECT_THAT(refusal("heaps = 1\nmoves = []"), AllOf(at(2, 9), HasSubstr("needs a target")));
  EXPECT_THAT(refusal("heaps = 2"), HasSubstr("moves is missing"));
  EXPECT_THAT(refusal(""), HasSubstr("heaps is missing"));
  EXPECT_THROW(read_rules_file(directory_ / "none.toml"), Error);
}

}  // namespace
}  // namespace grundy
