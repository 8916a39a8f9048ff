// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <utility>

#include <grundy/error.hpp>
#include <grundy/team.hpp>

namespace grundy {
namespace {

/// What the ranks share.
struct Meeting {
  explicit Meeting(std::uint64_t ranks) : has_left(ranks), given(ranks) {}

  void tell_finished() {
    if (!hears) return;
    for (const std::uint64_t piece : std::exchange(finished, {})) hears(piece);
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::uint64_t next = 0;
  std::function<void(std::uint64_t)> hears;  ///< of rank 0
  std::vector<std::uint64_t> finished;       ///< pieces of which rank 0 has not heard
  std::uint64_t rounds = 0;                  ///< finished rounds of gather() and all_and()
  std::uint64_t arrived = 0;                 ///< ranks that have arrived in the present round
  std::uint64_t left = 0;
  std::stop_source stop;
  std::vector<bool> has_left;
  /// By sender, receiver and channel.
  std::map<std::array<std::uint64_t, 3>, std::deque<std::string>> letters;
  std::vector<std::string> given;
  std::vector<std::string> gathered;  ///< of the last round, for rank 0
  std::vector<std::uint8_t> anded;    ///< the AND of the ranks that have arrived
  std::vector<std::uint8_t> all;      ///< the AND of all ranks in the last round
};

class ThreadTeam final : public Team {
 public:
  ThreadTeam(std::shared_ptr<Meeting> meeting, std::uint64_t rank)
      : meeting_(std::move(meeting)), rank_(rank) {}
  ~ThreadTeam() override { leave(); }

  std::uint64_t rank() const noexcept override { return rank_; }
  std::uint64_t size() const noexcept override { return meeting_->given.size(); }

  std::uint64_t ranks_here() const noexcept override { return size(); }

  std::uint64_t next(std::optional<std::uint64_t> finished) override {
    const std::lock_guard lock(meeting_->mutex);
    if (finished && rank_ != 0) {
      meeting_->finished.push_back(*finished);
      meeting_->tell_finished();
    }
    return meeting_->next++;
  }

  void listen(std::function<void(std::uint64_t)> hears) override {
    if (rank_ != 0) return;
    const std::lock_guard lock(meeting_->mutex);
    meeting_->hears = std::move(hears);
    meeting_->tell_finished();
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
    return std::move(meeting.gathered);  // the next round needs this rank
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
    std::ranges::copy(meeting_->all, bytes.begin());  // the next round needs this rank
  }

  void post(std::uint64_t to, std::uint64_t channel, std::string letter) override {
    const std::lock_guard lock(meeting_->mutex);
    meeting_->letters[{rank_, to, channel}].push_back(std::move(letter));
    meeting_->changed.notify_all();
  }

  std::string take(std::uint64_t from, std::uint64_t channel) override {
    std::unique_lock lock(meeting_->mutex);
    auto& letters = meeting_->letters[{from, rank_, channel}];
    meeting_->changed.wait(lock, [&] { return !letters.empty() || meeting_->has_left[from]; });
    if (letters.empty()) throw Error(ErrorCode::kFailure, "a rank has left the others");
    std::string letter = std::move(letters.front());
    letters.pop_front();
    return letter;
  }

  void stop() noexcept override {
    const std::lock_guard lock(meeting_->mutex);
    meeting_->stop.request_stop();
    end_dealing();
  }

  std::stop_token stopped() const noexcept override { return meeting_->stop.get_token(); }

  void leave() noexcept override {
    const std::lock_guard lock(meeting_->mutex);
    if (meeting_->has_left[rank_]) return;
    meeting_->has_left[rank_] = true;
    ++meeting_->left;
    end_dealing();
  }

 private:
  void end_dealing() noexcept {
    meeting_->next = std::max(meeting_->next, kNoPiece);
    meeting_->changed.notify_all();
  }

  /// Waits for all ranks; the last one runs `end`. False: a rank has left, or they are stopped.
  template <class End>
  bool meet(std::unique_lock<std::mutex>& lock, End end) {
    Meeting& meeting = *meeting_;
    const auto is_broken = [&] { return meeting.left > 0 || meeting.stop.stop_requested(); };
    if (is_broken()) return false;
    const std::uint64_t round = meeting.rounds;
    if (++meeting.arrived == size()) {
      end();
      meeting.arrived = 0;
      ++meeting.rounds;
      meeting.changed.notify_all();
    }
    meeting.changed.wait(lock, [&] { return meeting.rounds != round || is_broken(); });
    return meeting.rounds != round;
  }

  std::shared_ptr<Meeting> meeting_;
  std::uint64_t rank_;
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
