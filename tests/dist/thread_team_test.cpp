/// @file
/// The team of threads: numbers are dealt once, all gifts are collected, and nobody waits for a
/// rank that has left.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <future>
#include <stop_token>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <grundy/error.hpp>
#include <grundy/team.hpp>

#include "dist/listening.hpp"
#include "dist/team_stop.hpp"
#include "support/team.hpp"

namespace grundy {
namespace {

using testing_support::on_all_ranks;

TEST(ThreadTeam, RanksKnowTheirNumberAndSize) {
  const auto team = make_thread_team(3);
  ASSERT_EQ(team.size(), 3u);
  for (std::uint64_t rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(team[rank]->rank(), rank);
    EXPECT_EQ(team[rank]->size(), 3u);
    EXPECT_EQ(team[rank]->ranks_here(), 3u);
  }
}

TEST(ThreadTeam, EachNumberIsDealtOnce) {
  std::vector<std::uint64_t> dealt;
  for (const auto& own : on_all_ranks(4, [](Team& rank) {
         std::vector<std::uint64_t> numbers(500);
         for (std::uint64_t& n : numbers) n = rank.next({});
         EXPECT_TRUE(rank.gather({}));  // a rank that leaves ends the dealing
         return numbers;
       })) {
    dealt.insert(dealt.end(), own.begin(), own.end());
  }
  std::ranges::sort(dealt);
  for (std::uint64_t n = 0; n < 2000; ++n) ASSERT_EQ(dealt[n], n);
}

TEST(ThreadTeam, RankZeroGathersRoundAfterRound) {
  for (const std::uint64_t ranks : {1, 2, 5}) {
    const auto text = [](std::uint64_t rank, int round) {
      return std::to_string(rank) + '.' + std::to_string(round);
    };
    const auto gathered = on_all_ranks(ranks, [&](Team& rank) {
      std::vector<std::vector<std::string>> all;
      for (int round = 0; round < 100; ++round) {
        all.push_back(rank.gather(text(rank.rank(), round)).value());
      }
      return all;
    });
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
      for (int round = 0; round < 100; ++round) {
        std::vector<std::string> expected;
        for (std::uint64_t r = 0; rank == 0 && r < ranks; ++r) expected.push_back(text(r, round));
        EXPECT_EQ(gathered[rank][static_cast<std::size_t>(round)], expected);
      }
    }
  }
}

TEST(ThreadTeam, AllGetTheAndOfWhatAllGive) {
  for (const std::uint64_t ranks : {1, 2, 5}) {
    const auto received = on_all_ranks(ranks, [&](Team& rank) {
      std::vector<std::vector<std::uint8_t>> all;
      for (unsigned round = 0; round < 200; ++round) {
        // Rank k has cleared bit k of byte round % 4, and says which round it is.
        std::vector<std::uint8_t> bytes(5, 0xff);
        bytes[round % 4] = static_cast<std::uint8_t>(~(1u << rank.rank()));
        bytes[4] = static_cast<std::uint8_t>(round);
        rank.all_and(bytes);
        all.push_back(bytes);
        if (round % 7 == 0) rank.gather("x");
      }
      return all;
    });
    for (const auto& rank : received) {
      for (unsigned round = 0; round < 200; ++round) {
        std::vector<std::uint8_t> expected(5, 0xff);
        expected[round % 4] = static_cast<std::uint8_t>(0xff << ranks);
        expected[4] = static_cast<std::uint8_t>(round);
        ASSERT_EQ(rank[round], expected);
      }
    }
  }
}

TEST(ThreadTeam, LettersOfARankComeInTheirOrder) {
  for (const std::uint64_t ranks : {2, 3, 5}) {
    const auto taken = on_all_ranks(ranks, [&](Team& rank) {
      std::vector<std::string> letters;
      for (int i = 0; i < 200; ++i) {
        for (std::uint64_t to = 0; to < ranks; ++to) {
          if (to != rank.rank())
            rank.post(to, i % 2, std::to_string(rank.rank()) + '.' + std::to_string(i));
        }
      }
      for (std::uint64_t from = ranks; from-- > 0;) {
        for (int i = 0; i < 200 && from != rank.rank(); ++i)
          letters.push_back(rank.take(from, i % 2));
      }
      return letters;
    });
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
      std::vector<std::string> expected;
      for (std::uint64_t from = ranks; from-- > 0;) {
        for (int i = 0; i < 200 && from != rank; ++i) {
          expected.push_back(std::to_string(from) + '.' + std::to_string(i));
        }
      }
      EXPECT_EQ(taken[rank], expected);
    }
  }
}

TEST(ThreadTeam, WhatARankPostedBeforeItLeftIsTaken) {
  auto team = make_thread_team(2);
  team[1]->post(0, 7, "last words");
  team[1]->leave();
  EXPECT_EQ(team[0]->take(1, 7), "last words");
  EXPECT_THROW(static_cast<void>(team[0]->take(1, 7)), Error);
}

TEST(ThreadTeam, RankZeroHearsWhatOthersFinishAsLongAsItListens) {
  const auto team = make_thread_team(3);
  std::vector<std::uint64_t> heard;
  team[1]->next(7);
  {
    const Listening listening(team[0].get(), [&](std::uint64_t piece) { heard.push_back(piece); });
    for (std::uint64_t n = 0; n < 3; ++n) EXPECT_EQ(team[n]->next({}), n + 1);
    team[0]->next(0);  // rank 0 knows what itself has done
    team[2]->next(2);
    team[1]->next(1);
  }
  team[1]->next(5);
  EXPECT_EQ(heard, (std::vector<std::uint64_t>{7, 2, 1}));
}

TEST(ThreadTeam, NobodyWaitsForARankThatHasLeft) {
  auto team = make_thread_team(3);
  auto waiting = std::async(std::launch::async, [&] { return team[0]->gather("a"); });
  team[2]->leave();
  EXPECT_FALSE(waiting.get());
  EXPECT_FALSE(team[1]->gather("b"));
  std::vector<std::uint8_t> bytes(3);
  EXPECT_THROW(team[0]->all_and(bytes), Error);
  team[2]->leave();                              // once more says nothing new
  EXPECT_GE(team[1]->next({}), Team::kNoPiece);  // so a rank that has work of its own ends, too
  EXPECT_GE(team[0]->next(0), Team::kNoPiece);
  EXPECT_FALSE(team[1]->stopped().stop_requested());  // who leaves has ended, or has failed
}

TEST(ThreadTeam, AStopOfOneRankStopsAll) {
  const auto team = make_thread_team(3);
  auto waiting = std::async(std::launch::async, [&] { return team[0]->gather("a"); });
  std::stop_source source;
  const TeamStop stop(team[2].get(), source.get_token());
  for (const auto& rank : team) EXPECT_FALSE(rank->stopped().stop_requested());
  EXPECT_EQ(team[1]->next({}), 0u);
  source.request_stop();
  EXPECT_FALSE(waiting.get());
  for (const auto& rank : team) {
    EXPECT_TRUE(rank->stopped().stop_requested());
    EXPECT_GE(rank->next({}), Team::kNoPiece);
    EXPECT_FALSE(rank->gather("b"));
  }
  EXPECT_TRUE(stop.token().stop_requested());
}

TEST(TeamStop, IsTheOwnStopWhereThereIsNoTeam) {
  std::stop_source source;
  const TeamStop stop(nullptr, source.get_token());
  EXPECT_FALSE(stop.token().stop_requested());
  source.request_stop();
  EXPECT_TRUE(stop.token().stop_requested());
}

}  // namespace
}  // namespace grundy
