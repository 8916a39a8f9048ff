/// @file
/// Bad input: for each case one clear sentence on standard error, the right exit code, nothing on
/// standard output, and no file created, changed or lost.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <grundy/compute.hpp>

#include "cli/run_grundy.hpp"

namespace grundy::testing {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct BadInput {
  const char* name;
  std::vector<std::string> arguments;
  int code;
  const char* says;  ///< part of the sentence
};

void PrintTo(const BadInput& bad, std::ostream* out) {
  *out << bad.name;
}

std::vector<std::string> compute(const std::string& game, const std::string& last = "100") {
  return {"compute", game, "--to", last, "-o", "new.h5"};
}

std::vector<std::string> compute_with(std::vector<std::string> more) {
  std::vector<std::string> words = compute("kayles");
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::vector<std::string> compute_into(const std::string& output) {
  return {"compute", "kayles", "--to", "100", "-o", output};
}

const BadInput kCases[] = {
    // Codes and sets.
    {"DigitNotHexadecimal", compute("0.7x"), kUsage, "x"},
    {"CodeWithoutDigits", compute("."), kUsage, "no digit"},
    {"EmptyGame", compute(""), kUsage, ""},
    {"BlankGame", compute(" "), kUsage, ""},
    {"TwoPoints", compute("0.7.7"), kUsage, "."},
    {"NegativeCode", compute("0.-7"), kUsage, "-"},
    {"UnicodeDigit", compute("0.7\xd9\xa7"), kUsage, ""},
    {"ControlCharacter", compute("0.7\x01"), kUsage, ""},
    {"InfinitePlayPass", compute("2.7"), kUsage, "never end"},
    {"UnclosedSet", compute("S{1,2"), kUsage, ""},
    {"EmptySet", compute("S{}"), kUsage, ""},
    {"ZeroInSet", compute("S{0,1}"), kUsage, "0"},
    {"NegativeInSet", compute("S{-1}"), kUsage, ""},
    {"WordInSet", compute("S{1,two}"), kUsage, "t"},
    {"UnknownSet", compute("S{cubes}"), kUsage, "cubes"},
    {"OverflowInSet", compute("S{99999999999999999999}"), kUsage, ""},
    {"UnclosedTail", compute("0.[3"), kUsage, ""},
    {"UnclosedList", compute("0.{1,2"), kUsage, ""},
    {"UnknownName", compute("keyles"), kUsage, "kayles"},
    {"UnknownNameOfSeveralHeaps", compute("wythof"), kUsage, "did you mean wythoff?"},
    {"UnknownPrefix", compute("octal:0.77"), kUsage, "did you mean '0.77'?"},
    {"HeapsBehindAGame", {"sum", "nim:5:6"}, kUsage, "write nim:5,6"},
    {"PeriodOfPositions", {"period", "cram:3x3"}, kUsage, "cram is a game on positions"},
    {"BoardIsTooLarge", {"compute", "Cram:12\u00d711"}, kUsage, "12x11"},
    {"TrailingRubbish", compute("S{1,2}x"), kUsage, "x"},
    // Formulas.
    {"FormulaThatLeavesTheHeap", compute("n -> d : d | n"), kUsage, "heap 1 may become heap 1"},
    {"FormulaThatGrowsLater", compute("n -> floor(n*n/90)"), kUsage, "heap 90 may become heap 90"},
    {"FormulaTooLarge", compute("n -> n - d*d*d*d", "10^6"), kUsage, "may not fit into 64 bits"},
    {"FormulaWithoutArrow", compute("n - d : d | n"), kUsage, "no game called"},
    {"FormulaWithTwoVariables", compute("n -> n - d : e | n"), kUsage, "character 14"},
    {"AtlasOfFormulas",
     {"atlas", "n -> n - 1", "--to", "100", "-o", "new.h5"},
     kUsage,
     "an atlas has no rules given by formulas"},
    {"OutcomesOfASplit",
     {"compute", "kayles", "--to", "100", "--outcomes"},
     kUsage,
     "P-positions are the zeros of its values (export FILE --format csv --value 0)"},
    // Sizes.
    {"NegativeSize", compute("kayles", "-5"), kUsage, ""},
    {"NegativeDifference", compute("kayles", "1-5"), kUsage, "negative"},
    {"SizeIsAWord", compute("kayles", "many"), kUsage, "many"},
    {"SizeIsEmpty", compute("kayles", ""), kUsage, ""},
    {"SizeIsAFraction", compute("kayles", "1.5"), kUsage, "1.5"},
    {"SizeWithUnit", compute("kayles", "10k"), kUsage, "10k"},
    {"SizeOverflows", compute("kayles", "18446744073709551616"), kUsage, "2^64"},
    {"PowerOverflows", compute("kayles", "10^30"), kUsage, "10^30"},
    {"ExponentOverflows", compute("kayles", "1e400"), kUsage, "1e400"},
    {"SizeAbsurd", compute("kayles", "2^64-1"), kUsage, "2^48"},
    {"SumOfHeapsWithAPass", {"compute", "heaps:0.3 pass 2:2", "-o", "new.h5"}, kUsage, "pass"},
    {"SizeOfOutcomesAbsurd", {"compute", "S{1,2}", "--to", "2^64-1", "--outcomes"}, kUsage, "2^48"},
    {"SizeOfMisereAbsurd", {"compute", "kayles", "--to", "2^64-1", "--misere"}, kUsage, "2^48"},
    {"SortedOutcomesOfOneHeap",
     {"compute", "S{1,2}", "--to", "9", "--outcomes", "--sorted"},
     kUsage,
     "--sorted"},
    {"AdjacencyOfOneValue",
     {"compute", "cram:2x2", "--root", "--adjacency", "-o", "new.json"},
     kUsage,
     "--adjacency"},
    {"SizeTooLarge", compute("kayles", "2^48"), kUsage, "2^48"},
    {"NoSize", {"compute", "kayles"}, kUsage, "--to"},
    {"NoGame", {"compute", "--to", "100"}, kUsage, "GAME"},
    // Options.
    {"UnknownOption", compute_with({"--fast"}), kUsage, "no option '--fast'; --help lists"},
    {"MisspeltOption", compute_with({"--thread", "2"}), kUsage, "did you mean --threads?"},
    {"MisspeltOptionWithValue", compute_with({"--memroy=1GiB"}), kUsage, "did you mean --memory?"},
    {"MisspeltOptionWithoutCommand", {"--versoin"}, kUsage, "did you mean --version?"},
    {"OptionBeforeTheCommand",
     {"--to", "5", "compute", "kayles"},
     kUsage,
     "--to 5 stands before compute; options of a command stand behind its name: grundy compute ... "
     "--to 5"},
    {"MisspeltCommand", {"verfy", "old.h5"}, kUsage, "did you mean verify?"},
    {"UnknownEngine", compute_with({"--engine", "warp"}), kUsage, "warp"},
    {"EngineRefuses", compute_with({"--engine", "subtraction"}), kUsage, "subtraction"},
    {"UnknownKernel", compute_with({"--kernel", "mmx"}), kUsage, "mmx"},
    {"UnknownBackend", compute_with({"--backend", "openmp"}), kUsage, "openmp"},
    {"TooManyThreads", compute_with({"--threads", "5000"}), kUsage, "5000"},
    {"NegativeThreads", compute_with({"--threads", "-1"}), kUsage, "--threads"},
    {"ThreadsIsAWord", compute_with({"--threads", "all"}), kUsage, "--threads"},
    {"BlockZero", compute_with({"--block", "0"}), kUsage, "the least is 1"},
    {"TileZero", {"compute", "nim(2)", "--to", "9", "--block", "0"}, kUsage, "the least is 1"},
    {"BlockIsAWord", compute_with({"--block", "big"}), kUsage, "--block"},
    {"ChunkNotAPowerOfTwo", compute_with({"--chunk", "1000"}), kUsage, "1000"},
    {"ChunkTooLarge", compute_with({"--chunk", "2^20"}), kUsage, "2^18"},
    {"ChunkZero", compute_with({"--chunk", "0"}), kUsage, "chunk"},
    {"MemoryIsAWord", compute_with({"--memory", "lots"}), kUsage, "--memory"},
    {"MemoryZero", compute_with({"--memory", "0"}), kUsage, "--memory"},
    {"MemoryTooSmall", compute_with({"--memory", "100B"}), kFailure, "memory"},
    {"MemoryOfASearchTooSmall",
     {"compute", "node-kayles:6x7", "--root", "--memory", "1kB"},
     kFailure,
     "this needs about 16.0 KiB of memory, and 1000 B are available"},
    {"MemoryOfAFamilyTooSmall",
     {"atlas", "0.dd", "--to", "1000", "--memory", "1kB"},
     kFailure,
     "of memory, and 1000 B are available"},
    {"MoreMemoryThanThereIs", {"compute", ".007", "--to", "2^46"}, kFailure, "memory"},
    {"MoreDiskThanThereIs",
     {"compute", "kayles", "--to", "2^47", "-o", "new.h5"},
     kFailure,
     "disk"},
    {"OptionWithoutValue", {"compute", "kayles", "--to"}, kUsage, "--to"},
    {"TwoGames", {"compute", "kayles", "nim", "--to", "9"}, kUsage, "nim"},
    // Places.
    {"OutputExists", compute_into("old.h5"), kUsage, "old.h5"},
    {"OutputIsADirectory", compute_into("folder"), kUsage, "folder"},
    {"OutputIsADirectoryForced",
     {"compute", "kayles", "--to", "9", "-o", "folder", "--force"},
     kUsage,
     "folder"},
    {"DirectoryMissing", compute_into("nowhere/new.h5"), kUsage, "nowhere"},
    {"DirectoryIsAFile", compute_into("text.txt/new.h5"), kUsage, "text.txt"},
    {"DirectoryNotWritable", compute_into("/proc/new.h5"), kUsage, "/proc"},
    {"ComputeToStandardOutput", compute_into("-"), kUsage, "`grundy export FILE` prints"},
    {"ResumeToStandardOutput",
     {"resume", "old.h5", "--to", "200", "-o", "-"},
     kUsage,
     "HDF5 cannot be streamed"},
    {"PeriodToStandardOutput", {"period", "0.07", "-o", "-"}, kUsage, "HDF5 cannot be streamed"},
    {"MergeToStandardOutput", {"merge", "old.h5", "--output=-"}, kUsage, "-o: HDF5 cannot be"},
    {"CensusToStandardOutput",
     {"census", "S{max<=9,size=2}", "-o", "-"},
     kUsage,
     "HDF5 cannot be streamed"},
    {"CensusSummaryToStandardOutput",
     {"census", "S{max<=9,size=2}", "--summary", "-"},
     kUsage,
     "--summary: only `grundy export` writes to standard output"},
    {"AtlasToStandardOutput", {"atlas", "0.dd", "-o", "-"}, kUsage, "HDF5 cannot be streamed"},
    {"AtlasSummaryToStandardOutput",
     {"atlas", "0.d", "--summary", "new.csv", "--summary", "-"},
     kUsage,
     "only `grundy export`"},
    {"CertificateToStandardOutput",
     {"verify", "old.h5", "--full", "--certificate", "-"},
     kUsage,
     "only `grundy export`"},
    {"ReleaseToStandardOutput", {"release", "-", "old.h5"}, kUsage, "DIR: only `grundy export`"},
    {"NameTooLong", compute_into(std::string(300, 'x')), kUsage, "xxx"},
    // Files that are read.
    {"InfoWithoutFile", {"info"}, kUsage, "FILE"},
    {"InfoMissing", {"info", "missing.h5"}, kUsage, "missing.h5"},
    {"InfoText", {"info", "text.txt"}, kCorrupt, "text.txt"},
    {"InfoEmpty", {"info", "empty.h5"}, kCorrupt, "empty.h5"},
    {"InfoTruncated", {"info", "cut.h5"}, kCorrupt, "cut.h5"},
    {"InfoDirectory", {"info", "folder"}, kUsage, "folder"},
    {"QueryWithoutHeap", {"query", "old.h5"}, kUsage, "N"},
    {"QueryPastTheEnd", {"query", "open.h5", "1000"}, kUsage, "1000"},
    {"QueryWord", {"query", "old.h5", "ten"}, kUsage, "ten"},
    {"QueryNegative", {"query", "old.h5", "-1"}, kUsage, "-1"},
    {"QueryOverflow", {"query", "old.h5", "2^64"}, kUsage, "2^64"},
    {"QueryBackwards", {"query", "old.h5", "9..3"}, kUsage, "9..3"},
    {"QueryHalfRange", {"query", "old.h5", "3.."}, kUsage, "a count is missing in '3..'"},
    {"ShapeWithTwoSigns",
     {"compute", "wythoff", "--shape", "10x\u00d710"},
     kUsage,
     "a size is missing in '10x\u00d710'"},
    {"PeriodOfNothing", {"period"}, kUsage, "GAME|FILE"},
    {"PeriodOfText", {"period", "text.txt"}, kCorrupt, "text.txt"},
    {"PeriodOfMissingFile", {"period", "missing.h5"}, kUsage, "missing.h5"},
    {"PeriodOfTableWithTo", {"period", "old.h5", "--to", "9"}, kUsage, "--to"},
    {"ExportWithoutFormat", {"export", "old.h5"}, kUsage, "--format"},
    {"ExportUnknownFormat", {"export", "old.h5", "--format", "xls"}, kUsage, "xls"},
    {"ExportTooManyTerms",
     {"export", "old.h5", "--format", "csv", "--terms", "999"},
     kUsage,
     "999"},
    {"ExportOffsetIsAWord",
     {"export", "old.h5", "--format", "csv", "--offset", "one"},
     kUsage,
     "--offset"},
    {"ExportOffsetOverflows",
     {"export", "old.h5", "--format", "csv", "--offset", "2^63"},
     kUsage,
     "--offset"},
    {"ExportOffsetForNpy",
     {"export", "old.h5", "--format", "npy", "--offset", "1", "-o", "new.npy"},
     kUsage,
     "npy"},
    {"ExportOntoAFile",
     {"export", "old.h5", "--format", "csv", "-o", "text.txt"},
     kUsage,
     "text.txt"},
    {"ExportOntoAPipe",
     {"export", "old.h5", "--format", "csv", "-o", "pipe", "--force"},
     kUsage,
     "pipe"},
    {"ExportIntoNowhere",
     {"export", "old.h5", "--format", "csv", "-o", "nowhere/new.csv"},
     kUsage,
     "nowhere"},
    {"ExportOfText", {"export", "text.txt", "--format", "csv"}, kCorrupt, "text.txt"},
    {"VerifyWithoutFile", {"verify"}, kUsage, "FILE"},
    {"VerifyMissing", {"verify", "missing.h5"}, kUsage, "missing.h5"},
    {"VerifyText", {"verify", "text.txt"}, kCorrupt, "text.txt"},
    {"VerifyTruncated", {"verify", "cut.h5"}, kCorrupt, "cut.h5"},
    {"VerifyRangeOfOneNumber", {"verify", "old.h5", "--range", "5"}, kUsage, "A:B"},
    {"VerifyRangeOfWords", {"verify", "old.h5", "--range", "a:b"}, kUsage, "--range"},
    {"VerifyRangeBackwards", {"verify", "old.h5", "--range", "9:3"}, kUsage, "9 to 3"},
    {"VerifyRangePastTheEnd", {"verify", "old.h5", "--range", "0:101"}, kUsage, "0 to 101"},
    {"VerifyTwoProofs", {"verify", "old.h5", "--range", "0:9", "--full"}, kUsage, "--full"},
    {"VerifySecondsNegative", {"verify", "old.h5", "--seconds", "-1"}, kUsage, "--seconds"},
    {"VerifyEngineRefuses",
     {"verify", "old.h5", "--full", "--engine", "subtraction"},
     kUsage,
     "subtraction"},
    {"VerifyOntoAFile",
     {"verify", "old.h5", "--range", "0:9", "--certificate", "text.txt"},
     kUsage,
     "text.txt"},
    {"VerifyTooLittleMemory",
     {"verify", "old.h5", "--range", "0:9", "--memory", "1B"},
     kFailure,
     "memory"},
    {"VerifySamplesOfARange",
     {"verify", "old.h5", "--range", "0:9", "--samples", "3"},
     kUsage,
     "--range excludes --samples"},
    {"VerifySecondsOfAll", {"verify", "old.h5", "--full", "--seconds", "3"}, kUsage, "--seconds"},
    {"MergeWithThreads",
     {"verify", "--merge", "missing.json", "--threads", "1"},
     kUsage,
     "certificates, which are joined"},
    {"MergeMissing", {"verify", "--merge", "missing.json"}, kUsage, "missing.json"},
    {"MergeText", {"verify", "--merge", "text.txt"}, kCorrupt, "text.txt"},
    {"NoCommand", {}, kUsage, "no command"},
    {"UnknownCommand", {"calculate", "kayles"}, kUsage, "no command 'calculate'"},
    {"CommandInCapitals", {"Compute", "kayles"}, kUsage, "did you mean compute?"},
    {"HelpOfNothing", {"help", "calculate"}, kUsage, "calculate"},
    {"TwoWordsTooMany",
     {"games", "kayles", "nim", "wythoff"},
     kUsage,
     "nim wythoff are not expected"},
    {"SortedWithoutSize", {"compute", "nim(2)", "--sorted"}, kUsage, "--shape"},
    {"SortedOneHeap", {"compute", "nim", "--to", "9", "--sorted"}, kUsage, "one heap"},
    {"ToAndShape", {"compute", "nim(2)", "--to", "9", "--shape", "3x3"}, kUsage, "--to"},
    {"GamesWithWrongName", {"games", "kaylse"}, kUsage, "did you mean kayles?"},
};

class BadInputTest : public CommandTest, public ::testing::WithParamInterface<BadInput> {
 protected:
  /// Makes a table without the command, which need not be started twice more for each bad input.
  void make_table(const char* rule, const char* name) const {
    Request request{.game = HeapGame{.rule = HeapRule::parse(rule), .last = 100}};
    request.output.path = directory() / name;
    ASSERT_TRUE(compute(request).complete);
  }
};

TEST_P(BadInputTest, OneSentenceRightCodeNothingLost) {
  make_table("0.77", "old.h5");
  make_table("0.007", "open.h5");
  std::string table = read("old.h5");
  table.resize(table.size() / 2);
  write("cut.h5", table);
  write("text.txt", "This is not a table.\n");
  write("empty.h5", "");
  std::filesystem::create_directory(directory() / "folder");
  ASSERT_EQ(::mkfifo((directory() / "pipe").c_str(), 0600), 0);
  const auto before = files();

  const Outcome outcome = run(GetParam().arguments);
  EXPECT_EQ(outcome.code, GetParam().code) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, StartsWith("grundy: "));
  EXPECT_THAT(outcome.err, EndsWith("\n"));
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_LT(outcome.err.size(), 600u);
  EXPECT_THAT(outcome.err, HasSubstr(GetParam().says));
  EXPECT_TRUE(files() == before) << "a file was created, changed or lost";
}

TEST_F(CommandTest, AnErrorTakesThePlaceOfAnEmptyArray) {
  ASSERT_EQ(run({"compute", "kayles", "--to", "9", "-o", "k.h5"}).code, 0);
  const Outcome none = run({"query", "k.h5", "-1", "--json"});
  EXPECT_EQ(none.code, kUsage);
  EXPECT_EQ(none.out, "");
  EXPECT_THAT(run({"query", "k.h5", "-1", "3", "--json"}).out, HasSubstr("\"heap\": 3"));
}

/// The test of the sentences checks the words; this one checks that the object has the same words.
TEST_F(CommandTest, AFailureIsAnObjectUnderJson) {
  const struct {
    std::vector<std::string> arguments;
    int code;
    const char* says;
  } cases[] = {
      {{"compute", "keyles", "--to", "9"}, kUsage, "did you mean kayles?"},
      {{"compute", "kayles"}, kUsage, "--to"},
      {{"compute", "kayles", "--to", "9", "--fast"}, kUsage, "--fast"},
      {{"Compute", "kayles"}, kUsage, "did you mean compute?"},
      {{"compute", "kayles", "--to", "10^6", "--memory", "100B"},
       kFailure,
       "and 100 B are available"},
      {{"info", "a\nb\xff.h5"}, kUsage, ".h5"},
      {{"info", "text.txt"}, kCorrupt, "text.txt"},
      {{"export", "text.txt", "--format", "csv"}, kUsage, "add -o FILE"},
      {{"export", "text.txt", "--format", "nosuch"}, kUsage, "there is no format 'nosuch'"},
      {{"--json", "compute", "kayles", "--to", "9"}, kUsage, "--json stands before compute; "},
  };
  write("text.txt", "This is not a table.\n");
  for (const auto& bad : cases) {
    std::vector<std::string> words = bad.arguments;
    words.emplace_back("--json");
    const Outcome outcome = run(words);
    SCOPED_TRACE(outcome.err);
    EXPECT_EQ(outcome.code, bad.code);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1);
    const auto object = nlohmann::json::parse(outcome.err, nullptr, false);
    ASSERT_TRUE(object.is_object());
    EXPECT_EQ(object["code"], bad.code);
    EXPECT_THAT(object["message"].get<std::string>(), HasSubstr(bad.says));
  }
}

INSTANTIATE_TEST_SUITE_P(Cli, BadInputTest, ::testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace grundy::testing
