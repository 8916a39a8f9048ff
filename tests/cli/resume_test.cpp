/// @file
/// Runs that are interrupted and resumed, by real processes.
// SPDX-License-Identifier: MIT
#include <chrono>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/mount.h>
#include <unistd.h>

#include "cli/run_grundy.hpp"

namespace grundy::testing {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
using json = nlohmann::json;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

const std::vector<std::string> kLong = {
    "compute", "0.007",     "--to", "200000", "-o", "t.h5", "--checkpoint-interval",
    "8KiB",    "--threads", "1"};
const std::string kShort = " compute 0.007 --to 20000 -o ";

class ResumeTest : public CommandTest {
 protected:
  /// Starts the long run and waits until something is sealed.
  pid_t start_sealing(const std::vector<std::string>& words = kLong) {
    const pid_t child = start(words);
    for (int i = 0; i < 2000 && segments() == 0; ++i) std::this_thread::sleep_for(10ms);
    EXPECT_GT(segments(), 0U);
    return child;
  }
  [[nodiscard]] std::size_t segments() const {
    std::size_t count = 0;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(directory() / "t.h5.run", error)) {
      count += entry.path().extension() == ".gseg" ? 1 : 0;
    }
    return count;
  }
  std::string digest_of(const std::string& file) {
    const Outcome info = run({"info", file});
    const auto at = info.out.find("XXH3-128 ");
    return at == std::string::npos ? info.err : info.out.substr(at, 41);
  }
  /// Leaves t.h5.run with something sealed in it.
  void stop_after_sealing(const std::vector<std::string>& words = kLong) {
    const pid_t child = start_sealing(words);
    ::kill(child, SIGINT);
    const Outcome outcome = finish(child);
    ASSERT_EQ(outcome.code, 75) << outcome.err;
  }
};

TEST_F(ResumeTest, AStoppedRunGoesOnByResumeAndByTheSameCommand) {
  ASSERT_EQ(run({"compute", "0.007", "--to", "60000", "-o", "whole.h5"}).code, 0);
  const std::vector<std::string> words{
      "compute", "0.007",     "--to", "60000", "-o", "t.h5", "--checkpoint-interval",
      "8KiB",    "--threads", "1"};
  for (const bool by_resume : {true, false}) {
    const pid_t child = start_sealing(words);
    ::kill(child, SIGTERM);
    const Outcome stopped = finish(child);
    ASSERT_EQ(stopped.code, 75) << stopped.err;
    EXPECT_THAT(stopped.err, HasSubstr("grundy resume t.h5.run"));
    const Outcome rest = by_resume
                             ? run({"resume", "t.h5.run", "--kernel", "scalar", "--block", "100"})
                             : run(words);
    ASSERT_EQ(rest.code, 0) << rest.err;
    EXPECT_THAT(rest.err, HasSubstr("continuing t.h5.run at heap"));
    EXPECT_EQ(digest_of("t.h5"), digest_of("whole.h5"));
    EXPECT_EQ(files().size(), 2U);
    fs::remove(directory() / "t.h5");
  }
}

TEST_F(ResumeTest, SignalsSealAndTellAndGoOn) {
  const std::vector<std::string> words{"compute", "0.007", "--to",      "10^6",
                                       "-o",      "t.h5",  "--threads", "1"};
  // The interval is long, so only the values of one byte are sealed without a request.
  const pid_t child = start_sealing(words);
  ::kill(child, SIGUSR1);
  for (int i = 0; i < 2000 && segments() < 2; ++i) std::this_thread::sleep_for(10ms);
  EXPECT_EQ(segments(), 2U);
  ::kill(child, SIGUSR2);
  std::this_thread::sleep_for(500ms);
  ::kill(child, SIGINT);
  const Outcome outcome = finish(child);
  EXPECT_EQ(outcome.code, 75);
  EXPECT_THAT(outcome.err,
              ContainsRegex(" %  .*  sealed .* ago; heaps below [0-9 ]+ are sealed\n"));
}

TEST_F(ResumeTest, ASecondRunOnTheSameOutputIsRefused) {
  const pid_t child = start_sealing();
  const auto before = segments();
  const Outcome second = shell("$GRUNDY" + kShort + "t.h5 2>&1");
  EXPECT_EQ(second.code, 1);
  EXPECT_THAT(second.out, HasSubstr("in use by process " + std::to_string(child)));
  const Outcome resumed = shell("$GRUNDY resume t.h5.run 2>&1");
  EXPECT_EQ(resumed.code, 1);
  EXPECT_GE(segments(), before);
  ::kill(child, SIGKILL);
  finish(child);
  const Outcome outcome = run(kLong);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("taking over from process " + std::to_string(child)));
}

TEST_F(ResumeTest, WhatIsSealedIsProvedByEveryKindOfProof) {
  stop_after_sealing();
  const Outcome info = run({"info", "t.h5.run"});
  EXPECT_THAT(info.out, ContainsRegex("sealed +heaps below [0-9 ]+ in [0-9]+ segments?, "));
  const Outcome some = run({"verify", "t.h5.run/", "--range", "0:2999"});
  ASSERT_EQ(some.code, 0) << some.err;
  EXPECT_THAT(some.out, HasSubstr("heaps 0 to 2 999 are proved"));
  ASSERT_EQ(run({"verify", "t.h5.run", "--range", "3000:", "--certificate", "b.json"}).code, 0);
  const Outcome all = run({"verify", "t.h5.run", "--merge", "t.h5.run.0-2999.json", "b.json"});
  EXPECT_EQ(all.code, 0) << all.err;
  const Outcome full = run({"verify", "t.h5.run", "--full"});
  EXPECT_EQ(full.code, 0) << full.err;
  EXPECT_THAT(full.out, HasSubstr("are proved: engine"));
  EXPECT_EQ(run({"resume", "t.h5", "-q"}).code, 0) << "proofs leave the run as it is";
  EXPECT_THAT(run({"resume", "t.h5.run"}).err, HasSubstr("perhaps the run is finished"));
}

TEST_F(ResumeTest, ARunOfSomethingElseIsRefusedWithTheDifference) {
  stop_after_sealing();
  const Outcome game = run({"compute", "0.137", "--to", "200000", "-o", "t.h5"});
  EXPECT_EQ(game.code, 4);
  EXPECT_THAT(game.err, HasSubstr("of 0.007, not of 0.137"));
  const Outcome range = run({"compute", "0.007", "--to", "300000", "-o", "t.h5"});
  EXPECT_EQ(range.code, 2) << "nothing is damaged";
  EXPECT_THAT(range.err, HasSubstr("'t.h5.run' holds a run up to heap 200000, not heap 300000"));
  EXPECT_THAT(range.err, HasSubstr("go on with it to another heap (grundy resume --to N)"));
  std::string text = read("t.h5.run/run.json");
  text.replace(text.find("\"format_major\": 1"), 17, "\"format_major\": 2");
  write("t.h5.run/run.json", text);
  const Outcome format = run({"resume", "t.h5.run"});
  EXPECT_EQ(format.code, 4);
  EXPECT_THAT(format.err, HasSubstr("format 2"));
}

TEST_F(ResumeTest, ALostRecordIsWrittenAnewByTheCommand) {
  stop_after_sealing();
  fs::remove(directory() / "t.h5.run/run.json");
  EXPECT_EQ(run({"resume", "t.h5.run"}).code, 4);
  EXPECT_EQ(run({"compute", "0.137", "--to", "200000", "-o", "t.h5"}).code, 4);
  EXPECT_FALSE(fs::exists(directory() / "t.h5.run/run.json"));
  const Outcome outcome = run(kLong);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("written anew"));
  EXPECT_THAT(outcome.err, HasSubstr("continuing"));
}

TEST_F(ResumeTest, ADamagedSegmentIsNamed) {
  stop_after_sealing();
  const std::string first = "t.h5.run/seg-0000000000.gseg";
  std::string bytes = read(first);
  bytes[300] = static_cast<char>(bytes[300] ^ 1);
  write(first, bytes);
  const Outcome outcome = run({"resume", "t.h5.run"});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_THAT(outcome.err, HasSubstr("do not match the digest"));
  EXPECT_THAT(outcome.err, HasSubstr("can be resumed from value 0"));
  for (const auto& entry : fs::directory_iterator(directory() / "t.h5.run")) {
    if (entry.path().extension() == ".gseg") fs::remove(entry.path());
  }
  EXPECT_EQ(run(kLong).code, 0);
}

TEST_F(ResumeTest, AFinishedTableIsExtended) {
  for (const char* game : {"0.007", "0.77", "S{squares}", "AllBut{2,4}"}) {
    ASSERT_EQ(run({"compute", game, "--to", "20000", "-o", "t.h5", "--force"}).code, 0);
    ASSERT_EQ(run({"compute", game, "--to", "50000", "-o", "whole.h5", "--force"}).code, 0);
    const Outcome copy = run({"resume", "t.h5", "--to", "50000", "-o", "longer.h5"});
    ASSERT_EQ(copy.code, 0) << copy.err;
    EXPECT_EQ(digest_of("longer.h5"), digest_of("whole.h5"));
    const Outcome place = run({"resume", "t.h5", "--to", "50000"});
    ASSERT_EQ(place.code, 0) << place.err;
    EXPECT_EQ(digest_of("t.h5"), digest_of("whole.h5"));
    EXPECT_EQ(run({"resume", "t.h5", "--to", "100"}).code, 2);
    EXPECT_THAT(run({"resume", "t.h5"}).err, HasSubstr("--to says to which heap"));
    EXPECT_EQ(files().size(), 3U);
    fs::remove(directory() / "longer.h5");
  }
}

TEST_F(ResumeTest, AFileOfStatisticsIsExtendedWithAndWithoutItsRun) {
  ASSERT_EQ(run({"compute", "0.106", "--to", "8e6", "--stats-only", "-o", "s.h5"}).code, 0);
  std::vector<std::string> whole{"compute",      "0.106", "--to",     "9e6",
                                 "--stats-only", "-o",    "whole.h5", "--force"};
  ASSERT_EQ(run(whole).code, 0);
  // A run that might replace a file, and has made it, takes it for its own.
  whole.pop_back();
  const Outcome again = run(whole);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr("had been finished"));
  // What has been found so far stands in the last state of a run, too.
  EXPECT_EQ(run({"stats", "s.h5.run"}).out, run({"stats", "s.h5"}).out);
  const nlohmann::json found = nlohmann::json::parse(run({"info", "s.h5.run", "--json"}).out);
  EXPECT_THAT(digest_of("s.h5"), HasSubstr(found["statistics"]["digest"].get<std::string>()));
  EXPECT_TRUE(found["complete"]);
  const Outcome part = run({"verify", "s.h5.run", "--range", "0:", "--certificate", "c.json"});
  ASSERT_EQ(part.code, 0) << part.err;
  EXPECT_THAT(read("c.json"), HasSubstr("from the state before it"));
  EXPECT_EQ(run({"verify", "s.h5.run", "--range", "8000001:"}).code, 2);
  EXPECT_EQ(run({"verify", "s.h5.run", "--range", "50:40"}).code, 2);
  fs::remove_all(directory() / "s.h5.run");
  EXPECT_EQ(run({"stats", "."}).code, 2);
  EXPECT_THAT(run({"info", "s.h5"}).out, HasSubstr("needs nothing but the file"));
  EXPECT_THAT(run({"resume", "s.h5"}).err, HasSubstr("--to says to which heap"));
  // A run that has ended at its period, before the last heap of the file, is at its end, too.
  ASSERT_EQ(run({"compute", "kayles", "--to", "1e5", "--stats-only", "-o", "k.h5", "-q"}).code, 0);
  EXPECT_THAT(run({"resume", "k.h5", "--to", "5e4"}).err,
              HasSubstr("the file of statistics ends at heap 100000 already"));
  const Outcome shorter = run({"resume", "s.h5", "--to", "100"});
  EXPECT_EQ(shorter.code, 2);
  EXPECT_THAT(shorter.err, HasSubstr("the file of statistics ends at heap 8000000 already"));
  const Outcome other = run({"resume", "s.h5", "--to", "8.5e6", "-o", "longer.h5"});
  ASSERT_EQ(other.code, 0) << other.err;
  EXPECT_THAT(other.err, HasSubstr("continuing"));
  const Outcome from_run = run({"resume", "longer.h5", "--to", "9e6"});
  ASSERT_EQ(from_run.code, 0) << from_run.err;
  EXPECT_EQ(digest_of("longer.h5"), digest_of("whole.h5"));
  const Outcome place = run({"resume", "s.h5", "--to", "8.5e6"});
  ASSERT_EQ(place.code, 0) << place.err;
  EXPECT_EQ(run({"verify", "s.h5.run", "--full"}).code, 0);
  // Its run is there now, and another file is made beside it all the same.
  const Outcome beside = run({"resume", "s.h5", "--to", "9e6", "-o", "beside.h5"});
  ASSERT_EQ(beside.code, 0) << beside.err;
  EXPECT_EQ(digest_of("beside.h5"), digest_of("whole.h5"));
}

TEST_F(ResumeTest, AFileOfStatisticsWithAPeriodIsNotExtended) {
  ASSERT_EQ(run({"compute", "0.77", "--to", "1e6", "--stats-only", "-o", "s.h5"}).code, 0);
  fs::remove_all(directory() / "s.h5.run");
  const Outcome further = run({"resume", "s.h5", "--to", "2e6"});
  EXPECT_EQ(further.code, 2);
  EXPECT_THAT(
      further.err,
      HasSubstr("has a proved period, which tells the heaps behind its end (grundy query)"));
}

TEST_F(ResumeTest, AFinishedFileNeedsAnotherEnd) {
  ASSERT_EQ(run({"compute", "0.007", "--to", "60000", "-o", "t.h5"}).code, 0);
  ASSERT_EQ(run({"compute", "0.007", "--to", "60000", "--stats-only", "-o", "s.h5"}).code, 0);
  for (const char* file : {"t.h5", "s.h5"}) {
    const Outcome again = run({"resume", file});
    EXPECT_EQ(again.code, 2) << file;
    EXPECT_THAT(again.err, HasSubstr("; --to says to which heap it is to be extended")) << file;
  }
  const Outcome period = run({"period", "s.h5.run"});
  EXPECT_EQ(period.code, 2);
  EXPECT_THAT(period.err, HasSubstr("`grundy info s.h5.run` says what it has found"));
}

TEST_F(ResumeTest, ASegmentThatIsCutShortIsNamedWithAWayOn) {
  stop_after_sealing({"compute", "0.007", "--to", "60000", "-o", "t.h5", "--threads", "1",
                      "--checkpoint-interval", "1KiB"});
  const fs::path last = directory() / "t.h5.run" / fmt::format("seg-{:010}.gseg", segments() - 1);
  for (const std::uintmax_t size : {fs::file_size(last) - 1, std::uintmax_t{0}}) {
    fs::resize_file(last, size);
    const Outcome stuck = run({"resume", "t.h5.run"});
    EXPECT_EQ(stuck.code, 4);
    EXPECT_THAT(stuck.err, HasSubstr("without it and the segments after it the run can be"));
  }
  fs::remove(last);
  const Outcome rest = run({"resume", "t.h5.run"});
  EXPECT_EQ(rest.code, 0) << rest.err;
}

TEST_F(ResumeTest, ARunTakesAnotherRange) {
  stop_after_sealing({"compute", "0.007", "--to", "60000", "-o", "t.h5", "--threads", "1",
                      "--checkpoint-interval", "1KiB"});
  const Outcome shorter = run({"resume", "t.h5.run", "--to", "100"});
  EXPECT_EQ(shorter.code, 2);
  EXPECT_THAT(shorter.err, HasSubstr("would drop some of them"));
  const Outcome longer = run({"resume", "t.h5.run", "--to", "70000"});
  ASSERT_EQ(longer.code, 0) << longer.err;
  ASSERT_EQ(run({"compute", "0.007", "--to", "70000", "-o", "whole.h5"}).code, 0);
  EXPECT_EQ(digest_of("t.h5"), digest_of("whole.h5"));
}

TEST_F(ResumeTest, AFileThatIsToBeReplacedIsNotTakenForTheTableOfItsRun) {
  auto words = kLong;
  ASSERT_EQ(run(words).code, 0);
  const std::string digest = digest_of("t.h5");
  words.push_back("--force");
  stop_after_sealing(words);
  // Without --force the old table must not end the run, which would lose what is sealed.
  const Outcome again = run(kLong);
  EXPECT_EQ(again.code, 2) << again.err;
  EXPECT_THAT(again.err, HasSubstr("--force"));
  EXPECT_GT(segments(), 0U);
  const Outcome rest = run({"resume", "t.h5.run"});
  ASSERT_EQ(rest.code, 0) << rest.err;
  EXPECT_EQ(segments(), 0U);
  EXPECT_EQ(digest_of("t.h5"), digest);
}

TEST_F(ResumeTest, ASearchForAPeriodIsTakenUpAndExtended) {
  const std::vector<std::string> words{
      "period", "0.007",     "--to", "60000", "-o", "t.h5", "--checkpoint-interval",
      "1KiB",   "--threads", "1"};
  stop_after_sealing(words);
  const Outcome rest = run({"resume", "t.h5.run"});
  ASSERT_EQ(rest.code, 0) << rest.err;
  EXPECT_THAT(rest.err, HasSubstr("continuing t.h5.run at heap"));
  EXPECT_THAT(rest.out, HasSubstr("none found in 60 001 heaps"));
  EXPECT_THAT(output({"period", "t.h5"}), HasSubstr("none found in 60 001 heaps"));
  const Outcome longer = run({"resume", "t.h5", "--to", "70000"});
  ASSERT_EQ(longer.code, 0) << longer.err;
  EXPECT_THAT(output({"info", "t.h5"}), HasSubstr("none found in 70 001 heaps"));

  ASSERT_EQ(run({"period", "0.16", "--to", "10^8", "-o", "found.h5"}).code, 0);
  const json period = output_json({"period", "found.h5"});
  EXPECT_EQ(period["preperiod"], 105351);
  EXPECT_EQ(period["period"], 149459);
  const json of_game = output_json({"period", "0.16", "--to", "10^8", "-q"});
  for (const char* key : {"status", "preperiod", "period", "verified_to", "theorem"}) {
    EXPECT_EQ(of_game[key], period[key]) << key;
  }
  EXPECT_THAT(output({"info", "found.h5"}), HasSubstr("149 459 from heap 105 351 on"));
  const Outcome again = run({"resume", "found.h5", "--to", "10^9"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr("found.h5' had been finished"));
  EXPECT_EQ(run({"period", "found.h5", "-o", "x.h5"}).code, 2);
}

TEST_F(ResumeTest, ReproducibleTablesAreByteEqualWhateverHappened) {
  // The engines of 0.172 and 0.034 change; a later life begins with another one.
  for (const char* game : {"0.007", "0.156", "0.172", "0.034"}) {
    const std::vector<std::string> words{
        "compute", game, "--to", "90000", "-o", "t.h5", "--reproducible", "--checkpoint-interval",
        "1KiB"};
    auto calm = words;
    calm[5] = "calm.h5";
    calm.back() = "10min";
    ASSERT_EQ(run(calm).code, 0);
    for (const std::chrono::milliseconds wait : {40ms, 100ms, 400ms}) {
      auto life = words;
      life.insert(life.end(), {"--threads", "1", "--block", "300"});
      const pid_t child = start(life);
      std::this_thread::sleep_for(wait);
      ::kill(child, SIGKILL);
      finish(child);
      const Outcome rest = run(words);
      ASSERT_TRUE(rest.code == 0 || files().contains("t.h5")) << rest.err;
      EXPECT_TRUE(read("t.h5") == read("calm.h5")) << game;
      fs::remove(directory() / "t.h5");
    }
    fs::remove(directory() / "calm.h5");
  }
}

// CTest reports the suite of a skipped case as skipped: those that mount are a suite.
using ResumeMountTest = ResumeTest;

TEST_F(ResumeMountTest, ADirectoryThatCannotBeWritten) {
  const fs::path closed = directory() / "closed";
  fs::create_directory(closed);
  // Modes do not hold back the superuser, who can mount instead.
  const bool mounted = ::mount("none", closed.c_str(), "tmpfs", MS_RDONLY, "size=160k") == 0;
  if (!mounted && ::geteuid() == 0) GTEST_SKIP() << "mounting needs more rights";
  if (!mounted) fs::permissions(closed, fs::perms::owner_read | fs::perms::owner_exec);
  const Outcome outcome = shell("$GRUNDY" + kShort + "closed/t.h5");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, MatchesRegex("grundy: cannot create the directory 'closed/t.h5.run': "
                                        "(Permission denied|Read-only file system)\n"));
  EXPECT_TRUE(fs::is_empty(closed));
  EXPECT_TRUE(!mounted || ::umount(closed.c_str()) == 0);
}

TEST_F(ResumeTest, ADirectoryThatVanishes) {
  const pid_t child = start_sealing();
  fs::rename(directory() / "t.h5.run", directory() / "elsewhere.run");
  const Outcome gone = finish(child);
  EXPECT_EQ(gone.code, 1);
  // The next segment has no place to begin, or this one none to be sealed in.
  EXPECT_THAT(gone.err, HasSubstr("t.h5.run/seg-"));
  EXPECT_THAT(gone.err, ContainsRegex("there is no directory|No such file or directory"));
  EXPECT_THAT(gone.err, Not(HasSubstr("grundy resume"))) << "nothing is there to resume";
  fs::rename(directory() / "elsewhere.run", directory() / "t.h5.run");
  const Outcome next = run({"resume", "t.h5.run"});
  EXPECT_EQ(next.code, 0) << next.err;
  EXPECT_THAT(next.err, HasSubstr("continuing t.h5.run"));
}

/// A file system of 160 KiB that fills up.
TEST_F(ResumeMountTest, AFullDiskIsOneSentenceAndCanBeResumed) {
  const fs::path small = directory() / "small";
  fs::create_directory(small);
  if (::mount("none", small.c_str(), "tmpfs", 0, "size=160k") != 0) {
    GTEST_SKIP() << "mounting needs more rights";
  }
  const std::string command =
      "$GRUNDY compute 0.007 --to 150000 -o small/t.h5 --force "
      "--checkpoint-interval 16KiB -q";
  const Outcome full = shell(command);
  EXPECT_EQ(full.code, 1);
  EXPECT_THAT(full.err, HasSubstr("No space left on device"));
  EXPECT_THAT(
      full.err,
      HasSubstr(
          "are sealed in 'small/t.h5.run', and the run can go on from there (grundy resume)"));
  EXPECT_FALSE(fs::exists(small / "t.h5"));
  EXPECT_EQ(::mount("none", small.c_str(), "tmpfs", MS_REMOUNT, "size=2m"), 0);
  const Outcome rest = shell(command);
  EXPECT_EQ(rest.code, 0) << rest.err;
  ASSERT_EQ(run({"compute", "0.007", "--to", "150000", "-o", "whole.h5"}).code, 0);
  EXPECT_EQ(digest_of("small/t.h5"), digest_of("whole.h5"));
  EXPECT_EQ(::umount(small.c_str()), 0);
}

TEST_F(ResumeTest, AFullDiskInTheFirstSegmentLeavesWhatIsInTheFile) {
  const std::string command = "$GRUNDY compute .106 --to 3000000 --no-extend -q -o t.h5";
  const Outcome full = shell("ulimit -f 1000; " + command);
  EXPECT_EQ(full.code, 1);
  EXPECT_THAT(full.err, HasSubstr("File too large; "));
  EXPECT_THAT(full.err, HasSubstr(" values are sealed"));
  EXPECT_EQ(segments(), 1U);
  const Outcome rest = run({"resume", "t.h5.run"});
  EXPECT_EQ(rest.code, 0) << rest.err;
  ASSERT_EQ(run({"compute", ".106", "--to", "3000000", "-o", "whole.h5"}).code, 0);
  EXPECT_EQ(digest_of("t.h5"), digest_of("whole.h5"));
}

}  // namespace
}  // namespace grundy::testing
