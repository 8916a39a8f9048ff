/// @file
/// Run directories: which are taken over, which are refused, and what is left.
// SPDX-License-Identifier: MIT
#include <sys/wait.h>

#include "run/run_testing.hpp"

namespace grundy::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string refusal_of(const fs::path& run) {
  const Error error = error_of([&] { read_run(run); });
  EXPECT_EQ(error.code(), ErrorCode::kCorrupt) << error.what();
  return error.what();
}

TEST_F(RunTest, NothingIsLeftOfARunThatSealedNothing) {
  {
    RunDirectory directory(run(), false);
    directory.write_record(record());
    SegmentLog log(directory, {}, *executor_, "dense", "scalar", nullptr);
    const std::vector<Nimber> values = sample(10);
    log.put({0, Values(std::span(values)), {}});
  }
  EXPECT_TRUE(fs::is_empty(place_.path()));
}

TEST_F(RunTest, SealedValuesStayAndTheChainGoesOn) {
  const std::vector<Nimber> values = sample(4000);
  seal({values.begin(), values.begin() + 1500}, 400);
  write_bytes(run() / "seg-0000000009.gseg.0123.tmp", "half");
  const std::size_t before = read_run(run()).segments.size();
  seal(values, 700);
  const RunContents contents = read_run(run());
  EXPECT_GT(contents.segments.size(), before);
  EXPECT_FALSE(fs::exists(run() / "seg-0000000009.gseg.0123.tmp"));
  EXPECT_FALSE(fs::exists(run() / "lock"));
  CollectSink kept;
  replay(contents.segments, 0, 4000, kept);
  EXPECT_EQ(kept.values(), values);
  {
    RunDirectory directory(run(), false);
    EXPECT_EQ(directory.frontier(), 4000U);
    EXPECT_EQ(directory.record()->rule, "0.77");
    directory.finish();
  }
  EXPECT_TRUE(fs::is_empty(place_.path()));
}

TEST_F(RunTest, AHoleAForeignSegmentAndADamagedRecordAreRefused) {
  seal(sample(1000), 300);
  const fs::path first = run() / segment_name(0);
  const fs::path second = run() / segment_name(1);
  const std::string one = bytes_of(first);
  const std::string two = bytes_of(second);

  fs::remove(first);
  EXPECT_THAT(refusal_of(run()), HasSubstr("is missing"));
  write_bytes(first, two);
  EXPECT_THAT(refusal_of(run()), HasSubstr("under the name"));
  write_bytes(first, one);

  fs::rename(run(), place_ / "kept");
  std::vector<Nimber> others = sample(1000);
  others[0] = 7;
  seal(others, 300);
  fs::copy_file(place_ / "kept" / segment_name(1), second, fs::copy_options::overwrite_existing);
  EXPECT_THAT(refusal_of(run()), HasSubstr("another run"));

  const std::string text = bytes_of(run() / "run.json");
  for (std::size_t at = 0; at < text.size(); at += 5) {
    std::string bad = text;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    if (std::isspace(static_cast<unsigned char>(text[at])) != 0) continue;
    write_bytes(run() / "run.json", bad);
    refusal_of(run());
  }
  fs::remove(run() / "run.json");
  EXPECT_THAT(refusal_of(run()), HasSubstr("run.json"));
}

// Weeks of sealed values do not depend on a page of text that the command can write anew.
TEST_F(RunTest, ALostRecordIsReplacedIfTheSegmentsAreOfTheRun) {
  seal(sample(1000), 300);
  const fs::path place = run() / "run.json";
  const std::string text = bytes_of(place);
  const RunRecord record = parse_run_record(text, place);
  RunRecord other = record;
  other.rule = "0.137";
  for (const std::string& lost : {std::string(), text.substr(0, 100), "x" + text}) {
    if (lost.empty()) {
      fs::remove(place);
    } else {
      write_bytes(place, lost);
    }
    EXPECT_THAT(refusal_of(run()), HasSubstr("the command that began the run writes it anew"));
    EXPECT_THROW(read_run(run(), &other), Error) << "segments of another game";
    const RunContents found = read_run(run(), &record);
    EXPECT_TRUE(found.was_lost);
    EXPECT_EQ(found.segments.back().header.end(), 1000u);
  }
  // A record that can be read is not replaced.
  write_bytes(place, text);
  EXPECT_EQ(read_run(run(), &other).record->rule, record.rule);
}

TEST_F(RunTest, AFinishedDirectoryLeavesThatOfTheNextRun) {
  auto finished = std::make_unique<RunDirectory>(run(), false);
  finished->write_record(record());
  finished->finish();
  RunDirectory next(run(), false);
  next.write_record(record());
  finished.reset();
  EXPECT_TRUE(fs::exists(run() / "run.json"));
  EXPECT_TRUE(fs::exists(run() / "lock"));
}

TEST_F(RunTest, OneWriterAtATime) {
  const RunDirectory directory(run(), false);
  const Error error = error_of([&] { RunDirectory second(run(), false); });
  EXPECT_THAT(error.what(), HasSubstr("process " + std::to_string(::getpid())));
  EXPECT_THAT(error.what(), HasSubstr("since "));
}

TEST_F(RunTest, AStaleLockIsRecognised) {
  const pid_t child = ::fork();
  if (child == 0) {
    new RunDirectory(run(), false);
    ::_exit(0);  // without releasing
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  ASSERT_TRUE(fs::exists(run() / "lock"));
  const RunDirectory directory(run(), false);
  EXPECT_THAT(directory.stale_holder(), HasSubstr("process " + std::to_string(child)));
}

TEST_F(RunTest, ALockOfAnotherHostIsTakenOnlyByForce) {
  fs::create_directory(run());
  write_bytes(run() / "lock", "4711 12345 2026-01-01T00:00:00Z elsewhere.example\n");
  const Error error = error_of([&] { RunDirectory directory(run(), false); });
  EXPECT_THAT(error.what(), HasSubstr("elsewhere.example"));
  EXPECT_THAT(error.what(),
              HasSubstr("take its locks over or remove '" + (run() / "lock").string() + "'"));
  const RunDirectory directory(run(), true);
  EXPECT_THAT(directory.stale_holder(), HasSubstr("elsewhere.example"));
}

// What Slurm says in its variables; none of it outside of this test.
TEST_F(RunTest, ALaterStartOfTheSameJobTakesTheLockOver) {
  const auto takes = [&](const char* lock, const char* job, const char* restarts) {
    fs::create_directories(run());
    write_bytes(run() / "lock", std::string("4711 12345 2026-01-01T00:00:00Z elsewhere") + lock);
    ::setenv("SLURM_JOB_ID", job, 1);
    ::setenv("SLURM_RESTART_COUNT", restarts, 1);
    bool taken = true;
    try {
      const RunDirectory directory(run(), false);
    } catch (const Error&) {
      taken = false;
    }
    ::unsetenv("SLURM_JOB_ID");
    ::unsetenv("SLURM_RESTART_COUNT");
    return taken;
  };
  EXPECT_TRUE(takes(" 77 0\n", "77", "1"));
  EXPECT_TRUE(takes(" 77 1\n", "77", "12"));
  EXPECT_FALSE(takes(" 77 1\n", "77", "1")) << "another process of the same start";
  EXPECT_FALSE(takes(" 77 0\n", "78", "1"));
  EXPECT_FALSE(takes("\n", "77", "1"));
}

TEST_F(RunTest, ADeadDirectoryIsRemoved) {
  seal(sample(1000), 300);
  fs::rename(run() / "run.json", run() / "finished");
  {
    const RunDirectory directory(run(), false);
    EXPECT_TRUE(directory.was_finished());
    EXPECT_FALSE(directory.record());
    EXPECT_EQ(directory.frontier(), 0U);
  }
  EXPECT_TRUE(fs::is_empty(place_.path()));
}

}  // namespace
}  // namespace grundy::testing
