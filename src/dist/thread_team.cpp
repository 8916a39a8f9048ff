// SPDX-License-Identifier: MIT
#include <algorithm>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <utility>

#include <grundy/error.hpp>
#include <grundy/team.hpp>

namespace grundy {
namespace {

/// What the ranks share.
struct Meeting {
  explicit Meeting(std::uint64_t ranks) : given(ranks) {}

  std::mutex mutex;
  std::condition_variable changed;
  std::uint64_t next = 0;
  std::uint64_t rounds = 0;   ///< of gather() and all_and() that are over
  std::uint64_t arrived = 0;  ///< ranks that have called one in the round that is not
  std::uint64_t left = 0;
  std::vector<std::string> given;
  std::vector<std::string> gathered;  ///< in the last round, for rank 0
  std::vector<std::uint8_t> anded;    ///< of those that have arrived
  std::vector<std::uint8_t> all;      ///< what all ranks gave in the last round
};

class ThreadTeam final : public Team {
 public:
  ThreadTeam(std::shared_ptr<Meeting> meeting, std::uint64_t rank)
      : meeting_(std::move(meeting)), rank_(rank) {}
  ~ThreadTeam() override { leave(); }

  std::uint64_t rank() const noexcept override { return rank_; }
  std::uint64_t size() const noexcept override { return meeting_->given.size(); }

  std::uint64_t ranks_here() const noexcept override { return size(); }

  std::uint64_t next() override {
    const std::lock_guard lock(meeting_->mutex);
    return meeting_->next++;
  }

  std::optional<std::vector<std::string>> gather(std::string bytes) override {
    Meeting& meeting = *meeting_;
    std::unique_lock lock(meeting.mutex);
    meeting.given[rank_] = std::move(bytes);
    const bool is_whole = meet(lock, [&] {
      meeting.gathered = std::exchange(meeting.given, std::vector<std::string>(size()));
    });
    if (!is_whole) return std::nullopt;
    if (rank_ != 0) return std::vector<std::string>{};
    return std::move(meeting.gathered);  // the next round cannot end without this rank
  }

  void all_and(std::span<std::uint8_t> bytes) override {
    std::unique_lock lock(meeting_->mutex);
    std::vector<std::uint8_t>& anded = meeting_->anded;
    if (meeting_->arrived == 0) {
      anded.assign(bytes.begin(), bytes.end());
    } else {
      std::ranges::transform(anded, bytes, anded.begin(), std::bit_and<std::uint8_t>());
    }
    if (!meet(lock, [this] { meeting_->all = std::move(meeting_->anded); })) {
      throw Error(ErrorCode::kFailure, "a rank has left the others");
    }
    std::ranges::copy(meeting_->all, bytes.begin());  // the next round cannot end without this rank
  }

  void leave() noexcept override {
    if (std::exchange(has_left_, true)) return;
    const std::lock_guard lock(meeting_->mutex);
    ++meeting_->left;
    meeting_->changed.notify_all();
  }

 private:
  /// Waits for all ranks; the last one does what ends the round. False: a rank has left.
  template <class End>
  bool meet(std::unique_lock<std::mutex>& lock, End end) {
    Meeting& meeting = *meeting_;
    if (meeting.left > 0) return false;
    const std::uint64_t round = meeting.rounds;
    if (++meeting.arrived == size()) {
      end();
      meeting.arrived = 0;
      ++meeting.rounds;
      meeting.changed.notify_all();
    }
    meeting.changed.wait(lock, [&] { return meeting.rounds != round || meeting.left > 0; });
    return meeting.rounds != round;
  }

  std::shared_ptr<Meeting> meeting_;
  std::uint64_t rank_;
  bool has_left_ = false;
};

}  // namespace

std::vector<std::unique_ptr<Team>> make_thread_team(std::uint64_t ranks) {
  const auto meeting = std::make_shared<Meeting>(ranks);
  std::vector<std::unique_ptr<Team>> team;
  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    team.push_back(std::make_unique<ThreadTeam>(meeting, rank));
  }
  return team;
}

}  // namespace grundy
