/// @file
/// Lets rank 0 hear of the pieces that other ranks finish, as long as this object lives.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include <grundy/team.hpp>

namespace grundy {

class Listening {
 public:
  /// @param team null: there are no other ranks
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
