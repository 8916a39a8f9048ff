/// @file
/// Graphs and posets from files: good files are read, and malformed files do no harm.
// SPDX-License-Identifier: MIT
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/error.hpp>

#include "games/graph/kayles.hpp"
#include "games/graph/poset.hpp"
#include "games/graph/small_graph.hpp"
#include "support/errors.hpp"

namespace grundy::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(GraphFiles, AnEdgeListIsRead) {
  const SmallGraph graph =
      narrowed(parse_graph_file("# a path and a lonely vertex\n10 20\r\n20\t30 # b\n7\n"));
  EXPECT_THAT(graph.labels, ElementsAre(7, 10, 20, 30));
  EXPECT_EQ(graph.neighbours[0], 0u);
  EXPECT_EQ(graph.neighbours[2], 0b1010u);
}

// The graph of the specification formats.txt: 5 vertices, edges 0-2, 0-4, 1-3, 3-4.
TEST(GraphFiles, Graph6IsRead) {
  for (const char* text : {"DQc", "DQc\n", ">>graph6<<DQc\n"}) {
    const SmallGraph graph = narrowed(parse_graph_file(text));
    EXPECT_EQ(graph.vertices(), 5u);
    EXPECT_THAT(std::vector(graph.neighbours.begin(), graph.neighbours.begin() + 5),
                ElementsAre(0b10100, 0b01000, 0b00001, 0b10010, 0b01001));
  }
}

// 63 and 64 vertices need the long form of the number.
TEST(GraphFiles, Graph6WithTheLongFormIsRead) {
  std::string text = "~";
  text += {63, 64, 63};  // 64
  text += std::string((64 * 63 / 2 + 5) / 6, '~');
  const SmallGraph graph = narrowed(parse_graph_file(text));
  EXPECT_EQ(graph.vertices(), 64u);
  for (unsigned v = 0; v < 64; ++v) EXPECT_EQ(graph.neighbours[v], ~(std::uint64_t{1} << v));
}

TEST(GraphFiles, APosetIsReadAndClosed) {
  const SmallPoset poset = parse_poset_file("1 < 2\n2<3\n9\n");
  EXPECT_THAT(poset.names, ElementsAre("1", "2", "3", "9"));
  EXPECT_THAT(std::vector(poset.above.begin(), poset.above.begin() + 4),
              ElementsAre(0b0111, 0b0110, 0b0100, 0b1000));
}

template <class Parse>
std::string fault_of(Parse parse, const std::string& content) {
  const Error error = testing_support::error_of([&] { static_cast<void>(parse(content)); });
  EXPECT_EQ(error.code(), ErrorCode::kCorrupt) << error.what();
  return error.what();
}

TEST(GraphFiles, MalformedOnesAreNamed) {
  const auto fault = [](const std::string& text) { return fault_of(parse_graph_file, text); };
  EXPECT_THAT(fault(""), HasSubstr("0 vertices"));
  EXPECT_THAT(fault("1 2\n3 x\n"), HasSubstr("line 2, column 3: 'x' stands"));
  EXPECT_THAT(fault("1 2 3\n"), HasSubstr("line 1"));
  EXPECT_THAT(fault("4 4\n"), HasSubstr("two different vertices"));
  EXPECT_THAT(fault("1 -2\n"), HasSubstr("non-negative"));
  EXPECT_THAT(fault("1 18446744073709551616\n"), HasSubstr("column 3: the number is larger than"));
  EXPECT_THAT(fault("DQ"), HasSubstr("edges"));
  EXPECT_THAT(fault("DQcc"), HasSubstr("edges"));
  EXPECT_THAT(fault(">>graph6<<"), HasSubstr("empty"));
  EXPECT_THAT(fault(">>graph6<<D c"), HasSubstr("line 1, column 12: a byte of graph6"));
  EXPECT_THAT(fault("~~??"), HasSubstr("more than 128"));
  EXPECT_THAT(fault("~?"), HasSubstr("ends"));
  const auto vertices = [](int count) {
    std::string text;
    for (int v = 0; v < count; ++v) text += std::to_string(v) + "\n";
    return text;
  };
  EXPECT_THAT(fault(vertices(129)), HasSubstr("129 vertices"));
  const auto poset = [](const std::string& text) { return fault_of(parse_poset_file, text); };
  EXPECT_THAT(poset("1 < 2\n2 < 3\n3 < 1\n"), HasSubstr("circle"));
  EXPECT_THAT(poset("1 < 1\n"), HasSubstr("below itself"));
  EXPECT_THAT(poset("1 < 2 < 3\n"), HasSubstr("line 1"));
  EXPECT_THAT(poset(vertices(65)), HasSubstr("65"));
}

/// Good files, 10 000 times damaged: an error of the right kind, or a graph that can be played on.
TEST(GraphFiles, TenThousandDamagedOnesDoNoHarm) {
  const std::vector<std::string> good{"1 2\n2 3\n3 4\n4 1\n# square\n9\n",
                                      "DQc\n",
                                      ">>graph6<<DQc\n",
                                      "IheA@GUAo\n",
                                      "0 1\n0 2\n0 3\n100 200\n",
                                      "~??~?????_@?CG??B??@OG?C?G???GO??W@a???CO???OACC?"};
  std::mt19937_64 random(20061);
  unsigned read = 0, refused = 0;
  for (int round = 0; round < 10'000; ++round) {
    std::string text = good[random() % good.size()];
    for (auto edits = 1 + random() % 4; edits-- > 0;) {
      const std::size_t at = random() % (text.size() + 1);
      switch (random() % 4) {
        case 0:
          text.insert(at, 1, static_cast<char>(random()));
          break;
        case 1:
          text.erase(at, 1 + random() % 5);
          break;
        case 2:
          if (at < text.size()) text[at] = static_cast<char>(random());
          break;
        default:
          text.insert(at, text.substr(random() % (text.size() + 1), random() % 8));
      }
    }
    try {
      const WideGraph graph = parse_graph_file(text);
      ++read;
      ASSERT_LE(graph.vertices(), WideGraph::kMostVertices);
      for (unsigned v = 0; v < WideGraph::kMostVertices; ++v) {
        ASSERT_TRUE((graph.neighbours[v] & ~graph.all()) == 0);
        ASSERT_TRUE((graph.neighbours[v] >> v & 1) == 0);
      }
      const Kayles<KaylesMove::kNode, WideBits> game(graph);
      game.components(game.start(), [](WideBits part) { ASSERT_TRUE(part != 0); });
    } catch (const Error& error) {
      ++refused;
      ASSERT_EQ(error.code(), ErrorCode::kCorrupt);
    }
    try {
      PosetGame(parse_poset_file(text));
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::kCorrupt);
    }
  }
  EXPECT_GT(read, 500u);
  EXPECT_GT(refused, 5000u);
}

}  // namespace
}  // namespace grundy::graph
