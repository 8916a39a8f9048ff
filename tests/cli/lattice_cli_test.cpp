/// @file
/// Games of several heaps on the command line: tables, questions about them, and refusals.
// SPDX-License-Identifier: MIT
#include <chrono>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <signal.h>

#include "cli/run_grundy.hpp"

namespace grundy::testing {
namespace {

using nlohmann::json;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

using LatticeCli = CommandTest;

TEST_F(LatticeCli, PrintGivesPositions) {
  EXPECT_EQ(output({"compute", "wythoff", "--shape", "2\u00d73", "--print"}),
            output({"compute", "wythoff", "--shape", "2x3", "--print"}));
  EXPECT_EQ(output({"compute", "wythoff", "--shape", "2x3", "--print"}),
            "0 0 0\n0 1 1\n0 2 2\n1 0 1\n1 1 2\n1 2 0\n");
  EXPECT_EQ(output({"compute", "wythoff", "--to", "2", "--print"}),
            output({"compute", "2: sym (1,0)* + (1,1)*", "--shape", "3x3", "--print"}));
  EXPECT_EQ(output({"compute", "nim(3)", "--to", "1", "--sorted", "--print"}),
            output({"compute", "nim(3)", "--shape", "2x2x2", "--sorted", "--print"}));
  EXPECT_EQ(output({"compute", "nim(3)", "--shape", "2x2x2", "--sorted", "--print"}),
            "0 0 0 0\n0 0 1 1\n0 1 1 0\n1 1 1 1\n");
  EXPECT_EQ(output({"compute", "nim-with-a-pass(2)", "--shape", "1x3", "--print"}),
            "0 0 0 0\n0 1 1 2\n0 2 2 1\n");
}

TEST_F(LatticeCli, StatisticsWithoutTable) {
  const json table = output_json({"compute", "wythoff", "--shape", "300x300", "-o", "w.h5"});
  const json counted = output_json({"compute", "wythoff", "--shape", "300x300", "--stats-only"});
  for (const char* field : {"count", "maximum", "p_positions", "histogram"}) {
    EXPECT_EQ(counted[field], table[field]) << field;
  }
  EXPECT_EQ(counted["digest"], json());
  EXPECT_EQ(counted["records"], json());
  const json first = {{0, 0}, {1, 2}, {2, 1}, {3, 5}, {4, 7}};
  ASSERT_EQ(counted["zeros"].size(), 229u);
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(counted["zeros"][i], first[i]);
  EXPECT_THAT(output({"compute", "wythoff", "--shape", "300x300", "--stats-only"}),
              Not(HasSubstr("digest")));
}

TEST_F(LatticeCli, ComputeInfoAndQuery) {
  const json computed =
      output_json({"compute", "wythoff", "--shape", "300x300", "-o", "w.h5", "--threads", "2"});
  EXPECT_EQ(computed["shape"], json({300, 300}));
  EXPECT_EQ(computed["positions"], 90000);
  EXPECT_EQ(computed["p_positions"], 229);
  const json info = output_json({"info", "w.h5"});
  EXPECT_EQ(info["digest"], computed["digest"]);
  EXPECT_EQ(info["notation"], "2: sym (1,0)* + (1,1)*");
  EXPECT_EQ(info["maximum"], json({{"value", 458}, {"position", {298, 299}}}));
  EXPECT_THAT(output({"info", "w.h5"}), HasSubstr("300 x 300: 90 000 positions"));

  EXPECT_EQ(output({"query", "w.h5", "3", "5"}), "3 5 0\n");
  EXPECT_EQ(output({"query", "w.h5", "10,0..3"}), "10 0 10\n10 1 11\n10 2 9\n10 3 8\n");
  EXPECT_EQ(output_json({"query", "w.h5", "4", "7"}),
            json::parse(R"([{"position":[4,7],"value":0}])"));
  output({"compute", "wythoff", "--shape", "300x300", "--sorted", "-o", "s.h5"});
  for (const std::string position : {"3,5", "5,3", "17,290", "290,17"}) {
    EXPECT_EQ(output({"query", "w.h5", position}), output({"query", "s.h5", position}));
  }
  EXPECT_THAT(refusal({"query", "w.h5", "300", "1"}), HasSubstr("sizes below 300"));
  EXPECT_THAT(refusal({"query", "w.h5", "3"}), HasSubstr("2 heaps, not 1"));
}

TEST_F(LatticeCli, Export) {
  output({"compute", "wythoff", "--shape", "100x100", "--sorted", "-o", "s.h5"});
  EXPECT_THAT(output({"export", "s.h5", "--format", "csv"}),
              StartsWith("heap_1,heap_2,grundy\n0,0,0\n0,1,1\n1,1,2\n0,2,2\n1,2,0\n"));
  // Wythoff's theorem: the n-th P-position has difference n.
  const std::string list =
      output({"export", "s.h5", "--format", "csv", "--value", "0", "--differences"});
  EXPECT_THAT(list, StartsWith("heap_1,heap_2,heap_2-heap_1\n0,0,0\n1,2,1\n3,5,2\n4,7,3\n"));
  EXPECT_THAT(list, EndsWith("59,96,37\n61,99,38\n"));
  EXPECT_EQ(output({"export", "s.h5", "--format", "csv", "--value", "4000000000"}),
            "heap_1,heap_2\n");
  EXPECT_THAT(refusal({"export", "s.h5", "--format", "bfile"}), HasSubstr("csv or npy"));
  EXPECT_EQ(output({"export", "s.h5", "--format", "csv", "--terms", "3"}),
            "heap_1,heap_2,grundy\n0,0,0\n0,1,1\n1,1,2\n");
  EXPECT_THAT(refusal({"export", "s.h5", "--format", "csv", "--terms", "5051"}),
              HasSubstr("more than the 5050 values"));
  EXPECT_THAT(refusal({"export", "s.h5", "--format", "npy", "--terms", "3"}),
              HasSubstr("for csv of all values"));
  EXPECT_THAT(refusal({"export", "s.h5", "--format", "csv", "--value", "0", "--terms", "3"}),
              HasSubstr("for csv of all values"));
  EXPECT_THAT(refusal({"export", "s.h5", "--format", "csv", "--offset", "3"}),
              HasSubstr("one heap"));
  output({"compute", "nim-with-a-pass(2)", "--shape", "9x9", "-o", "p.h5"});
  EXPECT_THAT(output({"export", "p.h5", "--format", "csv", "--value", "0"}),
              StartsWith("heap_1,heap_2,pass_left\n0,0,0\n0,0,1\n1,1,0\n1,2,1\n"));
}

TEST_F(LatticeCli, WhatIsForOneHeapSaysSo) {
  output({"compute", "wythoff", "--shape", "9x9", "-o", "w.h5"});
  EXPECT_THAT(refusal({"period", "w.h5"}), HasSubstr("several heaps"));
  EXPECT_THAT(refusal({"count", "w.h5", "--heaps", "2"}), HasSubstr("several heaps"));
}

TEST_F(LatticeCli, BadRequestsAreRefused) {
  EXPECT_THAT(refusal({"compute", "wythoff", "--shape", "9x9x9"}), HasSubstr("sizes for 3"));
  EXPECT_THAT(refusal({"compute", "wythoff", "--shape", "9xq"}), HasSubstr("--shape"));
  EXPECT_THAT(refusal({"compute", "wythoff", "--shape", "0x9"}),
              HasSubstr("--shape: a heap has 1 to 2^32-1 sizes, not 0"));
  EXPECT_THAT(refusal({"compute", "wythoff", "--shape", ""}), HasSubstr("--shape"));
  EXPECT_THAT(refusal({"compute", "wythoff", "--shape", "2^40x2"}), HasSubstr("2^32-1"));
  EXPECT_THAT(refusal({"compute", "wythoff", "--to", "2^64-1"}), HasSubstr("2^32-1"));
  EXPECT_THAT(refusal({"compute", "wythoff", "--shape", "9x8", "--sorted"}), HasSubstr("sorted"));
  EXPECT_THAT(refusal({"compute", "2: (1,0)*", "--shape", "9x9", "--sorted"}),
              HasSubstr("permuted"));
  EXPECT_THAT(refusal({"compute", "2: (1,0", "--shape", "9x9"}), HasSubstr("character 8"));
  EXPECT_THAT(refusal({"compute", "wythoff", "--shape", "9x9", "--engine", "dense"}),
              HasSubstr("no engine for several heaps"));
  EXPECT_THAT(refusal({"compute", "wythoff"}), HasSubstr("--shape"));
  EXPECT_THAT(refusal({"compute", "wythoff", "--to", "5", "--shape", "6x6"}), HasSubstr("--to"));
  const Outcome outcome =
      run({"compute", "wythoff", "--shape", "60000x60000", "--memory", "1MiB", "-o", "w.h5"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("MiB of memory, and 1.00 MiB are available"));
  EXPECT_TRUE(files().empty());
}

/// Options that mean nothing for a kind of game are refused, not ignored.
TEST_F(LatticeCli, OptionsOfOtherGamesAreRefused) {
  for (const char* option : {"--reduce=none", "--adjacency", "--root"}) {
    EXPECT_THAT(refusal({"compute", "wythoff", "--shape", "9x9", option}),
                HasSubstr("is not for a game of several heaps"));
    EXPECT_THAT(refusal({"compute", "kayles", "--to", "9", option}),
                HasSubstr("is not for a game of one heap"));
  }
  for (const char* option : {"--chunk=1024", "--no-extend"}) {
    EXPECT_THAT(refusal({"compute", "wythoff", "--to", "9", option}), HasSubstr("several heaps"));
    EXPECT_THAT(refusal({"compute", "cram:2x3", option}), HasSubstr("a game on positions"));
  }
  EXPECT_THAT(refusal({"compute", "cram:2x3", "--stats-only"}), HasSubstr("a game on positions"));
  for (const char* option : {"--print", "--parts"}) {
    EXPECT_THAT(refusal({"compute", "wythoff", "--to", "9", "--stats-only", option}),
                HasSubstr(std::string(option) + " is not for statistics of several heaps"));
  }
  for (const char* option : {"--to=9", "--shape=2x3", "--print", "--block=8"}) {
    EXPECT_THAT(refusal({"compute", "cram:2x3", option}), HasSubstr("a game on positions"));
  }
  EXPECT_THAT(refusal({"compute", "cram:2x3", "--checkpoint-interval=1min"}),
              HasSubstr("a table of positions is not sealed"));
  EXPECT_THAT(refusal({"period", "wythoff", "--rows", "3", "--threads", "2"}),
              HasSubstr("--threads is not for rows"));
  EXPECT_THAT(refusal({"period", "kayles", "--rows", "3"}), HasSubstr("kayles"));
  output({"compute", "kayles", "--to", "99", "-o", "k.h5"});
  EXPECT_THAT(refusal({"period", "k.h5", "--rows", "3"}), HasSubstr("k.h5"));
  EXPECT_THAT(refusal({"period", "k.h5", "--engine", "dense"}), HasSubstr("a table"));
  EXPECT_EQ(output({"export", "k.h5", "--format", "csv", "--value", "0"}), "n\n0\n");
  EXPECT_THAT(refusal({"export", "k.h5", "--format", "csv", "--value", "3", "--differences"}),
              HasSubstr("several heaps"));
  output({"compute", "wythoff", "--shape", "9x9", "-o", "w.h5"});
  EXPECT_THAT(refusal({"export", "w.h5", "--format", "csv", "--offset", "3"}),
              HasSubstr("one heap"));
  EXPECT_THAT(refusal({"export", "w.h5", "--format", "csv", "--differences"}),
              HasSubstr("positions of one value"));
}

TEST_F(LatticeCli, DryRunPredicts) {
  const json needs =
      output_json({"compute", "wythoff", "--shape", "16384x16384", "--dry-run", "-o", "w.h5"});
  EXPECT_EQ(needs["count"], 16384ULL * 16384);
  EXPECT_EQ(needs["engine"], "wavefront");
  EXPECT_GT(needs["disk_bytes"], 16384ULL * 16384);
  EXPECT_TRUE(files().empty());
}

TEST_F(LatticeCli, CtrlCLeavesNothingOfAnEngineThatCannotGoOn) {
  const pid_t child = start({"compute", "wythoff", "--shape", "4000x4000", "--engine", "layered",
                             "-o", "w.h5", "--force", "--threads", "2"});
  std::this_thread::sleep_for(std::chrono::seconds(1));
  ::kill(child, SIGINT);
  const Outcome outcome = finish(child);
  EXPECT_EQ(outcome.code, 75) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("nothing is sealed before the end"));
  EXPECT_THAT(outcome.err, HasSubstr("no file was written"));
  EXPECT_TRUE(files().empty()) << files().begin()->first;
}

TEST_F(LatticeCli, SumsWithPositions) {
  // (3, 5) is a P-position of Wythoff's game, so the sum has the value of the heaps alone.
  const json sum = output_json({"sum", "0.77:12,7,5", "wythoff:3,5"});
  const json heaps = output_json({"sum", "0.77:12,7,5"});
  EXPECT_EQ(sum["value"], heaps["value"]);
  EXPECT_EQ(sum["components"][3]["position"], json({3, 5}));
  EXPECT_EQ(sum["components"][3]["value"], 0);

  // Nim by another name: 1 + 2 + 4 has value 7, and 4 is to become 3.
  const json nim = output_json({"sum", "nim(2):1,2", "nim:4"});
  EXPECT_EQ(nim["value"], 7);
  EXPECT_EQ(nim["winning_moves"],
            json::parse(R"([{"component":1,"taken":1,"left":[3],"pass":false,"value":3}])"));
  // The P-positions with a heap of at most 4 are (0,0), (1,2), (3,5), (4,7).
  EXPECT_EQ(output_json({"sum", "wythoff:4,6"})["winning_moves"][0]["left"], json({3, 5}));
  EXPECT_EQ(output_json({"sum", "wythoff:4,6"})["winning_moves"].size(), 1U);
  EXPECT_THAT(output({"sum", "wythoff:2,2"}), HasSubstr("leave (1, 2)"));
  EXPECT_THAT(output({"sum", "wythoff:2,2"}), HasSubstr("leave (0, 0)"));
  // With a pass left the heaps (1, 1) are an N-position: passing leaves (1, 1) without one.
  EXPECT_THAT(output({"sum", "nim-with-a-pass(2):1,1"}),
              HasSubstr("pass in the position (1, 1) of Nim with a pass\n"));
  output({"compute", "wythoff", "--shape", "9x9", "--sorted", "-o", "w.h5"});
  EXPECT_EQ(output({"sum", "w.h5:7,4", "nim:3"}), output({"sum", "wythoff:7,4", "nim:3"}));
  EXPECT_THAT(refusal({"sum", "wythoff:3"}), HasSubstr("2 heaps, not 1"));
  EXPECT_THAT(refusal({"sum", "w.h5:3,9"}), HasSubstr("not in the table"));
}

// A table of values and a list of outcomes give the same P-positions.
TEST_F(LatticeCli, OutcomesWithoutValues) {
  for (const std::vector<std::string>& what :
       std::vector<std::vector<std::string>>{{"wythoff", "--shape", "60x90"},
                                             {"wythoff", "--shape", "80x80", "--sorted"},
                                             {"chomp(3)", "--shape", "20x20x20", "--sorted"},
                                             {"nim-with-a-pass(2)", "--shape", "16x16"}}) {
    std::vector<std::string> words{"compute"};
    words.insert(words.end(), what.begin(), what.end());
    const json values = output_json(words);
    words.emplace_back("--outcomes");
    const json outcomes = output_json(words);
    EXPECT_EQ(outcomes["p_positions"], values["p_positions"]) << what[0];
    EXPECT_EQ(outcomes["shape"], values["shape"]);
    EXPECT_EQ(outcomes["first_p_positions"].size(),
              std::min<std::size_t>(1024, outcomes["p_positions"].get<std::size_t>()));
    EXPECT_THAT(output(words), HasSubstr("P-positions"));
  }
  const json wythoff = output_json({"compute", "wythoff", "--shape", "9x9", "--outcomes"});
  EXPECT_EQ(wythoff["first_p_positions"],
            json::parse("[[0,0],[1,2],[2,1],[3,5],[4,7],[5,3],[7,4]]"));
  // Sets do not follow these moves: the zeros of the values are found.
  const json euclid = output_json({"compute", "euclid", "--shape", "3x4", "--outcomes"});
  EXPECT_EQ(euclid["first_p_positions"],
            json::parse("[[0,0],[0,1],[0,2],[0,3],[1,0],[1,1],[2,0],[2,2],[2,3]]"));
  EXPECT_TRUE(files().empty());
}

// Only the first two P-positions differ from normal play.
TEST_F(LatticeCli, MiserePlay) {
  const std::vector<std::string> words{"compute", "wythoff", "--shape", "70x70", "--misere"};
  const auto with = [&words](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    return more;
  };
  const json made = output_json(with({"--sorted", "-o", "m.h5"}));
  EXPECT_EQ(made["notation"], "2: sym (1,0)* + (1,1)* + misere");
  EXPECT_EQ(made["digest"], output_json({"info", "m.h5"})["digest"]);
  EXPECT_NE(made["digest"],
            output_json({"compute", "wythoff", "--shape", "70x70", "--sorted"})["digest"]);
  EXPECT_EQ(made["digest"], output_json({"compute", "2: misere + (1,1)* + sym (1,0)*", "--shape",
                                         "70x70", "--sorted", "--engine", "reference"})["digest"]);
  EXPECT_EQ(output({"query", "m.h5", "0", "0..1"}), "0 0 1\n0 1 0\n");
  EXPECT_EQ(output_json(with({"--outcomes"}))["first_p_positions"][4], json::parse("[4,7]"));
  EXPECT_EQ(output_json(with({"--outcomes"}))["p_positions"],
            output_json(with({"--stats-only"}))["p_positions"]);
  EXPECT_THAT(output({"verify", "m.h5", "--full"}), HasSubstr("are proved"));
  EXPECT_THAT(output({"verify", "m.h5", "--range", "0:"}), HasSubstr("are proved"));
  EXPECT_THAT(output(with({"--sorted", "-o", "o.h5", "--outcomes"})),
              HasSubstr("(0,1) (2,2) (3,5)"));
  EXPECT_THAT(output({"verify", "o.h5"}), HasSubstr("P-positions"));
  // Values of misère play say nothing of sums.
  EXPECT_THAT(refusal({"sum", "m.h5:3,5"}), HasSubstr("is in misère play"));
  EXPECT_THAT(refusal({"sum", "2: sym (1,0)* + misere:3,5", "nim:1"}), HasSubstr("misère"));
  EXPECT_THAT(refusal({"period", "2: sym (1,0)* + misere", "--rows", "3"}), HasSubstr("misère"));
}

// A file of outcomes, and all commands that read it.
TEST_F(LatticeCli, OutcomesInAFile) {
  const std::vector<std::string> words{"compute",  "chomp(4)",   "--shape", "30x30x30x30",
                                       "--sorted", "--outcomes", "-o",      "c.h5"};
  const json made = [&] {
    std::vector<std::string> as_json = words;
    as_json.emplace_back("--json");
    return json::parse(output(as_json));
  }();
  EXPECT_EQ(made["digest"], output_json({"info", "c.h5"})["digest"]);
  EXPECT_THAT(refusal(words), HasSubstr("c.h5"));  // it exists
  EXPECT_EQ(output({"query", "c.h5", "0,1,1,3"}), "0 1 1 3 P\n");
  EXPECT_EQ(output({"query", "c.h5", "3", "1", "0", "2"}),
            "3 1 0 2 N, by a move to (0,1,2,2) (0,1,1,3) (0,0,2,3)\n");
  EXPECT_EQ(output_json({"query", "c.h5", "0,0,2,2"})[0]["winning_moves_to"],
            json::parse("[[0,0,1,2]]"));
  EXPECT_THAT(refusal({"query", "c.h5", "1,1,1,30"}), HasSubstr("30"));
  EXPECT_THAT(output({"query", "c.h5", "0,0,0..1,2"}), HasSubstr("\n0 0 1 2 P\n"));
  EXPECT_THAT(output({"verify", "c.h5", "--full"}), HasSubstr("40 920 of 40 920 are proved"));
  EXPECT_THAT(refusal({"verify", "c.h5", "--range", "1:2"}), HasSubstr("is not for outcomes"));
  EXPECT_THAT(output({"export", "c.h5", "--format", "csv"}),
              ::testing::StartsWith("heap_1,heap_2,heap_3,heap_4\n0,0,0,0\n0,0,0,1\n0,0,1,2\n"));
  EXPECT_THAT(refusal({"export", "c.h5", "--format", "npy"}), HasSubstr("is exported whole"));
  // By the first row: (1), (2,1), (2,2,1), (2,2,2,1), ... (OEIS A395126).
  EXPECT_THAT(output({"export", "c.h5", "--format", "bfile"}),
              ::testing::AllOf(HasSubstr("with 4 heaps, whose order does not count"),
                               HasSubstr("largest heap\n0 1\n1 1\n2 3\n3 3\n")));
  EXPECT_THAT(refusal({"export", "c.h5", "--format", "bfile", "--terms", "3"}),
              HasSubstr("is exported whole"));
}

// Subtraction games have outcomes without values too (P-positions: OEIS A030193).
TEST_F(LatticeCli, OutcomesOfHeapsInAFile) {
  const json made =
      output_json({"compute", "S{squares}", "--to", "10^6", "--outcomes", "-o", "s.h5"});
  EXPECT_EQ(made["p_positions"], 13952);
  EXPECT_EQ(made["digest"], output_json({"info", "s.h5"})["digest"]);
  EXPECT_EQ(output({"query", "s.h5", "22"}), "22 P\n");
  EXPECT_EQ(output({"query", "s.h5", "25", "22..23"}),
            "25 N, by a move to (0)\n22 P\n23 N, by a move to (7) (22)\n");
  EXPECT_EQ(output_json({"query", "s.h5", "22"})[0]["outcome"], "P");
  EXPECT_EQ(output_json({"query", "s.h5", "22", "0"})[1]["position"], json::parse("[0]"));
  // Questions without an answer are reported after the others.
  const auto partly = run({"query", "s.h5", "2000000", "22"});
  EXPECT_EQ(partly.code, 2);
  EXPECT_EQ(partly.out, "22 P\n");
  EXPECT_THAT(partly.err, HasSubstr("2000000"));
  EXPECT_THAT(
      output({"export", "s.h5", "--format", "bfile", "--offset", "1"}),
      ::testing::StartsWith("1 0\n2 2\n3 5\n4 7\n5 10\n6 12\n7 15\n8 17\n9 20\n10 22\n11 34\n"));
  EXPECT_THAT(refusal({"export", "s.h5", "--format", "bfile", "--offset", "2^63-1"}),
              HasSubstr("past 2^63-1"));
  EXPECT_THAT(output({"verify", "s.h5", "--samples", "100"}), HasSubstr("100 of 1 000 001"));
  EXPECT_THAT(refusal({"compute", "kayles", "--to", "9", "--outcomes"}),
              HasSubstr("a move may leave several heaps, whose outcomes do not tell"));
  EXPECT_THAT(refusal({"compute", "S{squares}", "--to", "9", "--outcomes", "--stats-only"}),
              HasSubstr("--stats-only is not for a run that finds outcomes only"));
}

// No move splits a heap, so misère play differs only for heaps without a move.
TEST_F(LatticeCli, MisereOutcomesOfOneHeap) {
  const std::vector<std::string> words{"compute", "S{squares}", "--to", "1000", "--outcomes"};
  std::vector<std::string> in_misere = words;
  in_misere.insert(in_misere.end(), {"--misere", "-o", "m.h5"});
  json lost = json::array();
  const json genera = output_json({"genus", "S{squares}", "--to", "1000"});
  for (const json& heap : genera["heaps"]) {
    if (heap["misere_outcome"] == "P") lost.push_back(json::array({heap["heap"]}));
  }
  const json made = output_json(in_misere);
  EXPECT_EQ(made["first_p_positions"], lost);
  EXPECT_EQ(made["misere"], true);
  EXPECT_EQ(output_json(words)["misere"], false);
  EXPECT_EQ(output_json({"info", "m.h5"})["misere"], true);
  EXPECT_THAT(output({"info", "m.h5"}),
              HasSubstr("; the player who cannot move wins (misère play)"));
  EXPECT_EQ(output({"query", "m.h5", "0", "1..2"}),
            "0 N, without a move\n1 P\n2 N, by a move to (1)\n");
  EXPECT_THAT(output({"verify", "m.h5", "--full"}), HasSubstr("1 001 of 1 001 are proved"));
  EXPECT_THAT(refusal({"compute", "kayles", "--to", "9", "--outcomes", "--misere"}),
              HasSubstr("a move may leave several heaps"));
}

TEST_F(LatticeCli, RulesFiles) {
  write("jump.toml",
        "title = \"A jump\"\nheaps = 2\nmoves = [\"sym (1,0)*\", \"(1,1)*\", \"sym (1,2)\"]\n");
  const json info = output_json({"compute", "jump.toml", "--shape", "20x20"});
  EXPECT_EQ(info["title"], "A jump");
  EXPECT_EQ(info["digest"], output_json({"compute", "2: sym (1,0)* + (1,1)* + sym (1,2)", "--shape",
                                         "20x20"})["digest"]);
  write("bad.toml", "heaps = 2\nmoves = [\"(1,0)*\", \"(1,2,3)\"]\n");
  EXPECT_THAT(refusal({"compute", "bad.toml", "--shape", "9x9"}),
              HasSubstr("bad.toml, line 2, column 21: the step has 3 entries"));
  EXPECT_THAT(refusal({"compute", "none.toml", "--shape", "9x9"}), HasSubstr("none.toml"));
}

// The words of the catalogue and those of the rule say the same.
TEST_F(LatticeCli, EveryHeadingTellsTheMovesOnce) {
  write("own.toml", "heaps = 2\nrules = \"As in Nim.\"\nmoves = [\"sym (1,0)*\"]\n");
  const std::string take = "A move: take any number of tokens from one heap";
  const std::vector<std::vector<std::string>> commands{
      {"compute", "", "--shape", "4x4"},
      {"compute", "", "--shape", "4x4", "--dry-run"},
      {"compute", "", "--shape", "4x4", "--outcomes"},
      {"period", "", "--rows", "1"}};
  for (std::vector<std::string> command : commands) {
    command[1] = "nim";
    EXPECT_THAT(output(command), HasSubstr("  moves        Position: 2 heaps. " + take));
    command[1] = "own.toml";
    EXPECT_THAT(output(command), HasSubstr("  moves        As in Nim. Position: 2 heaps. " + take));
  }
}

TEST_F(LatticeCli, PeriodsOfRows) {
  const json found = output_json({"period", "wythoff", "--rows", "4"});
  EXPECT_EQ(found["status"], "certified");
  EXPECT_EQ(found["rows"][4], json({{"row", 4}, {"period", 12}, {"preperiod", 9}, {"saltus", 12}}));
  EXPECT_THAT(output({"period", "wythoff", "--rows", "3"}),
              HasSubstr("Dress, Flammenkamp and Pink 1999; the argument is Landman's"));
  EXPECT_EQ(output_json({"period", "wythoff", "--rows", "10", "--to", "100"})["status"], "none");
  EXPECT_THAT(refusal({"period", "euclid", "--rows", "3"}), HasSubstr("cannot be proved"));
  EXPECT_THAT(refusal({"period", "wythoff"}), HasSubstr("--rows"));
}

TEST_F(LatticeCli, GamesListsBothKinds) {
  const json games = output_json({"games"});
  std::size_t lattice = 0;
  for (const json& game : games) {
    if (game["kind"] != "lattice") continue;
    ++lattice;
    EXPECT_FALSE(game["moves"].get<std::string>().empty());
    EXPECT_FALSE(game["reference"].get<std::string>().empty());
  }
  EXPECT_GE(lattice, 15U);
  EXPECT_THAT(output({"games"}), HasSubstr("moore(heaps,k)"));
}

}  // namespace
}  // namespace grundy::testing
