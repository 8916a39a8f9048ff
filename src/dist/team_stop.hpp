/// @file
/// Lets a stop of one rank stop all, where pieces are dealt.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <stop_token>
#include <utility>

#include <grundy/team.hpp>

namespace grundy {

/// The stop of a rank, which all ranks of its team hear while this object lives.
class TeamStop {
 public:
  /// @param team null: there are no other ranks
  /// @param own the stop that this rank is asked for
  TeamStop(Team* team, std::stop_token own)
      : token_(team != nullptr ? team->stopped() : own), tell_(std::move(own), [team] {
          if (team != nullptr) team->stop();
        }) {}

  /// A stop that comes when any rank of the team is asked to stop.
  [[nodiscard]] const std::stop_token& token() const noexcept { return token_; }

 private:
  std::stop_token token_;
  std::stop_callback<std::function<void()>> tell_;
};

}  // namespace grundy
