/// @file
/// A value or a bit that is wrong is found while the run goes on.
// SPDX-License-Identifier: MIT
#include "run/self_check.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include <gmock/gmock.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>

#include "session/run_terms.hpp"
#include "session/setup.hpp"
#include "session/stages.hpp"
#include "support/collect_sink.hpp"
#include "support/files.hpp"

namespace grundy::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using testing_support::CollectSink;
using testing_support::into;
using testing_support::TemporaryDirectory;

std::vector<Nimber> values_of(const char* game, HeapSize last) {
  testing_support::CollectSink collected;
  compute({.game = HeapGame{.rule = HeapRule::parse(game), .last = last}},
          testing_support::into(collected));
  return collected.values();
}

Request lattice_request(const char* text, std::uint32_t size) {
  LatticeRule rule = LatticeRule::parse(text);
  const LatticeShape shape = LatticeShape::cube(rule.heaps(), size);
  return {.game = LatticeGame{std::move(rule), shape}, .machine = {.backend = "threads"}};
}

/// The error of some samples of the last 100 values; nothing if all were right.
/// @param may_be_asked says which values are at hand
std::string sampled(
    const NumberedGame& game, const std::vector<Nimber>& values,
    const std::function<bool(HeapSize)>& may_be_asked = [](HeapSize) { return true; }) {
  SelfCheck check(game);
  const HeapSize begin = values.size() - 100;
  const auto open_earlier = [&]() -> ValueOf {
    return [&](HeapSize n) {
      EXPECT_LT(n, begin) << "the stretch itself has the others";
      EXPECT_TRUE(may_be_asked(n)) << n;
      return values[n];
    };
  };
  try {
    // Checks have a share of the time; a test gives them enough of it.
    for (int i = 0; i < 200 && check.passed() < 3; ++i) {
      std::this_thread::sleep_for(50ms);
      check.sample(begin, Values(std::span(values)).subspan(begin, 100), open_earlier);
    }
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kMismatch);
    return error.what();
  }
  EXPECT_GT(check.passed(), 0U);
  return {};
}

TEST(SelfCheck, SamplesOfRightValuesPassAndWrongOnesAreNamed) {
  for (const char* game : {"0.007", "4!.0", "S{squares}", "AllBut{2,4}", "0.8F"}) {
    const HeapRule rule = HeapRule::parse(game);
    std::vector<Nimber> values = values_of(game, 300);
    EXPECT_EQ(sampled(NumberedHeaps(rule), values), "") << game;
    // Every heap then has an option of its own value.
    std::fill(values.end() - 100, values.end(), Nimber{0});
    EXPECT_THAT(sampled(NumberedHeaps(rule), values), HasSubstr("heap ")) << game;
  }
}

// Values of middle-sized heaps are not needed then.
// A sample is taken if it can be afforded, so its cost must be known before.
TEST(SelfCheck, TheOptionsOfAHeapAreForetold) {
  for (const char* game : {"0.07", "0.77", "0.3F", "0.1A3", "0.G", "0.0V", "4.[8]"}) {
    const HeapRule rule = HeapRule::parse(game);
    const NumberedHeaps heaps(rule);
    for (const HeapSize n : {20, 40, 60}) {
      double options = 0;
      heaps.for_each_option_value(
          n, [](HeapSize) { return Nimber{0}; },
          [&](Nimber) {
            ++options;
            return Flow::kContinue;
          });
      EXPECT_LT(options, 4 * heaps.option_bound(n)) << game << ", heap " << n;
      EXPECT_GT(options, heaps.option_bound(n) / 8) << game << ", heap " << n;
    }
  }
}

TEST(SelfCheck, InASparseSpaceSplitsWithASmallPartDecide) {
  for (const char* code : {"0.106", "0.167", "4.404"}) {
    constexpr HeapSize kLast = 150'000;
    const HeapRule rule = HeapRule::parse(code);
    CollectSink right;
    const Report report =
        compute({.game = HeapGame{.rule = rule, .last = kLast, .at_period = AtPeriod::kCompute}},
                into(right));
    const SparseFacts facts = report.statistics.sparse.value();
    ASSERT_LT(facts.last_rare, kLast - 100) << code;
    ASSERT_LT(facts.depth, kLast / 4) << code;
    NumberedHeaps game(rule);
    game.list_up_to(facts.depth);
    const HeapSize window = kLast - 100 - facts.depth - rule.largest_take().value();
    const auto at_hand = [&](HeapSize n) { return n <= facts.depth || n >= window; };
    EXPECT_EQ(sampled(game, right.values(), at_hand), "") << code;
    for (const Nimber wrong : {Nimber{0}, Nimber{2}, Nimber{200}}) {
      std::vector<Nimber> values = right.values();
      std::fill(values.end() - 100, values.end(), wrong);
      EXPECT_THAT(sampled(game, values, at_hand), HasSubstr("heap ")) << code << ", " << wrong;
    }
  }
}

TEST(SelfCheck, ABitThatTurnsInMemoryIsFoundAndWhatCameAfterIsDistrusted) {
  const HeapRule rule = HeapRule::parse("0.007");
  std::vector<Nimber> values = values_of("0.007", 2999);
  std::vector<SegmentHeader> sealed;
  const auto seal = [&] {
    SegmentHeader header;
    header.index = sealed.size();
    header.begin = sealed.size() * 500;
    header.count = 500;
    SequentialDigest digest;
    digest.update(Values(std::span(values)).subspan(header.begin, header.count));
    header.values = digest.value();
    sealed.push_back(header);
  };
  const NumberedHeaps game(rule);
  SelfCheck check(game);
  const auto scrub_all = [&] {
    std::optional<std::size_t> found;
    const std::uint64_t before = check.passed();
    for (int i = 0; i < 1000 && !found && check.passed() < before + sealed.size(); ++i) {
      std::this_thread::sleep_for(30ms);
      found = check.scrub(Values(std::span(values)), sealed);
    }
    return found;
  };
  seal();
  seal();
  EXPECT_EQ(scrub_all(), std::nullopt);
  seal();
  values[700] ^= 4;  // in segment 1, after it was seen right beside two sealed ones
  seal();
  EXPECT_EQ(scrub_all(), 2U);
}

// A run without a table keeps the first and the newest values only; its files have both.
TEST(SelfCheck, ABitThatTurnsInWhatAnEngineKeepsIsFound) {
  for (const HeapSize turned : {HeapSize{50}, HeapSize{1700}}) {
    const TemporaryDirectory directory;
    Request request{
        .game = HeapGame{.rule = HeapRule::parse("0.106"), .last = 5000, .stats_only = true}};
    request.output.path = directory / "t.h5";
    const HeapSetup setup(request);
    const NumberedHeaps game(setup.game.rule);
    std::vector<Nimber> values = values_of("0.106", 2499);
    const Values all = std::span<const Nimber>(values);
    SealedValues sealed(run_terms(setup), game, nullptr, {});
    sealed.put({0, all.subspan(0, 1000), {}});
    Stretch state{1000, all.subspan(1000, 1000), {}};
    state.newest = all.subspan(500, 1500);
    sealed.put_state(state, true, [] { return std::string("{}"); });
    sealed.log().seal();
    Stretch later{2000, all.subspan(2000, 500), {}};
    later.newest = all.subspan(1500, 1000);
    later.first = all.subspan(0, 100);
    SelfCheck check(game);
    const auto scrub = [&](std::uint64_t passes) {
      for (int i = 0; i < 100 && check.passed() < passes; ++i) {
        std::this_thread::sleep_for(50ms);
        sealed.scrub(check, later);
      }
    };
    scrub(2);
    EXPECT_EQ(check.passed(), 2U);
    values[turned] ^= 1;
    try {
      scrub(5);
      ADD_FAILURE() << turned;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kMismatch) << error.what();
      EXPECT_THAT(error.what(), HasSubstr(".suspect"));
    }
  }
}

TEST(SelfCheck, SamplesOfPositionsPassAndWrongOnesAreNamed) {
  for (const char* rule :
       {"2: sym (1,0)* + (1,1)*", "2: (1,0)* + (0,1)*{1,2} + (1,2)", "3: sym (1,0,0)* + pass"}) {
    const Request request = lattice_request(rule, 12);
    CollectSink right;
    const Report report = compute(request, into(right));
    const NumberedPositions game(std::get<LatticeGame>(request.game).rule,
                                 ValueOrder(report.info.layout));
    EXPECT_EQ(sampled(game, right.values()), "") << rule;
    // One value too many has no option, and values that are too small have options of their own.
    for (const Nimber wrong : {Nimber{0}, ~Nimber{0}}) {
      std::vector<Nimber> values = right.values();
      std::fill(values.end() - 100, values.end(), wrong);
      EXPECT_THAT(sampled(game, values), HasSubstr("position (")) << rule;
    }
  }
}

TEST(SelfCheck, ACheckThatHadToWaitDoesNotKeepTheNextOnesAway) {
  // A run that has lasted for so long that a check of this time may be made now.
  const auto run_of = [](CheckBudget::Seconds check) {
    const auto time = check / CheckBudget::kShare;
    return CheckBudget(CheckBudget::Clock::now() -
                       std::chrono::duration_cast<CheckBudget::Clock::duration>(time));
  };
  constexpr double kManyOptions = 1e6;
  CheckBudget budget = run_of(1h);
  const auto wait = [](CheckBudget& its) {
    const CheckBudget::Stopwatch watch(its, 1);
    std::this_thread::sleep_for(10ms);
  };
  ASSERT_TRUE(budget.affordable(kManyOptions));
  wait(budget);
  EXPECT_TRUE(budget.affordable(kManyOptions)) << "the other check was cheap";
  wait(budget);
  EXPECT_FALSE(budget.affordable(kManyOptions)) << "both took so long";
  EXPECT_TRUE(budget.affordable());
  CheckBudget of_short_run;
  wait(of_short_run);
  EXPECT_FALSE(of_short_run.affordable()) << "its time is spent";
}

/// Tiles on their way from an engine that goes wrong in the middle, and takes its time then.
class GoesWrong final : public ValueSink {
 public:
  GoesWrong(ValueSink& next, std::uint64_t right) : next_(next), right_(right) {}

  Flow put(const Stretch& stretch) override {
    count_ += stretch.values.size();
    if (count_ <= right_) return next_.put(stretch);
    std::this_thread::sleep_for(100ms);
    const std::vector<Nimber> wrong(stretch.values.size(), 100000);
    Stretch changed = stretch;
    changed.values = std::span(wrong);
    return next_.put(changed);
  }

 private:
  ValueSink& next_;
  std::uint64_t right_;
  std::uint64_t count_ = 0;
};

TEST(SelfCheck, ARunThatGoesWrongStopsAndKeepsWhatWasSealed) {
  const TemporaryDirectory directory;
  Request request = lattice_request("2: sym (1,0)* + (1,1)*", 2000);
  request.output.path = directory / "t.h5";
  request.output.checkpoint.bytes = 100000;
  request.machine.block = 32;
  constexpr std::uint64_t kRight = 1000000;
  const LatticeSetup setup(request);
  std::uint64_t frontier = 0;
  {
    const NumberedPositions game(setup.game.rule, value_order(setup));
    SealedValues sealed(run_terms(setup), game, nullptr, {});
    SelfCheck self_check(game);
    Check check(self_check, 0, [&sealed](const Stretch&) -> Check::Opener {
      if (sealed.sealing()) return {};
      return [&sealed] { return sealed.earlier(); };
    });
    Seal seal(sealed, &self_check);
    Stages stages({.check = &check, .seal = &seal});
    GoesWrong engine(stages, kRight);
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
    frontier = sealed.directory().frontier();
  }
  EXPECT_GT(frontier, kRight / 2);
  const RunContents kept = read_run(directory / "t.h5.run");
  CollectSink values;
  EXPECT_EQ(replay(kept.segments, 0, frontier, values), Flow::kContinue);
  EXPECT_EQ(values.values().size(), frontier);
}

}  // namespace
}  // namespace grundy::testing
