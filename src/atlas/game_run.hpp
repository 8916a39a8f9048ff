/// @file
/// Computes one game of a family: its values, period and statistics.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <grundy/heap/rule.hpp>
#include <grundy/period.hpp>
#include <grundy/stats.hpp>
#include <grundy/types.hpp>

namespace grundy {
class Executor;
struct KernelSet;
}  // namespace grundy

namespace grundy::atlas {

/// A copy of values at their width.
class KeptValues {
 public:
  KeptValues() = default;
  explicit KeptValues(Values values) : KeptValues(values, values.width()) {}
  /// @pre every value fits in the width
  KeptValues(Values values, ValueWidth width);

  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_.size(); }
  [[nodiscard]] Values view() const noexcept {
    return {bytes_.data(), bytes_.size() / byte_count(width_), width_};
  }

 private:
  std::vector<std::byte> bytes_;
  ValueWidth width_ = ValueWidth::kU8;
};

/// The results of one game. Statistics are not among them: those of a game with a saltus take ten
/// times the memory of its values, and only the games that stand for classes need them.
struct GameResult {
  std::string engine;
  PeriodReport period;
  HeapSize count = 0;  ///< values of heaps 0 .. count - 1 are known
  HeapSize last_zero = 0;
  std::optional<SparseFacts> sparse;
  double seconds = 0;
  KeptValues values;           ///< empty if the values are in `file`
  std::filesystem::path file;  ///< a table of the values; empty if they are in memory

  [[nodiscard]] bool certified() const noexcept {
    return period.status == PeriodStatus::kCertified;
  }
  /// The values, from memory or from the file.
  [[nodiscard]] KeptValues load() const;
};

/// The largest heap of value 0; 0 if there is none. `values` begin with heap 0.
HeapSize last_zero_of(Values values);

/// The statistics of `values`, which begin with heap 0.
TableStats stats_of(Values values, const KernelSet& kernels);

struct GameTask {
  const HeapRule& rule;
  HeapSize count;  ///< heaps 0 .. count-1; fewer if a period is certified or time is up
  const std::string& engine;
  const KernelSet& kernels;
  Executor& executor;
  std::stop_token stop;
  /// Whether to stop once a period is certified. If false, the whole range is computed and then
  /// searched once.
  bool end_early = false;
  std::optional<std::chrono::duration<double>> limit{};
  std::filesystem::path file{};             ///< empty: values stay in memory
  std::function<void(HeapSize)> advance{};  ///< receives the number of new values; any thread
};

/// Runs one game. Returns nothing if the run was stopped.
/// @throws Error
std::optional<GameResult> run_game(const GameTask& task);

/// The result that an earlier run left in `task.file`; nothing if there is no such file.
/// @throws Error(kCorrupt) if the file is damaged or a table of another game, Error(kMismatch) if
/// it was made for another task, Error(kUsage) if it is of another kind or cannot be opened
std::optional<GameResult> finished_game(const GameTask& task);

}  // namespace grundy::atlas
