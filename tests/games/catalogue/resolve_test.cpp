/// @file
/// From a text to a game: names, parameters, notations, and the messages about any other text.
// SPDX-License-Identifier: MIT
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/error.hpp>
#include <grundy/games.hpp>

#include "games/graph/small_graph.hpp"
#include "support/errors.hpp"

namespace grundy {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string complaint(std::string_view text) {
  const Error error = testing_support::error_of([&] { static_cast<void>(resolve_game(text)); });
  EXPECT_EQ(error.code(), ErrorCode::kUsage) << text;
  return error.what();
}

TEST(Resolve, MiserePlayHasTheWordsOfTheRule) {
  for (const std::string text :
       {"2: sym (1,0)* + balanced", "2: sym (1,0)* + band(1,2;1)", "2: sym (1,0)* + (1,1)*"}) {
    const AnyGame game = in_misere_play(resolve_game(text, GameKind::kLattice));
    EXPECT_EQ(game.lattice(), LatticeRule::parse(text + " + misere")) << text;
    EXPECT_EQ(game.notation, text + " + misere");
  }
}

TEST(Resolve, IgnoresCaseAndJoints) {
  for (const auto* text : {"Grundy's game", "grundys-game", "GRUNDYS_GAME", "GrundysGame", "grundy",
                           "Grundy\xe2\x80\x99s Game", "  grundys-game\t\n"}) {
    const AnyGame game = resolve_game(text);
    ASSERT_NE(game.named, nullptr) << text;
    EXPECT_EQ(game.named->name, "grundys-game");
    EXPECT_EQ(game.notation, "4!.0");
  }
  EXPECT_EQ(resolve_game("WYTHOFF").notation, resolve_game("wythoff").notation);
  EXPECT_EQ(resolve_game("A_Wythoff ( 3 )").notation, resolve_game("a-wythoff(3)").notation);
  EXPECT_EQ(resolve_game("Moore (4, 2)").notation, "4: sym (1,0,0,0)* + sym box(1,2)");
  EXPECT_EQ(resolve_game("Cram: 3x4").notation, "cram:3x4");
  EXPECT_EQ(resolve_game("node kayles:PATH:4").notation, "node-kayles:path:4");
  EXPECT_EQ(resolve_game("arc-kayles:Knights: 3 X 4").notation, "arc-kayles:knights:3x4");
  EXPECT_EQ(resolve_game(" Hexad ").notation, "hexad");
  EXPECT_EQ(resolve_game("heaps:Dawsons Kayles:4,3").kind(), GameKind::kGraph);
}

TEST(Resolve, TakesNotations) {
  for (const auto* text : {".770", " .77", "0,77 "}) {
    const AnyGame game = resolve_game(text);
    EXPECT_EQ(game.named, nullptr);
    EXPECT_EQ(game.heap(), HeapRule::parse("0.77"));
    EXPECT_EQ(game.title, "0.77");
  }
  EXPECT_EQ(resolve_game("hex:0.8").notation, "hex:0.8");
  EXPECT_EQ(resolve_game("AllBut(2)").notation, "AllBut{2}");
  EXPECT_EQ(resolve_game("s(1,2)").notation, "S{1,2}");
  EXPECT_EQ(resolve_game(" 2 : sym (1,0)*").lattice(), LatticeRule::parse("2: sym (1,0)*"));
  EXPECT_EQ(resolve_game(" N->n - k : k | n,k<n").notation, "n -> n - d : d | n, d < n");
}

TEST(Resolve, TheCatalogueTellsAllFormsOfGraphs) {
  EXPECT_EQ(graph::graph_forms(), kGraphParameter);
}

TEST(Resolve, BoardsHaveOneNotation) {
  for (const char* text : {"cram:3x4", "cram:03x4", "cram:3 X 4", "Cram: 3×4 ", "CRAM:3 × 4"}) {
    EXPECT_EQ(resolve_game(text).notation, "cram:3x4") << text;
  }
  EXPECT_EQ(resolve_game("chomp:2x2×2").notation, "chomp:2x2x2");
  EXPECT_EQ(resolve_game("chomp:5,3,1").notation, "chomp:5,3,1");
  // Blanks do not make one number of two.
  for (const char* text : {"chomp:5 3 1", "welter:1 3", "cram:1 2x3", "subset-takeaway:1 2"}) {
    EXPECT_THROW(static_cast<void>(resolve_game(text)), Error) << text;
  }
}

TEST(Resolve, TheKindThatIsPreferredDecidesBetweenGamesOfOneName) {
  EXPECT_EQ(resolve_game("nim").kind(), GameKind::kHeap);
  EXPECT_EQ(resolve_game("nim", GameKind::kLattice).kind(), GameKind::kLattice);
  EXPECT_EQ(resolve_game("nim(3)").kind(), GameKind::kLattice);
  EXPECT_EQ(resolve_game("chomp").kind(), GameKind::kLattice);
  EXPECT_EQ(resolve_game("chomp:3x4").kind(), GameKind::kGraph);
  EXPECT_EQ(resolve_game("kayles", GameKind::kLattice).kind(), GameKind::kHeap);
}

TEST(Resolve, SaysWhichKindIsNeeded) {
  const auto refusal = [](auto use) {
    const Error error = testing_support::error_of(use);
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return std::string(error.what());
  };
  EXPECT_EQ(refusal([] { static_cast<void>(resolve_game("cram:3x3").heap()); }),
            "cram is a game on positions; a game of one heap is needed here");
  EXPECT_EQ(refusal([] { static_cast<void>(resolve_game("0.77").lattice()); }),
            "'0.77' is a game of one heap; a game of several heaps is needed here");
}

TEST(Resolve, SuggestsTheNearestName) {
  EXPECT_THAT(complaint("kayle"), HasSubstr("did you mean kayles?"));
  EXPECT_THAT(complaint("Trebble Cross"), HasSubstr("did you mean treblecross?"));
  EXPECT_THAT(complaint("grundys-gme"), HasSubstr("did you mean grundys-game?"));
  EXPECT_THAT(complaint("wythof"), HasSubstr("there is no game called 'wythof'; did you mean "
                                             "wythoff?"));
  EXPECT_THAT(complaint("withoff"), HasSubstr("did you mean wythoff?"));
  EXPECT_THAT(complaint("Mooore(4,2)"), HasSubstr("did you mean moore?"));
  EXPECT_THAT(complaint("cramm:3x4"), HasSubstr("did you mean cram?"));
  EXPECT_THAT(complaint("kayles2"), HasSubstr("did you mean kayles?"));
  EXPECT_THAT(complaint("octal:0.77"), HasSubstr("did you mean '0.77'?"));
  EXPECT_THAT(complaint("chequers"),
              AllOf(HasSubstr("no game called 'chequers'"), Not(HasSubstr("did you mean"))));
  EXPECT_THAT(complaint(std::string(100'000, 'k')), HasSubstr("no game called 'kkkk"));
  EXPECT_THAT(complaint("\x1b[0m"), Not(HasSubstr("\x1b")));
  EXPECT_THAT(complaint(""), HasSubstr("empty"));
  EXPECT_THAT(complaint("  "), HasSubstr("empty"));
  EXPECT_THAT(complaint("0.8"), HasSubstr("octal"));
}

TEST(Resolve, SaysHowAGameIsWritten) {
  for (const char* file : {"wythoff.h5", "runs/0.106.h5.run"}) {
    EXPECT_THAT(complaint(file), HasSubstr("the name of a file with results, not of a game"));
  }
  EXPECT_EQ(complaint("nim:5"),
            "'nim:5' is no game; nim is written nim or nim(heaps), and only in "
            "a sum do heaps follow it");
  EXPECT_THAT(complaint("kayles(3)"), HasSubstr("kayles is written kayles"));
  EXPECT_THAT(complaint("cram"), HasSubstr("cram is written cram:MxN"));
  EXPECT_THAT(complaint("Cram(3,4)"), HasSubstr("cram is written cram:MxN"));
  EXPECT_THAT(complaint("hexad:1"), HasSubstr("hexad is written hexad"));
  EXPECT_THAT(complaint("moore:4,2"), HasSubstr("moore is written moore(heaps,k)"));
  EXPECT_THAT(complaint("moore(4;2)"), HasSubstr("moore is written moore(heaps,k)"));
  EXPECT_THAT(complaint("moore(4,2"), HasSubstr("moore is written moore(heaps,k)"));
  EXPECT_THAT(complaint("moore(4,2,1)"), HasSubstr("moore is written moore(heaps,k)"));
  EXPECT_EQ(complaint("wythoff(2)"), "wythoff is written wythoff, not wythoff(2)");
  EXPECT_THAT(complaint("moore(4,9)"), HasSubstr("k of moore: 1 to 8"));
  EXPECT_THAT(complaint("moore(4,99999999999999999999)"), HasSubstr("larger"));
  EXPECT_THAT(complaint("moore(3,4)"), HasSubstr("cannot be chosen"));
}

}  // namespace
}  // namespace grundy
