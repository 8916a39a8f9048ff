/// @file
/// Verification of the tables of lattice games; the counterpart of what verify.cpp does for heaps.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/verify.hpp>

namespace grundy {

/// @pre table.info().lattice
VerifyReport verify_lattice(const VerifyRequest& request, const TableReader& table,
                            const std::stop_token& stop, ProgressSink* progress,
                            const std::function<void(const std::string&)>& narrate);

}  // namespace grundy
