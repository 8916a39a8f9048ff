/// @file
/// How a file of statistics of several heaps is proved. Statistics of one heap are proved by the
/// states of their run (grundy/verify.hpp).
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/error.hpp>
#include <grundy/hooks.hpp>
#include <grundy/list_check.hpp>
#include <grundy/statistics.hpp>

namespace grundy {

/// What was proved of statistics of several heaps.
struct LatticeStatisticsCheck : ListCheck {
  LatticeStatistics file{};
};

/// Computes all values again, with a kernel that has not made the file if this machine has one (of
/// a reproducible file, which does not tell, not with the fastest), and compares what is counted.
/// It takes the time and the memory of the run, and proves all or nothing: with `samples` of 0 it
/// only reads the file, and any other number, `seconds`, `seed` and `range` mean nothing.
/// @throws Error(kCorrupt) for a damaged file, Error(kFailure) if memory is short
LatticeStatisticsCheck check_lattice_statistics(const ListCheckRequest& request,
                                                const Hooks& hooks = {});

}  // namespace grundy
