// SPDX-License-Identifier: MIT
#include "cli/stop_signals.hpp"

#include <array>
#include <utility>

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <grundy/error.hpp>

namespace grundy::cli {
namespace {

/// timeout(1) and others send a signal to the process and to its group. Two signals within this
/// time count as one request.
constexpr std::chrono::milliseconds kEcho{300};

/// Whether the caller wants a signal to be ignored: nohup(1) does so with SIGHUP. A signal that is
/// blocked waits all the same.
bool is_ignored(int signal) {
  struct sigaction now {};
  return ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

sigset_t stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGXCPU, SIGALRM, SIGUSR1, SIGUSR2})
    sigaddset(&set, signal);
  if (!is_ignored(SIGHUP)) sigaddset(&set, SIGHUP);
  return set;
}

}  // namespace

StopSignals::StopSignals(std::function<void()> on_stop, std::function<void()> on_checkpoint,
                         std::function<void()> on_status)
    : on_stop_(std::move(on_stop)),
      on_checkpoint_(std::move(on_checkpoint)),
      on_status_(std::move(on_status)) {
  const sigset_t set = stop_signals();
  pthread_sigmask(SIG_BLOCK, &set, &before_);
  signals_ = ::signalfd(-1, &set, SFD_CLOEXEC);
  done_ = ::eventfd(0, EFD_CLOEXEC);
  if (signals_ < 0 || done_ < 0) {
    throw Error(ErrorCode::kFailure, "no file descriptor is left to wait for signals");
  }
  thread_ = std::jthread([this] { wait(); });
}

StopSignals::~StopSignals() {
  const std::uint64_t one = 1;
  if (::write(done_, &one, sizeof one) == sizeof one) thread_.join();
  ::close(signals_);
  ::close(done_);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void StopSignals::handle(int signal) {
  if (signal == SIGUSR1 || signal == SIGUSR2) {
    const auto& action = signal == SIGUSR1 ? on_checkpoint_ : on_status_;
    if (action) action();
    return;
  }
  const auto now = std::chrono::steady_clock::now();
  if (source_.stop_requested()) {
    if (signal == asked_by_ && now - asked_at_ < kEcho) return;
    ::_exit(128 + signal);
  }
  asked_by_ = signal;
  asked_at_ = now;
  source_.request_stop();
  on_stop_();
}

void StopSignals::wait() {
  std::array<pollfd, 2> files{{{signals_, POLLIN, 0}, {done_, POLLIN, 0}}};
  while (::poll(files.data(), files.size(), -1) < 0 || files[1].revents == 0) {
    signalfd_siginfo info{};
    if (files[0].revents == 0 || ::read(signals_, &info, sizeof info) != sizeof info) continue;
    handle(static_cast<int>(info.ssi_signo));
  }
}

}  // namespace grundy::cli
