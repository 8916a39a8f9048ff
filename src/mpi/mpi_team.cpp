// SPDX-License-Identifier: MIT
#include "mpi/mpi_team.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <limits>
#include <list>
#include <string>
#include <utility>

// Without this, the header declares C++ classes that MPI no longer has.
#define OMPI_SKIP_MPICXX
#define MPICH_SKIP_MPICXX
#include <mpi.h>

#include <grundy/error.hpp>

namespace grundy::mpi {
namespace {

constexpr auto kPause = std::chrono::microseconds(1000);
/// Ranks that work at the same pace meet within this time. MPI moves data only while it is called.
constexpr auto kMeeting = std::chrono::milliseconds(10);

/// @throws Error(kFailure) if MPI cannot carry so many bytes in one message
void check_letter_size(std::size_t bytes) {
  if (bytes <= std::numeric_limits<int>::max()) return;
  throw Error(ErrorCode::kFailure, "a message of " + std::to_string(bytes) +
                                       " bytes is more than MPI carries; a smaller --block makes "
                                       "smaller ones");
}

std::string bytes_of(std::uint64_t number) {
  std::string bytes(sizeof number, '\0');
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

std::uint64_t number_in(const std::string& bytes) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data(), std::min(bytes.size(), sizeof number));
  return number;
}

}  // namespace

MpiTeam::MpiTeam() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { serve(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return has_started_; });
  if (has_threads_) return;
  lock.unlock();
  thread_.join();
  throw Error(ErrorCode::kFailure, "this MPI does not let one thread of several use it");
}

MpiTeam::~MpiTeam() {
  leave();
  thread_.join();
}

std::uint64_t MpiTeam::next(std::optional<std::uint64_t> finished) {
  const std::lock_guard turn(asking_);
  std::unique_lock lock(mutex_);
  if (rank_ == 0) return next_++;
  say(kAsk, 0, finished ? bytes_of(*finished) : std::string());
  changed_.wait(lock, [this] { return number_.has_value(); });
  return *std::exchange(number_, std::nullopt);
}

void MpiTeam::listen(std::function<void(std::uint64_t)> hears) {
  const std::lock_guard lock(mutex_);
  hears_ = std::move(hears);
  tell_finished();
}

std::optional<std::vector<std::string>> MpiTeam::gather(std::string bytes) {
  check_letter_size(bytes.size());
  std::unique_lock lock(mutex_);
  if (rank_ == 0) {
    given_[0] = std::move(bytes);
    close_round();
  } else {
    say(kGive, 0, std::move(bytes));
  }
  changed_.wait(lock, [this] { return round_.has_value(); });
  if (!*std::exchange(round_, std::nullopt)) return std::nullopt;
  return std::exchange(gathered_, {});
}

/// A rank that does not come has failed; then main.cpp ends all ranks.
void MpiTeam::all_and(std::span<std::uint8_t> bytes) {
  std::unique_lock lock(mutex_);
  anding_ = bytes;
  has_work_.notify_one();
  changed_.wait(lock, [this] { return anding_.empty(); });
}

void MpiTeam::post(std::uint64_t to, std::uint64_t channel, std::string letter) {
  check_letter_size(letter.size());
  const std::lock_guard lock(mutex_);
  say(kLetter + static_cast<int>(channel), to, std::move(letter));
}

/// A rank that has left without its letters has failed, as in all_and().
std::string MpiTeam::take(std::uint64_t from, std::uint64_t channel) {
  std::unique_lock lock(mutex_);
  auto& [waiting, arrived] = letters_[{from, channel}];
  arrived.wait(lock, [&waiting = waiting] { return !waiting.empty(); });
  std::string letter = std::move(waiting.front());
  waiting.pop_front();
  return letter;
}

void MpiTeam::stop() noexcept {
  const std::lock_guard lock(mutex_);
  if (rank_ == 0) {
    note_stop();
  } else {
    say(kStop, 0);
  }
}

void MpiTeam::leave() noexcept {
  const std::lock_guard lock(mutex_);
  if (std::exchange(has_left_, true)) return;
  if (rank_ == 0) {
    note_left(0);
  } else {
    say(kLeft, 0);
  }
}

void MpiTeam::abort(int code) noexcept {
  {
    const std::lock_guard lock(mutex_);
    abort_code_ = code;
  }
  thread_.join();  // MPI_Abort ends the process
  std::_Exit(code);
}

void MpiTeam::serve() {
  int provided = MPI_THREAD_SINGLE, rank = 0, size = 1, here = 1;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &machine);
  MPI_Comm_size(machine, &here);
  MPI_Comm_free(&machine);
  {
    const std::lock_guard lock(mutex_);
    rank_ = static_cast<std::uint64_t>(rank);
    size_ = static_cast<std::uint64_t>(size);
    ranks_here_ = static_cast<std::uint64_t>(here);
    given_.resize(size_);
    left_.resize(size_);
    has_threads_ = provided >= MPI_THREAD_FUNNELED;
    has_started_ = true;
    changed_.notify_all();
  }
  if (has_threads_) send_and_hear();
  MPI_Finalize();
}

void MpiTeam::send_and_hear() {
  struct Sending {
    Message message;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  std::list<Sending> sending;
  MPI_Request reduction = MPI_REQUEST_NULL;
  std::chrono::steady_clock::time_point posted;
  for (;;) {
    bool is_idle = true;
    std::unique_lock lock(mutex_);
    if (abort_code_) MPI_Abort(MPI_COMM_WORLD, *abort_code_);
    if (is_over_ && outbox_.empty() && sending.empty()) return;
    while (!outbox_.empty()) {
      Sending& sent = sending.emplace_back(Sending{.message = std::move(outbox_.front())});
      outbox_.pop_front();
      MPI_Isend(sent.message.bytes.data(), static_cast<int>(sent.message.bytes.size()), MPI_BYTE,
                static_cast<int>(sent.message.to), sent.message.word, MPI_COMM_WORLD,
                &sent.request);
      is_idle = false;
    }
    if (!anding_.empty()) {
      if (reduction == MPI_REQUEST_NULL) {
        MPI_Iallreduce(MPI_IN_PLACE, anding_.data(), static_cast<int>(anding_.size()), MPI_BYTE,
                       MPI_BAND, MPI_COMM_WORLD, &reduction);
        posted = std::chrono::steady_clock::now();
      }
      int done = 0;
      MPI_Test(&reduction, &done, MPI_STATUS_IGNORE);
      if (done != 0) {
        anding_ = {};
        changed_.notify_all();
      }
    }
    const bool is_meeting =
        !anding_.empty() && std::chrono::steady_clock::now() - posted < kMeeting;
    lock.unlock();
    sending.remove_if([](Sending& sent) {
      int done = 0;
      MPI_Test(&sent.request, &done, MPI_STATUS_IGNORE);
      return done != 0;
    });
    int found = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &status);
    if (found != 0) {
      int size = 0;
      MPI_Get_count(&status, MPI_BYTE, &size);
      std::string bytes(static_cast<std::size_t>(size), '\0');
      MPI_Recv(bytes.data(), size, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      lock.lock();
      hear(status.MPI_TAG, static_cast<std::uint64_t>(status.MPI_SOURCE), std::move(bytes));
    } else if (is_idle) {
      if (is_meeting) {
        std::this_thread::yield();
        continue;
      }
      lock.lock();
      has_work_.wait_for(lock, kPause, [&] {
        return (!anding_.empty() && reduction == MPI_REQUEST_NULL) || !outbox_.empty();
      });
    }
  }
}

void MpiTeam::hear(int word, std::uint64_t from, std::string bytes) {
  switch (word) {
    case kAsk:
      if (!bytes.empty()) finished_.push_back(number_in(bytes));
      tell_finished();
      return say(kNumber, from, bytes_of(next_++));
    case kNumber:
      number_ = number_in(bytes);
      break;
    case kGive:
      given_[from] = std::move(bytes);
      return close_round();
    case kRound:
    case kBroken:
      round_ = word == kRound;
      break;
    case kStop:
      return note_stop();
    case kLeft:
      return note_left(from);
    case kOver:
      is_over_ = true;
      break;
    default:
      auto& [waiting, arrived] = letters_[{from, static_cast<std::uint64_t>(word - kLetter)}];
      waiting.push_back(std::move(bytes));
      return arrived.notify_one();
  }
  changed_.notify_all();
}

void MpiTeam::tell_finished() {
  if (!hears_) return;
  for (const std::uint64_t piece : std::exchange(finished_, {})) hears_(piece);
}

/// Ends the round if all ranks have given, or if some rank has left or they are stopped.
void MpiTeam::close_round() {
  const auto waiting = static_cast<std::uint64_t>(
      std::ranges::count_if(given_, [](const auto& bytes) { return bytes.has_value(); }));
  const bool is_whole = waiting == size_;
  const bool is_broken = stop_.stop_requested() || std::ranges::find(left_, true) != left_.end();
  if (waiting == 0 || !(is_whole || is_broken)) return;
  if (is_whole) gathered_.clear();
  for (std::uint64_t rank = 0; rank < size_; ++rank) {
    if (!given_[rank]) continue;
    if (is_whole) gathered_.push_back(std::move(*given_[rank]));
    given_[rank].reset();
    if (rank != 0) {
      say(is_whole ? kRound : kBroken, rank);
    } else {
      round_ = is_whole;
    }
  }
  changed_.notify_all();
}

void MpiTeam::end_dealing() {
  next_ = std::max(next_, kNoPiece);
  close_round();
}

void MpiTeam::note_stop() {
  if (!stop_.request_stop() || rank_ != 0) return;
  for (std::uint64_t other = 1; other < size_; ++other) say(kStop, other);
  end_dealing();
}

void MpiTeam::note_left(std::uint64_t rank) {
  left_[rank] = true;
  end_dealing();
  if (std::ranges::find(left_, false) != left_.end()) return;
  for (std::uint64_t other = 1; other < size_; ++other) say(kOver, other);
  is_over_ = true;
}

void MpiTeam::say(int word, std::uint64_t to, std::string bytes) {
  outbox_.push_back({word, to, std::move(bytes)});
  has_work_.notify_one();
}

}  // namespace grundy::mpi
