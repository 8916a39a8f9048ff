/// @file
/// A request, checked and bound to the parts that will carry it out.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include <grundy/heap/engine.hpp>
#include <grundy/session.hpp>

#include "kernels/kernels.hpp"
#include "parallel/executor.hpp"

namespace grundy {

/// Larger tables are refused: at one byte a value 2^48 of them are 256 TiB.
inline constexpr HeapSize kMaxCount = HeapSize{1} << 48;

/// Empty if there are tables of heaps 0 .. last in chunks of `chunk` values, else what forbids it.
std::string size_refusal(HeapSize last, HeapSize chunk);

/// The request must outlive the setup.
struct Setup {
  const ComputeRequest& request;
  HeapSize count;
  const HeapEngine& engine;
  const KernelSet& kernels;
  std::unique_ptr<Executor> executor;

  /// Whether the engine chooses among others as it goes.
  [[nodiscard]] bool chooses() const noexcept { return engine.name() == "auto"; }

  /// @throws Error(kUsage) for sizes out of range and for unknown engines, kernels and back ends
  explicit Setup(const ComputeRequest& request);

  /// Runs the engine for heaps 0 .. heaps-1, or for those that are not known. `on_choice` hears of
  /// every engine that is started, and why.
  RunStatus run(HeapSize heaps, BlockSink& sink, std::stop_token stop, ProgressSink* progress,
                const KnownValues* known = nullptr,
                const std::function<void(const EngineChoice&)>& on_choice = {}) const;
};

}  // namespace grundy
