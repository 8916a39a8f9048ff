/// @file
/// The catalogue as a whole: every entry is complete, and means what it says.
// SPDX-License-Identifier: MIT
#include <set>
#include <string_view>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/games.hpp>

namespace grundy {
namespace {

using testing::StartsWith;

TEST(Catalogue, EntriesAreComplete) {
  std::set<std::pair<GameKind, std::string_view>> names;
  for (const NamedGame& game : catalogue()) {
    EXPECT_TRUE(names.insert({game.kind, game.name}).second) << game.name;
    EXPECT_FALSE(game.title.empty()) << game.name;
    EXPECT_FALSE(game.rules.empty()) << game.name;
    EXPECT_FALSE(game.reference.empty()) << game.name;
    EXPECT_THAT(game.form, StartsWith(game.name));
    EXPECT_EQ(game.notation.empty(), game.kind == GameKind::kGraph) << game.name;
    EXPECT_EQ(game.positions.empty(), game.kind != GameKind::kGraph) << game.name;
    EXPECT_EQ(find_game(game.name, game.kind), &game);
  }
  for (const auto* name :
       {"nim", "laskers-nim", "kayles", "double-kayles", "dawsons-kayles", "dawsons-chess",
        "treblecross", "officers", "couples-are-forever", "grundys-game", "stars", "guiles",
        "subtract-a-square", "subtract-a-prime"}) {
    EXPECT_TRUE(names.contains({GameKind::kHeap, name})) << name;
  }
}

TEST(Catalogue, NotationsAreCanonical) {
  for (const NamedGame& game : catalogue()) {
    if (game.kind == GameKind::kGraph) continue;
    const AnyGame resolved = resolve_game(game.name, game.kind);
    EXPECT_EQ(resolved.kind(), game.kind);
    EXPECT_EQ(resolved.named, &game);
    EXPECT_EQ(resolved.title, game.title);
    EXPECT_EQ(resolved.notation, game.notation);
    EXPECT_EQ(resolve_game(game.notation).rule, resolved.rule) << game.name;
    EXPECT_FALSE(game.kind == GameKind::kHeap ? resolved.heap().describe().empty()
                                              : resolved.lattice().describe().empty());
  }
}

TEST(Catalogue, FindsNamesWhateverTheirCaseAndJoints) {
  EXPECT_EQ(find_game("Node_Kayles", GameKind::kGraph)->name, "node-kayles");
  EXPECT_EQ(find_game("NIM with a pass", GameKind::kLattice)->name, "nim-with-a-pass");
  EXPECT_EQ(find_game("lasker", GameKind::kHeap)->name, "laskers-nim");
  EXPECT_EQ(find_game("nim", GameKind::kGraph), nullptr);
  EXPECT_EQ(find_game("", GameKind::kHeap), nullptr);
}

}  // namespace
}  // namespace grundy
