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

sigset_t stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

}  // namespace

StopSignals::StopSignals(std::function<void()> on_first) {
  const sigset_t set = stop_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signals_ = ::signalfd(-1, &set, SFD_CLOEXEC);
  done_ = ::eventfd(0, EFD_CLOEXEC);
  if (signals_ < 0 || done_ < 0) {
    throw Error(ErrorCode::kFailure, "no file descriptor is left to wait for signals");
  }
  thread_ = std::jthread([this, on_first = std::move(on_first)] { wait(on_first); });
}

StopSignals::~StopSignals() {
  const std::uint64_t one = 1;
  if (::write(done_, &one, sizeof one) == sizeof one) thread_.join();
  ::close(signals_);
  ::close(done_);
  const sigset_t set = stop_signals();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void StopSignals::wait(const std::function<void()>& on_first) {
  std::array<pollfd, 2> files{{{signals_, POLLIN, 0}, {done_, POLLIN, 0}}};
  while (::poll(files.data(), files.size(), -1) < 0 || files[1].revents == 0) {
    signalfd_siginfo info{};
    if (files[0].revents == 0 || ::read(signals_, &info, sizeof info) != sizeof info) continue;
    if (source_.stop_requested()) ::_exit(128 + static_cast<int>(info.ssi_signo));
    source_.request_stop();
    on_first();
  }
}

}  // namespace grundy::cli
