/// @file
/// Ctrl-C as a request, not as an accident.
///
/// While a StopSignals lives, some signals are blocked in every thread and wait in a signalfd,
/// which a thread reads. The first SIGINT, SIGTERM, SIGHUP, SIGALRM or SIGXCPU asks the computation
/// to stop at the next block, but for a SIGHUP that the caller ignores (nohup). The second one (if
/// it is not an echo of the first) ends the process at once. SIGUSR1 asks for a checkpoint, SIGUSR2
/// for the status. No code ever runs inside a signal handler.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <stop_token>
#include <thread>

#include <signal.h>

namespace grundy::cli {

class StopSignals {
 public:
  /// Must be made before any other thread starts, so that all threads inherit the mask. The waiting
  /// thread calls the functions: at the first request to stop, at SIGUSR1 and at SIGUSR2. The last
  /// two may be empty.
  explicit StopSignals(std::function<void()> on_stop, std::function<void()> on_checkpoint = {},
                       std::function<void()> on_status = {});
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  [[nodiscard]] std::stop_token token() const noexcept { return source_.get_token(); }

 private:
  void wait();
  void handle(int signal);

  std::function<void()> on_stop_;
  std::function<void()> on_checkpoint_;
  std::function<void()> on_status_;
  std::stop_source source_;
  int asked_by_ = 0;  // the first signal; asked_at_ is when it came
  std::chrono::steady_clock::time_point asked_at_;
  sigset_t before_{};  // the mask of the caller
  int signals_ = -1;   // signalfd
  int done_ = -1;      // eventfd that ends the thread
  std::jthread thread_;
};

}  // namespace grundy::cli
