// SPDX-License-Identifier: MIT
#include <condition_variable>
#include <mutex>
#include <utility>

#include <grundy/team.hpp>

namespace grundy {
namespace {

/// What the ranks share.
struct Meeting {
  explicit Meeting(std::uint64_t ranks) : given(ranks) {}

  std::mutex mutex;
  std::condition_variable changed;
  std::uint64_t next = 0;
  std::uint64_t rounds = 0;   ///< of gather() that are over
  std::uint64_t arrived = 0;  ///< ranks that have called it in the round that is not
  std::uint64_t left = 0;
  std::vector<std::string> given;
  std::vector<std::string> gathered;  ///< in the last round, for rank 0
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
    const std::uint64_t round = meeting.rounds;
    meeting.given[rank_] = std::move(bytes);
    if (++meeting.arrived == size()) {
      meeting.gathered = std::exchange(meeting.given, std::vector<std::string>(size()));
      meeting.arrived = 0;
      ++meeting.rounds;
      meeting.changed.notify_all();
    }
    meeting.changed.wait(lock, [&] { return meeting.rounds != round || meeting.left > 0; });
    if (meeting.rounds == round) return std::nullopt;
    if (rank_ != 0) return std::vector<std::string>{};
    return std::move(meeting.gathered);  // the next round cannot end without this rank
  }

  void leave() noexcept override {
    if (std::exchange(has_left_, true)) return;
    const std::lock_guard lock(meeting_->mutex);
    ++meeting_->left;
    meeting_->changed.notify_all();
  }

 private:
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
