/// @file
/// Ranks that were given different work do none of it.
// SPDX-License-Identifier: MIT
#include "session/agreement.hpp"

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/team.hpp>

#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/team.hpp"

namespace grundy {
namespace {

using ::testing::Each;
using ::testing::Eq;
using ::testing::HasSubstr;
using testing_support::error_of;
using testing_support::on_all_ranks;
using testing_support::TemporaryDirectory;

Request dense(const std::string& code, HeapSize last) {
  Request request{.game = HeapGame{.rule = HeapRule::parse(code), .last = last}};
  request.machine.engine = "dense";
  return request;
}

/// The sentences with which the ranks end that are given these requests.
std::vector<std::string> sentences(std::vector<Request> requests) {
  return on_all_ranks(requests.size(), [&](Team& rank) -> std::string {
    Request& request = requests[rank.rank()];
    request.team = &rank;
    const Error error = error_of([&] { compute(request); });
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return error.what();
  });
}

TEST(Agreement, OtherWorkEndsAllRanks) {
  const Request usual = dense("0.06", 3000);
  EXPECT_THAT(sentences({usual, usual, dense("0.16", 3000)}),
              Each(Eq("rank 2 was started with another command or version than rank 0: 'compute "
                      "0.16' instead of 'compute 0.06'")));
  EXPECT_THAT(sentences({usual, dense("0.06", 4000)}),
              Each(HasSubstr("'heaps 0 to 4000' instead of 'heaps 0 to 3000'")));
  Request plane{.game = LatticeGame{LatticeRule::parse("2: sym (1,0)* + (1,1)*"),
                                    LatticeShape::cube(2, 300), true}};
  EXPECT_THAT(sentences({plane, usual}), Each(HasSubstr("instead of 'compute 2: ")));
  Request sorted = plane;
  std::get<LatticeGame>(sorted.game).shape.sorted = true;
  EXPECT_THAT(sentences({plane, sorted}),
              Each(HasSubstr("'shape 300x300, sorted, statistics only'")));
}

TEST(Agreement, WhatDiffersWithTheMachineMayDiffer) {
  const auto complete = on_all_ranks(2, [](Team& rank) {
    Request request = dense("0.06", 3000);
    request.team = &rank;
    request.machine.threads = 1 + rank.rank();
    request.machine.memory = (1 + rank.rank()) << 30;
    return compute(request).complete;
  });
  EXPECT_THAT(complete, Each(true));
}

TEST(Agreement, ARankThatLacksMemoryEndsAllBeforeTheyMakeDirectories) {
  const TemporaryDirectory place;
  on_all_ranks(2, [&](Team& rank) {
    Request request{.game = LatticeGame{LatticeRule::parse("2: sym (1,0)* + (1,1)*"),
                                        LatticeShape::cube(2, 400, true)}};
    request.machine = {.backend = "threads", .threads = 1, .block = 16};
    request.machine.memory = rank.rank() == 0 ? 1 << 30 : 1 << 20;
    request.output.path = place / "t.h5";
    request.team = &rank;
    EXPECT_EQ(error_of([&] { compute(request); }).code(), ErrorCode::kFailure);
    return 0;
  });
  EXPECT_EQ(place.entries(), 0U);
}

TEST(Agreement, ARankThatHasEndedIsNotWaitedFor) {
  const auto team = make_thread_team(2);
  team[1]->leave();
  EXPECT_THAT(error_of([&] { agree(team[0].get(), {.work = {"x"}}); }).what(),
              HasSubstr("a rank has ended before the common work began"));
}

TEST(Agreement, AnotherTableIsAMismatch) {
  const auto errors = on_all_ranks(3, [](Team& rank) {
    const std::string table = rank.rank() == 1 ? "t with 7 values" : "t with 8 values";
    return error_of([&] { agree(&rank, {.work = {"verify"}, .table = table}); });
  });
  for (const Error& error : errors) {
    EXPECT_EQ(error.code(), ErrorCode::kMismatch);
    EXPECT_STREQ(error.what(),
                 "rank 1 reads another table than rank 0: t with 7 values instead of t with 8 "
                 "values");
  }
}

TEST(Agreement, RanksThatShareADirectoryLeaveNothingInIt) {
  const TemporaryDirectory place;
  on_all_ranks(3, [&](Team& rank) {
    agree(&rank, {.work = {"x"}, .output = place / "t.h5"});
    return 0;
  });
  EXPECT_EQ(place.entries(), 0U);
}

}  // namespace
}  // namespace grundy
