/// @file
/// A team of processes that MPI has started.
///
/// All calls of MPI come from one thread (MPI_THREAD_FUNNELED), which serves the rank: it sends the
/// messages of the rank and receives those of others. Rank 0 deals out numbers and collects what
/// the ranks give; all_and() is a reduction of MPI. The thread looks for messages a thousand times
/// a second and sleeps in between, because a rank that waits inside MPI burns a core. In the first
/// moments of all_and() it does not sleep. It blocks all signals, so that the signals of the
/// process reach the command.
// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <grundy/team.hpp>

namespace grundy::mpi {

class MpiTeam final : public Team {
 public:
  /// Starts MPI. @throws Error(kFailure) if it does not support threads
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
  void stop() noexcept override;
  std::stop_token stopped() const noexcept override { return stop_.get_token(); }
  void leave() noexcept override;

  /// Ends all ranks at once with this exit code. Does not return.
  [[noreturn]] void abort(int code) noexcept;

 private:
  /// The kinds of messages, which are their tags.
  enum Word : int {
    kAsk,     ///< to rank 0: asks for the next number; carries the finished piece, if there is one
    kNumber,  ///< from rank 0: the next number
    kGive,    ///< to rank 0: the bytes for gather()
    kRound,   ///< from rank 0: all ranks have given
    kBroken,  ///< from rank 0: some rank will not give: one has left, or all are stopped
    kStop,    ///< to rank 0: this rank is asked to stop; from rank 0: some rank is
    kLeft,    ///< to rank 0: this rank has left
    kOver,    ///< from rank 0: all ranks have left
    kLetter   ///< to any rank: a posted letter; larger numbers stand for further channels
  };
  struct Message {
    int word;
    std::uint64_t to;
    std::string bytes;
  };

  /// The work of the serving thread.
  void serve();
  void send_and_hear();
  /// @pre mutex_ is held, here and below
  void hear(int word, std::uint64_t from, std::string bytes);
  void tell_finished();
  void close_round();
  void end_dealing();
  void note_stop();
  void note_left(std::uint64_t rank);
  void say(int word, std::uint64_t to, std::string bytes = {});

  std::uint64_t rank_ = 0, size_ = 0, ranks_here_ = 0;

  std::mutex asking_;                 ///< held by the thread that waits for a number
  std::mutex mutex_;                  ///< guards all members below
  std::condition_variable changed_;   ///< for threads that wait for anything but a letter
  std::condition_variable has_work_;  ///< for the serving thread
  std::deque<Message> outbox_;
  std::optional<std::uint64_t> number_;  ///< the answer of rank 0
  /// Whether the round in which this rank waits ended with all ranks.
  std::optional<bool> round_;
  /// The bytes that all_and() has given, and for whose result it waits.
  std::span<std::uint8_t> anding_;
  /// The letters of a channel. A thread waits for each, so a letter wakes only one of them.
  struct Letters {
    std::deque<std::string> waiting;
    std::condition_variable arrived;
  };
  /// By sender and channel.
  std::map<std::pair<std::uint64_t, std::uint64_t>, Letters> letters_;
  std::stop_source stop_;
  std::optional<int> abort_code_;
  bool has_started_ = false, has_threads_ = false, has_left_ = false, is_over_ = false;
  // On rank 0:
  std::uint64_t next_ = 0;
  std::function<void(std::uint64_t)> hears_;
  std::vector<std::uint64_t> finished_;            ///< finished pieces of which nobody has heard
  std::vector<std::optional<std::string>> given_;  ///< for each rank that waits
  std::vector<std::string> gathered_;
  std::vector<bool> left_;

  std::thread thread_;  // last, because it uses the members above
};

}  // namespace grundy::mpi
