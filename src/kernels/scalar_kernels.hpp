/// @file
/// The kernels in plain C++: the set `scalar`, which defines what every other set must do, and
/// where the others take over what vector instructions cannot speed up.
// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/kernels.hpp"

namespace grundy {

/// The set `scalar`.
KernelSet scalar_kernels() noexcept;

}  // namespace grundy
