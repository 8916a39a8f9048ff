/// @file
/// A wrong value of a game of several heaps is found while the run goes on.
// SPDX-License-Identifier: MIT
#include "session/tile_check.hpp"

#include <chrono>
#include <filesystem>
#include <thread>

#include <gmock/gmock.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>

#include "session/sealed_tiles.hpp"
#include "support/collect_sink.hpp"
#include "support/files.hpp"

namespace grundy::testing {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing_support::CollectSink;
using testing_support::into;
using testing_support::TemporaryDirectory;

Request request_for(const char* text, std::uint32_t size) {
  LatticeRule rule = LatticeRule::parse(text);
  const LatticeShape shape = LatticeShape::cube(rule.heaps(), size);
  return {.game = LatticeGame{std::move(rule), shape}, .machine = {.backend = "threads"}};
}

/// The error of some samples of the last 100 values; nothing if all were right.
std::string sampled(const LatticeRule& rule, const ValueOrder& order,
                    const std::vector<Nimber>& values) {
  TileCheck check(rule, order);
  const std::uint64_t begin = values.size() - 100;
  const auto earlier = [&] {
    return [&](std::uint64_t n) {
      EXPECT_LT(n, begin);
      return values[n];
    };
  };
  try {
    // Checks have a share of the time; a test gives them enough of it.
    for (int i = 0; i < 200 && check.passed() < 3; ++i) {
      std::this_thread::sleep_for(50ms);
      check.sample(begin, Values(std::span(values)).subspan(begin, 100), earlier);
    }
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kMismatch);
    return error.what();
  }
  EXPECT_GT(check.passed(), 0U);
  return {};
}

TEST(TileCheck, SamplesOfRightValuesPassAndWrongOnesAreNamed) {
  for (const char* rule :
       {"2: sym (1,0)* + (1,1)*", "2: (1,0)* + (0,1)*{1,2} + (1,2)", "3: sym (1,0,0)* + pass"}) {
    const Request request = request_for(rule, 12);
    CollectSink right;
    const Report report = compute(request, into(right));
    const ValueOrder order(*report.info.lattice);
    EXPECT_EQ(sampled(std::get<LatticeGame>(request.game).rule, order, right.values()), "") << rule;
    // One value too many has no option, and values that are too small have options of their own.
    for (const Nimber wrong : {Nimber{0}, ~Nimber{0}}) {
      std::vector<Nimber> values = right.values();
      std::fill(values.end() - 100, values.end(), wrong);
      EXPECT_THAT(sampled(std::get<LatticeGame>(request.game).rule, order, values),
                  HasSubstr("position ("))
          << rule;
    }
  }
}

/// Tiles on their way from an engine that goes wrong in the middle, and takes its time then.
class GoesWrong final : public TileSink {
 public:
  GoesWrong(TileSink& next, std::uint64_t right) : next_(next), right_(right) {}

  Flow put(const Tile& tile) override {
    count_ += tile.values.size();
    if (count_ <= right_) return next_.put(tile);
    std::this_thread::sleep_for(20ms);
    const std::vector<Nimber> wrong(tile.values.size(), 100000);
    Tile changed = tile;
    changed.values = std::span(wrong);
    return next_.put(changed);
  }

 private:
  TileSink& next_;
  std::uint64_t right_;
  std::uint64_t count_ = 0;
};

class Unused final : public TileSink {
 public:
  Flow put(const Tile&) override { return Flow::kContinue; }
};

TEST(TileCheck, ARunThatGoesWrongStopsAndKeepsWhatWasSealed) {
  const TemporaryDirectory directory;
  Request request = request_for("2: sym (1,0)* + (1,1)*", 2000);
  request.output.path = directory / "t.h5";
  request.output.checkpoint.bytes = 100000;
  request.machine.block = 32;
  constexpr std::uint64_t kRight = 1000000;
  const LatticeSetup setup(request);
  std::uint64_t frontier = 0;
  {
    SealedTiles run(setup, nullptr, {});
    Unused unused;
    run.set_next(unused);
    GoesWrong engine(run, kRight);
    // What went wrong before the first sample was due cannot be told apart; give it time before.
    std::this_thread::sleep_for(600ms);
    try {
      static_cast<void>(setup.run(setup.computed, engine, {}));
      ADD_FAILURE() << "nobody noticed";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kMismatch);
      EXPECT_THAT(error.what(), HasSubstr("was given the value 100000"));
      EXPECT_THAT(error.what(), HasSubstr("position ("));
    }
    frontier = run.directory().frontier();
  }
  EXPECT_GT(frontier, kRight / 2);
  const RunContents kept = read_run(directory / "t.h5.run");
  CollectSink values;
  EXPECT_EQ(replay(kept.segments, 0, frontier, values), Flow::kContinue);
  EXPECT_EQ(values.values().size(), frontier);
}

}  // namespace
}  // namespace grundy::testing
