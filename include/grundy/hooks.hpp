/// @file
/// What a computation tells while it runs, and how it is asked to stop.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include <grundy/checkpoint.hpp>
#include <grundy/progress.hpp>
#include <grundy/sink.hpp>

namespace grundy {

/// All hooks are optional. What a hook throws ends the computation and reaches its caller.
struct Hooks {
  /// When a stop is requested, the computation ends soon; what it has sealed can be resumed.
  std::stop_token stop{};
  /// Hears how far the computation has come.
  ProgressSink* progress = nullptr;
  /// Receives all values in the order of the table: for a game of one heap block by block as they
  /// are found, for other games after the engine has ended. kStop ends the computation like `stop`.
  /// Statistics only of several heaps have no such order, and refuse this hook.
  std::function<Flow(const Stretch&)> values{};
  /// Receives sentences for a person: the engine chosen and why, the period found.
  std::function<void(const std::string&)> narrate{};
  /// Another thread uses it to have values sealed, and to learn how many are sealed.
  CheckpointControl* control = nullptr;
};

}  // namespace grundy
