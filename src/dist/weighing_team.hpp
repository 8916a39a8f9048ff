/// @file
/// A rank's view of its team that counts the bytes of the letters which the rank posts.
// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <grundy/team.hpp>

namespace grundy {

class WeighingTeam final : public Team {
 public:
  /// @param bytes grows by the size of each letter
  WeighingTeam(Team& team, std::atomic<std::uint64_t>& bytes) : team_(team), bytes_(bytes) {}

  std::uint64_t rank() const noexcept override { return team_.rank(); }
  std::uint64_t size() const noexcept override { return team_.size(); }
  std::uint64_t ranks_here() const noexcept override { return team_.ranks_here(); }
  std::uint64_t next(std::optional<std::uint64_t> finished) override {
    return team_.next(finished);
  }
  void listen(std::function<void(std::uint64_t)> hears) override { team_.listen(std::move(hears)); }
  std::optional<std::vector<std::string>> gather(std::string bytes) override {
    return team_.gather(std::move(bytes));
  }
  void all_and(std::span<std::uint8_t> bytes) override { team_.all_and(bytes); }
  void post(std::uint64_t to, std::uint64_t channel, std::string letter) override {
    bytes_ += letter.size();
    team_.post(to, channel, std::move(letter));
  }
  std::string take(std::uint64_t from, std::uint64_t channel) override {
    return team_.take(from, channel);
  }
  void stop() noexcept override { team_.stop(); }
  std::stop_token stopped() const noexcept override { return team_.stopped(); }
  void leave() noexcept override { team_.leave(); }

 private:
  Team& team_;
  std::atomic<std::uint64_t>& bytes_;
};

}  // namespace grundy
