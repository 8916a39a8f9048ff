/// @file
/// The means of a verification, for every kind of game: the request, the threads, the memory that
/// may be used, and the ways to report and to be stopped.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <grundy/hooks.hpp>
#include <grundy/machine.hpp>
#include <grundy/stats.hpp>
#include <grundy/table.hpp>
#include <grundy/verify.hpp>

#include "kernels/kernels.hpp"

namespace grundy {

struct Work {
  const VerifyRequest& request;
  const Hooks& hooks;
  const KernelSet& kernels;
  std::unique_ptr<Executor> executor;
  std::optional<std::uint64_t> memory;  ///< bytes that may be used; nothing if there is no limit

  void say(const std::string& sentence) const {
    if (hooks.narrate) hooks.narrate(sentence);
  }
  /// @throws Error(kFailure) if a proof needs more bytes than may be used
  void check_memory(std::uint64_t needs) const;
  /// Compares with the other ranks, if there are some, what is proved. Call it when the table is
  /// read, before its proof is shared.
  /// @param digest of all that the proof reads
  /// @param periodic_from the heap from which on a period proves the values
  /// @return false if a rank was stopped before
  /// @throws Error(kMismatch) if ranks have read different tables, kUsage if ranges differ
  [[nodiscard]] bool agree_on_table(const TableInfo& info, const Digest128& digest,
                                    HeapSize periodic_from) const;
};

/// The arguments must outlive the work.
/// @throws Error(kUsage) for unknown kernels and back ends
Work make_work(const VerifyRequest& request, const Hooks& hooks);

}  // namespace grundy
