/// @file
/// A complete game of a user: its input, its output, and the messages of check_game() about games
/// that break the contract.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/error.hpp>
#include <grundy/graph/check_game.hpp>
#include <grundy/graph/engine.hpp>
#include <grundy/graph/graph_game.hpp>

#include "engines/graph/graph_testing.hpp"

namespace {

// [user game]
/// A row of stones; a stone captures a neighbour, which leaves the row, and takes its place
/// (impartial Cannibal Clobber). Rows that are apart do not meet again.
class CannibalClobber {
 public:
  using Position = std::uint32_t;  // bit k: a stone on square k

  explicit CannibalClobber(unsigned squares) : all_((1u << squares) - 1) {}

  Position start() const { return all_; }

  std::uint32_t potential(Position p) const {  // stones
    std::uint32_t stones = 0;
    for (; p != 0; p &= p - 1) ++stones;
    return stones;
  }

  template <class Visit>
  void options(Position p, const Visit& visit) const {
    for (Position stone = 1; stone <= p; stone <<= 1) {
      // Whichever neighbour is captured, the square that the stone has left is empty.
      if ((p & stone) != 0 && (p & (stone << 1 | stone >> 1)) != 0) visit(p & ~stone);
    }
  }

  Position canonical(Position p) const {  // moved to square 0
    while (p != 0 && (p & 1) == 0) p >>= 1;
    return p;
  }

  template <class Visit>
  void components(Position p, const Visit& visit) const {
    while (p != 0) {
      const Position lowest = p & (0 - p);
      const Position run = p & ~(p + lowest);  // the lowest run of ones
      visit(run);
      p &= ~run;
    }
  }

 private:
  Position all_;
};
// [user game]

using namespace grundy;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Nimber root_value(const GraphGame& game, std::string_view engine = "auto") {
  return testing_support::table_of(game, engine, 2).root_value();
}

TEST(UserGame, TheExampleKeepsTheContract) {
  EXPECT_THAT(check_game(CannibalClobber(9)), IsEmpty());
}

TEST(UserGame, TheExampleHasTheValuesOfOfficers) {
  for (const auto& row : testing_support::golden_rows("impartial-cannibal-clobber-1xn")) {
    const auto stones = static_cast<unsigned>(std::stoul(row.position));
    const auto game = make_graph_game(CannibalClobber(stones));
    EXPECT_EQ(std::to_string(root_value(*game)), row.value) << stones;
    EXPECT_EQ(std::to_string(root_value(*game, "reference")), row.value) << stones;
    EXPECT_EQ(testing_support::root_of("heaps:0.6:" + row.position), root_value(*game)) << stones;
    const auto whole = make_graph_game(CannibalClobber(stones), Reduction::kNone);
    EXPECT_EQ(root_value(*whole), root_value(*game)) << stones;
  }
}

/// Nim with one heap, spoiled in one place at a time.
enum class Fault {
  kNone,
  kPotentialStays,
  kPotentialRises,
  kKeyUnstable,
  kKeyNoProjection,
  kKeyJoinsUnlike,
  kOptionsChange,
  kWrongSplit,
  kPotentialTooLarge,
  kNoPosition,
};

class Spoiled {
 public:
  using Position = std::uint32_t;

  explicit Spoiled(Fault fault) : fault_(fault) {}
  Position start() const { return 12; }
  bool contains(Position p) const noexcept { return fault_ != Fault::kNoPosition || p > 7; }
  std::uint32_t potential(Position p) const {
    if (fault_ == Fault::kPotentialStays) return p / 2;
    if (fault_ == Fault::kPotentialRises) return 20 - p;
    return fault_ == Fault::kPotentialTooLarge ? p << 20 : p;
  }
  template <class Visit>
  void options(Position p, const Visit& visit) const {
    const Position least = fault_ == Fault::kOptionsChange ? ++calls_ % 3 : 0;
    for (Position q = std::min(least, p); q < p; ++q) visit(q);
  }
  Position canonical(Position p) const {
    if (fault_ == Fault::kKeyUnstable) return p - (p > 0 ? ++calls_ % 2 : 0);
    if (fault_ == Fault::kKeyNoProjection) return p / 2;
    return fault_ == Fault::kKeyJoinsUnlike ? p & ~1u : p;
  }
  template <class Visit>
  void components(Position p, const Visit& visit) const {
    if (fault_ != Fault::kWrongSplit || p < 3) return visit(p);
    visit(Position{1});
    visit(Position{1});
  }

 private:
  Fault fault_;
  mutable unsigned calls_ = 0;
};

TEST(CheckGame, FindsEveryFault) {
  EXPECT_THAT(check_game(Spoiled(Fault::kNone)), IsEmpty());
  const std::vector<std::pair<Fault, const char*>> faults{
      {Fault::kPotentialStays, "does not lower the potential"},
      {Fault::kPotentialRises, "does not lower the potential"},
      {Fault::kKeyUnstable, "canonical form"},
      {Fault::kKeyNoProjection, "another canonical form"},
      {Fault::kKeyJoinsUnlike, "lead to different positions"},
      {Fault::kOptionsChange, "change from call to call"},
      {Fault::kWrongSplit, "do not add up"},
      {Fault::kPotentialTooLarge, "2^20"},
      {Fault::kNoPosition, "no position"},
  };
  for (const auto& [fault, message] : faults) {
    EXPECT_THAT(check_game(Spoiled(fault)), Contains(HasSubstr(message)));
  }
}

TEST(CheckGame, EnginesRefuseWhatTheyNotice) {
  for (const Fault fault : {Fault::kPotentialStays, Fault::kPotentialTooLarge}) {
    const auto game = make_graph_game(Spoiled(fault));
    EXPECT_THROW(root_value(*game), Error);
    EXPECT_THROW(root_value(*game, "reference"), Error);
  }
}

}  // namespace
