/// @file
/// A work that the ranks of a team do, each on a thread of its own.
// SPDX-License-Identifier: MIT
#pragma once

#include <future>
#include <vector>

#include <grundy/team.hpp>

namespace grundy::testing_support {

/// Calls `work` with the view of each rank at the same time; returns the results by rank. A rank
/// leaves when its work is done.
template <class Work>
auto on_all_ranks(std::uint64_t ranks, const Work& work) {
  auto team = make_thread_team(ranks);
  std::vector<decltype(std::async(work, std::ref(*team.front())))> running;
  for (auto& rank : team) {
    running.push_back(std::async(std::launch::async, [&work, &rank] {
      struct Leave {
        Team& rank;
        ~Leave() { rank.leave(); }
      } const at_the_end{*rank};
      return work(*rank);
    }));
  }
  std::vector<decltype(work(*team.front()))> results;
  for (auto& result : running) results.push_back(result.get());
  return results;
}

}  // namespace grundy::testing_support
