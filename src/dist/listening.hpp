/// @file
/// Rank 0 hears which pieces other ranks finish, as long as this object lives.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include <grundy/team.hpp>

namespace grundy {

class Listening {
 public:
  /// @param team null: there is no one to hear
  Listening(Team* team, std::function<void(std::uint64_t)> hears) : team_(team) {
    if (team_ != nullptr) team_->listen(std::move(hears));
  }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;
  ~Listening() {
    if (team_ != nullptr) team_->listen({});
  }

 private:
  Team* team_;
};

}  // namespace grundy
