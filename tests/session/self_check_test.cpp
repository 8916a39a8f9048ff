/// @file
/// A value or a bit that is wrong is found while the run goes on.
// SPDX-License-Identifier: MIT
#include "session/self_check.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include <gmock/gmock.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>

#include "support/collect_sink.hpp"

namespace grundy::testing {
namespace {

using namespace std::chrono_literals;

std::vector<Nimber> values_of(const char* game, HeapSize last) {
  testing_support::CollectSink collected;
  compute({.game = HeapGame{.rule = HeapRule::parse(game), .last = last}},
          testing_support::into(collected));
  return collected.values();
}

/// The error of some samples of the block of the last 100 values; nothing if all were right.
std::string sampled(const HeapRule& rule, const std::vector<Nimber>& values) {
  SelfCheck check(rule);
  const Values table{std::span(values)};
  const HeapSize begin = values.size() - 100;
  try {
    // Checks have a share of the time; a test gives them enough of it.
    for (int i = 0; i < 200 && check.passed() < 3; ++i) {
      std::this_thread::sleep_for(50ms);
      check.sample({begin, table.subspan(begin, 100), table});
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
    EXPECT_EQ(sampled(rule, values), "") << game;
    // Every heap then has an option of its own value.
    std::fill(values.end() - 100, values.end(), Nimber{0});
    EXPECT_NE(sampled(rule, values), "") << game;
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
    ValueDigest digest;
    digest.update(Values(std::span(values)).subspan(header.begin, header.count));
    header.values = digest.value();
    sealed.push_back(header);
  };
  SelfCheck check(rule);
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

}  // namespace
}  // namespace grundy::testing
