/// @file
/// A computation that Python waits for: Ctrl-C stops it, and a Python function hears its progress.
///
/// The computation has a thread of its own, which knows nothing of Python. The calling thread waits
/// for it without the interpreter's lock, and takes the lock ten times a second. So signal handlers
/// and the progress function run where Python expects them, and their exceptions reach the caller.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <future>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

#include <pybind11/pybind11.h>

#include <grundy/hooks.hpp>

namespace grundy::python {

/// Keeps the last report for a thread that asks now and then.
class LatestProgress final : public ProgressSink {
 public:
  void report(const Progress& progress) override {
    const std::lock_guard lock(mutex_);
    latest_ = progress;
  }
  /// The last report since the previous call; nothing if there was none.
  std::optional<Progress> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(latest_, std::nullopt);
  }

 private:
  std::mutex mutex_;
  std::optional<Progress> latest_;
};

/// Calls `compute` with hooks that stop it and hear of its progress, and returns its result.
/// @param compute what it returns once it is stopped does not matter: the caller gets an exception
/// @param progress None, or a function of (done, total, share)
/// @pre the calling thread holds the interpreter's lock
/// @throws what `compute` throws; pybind11::error_already_set if a signal handler or `progress`
///   raises, after the computation has stopped
template <class Compute>
auto attend(const pybind11::object& progress, Compute compute) {
  std::stop_source stop;
  LatestProgress latest;
  auto result = std::async(std::launch::async, [&] {
    return compute(Hooks{.stop = stop.get_token(), .progress = &latest});
  });
  const auto wait = [&result](auto time) {
    const pybind11::gil_scoped_release release;
    return result.wait_for(time) == std::future_status::ready;
  };
  const auto tell = [&] {
    const auto news = latest.take();
    if (news && !progress.is_none()) progress(news->done, news->total, news->share());
  };
  try {
    while (!wait(std::chrono::milliseconds(100))) {
      if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
      tell();
    }
    tell();
  } catch (...) {
    stop.request_stop();
    const pybind11::gil_scoped_release release;
    result.wait();
    throw;
  }
  return result.get();
}

}  // namespace grundy::python
