// Run directories of every format version ever written are read and taken up as they were.
// SPDX-License-Identifier: MIT
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include <grundy/compute.hpp>

#include "core/digest.hpp"
#include "run/run_directory.hpp"
#include "verify/verify_testing.hpp"

namespace grundy::verify_test {
namespace {

namespace fs = std::filesystem;

/// A directory of each format of segments.
class RunFormat : public ::testing::TestWithParam<const char*> {
 protected:
  const fs::path run_ = fs::path(GRUNDY_FORMAT_DIR) / GetParam();
};

TEST_P(RunFormat, ReadsAsItWasWritten) {
  const RunContents run = read_run(run_);
  ASSERT_TRUE(run.record);
  EXPECT_EQ(run.record->rule, "0.007");
  EXPECT_EQ(run.record->count, 3001U);
  EXPECT_EQ(run.record->engine, "dense");
  ASSERT_GE(run.segments.size(), 3U);
  EXPECT_EQ(run.segments.front().header.kernel, "scalar");
  const HeapSize sealed = run.segments.back().header.end();
  class Compare final : public ValueSink {
   public:
    explicit Compare(std::vector<Nimber> values) : expected_(std::move(values)) {}
    Flow put(const Stretch& block) override {
      for (std::size_t i = 0; i < block.values.size(); ++i) {
        EXPECT_EQ(block.values[i], expected_.at(block.begin + i)) << "heap " << block.begin + i;
      }
      seen += block.values.size();
      return Flow::kContinue;
    }
    HeapSize seen = 0;

   private:
    std::vector<Nimber> expected_;
  } compare(reference_values(HeapRule::parse("0.007"), sealed));
  replay(run.segments, 0, sealed, compare);
  EXPECT_EQ(compare.seen, sealed);
}

TEST_P(RunFormat, IsTakenUpAndFinished) {
  const TemporaryDirectory place;
  fs::copy(run_, place / "t.h5.run", fs::copy_options::recursive);
  Request request = request_of_run(place / "t.h5.run");
  request.machine.backend = "threads";
  const Report report = compute(request);
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(to_hex(report.info.stats.digest), "7a5645f09275d73d7a99c6c24eed7b7f");
  EXPECT_TRUE(fs::exists(place / "t.h5"));
  EXPECT_FALSE(fs::exists(place / "t.h5.run"));
}

/// A state of each engine that has states.
TEST(RunFormatOfStates, AreTakenUpAndFinished) {
  for (const char* name : {"run-2-frontier.h5.run", "run-2-wavefront.h5.run"}) {
    const TemporaryDirectory place;
    fs::copy(fs::path(GRUNDY_FORMAT_DIR) / name, place / "t.h5.run", fs::copy_options::recursive);
    Request request = request_of_run(place / "t.h5.run");
    request.machine.backend = "threads";
    const Report report = compute(request);
    EXPECT_TRUE(report.complete);
    EXPECT_GT(report.resumed_at, 0u) << name;
    request.output.path.clear();
    request.machine.engine = "reference";
    EXPECT_EQ(report.info.stats, compute(request).info.stats) << name;
    EXPECT_FALSE(fs::exists(place / "t.h5.run"));
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, RunFormat, ::testing::Values("run-1.h5.run", "run-2.h5.run"),
                         [](const auto& test) {
                           return "Format" + std::to_string(test.index + 1);
                         });

}  // namespace
}  // namespace grundy::verify_test
