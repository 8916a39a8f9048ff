/// @file
/// The values that an engine gets from a chain in which values, states without values, and states
/// with values follow one another.
// SPDX-License-Identifier: MIT
#include "run/sealed_heaps.hpp"

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/value_buffer.hpp"
#include "run/run_testing.hpp"

namespace grundy::testing {
namespace {

class SealedHeapsTest : public RunTest {
 protected:
  const std::vector<Nimber> values = sample(30'000);

  [[nodiscard]] Stretch stretch(HeapSize begin, HeapSize end) const {
    return {.begin = begin, .values = all().subspan(begin, end - begin), .table = {}};
  }
  void put_state(SegmentLog& log, HeapSize begin, HeapSize end, HeapSize newest,
                 const std::string& says = text()) const {
    log.put_state(begin, end, all().subspan(end - newest, newest), true, [&] { return says; });
  }

  /// Seals a chain, and opens it.
  SealedHeaps sealed(const std::function<void(SegmentLog&)>& put, HeapSize frontier) const {
    RunDirectory directory(run(), false);
    RunRecord of_run = record();
    of_run.count = values.size();
    directory.write_record(of_run);
    const auto executor = make_executor(1);
    SegmentLog log(directory, {}, *executor, "sparse", "scalar", nullptr);
    put(log);
    log.seal();
    return {directory.segments(), frontier};
  }

  void expect_newest(const SealedHeaps& heaps, HeapSize count) const {
    ValueBuffer newest;
    heaps.read_newest(count, newest);
    ASSERT_EQ(newest.size(), count);
    const HeapSize begin = heaps.end_of_state() - count;
    for (HeapSize n = 0; n < count; ++n) ASSERT_EQ(newest.values()[n], values[begin + n]);
  }

  /// An engine is given the heaps of both sides of those that are gone, in their order.
  void expect_replay(const SealedHeaps& heaps) const {
    HeapSize next = 0;
    SinkOf sink([&](const Stretch& block) {
      if (heaps.gone() != nullptr && next == heaps.gone()->begin) next = heaps.gone()->end;
      ASSERT_EQ(block.begin, next);
      for (HeapSize n = 0; n < block.values.size(); ++n) {
        ASSERT_EQ(block.values[n], values[next + n]) << next + n;
      }
      next = block.end();
    });
    heaps.replay(sink);
    EXPECT_EQ(next, heaps.count());
  }

  static std::string text() { return "{}"; }

 private:
  [[nodiscard]] Values all() const { return std::span<const Nimber>(values); }
};

// The values of a state may be those of the heaps since the one before it, and no others.
TEST_F(SealedHeapsTest, StatesWithoutValuesAreStatesWhateverTheyCover) {
  for (const HeapSize newest : {9'000u, 10'000u, 11'000u}) {
    SealedHeaps heaps = sealed(
        [&](SegmentLog& log) {
          log.put(stretch(0, 5000));
          put_state(log, 5000, 20'000, 12'000);
          put_state(log, 20'000, 30'000, newest);
        },
        30'000);
    ASSERT_TRUE(heaps.has_state());
    EXPECT_FALSE(heaps.has_values());
    EXPECT_EQ(heaps.end_of_state(), 30'000u);
    heaps.bridge({.begin = 0, .end = 30'000});
    EXPECT_EQ(heaps.gone()->begin, 5000u);
    EXPECT_EQ(heaps.gone()->end, 30'000 - newest);
    expect_newest(heaps, newest);
    expect_newest(heaps, 3000);
    expect_replay(heaps);
    std::filesystem::remove_all(run());
  }
}

std::vector<HeapSize> ends_of(const std::vector<Segment>& segments) {
  std::vector<HeapSize> ends;
  for (const Segment& segment : segments) ends.push_back(segment.header.end());
  return ends;
}

// With 100 values it stays from 3200 heaps more on; who reads it meanwhile is told.
TEST_F(SealedHeapsTest, AStateIsReplacedUntilTheHeapsHaveGrown) {
  Segment replaced;
  sealed(
      [&](SegmentLog& log) {
        log.put(stretch(0, 5000));
        put_state(log, 5000, 6000, 100);
        log.seal();
        replaced = log.segments().back();
        EXPECT_EQ(read_state_text(replaced), text());
        put_state(log, 6000, 7000, 100, "another");
      },
      7000);
  EXPECT_EQ(ends_of(read_run(run()).segments), (std::vector<HeapSize>{5000, 7000}));
  std::vector<Nimber> newest(100);
  for (const Error& error : {error_of([&] { read_state_text(replaced); }), error_of([&] {
                               read_segment(replaced, replaced.header.first(), newest);
                             })}) {
    EXPECT_EQ(error.code(), ErrorCode::kFailure);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("has been replaced"));
  }

  // Later lives go on in the same way.
  const auto executor = make_executor(1);
  for (const HeapSize end : {8000u, 8300u, 9000u, 11'500u, 12'000u}) {
    RunDirectory directory(run(), false);
    SegmentLog log(directory, {}, *executor, "sparse", "scalar", nullptr);
    put_state(log, directory.segments().back().header.end(), end, 100);
    log.seal();
  }
  EXPECT_EQ(ends_of(read_run(run()).segments), (std::vector<HeapSize>{5000, 8300, 11'500, 12'000}));
}

TEST_F(SealedHeapsTest, StatesWithValuesGiveAWindowOfAllValues) {
  SealedHeaps heaps = sealed(
      [&](SegmentLog& log) {
        log.put(stretch(0, 5000));
        log.put(stretch(5000, 20'000), true, text);
        log.put(stretch(20'000, 26'000), true, text);
        log.put(stretch(26'000, 30'000));
      },
      30'000);
  ASSERT_TRUE(heaps.has_state());
  EXPECT_TRUE(heaps.has_values());
  EXPECT_EQ(heaps.end_of_state(), 26'000u);
  heaps.bridge({.begin = 7000, .end = 26'000 - 12'000});
  EXPECT_EQ(heaps.gone()->begin, 7000u);
  EXPECT_EQ(heaps.gone()->end, 14'000u);
  EXPECT_LE(heaps.count(), 26'000 - 26'000 / SealedHeaps::kWindowShare);
  expect_newest(heaps, 12'000);
  expect_replay(heaps);
  ValueBuffer window;
  heaps.read_window(window);
  EXPECT_EQ(window.size(), 30'000 - heaps.count()) << "up to the frontier";
  EXPECT_EQ(window.values()[window.size() - 1], values.back());
}

TEST_F(SealedHeapsTest, AllValuesAreGivenWhereNoStateIsTaken) {
  const auto put = [&](SegmentLog& log) {
    log.put(stretch(0, 20'000), true, text);
    log.put(stretch(20'000, 30'000), true, text);
  };
  SealedHeaps heaps = sealed(put, 30'000);
  ASSERT_TRUE(heaps.has_state());
  heaps.take_values();
  EXPECT_FALSE(heaps.has_state());
  EXPECT_EQ(heaps.gone(), nullptr);
  expect_replay(heaps);
  std::filesystem::remove_all(run());
  // Of fewer heaps an earlier state is taken.
  EXPECT_EQ(sealed(put, 24'000).end_of_state(), 20'000u);
  std::filesystem::remove_all(run());
  EXPECT_FALSE(sealed(put, 15'000).has_state());
}

// A life that is killed before it has computed again what lies behind the state gets nowhere.
TEST_F(SealedHeapsTest, FewValuesBehindAStateAreTakenUpAndNotComputedAgain) {
  const SealedHeaps heaps = sealed(
      [&](SegmentLog& log) {
        log.put(stretch(0, 20'000), true, text);
        log.put(stretch(20'000, 30'000));
      },
      30'000);
  EXPECT_FALSE(heaps.has_state());
  EXPECT_GT(heaps.count(), 25'000u);
  expect_replay(heaps);
}

}  // namespace
}  // namespace grundy::testing
