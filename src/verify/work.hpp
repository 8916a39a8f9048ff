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
};

/// The arguments must outlive the work.
/// @throws Error(kUsage) for unknown kernels and back ends
Work make_work(const VerifyRequest& request, const Hooks& hooks);

}  // namespace grundy
