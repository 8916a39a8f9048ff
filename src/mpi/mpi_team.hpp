/// @file
/// A team of processes that MPI has started.
///
/// All calls of MPI come from one thread (MPI_THREAD_FUNNELED), which serves the rank: it sends
/// what the rank has to say and hears what others say. Rank 0 deals out numbers and collects what
/// is given; all_and() is a reduction of MPI. The thread looks for messages a thousand times a
/// second and sleeps in between, because a rank that waits inside MPI burns a core; only for the
/// first moments of all_and() it does not sleep, and
/// while a letter is waited for it looks more often. It blocks all signals, so that those of
/// the process reach the command.
// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <grundy/team.hpp>

namespace grundy::mpi {

class MpiTeam final : public Team {
 public:
  /// Starts MPI. @throws Error(kFailure) if it does not allow for threads
  MpiTeam();
  /// Leaves, and ends MPI when all ranks have left.
  ~MpiTeam() override;
  MpiTeam(const MpiTeam&) = delete;
  MpiTeam& operator=(const MpiTeam&) = delete;

  std::uint64_t rank() const noexcept override { return rank_; }
  std::uint64_t size() const noexcept override { return size_; }
  std::uint64_t ranks_here() const noexcept override { return ranks_here_; }
  std::uint64_t next(std::optional<std::uint64_t> finished) override;
  void listen(std::function<void(std::uint64_t)> hears) override;
  std::optional<std::vector<std::string>> gather(std::string bytes) override;
  void all_and(std::span<std::uint8_t> bytes) override;
  void post(std::uint64_t to, std::uint64_t channel, std::string letter) override;
  std::string take(std::uint64_t from, std::uint64_t channel) override;
  void leave() noexcept override;

  /// Ends all ranks at once with this exit code. Does not return.
  [[noreturn]] void abort(int code) noexcept;

 private:
  /// What messages say, as their tags.
  enum Word : int {
    kAsk,     ///< to rank 0: which number is next? With the piece that is done, if there is one
    kNumber,  ///< from rank 0: this one
    kGive,    ///< to rank 0: for gather()
    kRound,   ///< from rank 0: all have given
    kBroken,  ///< from rank 0: some rank has left and will not give
    kLeft,    ///< to rank 0: I have left
    kOver,    ///< from rank 0: all have left
    kLetter   ///< to any rank: what was posted; so are all larger numbers, by their channels
  };
  struct Message {
    int word;
    std::uint64_t to;
    std::string bytes;
  };

  /// The life of the serving thread.
  void serve();
  void send_and_hear();
  /// @pre mutex_ is held, here and below
  void hear(int word, std::uint64_t from, std::string bytes);
  void tell_finished();
  void close_round();
  void note_left(std::uint64_t rank);
  void say(int word, std::uint64_t to, std::string bytes = {});

  std::uint64_t rank_ = 0, size_ = 0, ranks_here_ = 0;

  std::mutex asking_;  ///< held by the thread that waits for a number
  std::mutex mutex_;   ///< of all that follows
  std::condition_variable changed_;
  std::deque<Message> outbox_;
  std::optional<std::uint64_t> number_;  ///< what rank 0 has answered
  std::optional<bool> round_;            ///< how the round ended in which this rank waits
  std::span<std::uint8_t> anding_;       ///< what all_and() has given and waits for
  /// By sender and channel.
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::deque<std::string>> letters_;
  std::uint64_t taking_ = 0;  ///< threads in take()
  std::optional<int> abort_code_;
  bool has_started_ = false, has_threads_ = false, has_left_ = false, is_over_ = false;
  // Of rank 0.
  std::uint64_t next_ = 0;
  std::function<void(std::uint64_t)> hears_;
  std::vector<std::uint64_t> finished_;            ///< pieces of which nobody has heard
  std::vector<std::optional<std::string>> given_;  ///< by each rank that waits
  std::vector<std::string> gathered_;
  std::vector<bool> left_;

  std::thread thread_;  // last: it uses what stands above
};

}  // namespace grundy::mpi
