/// @file
/// Games on positions through the command: compute, info, query, export, and refusals.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <grundy/compute.hpp>
#include <grundy/outcomes.hpp>

#include "cli/run_grundy.hpp"
#include "support/forged_graphs.hpp"

namespace grundy::testing {
namespace {

using nlohmann::json;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class GraphCli : public CommandTest {
 protected:
  /// A command that must fail with this code and this in its sentence.
  void refused(const std::vector<std::string>& arguments, int code, const std::string& what) {
    EXPECT_THAT(refusal(arguments, code), HasSubstr(what));
  }
};

TEST_F(GraphCli, ASummaryHasTheCountsOfTextbooks) {
  const json nim = output_json({"compute", "heaps:nim:4,3,2"});
  EXPECT_EQ(nim["positions"], 28);
  EXPECT_EQ(nim["terminal_positions"], 1);
  EXPECT_EQ(nim["moves"], 114);
  EXPECT_EQ(nim["p_positions"], 5);
  EXPECT_EQ(nim["root_value"], 5);
  EXPECT_THAT(output({"compute", "hexad"}), HasSubstr("905"));
  EXPECT_TRUE(files().empty());
}

// C. L. Bouton 1902: of two heaps those that are equal are P-positions. A layer is a number of
// tokens.
TEST_F(GraphCli, PPositionsAreCountedByTheirLayers) {
  ASSERT_EQ(run({"compute", "heaps:nim:3,3", "--outcomes", "-o", "n.h5"}).code, 0);
  EXPECT_EQ(
      output({"export", "n.h5", "--format", "bfile"}),
      "# Table of n, a(n): a(n) P-positions of heaps:nim:3,3, up to symmetry, are in layer n; "
      "moves lead to smaller layers\n0 1\n1 0\n2 1\n3 0\n4 1\n5 0\n6 1\n");
  EXPECT_THAT(output({"export", "n.h5", "--format", "bfile", "--offset", "-1"}),
              ContainsRegex("are in layer n - \\(-1\\); .*\n-1 1\n0 0\n"));
}

// The list of P-positions of whole positions, and all commands that read it.
TEST_F(GraphCli, OutcomesWithoutValues) {
  const json made = output_json({"compute", "cram:3x4", "--outcomes", "-o", "c.h5"});
  const json values = output_json({"compute", "cram:3x4", "--reduce", "symmetry"});
  EXPECT_EQ(made["p_positions"], values["p_positions"]);
  EXPECT_EQ(made["positions"], values["positions"]);
  EXPECT_EQ(made["digest"], output_json({"info", "c.h5"})["digest"]);
  EXPECT_EQ(output({"query", "c.h5", "oooo/oooo/oooo", "oo", "...", "oo../..oo"}),
            "oooo/oooo/oooo N, by a move to oooo/o..o/oooo o..o/oooo/oooo oooo/oooo/o..o "
            ".ooo/.ooo/oooo ooo./ooo./oooo oooo/.ooo/.ooo oooo/ooo./ooo.\n"
            "oo N, by a move to ..../..../....\n"
            "... P\n"
            "oo../..oo P\n");
  EXPECT_THAT(output({"verify", "c.h5"}), HasSubstr("listed are proved"));
  EXPECT_THAT(output({"verify", "c.h5", "--full"}), HasSubstr("are proved"));
  EXPECT_THAT(output({"verify", "c.h5", "--samples", "5"}), HasSubstr("5 of"));
  EXPECT_THAT(output({"export", "c.h5", "--format", "csv"}),
              StartsWith("position,layer\n\"..../..../....\",0\n"));
  refused({"export", "c.h5", "--format", "bfile", "--terms", "3"}, 2, "is exported whole");
  refused({"export", "c.h5", "--format", "npy"}, 2, "is exported whole");
  EXPECT_THAT(output({"verify", "c.h5", "--full", "--threads", "2"}), HasSubstr("are proved"));
  refused({"query", "c.h5", "ooo/ooo/ooo"}, 2, "is not reached");
  refused({"verify", "c.h5", "--range", "1:2"}, 2, "is not for outcomes");
  refused({"stats", "c.h5"}, 2, "a list of P-positions of a game");
  refused({"compute", "cram:3x4", "--outcomes", "-o", "c.h5"}, 2,
          "allow it to be replaced (--force)");
  refused({"compute", "cram:3x4", "--outcomes", "--reduce", "components"}, 2, "components");
  refused({"compute", "cram:3x4", "--outcomes", "--root"}, 2, "--root is not for outcomes");
  // Misère play: the last domino loses.
  EXPECT_EQ(output_json({"compute", "cram:1x2", "--outcomes", "--misere"})["root_outcome"], "P");
  EXPECT_EQ(output_json({"compute", "cram:1x2", "--outcomes"})["root_outcome"], "N");
}

TEST_F(GraphCli, AFileAnswersQueries) {
  output({"compute", "cram:3x4", "-o", "cram.h5", "--adjacency"});
  EXPECT_EQ(output({"query", "cram.h5", "oooo/oooo/oooo", "oo", "oo../..oo"}),
            "oooo/oooo/oooo 1 N\noo 1 N\noo../..oo 0 P\n");
  const json info = output_json({"info", "cram.h5"});
  EXPECT_EQ(info["root_value"], 1);
  EXPECT_EQ(info["adjacency"], true);
  EXPECT_THAT(output({"info", "cram.h5"}), HasSubstr("Cram, cram:3x4"));
  refused({"query", "cram.h5", "oooo/o?"}, 2, "character 7: this is not a position");
  refused({"query", "cram.h5", "ooooo"}, 2, "character 5: this is not a position");
  refused({"compute", "cram:3x4", "-o", "cram.h5"}, 2, "allow it to be replaced (--force)");
  // A domino leaves an even number of cells. What is not reached hides no other answer.
  output({"compute", "cram:2x2", "-o", "all.h5", "--reduce", "none"});
  const Outcome some = run({"query", "all.h5", "oo/oo", "oo/o.", "../oo"});
  EXPECT_EQ(some.code, 2);
  EXPECT_EQ(some.out, "oo/oo 0 P\n../oo 1 N\n");
  EXPECT_THAT(some.err, HasSubstr("'oo/o.' is not reached"));
}

TEST_F(GraphCli, AFileIsProvedByItsMoves) {
  output({"compute", "cram:4x4", "-o", "cram.h5"});
  const std::string samples = output({"verify", "cram.h5"});
  EXPECT_THAT(samples, ContainsRegex("conspicuous and [0-9 ]+ random positions are proved"));
  EXPECT_THAT(output({"verify", "cram.h5", "--full"}), HasSubstr("positions 0 to "));
  output({"verify", "cram.h5", "--range", "0:9", "--certificate", "a.json"});
  output({"verify", "cram.h5", "--range", "10:", "--certificate", "b.json"});
  output({"verify", "cram.h5", "--merge", "a.json", "b.json"});
  EXPECT_THAT(output({"verify", "cram.h5", "--full", "--engine", "reference"}),
              HasSubstr("every option of every position; engine reference"));
  refused({"verify", "cram.h5", "--full", "--engine", "dense"}, 2, "not numbered");
  refused({"verify", "cram.h5", "--engine", "layered"}, 2, "--full");
  refused({"verify", "cram.h5", "--memory", "1KiB"}, 1, "of memory to be read");
  std::string bytes = read("cram.h5");
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  write("bad.h5", bytes);
  refused({"verify", "bad.h5"}, 4, "bad.h5");
}

TEST_F(GraphCli, MisereValuesAreOfWholePositions) {
  output({"compute", "cram:3x3", "--misere", "-o", "cram.h5"});
  EXPECT_EQ(output({"query", "cram.h5", "ooo/ooo/ooo"}), "ooo/ooo/ooo 0 P 1\n");
  refused({"compute", "cram:3x3", "--misere", "--reduce", "components"}, 2, "whole positions");
  // What is said of misère play agrees with the list of P-positions, which is found by itself.
  const json table = output_json({"compute", "cram:3x4", "--misere", "-o", "c34.h5"});
  const json list = output_json({"compute", "cram:3x4", "--misere", "--outcomes"});
  EXPECT_EQ(table["misere_p_positions"], list["p_positions"]);
  EXPECT_EQ(table["misere_root_outcome"], list["root_outcome"]);
  EXPECT_EQ(table["misere_root_value"], 0);
  EXPECT_EQ(table["root_value"], 1);
  EXPECT_THAT(output({"info", "c34.h5"}),
              HasSubstr("26 P-positions; root value 0, P: the player to move loses"));
  refused({"compute", "cram:3x4", "--misere", "--root"}, 2, "normal play");
}

TEST_F(GraphCli, ExportsGiveEveryPosition) {
  output({"compute", "heaps:nim:3,2", "-o", "nim.h5"});
  const std::string csv = output({"export", "nim.h5", "--format", "csv"});
  EXPECT_THAT(csv, StartsWith("key,position,grundy,outcome,options,layer\n"));
  EXPECT_THAT(csv, HasSubstr("\"3+2\",1,N,5,"));
  EXPECT_THAT(csv, HasSubstr("\"2+2\",0,P,2,"));
  EXPECT_EQ(std::ranges::count(csv, '\n'), 10);
  const json all = json::parse(output({"export", "nim.h5", "--format", "json"}));
  ASSERT_EQ(all["rows"].size(), 9u);
  for (const json& row : all["rows"]) {  // every value is the mex of its options
    std::set<int> values;
    for (const json& option : row["options"])
      values.insert(all["rows"][option[0].get<std::size_t>()]["value"].get<int>());
    int mex = 0;
    while (values.contains(mex)) ++mex;
    EXPECT_EQ(row["value"], mex);
  }
  const std::string dot = output({"export", "nim.h5", "--format", "dot"});
  EXPECT_THAT(dot, HasSubstr("digraph"));
  EXPECT_THAT(dot, ContainsRegex("label=\"3[+]2.n1\", fillcolor=\"#b8e0b0\", penwidth=3"));
  EXPECT_THAT(dot, ContainsRegex("label=\"2[+]2.n0\", fillcolor=\"#f4a6a0\""));
  refused({"export", "nim.h5", "--format", "npy"}, 2, "csv, json or dot");
}

// Its digests are right, and its keys index the names of elements that are not there.
TEST_F(GraphCli, AForgedFileIsRefused) {
  output({"compute", "subset-takeaway:3", "-o", "good.h5"});
  GraphFile file = read_graph_file(directory() / "good.h5");
  file.table.keys[file.table.layers[0].end - 1] = ~std::uint64_t{0};
  testing_support::forge_graph_file(directory() / "bad.h5", file);
  refused({"verify", "bad.h5"}, 4, "is no position of it");
  refused({"export", "bad.h5", "--format", "csv"}, 4, "is no position of it");
  file.table.start.clear();
  testing_support::forge_graph_file(directory() / "bad.h5", file);
  for (const std::string command : {"query", "verify"}) {
    std::vector<std::string> arguments{command, "bad.h5"};
    if (command == "query") arguments.push_back("1");
    refused(arguments, 4, "its start position is another");
  }
  testing_support::forge_graph_file(directory() / "bad.h5", file,
                                    {.texts = {}, .numbers = {{"moves", 1}}});
  refused({"info", "bad.h5"}, 4, "counts");
}

TEST_F(GraphCli, TooLargePicturesAreRefused) {
  output({"compute", "chomp:8x8", "-o", "chomp.h5"});
  refused({"export", "chomp.h5", "--format", "dot"}, 2, "picture");
}

TEST_F(GraphCli, GraphsComeFromFiles) {
  write("square.txt", "1 2\n2 3\n3 4\n4 1\n");
  EXPECT_EQ(output_json({"compute", "node-kayles:square.txt"})["root_value"], 0);
  EXPECT_EQ(output_json({"compute", "arc-kayles:square.txt", "--root"})["root_value"], 0);
  output({"compute", "node-kayles:square.txt", "-o", "square.h5"});
  EXPECT_EQ(output({"query", "square.h5", "1", "1,2,3,4"}), "1 1 N\n1,2,3,4 0 P\n");
  write("square.txt", "1 2\n");
  for (const std::string command : {"query", "verify"}) {
    std::vector<std::string> arguments{command, "square.h5"};
    if (command == "query") arguments.push_back("1");
    refused(arguments, 4, "as it is now: its start position is another");
  }
  write("order.txt", "1 < 2\n1 < 3\n");
  // Taking 1 leaves nothing, 2 or 3 a chain of two elements: mex {0, 2, 2}.
  EXPECT_EQ(output_json({"compute", "poset:order.txt"})["root_value"], 1);
  write("bad.txt", "1 2 3\n");
  refused({"compute", "node-kayles:bad.txt"}, 4, "line 1");
  refused({"compute", "node-kayles:none.txt"}, 2, "no such file");
  refused({"compute", "node-kayles:pth:5"}, 2, "there is no graph 'pth'; did you mean path?");
  refused({"compute", "arc-kayles:star"}, 2, "a graph is MxN (a grid), kings:MxN");
  refused({"compute", "node-kayles:Path"}, 2, "'Path' has no numbers; write path:N");
  refused({"compute", "node-kayles:petersen: "}, 2, "has no numbers; write petersen:N,K");
}

TEST_F(GraphCli, WrongRequestsAreRefused) {
  refused({"compute", "cram"}, 2, "cram:MxN");
  refused({"compute", "cram:0x3"}, 2, "not the size of a board");
  refused({"compute", "cram:11x12"}, 2, "more than 128 cells");
  refused({"compute", "hexad:3"}, 2, "hexad is written hexad");
  refused({"compute", "welter:1,1"}, 2, "twice");
  refused({"compute", "chomp:2,3"}, 2, "no shape");
  refused({"compute", "heaps:nim:300"}, 2, "too large");
  refused({"compute", "cram:4x4", "--engine", "dense"}, 2, "not numbered");
  refused({"compute", "cram:4x4", "--adjacency"}, 2, "-o FILE");
  refused({"compute", "cram:5x6", "--memory", "1MiB"}, 1, "allowed");
  refused({"compute", "kayles"}, 2, "--to");
}

// Cram on 3 x 4 has the value 1, and on 2 x 2 the value 0.
TEST_F(GraphCli, PositionsAreComponentsOfSums) {
  EXPECT_THAT(output({"sum", "nim:1", "cram:3x4"}), HasSubstr("P: the player to move loses"));
  EXPECT_THAT(output({"equal", "cram:3x4", "nim:1"}), StartsWith("equal"));
  EXPECT_THAT(output({"equal", "cram:3x4 wythoff:1,2", "nim:1"}), StartsWith("equal"));
  EXPECT_THAT(output({"equal", "cram:2x2 ruler:60", "nim:3"}), StartsWith("different"));
  EXPECT_THAT(output({"sum", "kayles:3", "cram:3x4", "--explain"}), HasSubstr("cram:3x4: 1 xor"));
  const json sum = output_json({"sum", "nim:4", "cram:2x2", "wythoff:3,5", "cram:3x4"});
  EXPECT_EQ(sum["value"], 5);
  EXPECT_EQ(sum["components"][3]["value"], 1);
  EXPECT_EQ(sum["components"][3]["position"], "oooo/oooo/oooo");
  // Every move that wins is listed, and no other: the values that they lead to are in the table.
  output({"compute", "cram:3x4", "-o", "cram.h5", "--reduce", "none"});
  const json two = output_json({"sum", "cram:2x2", "cram:3x4"});
  std::set<std::string> listed;
  std::size_t in_the_square = 0;  // each of its four moves leads from 0 to 1
  for (const json& move : two["winning_moves"]) {
    EXPECT_EQ(move["value"], move["component"] == 0 ? 1 : 0);
    if (move["component"] == 0) {
      ++in_the_square;
    } else {
      EXPECT_TRUE(listed.insert(move["left"]).second);
    }
  }
  EXPECT_EQ(in_the_square, 4u);
  std::set<std::string> expected;
  for (int cell = 0; cell < 12; ++cell) {
    for (const int other : {cell + 1, cell + 4}) {
      if (other >= 12 || (other == cell + 1 && other % 4 == 0)) continue;
      std::string left = "oooo/oooo/oooo";
      for (const int taken : {cell, other}) left[static_cast<std::size_t>(taken + taken / 4)] = '.';
      if (output_json({"query", "cram.h5", left})[0]["value"] == 0) expected.insert(left);
    }
  }
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(listed, expected);
}

TEST_F(GraphCli, ASearchCountsWhatItSearchesAndWhatItKnows) {
  const auto search = [&](const char* memory) {
    return output_json(
        {"compute", "node-kayles:3x14", "--root", "--threads", "1", "--memory", memory});
  };
  const json roomy = search("1GiB"), narrow = search("20KiB");
  EXPECT_GE(roomy["positions_searched"], roomy["positions_known"]);
  EXPECT_EQ(narrow["positions_known"], 20 * 1024 / 64 * 4) << "all that is allowed is in use";
  EXPECT_GT(narrow["positions_searched"], roomy["positions_searched"]);
  EXPECT_THAT(output({"compute", "node-kayles:3x14", "--root"}),
              ContainsRegex("positions +[0-9 ]+ searched, [0-9 ]+ known at the end\n"));
}

TEST_F(GraphCli, ASumThatPlaySplitsIntoTooManyHeapsIsRefusedAtOnce) {
  refused({"compute", "heaps:kayles:31,33"}, 2,
          "play can split this sum into 33 heaps, and a position has at most 32");
  EXPECT_EQ(run({"compute", "heaps:kayles:31,31", "--dry-run"}).code, 0);
  EXPECT_EQ(output_json({"compute", "heaps:kayles:3,3"})["root_value"], 0);
}

TEST_F(GraphCli, TheRootSaysHowItWasFound) {
  const json symmetric = output_json({"compute", "cram:6x6", "--root"});
  EXPECT_EQ(symmetric["root_value"], 0);
  EXPECT_EQ(symmetric["engine"], "theorem");
  EXPECT_THAT(symmetric["proof"].get<std::string>(), StartsWith("by symmetry: "));
  const std::string text = output({"compute", "cram:6x6", "--root"});
  EXPECT_THAT(text, HasSubstr("value 0, P: the player to move loses"));
  EXPECT_THAT(text, ContainsRegex("proof +by symmetry: "));
  const json searched = output_json({"compute", "cram:4x5", "--root"});
  EXPECT_EQ(searched["root_value"], 2);
  EXPECT_EQ(searched["engine"], "search");
  EXPECT_THAT(searched["proof"].get<std::string>(),
              StartsWith("by search; not 0 also by symmetry: take the two central cells"));
  EXPECT_EQ(output_json({"compute", "cram:3x5", "--root"})["proof"], "by search");
  const json table = output_json({"compute", "cram:4x4", "--root", "--engine", "layered"});
  EXPECT_EQ(table["engine"], "layered");
  EXPECT_EQ(table["proof"],
            fmt::format("by the table of all {} positions", table["positions_known"].get<int>()));
  const json numbered = output_json({"compute", "chomp:6x6", "--root"});
  EXPECT_EQ(numbered["engine"], "dense");
  EXPECT_EQ(numbered["positions_searched"], 923);  // C(12, 6) - 1
  EXPECT_EQ(numbered["root_value"], output_json({"compute", "chomp:6x6"})["root_value"]);
}

/// A number of tokens; a move takes one or two of them.
struct OneOrTwo {
  using Position = std::uint32_t;
  [[nodiscard]] Position start() const { return 20; }
  [[nodiscard]] std::uint32_t potential(Position n) const { return n; }
  [[nodiscard]] Position canonical(Position n) const { return n; }
  void options(Position n, auto&& visit) const {
    if (n > 0) visit(n - 1);
    if (n > 1) visit(n - 2);
  }
};

// A C++ program has written the file; the command does not know the game.
TEST_F(GraphCli, TheFileOfAGameOfOnesOwnIsReadWithoutTheGame) {
  Request request{.game = PositionGame{make_graph_game(OneOrTwo())},
                  .about = {.game = "one-or-two"},
                  .output = {.path = directory() / "own.h5"}};
  ASSERT_TRUE(compute(request).complete);
  request.output = {.path = directory() / "adjacent.h5", .adjacency = true};
  ASSERT_TRUE(compute(request).complete);
  request.output = {.path = directory() / "list.h5"};
  ASSERT_TRUE(compute_p_positions(request));

  EXPECT_THAT(output({"info", "own.h5"}),
              ContainsRegex("^  game         one-or-two\n"
                            "  positions    21, 1 of them without a move \\(those with equal "
                            "canonical form count once\\)\n"));
  EXPECT_THAT(output({"export", "own.h5", "--format", "csv"}),
              StartsWith("key,grundy,outcome,options,layer\n0x0000000000000000,0,P,0,0\n"
                         "0x0000000000000001,1,N,1,1\n"));
  EXPECT_THAT(output({"export", "list.h5", "--format", "csv"}),
              StartsWith("key,layer\n\"0x0000000000000000\",0\n"));
  EXPECT_THAT(output({"export", "list.h5", "--format", "bfile"}), HasSubstr("\n0 1\n1 0\n"));
  const json exported = json::parse(output({"export", "adjacent.h5", "--format", "json"}));
  EXPECT_FALSE(exported["rows"][2].contains("position"));
  EXPECT_EQ(exported["rows"][2]["options"], json::parse("[[1], [0]]"));
  EXPECT_THAT(output({"export", "adjacent.h5", "--format", "dot"}),
              HasSubstr("0x0000000000000014"));
  refused({"export", "own.h5", "--format", "json"}, kUsage, "so it is exported as csv only");

  EXPECT_EQ(output({"query", "own.h5", "0x5", "0x0000000000000003"}),
            "0x5 2 N\n0x0000000000000003 0 P\n");
  refused({"query", "own.h5", "0x15"}, kUsage, "'0x15' is not reached from the start position");
  for (const char* text : {"5", "0x", "0xg", "0x-5", "0x12345678901234567"}) {
    refused({"query", "own.h5", text}, kUsage,
            "is no key such as 0x2f, and is of 'one-or-two', which is not in the catalogue");
  }
  for (const std::vector<std::string>& words : {std::vector<std::string>{"verify", "own.h5"},
                                                {"verify", "list.h5"},
                                                {"verify", "own.h5", "--part", "1/3"},
                                                {"query", "list.h5", "3"}}) {
    refused(
        words, kUsage,
        ".h5' is of 'one-or-two', which is not in the catalogue; a C++ program that has the game "
        "hands it to the library");
  }
}

TEST_F(GraphCli, AGameOfOnesOwnNeedsNoName) {
  Request request{.game = PositionGame{make_graph_game(OneOrTwo())},
                  .output = {.path = directory() / "own.h5"}};
  ASSERT_TRUE(compute(request).complete);
  EXPECT_THAT(output({"info", "own.h5"}), StartsWith("  game         a game without a name\n"));
  refused({"query", "own.h5", "5"}, kUsage,
          "is no key such as 0x2f, and is of a game without a name, which is not in the catalogue");
  request.about.title = "One or two";
  request.output.overwrite = true;
  ASSERT_TRUE(compute(request).complete);
  EXPECT_THAT(output({"info", "own.h5"}), StartsWith("  game         One or two\n"));
}

// A command for values of heaps says which commands take a file without them.
TEST_F(GraphCli, AFileOfAnotherKindIsRefusedWithTheCommandsThatTakeIt) {
  output({"compute", "cram:2x3", "-o", "values.h5"});
  output({"compute", "cram:2x3", "--outcomes", "-o", "list.h5"});
  output({"compute", "wythoff", "--shape", "9x9", "--outcomes", "-o", "outcomes.h5"});
  output({"compute", "wythoff", "--shape", "9x9", "-o", "several.h5"});
  for (const std::string file : {"values.h5", "list.h5", "outcomes.h5", "several.h5"}) {
    for (const std::vector<std::string>& words : {std::vector<std::string>{"stats", file},
                                                  {"period", file},
                                                  {"count", file, "--heaps", "2"}}) {
      refused(words, kUsage,
              "and this needs a table or statistics of one heap; ask it for what it holds (grundy "
              "info, query or export)");
    }
    if (file == "several.h5") continue;
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"sum", file + ":1"}, {"resume", file, "--to", "99"}}) {
      refused(words, kUsage,
              "and this needs a table of one heap or of several; ask it for what it "
              "holds (grundy info, query or export)");
    }
    EXPECT_NE(output({"info", file}), "");
    EXPECT_NE(output({"export", file, "--format", "csv"}), "");
  }
  EXPECT_NE(output({"query", "values.h5", "ooo/ooo"}), "");
}

TEST_F(GraphCli, ADryRunPredicts) {
  const json chomp = output_json({"compute", "chomp:12x12", "--dry-run"});
  EXPECT_EQ(chomp["positions"], 2704155);
  EXPECT_GT(chomp["memory_bytes"], 2704155 * 20);
  EXPECT_TRUE(output_json({"compute", "cram:5x6", "--dry-run"})["positions"].is_null());
  const auto engine = [&](const std::string& game, const std::string& memory) {
    return output_json({"compute", game, "--root", "--dry-run", "--memory", memory})["engine"];
  };
  EXPECT_EQ(engine("cram:6x6", "1GiB"), "theorem");
  EXPECT_EQ(engine("cram:5x7", "1GiB"), "search");
  EXPECT_EQ(engine("chomp:12x12", "1GiB"), "dense");
  EXPECT_EQ(engine("chomp:12x12", "1MiB"), "search");
}

TEST_F(GraphCli, ThreadsDoNotChangeAFile) {
  for (const std::string threads : {"1", "2", "3"}) {
    output({"compute", "cram:4x5", "--threads", threads, "--reproducible", "-o", threads + ".h5"});
  }
  EXPECT_EQ(read("1.h5"), read("2.h5"));
  EXPECT_EQ(read("1.h5"), read("3.h5"));
}

}  // namespace
}  // namespace grundy::testing
