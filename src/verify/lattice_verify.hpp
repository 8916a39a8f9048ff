/// @file
/// Verification of the tables of lattice games, and of their runs; the counterpart of what
/// verify.cpp does for heaps.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/verify.hpp>

#include "verify/stored_table.hpp"

namespace grundy {

/// @pre table.order()
VerifyReport verify_lattice(const VerifyRequest& request, const StoredTable& table,
                            const std::stop_token& stop, ProgressSink* progress,
                            const std::function<void(const std::string&)>& narrate);

}  // namespace grundy
