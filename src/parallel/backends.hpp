/// @file
/// The back ends behind make_executor(); `threads` is at least 1.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>

#include <grundy/machine.hpp>

namespace grundy {

std::unique_ptr<Executor> make_tbb_executor(std::size_t threads);
std::unique_ptr<Executor> make_thread_executor(std::size_t threads);

/// CPUs that the affinity mask of this process allows; at least 1.
std::size_t allowed_cpus();

}  // namespace grundy
