/// @file
/// The table that a run begins with: the values that are known already.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/heap/engine.hpp>

#include "core/value_buffer.hpp"

namespace grundy {

/// Appends the known values of the task, if there are any, to the empty `table` and returns the
/// largest; 0 if there are none.
Nimber load_known_values(const HeapTask& task, ValueBuffer& table);

}  // namespace grundy
