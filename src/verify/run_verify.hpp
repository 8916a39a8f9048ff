/// @file
/// Verification of a run directory: what an unfinished run has sealed so far.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include <grundy/verify.hpp>

namespace grundy {

/// Checks the chain of segments and every digest, and proves heaps from the definition: around the
/// borders of segments, conspicuous ones, and random ones. @pre request.table is a directory
/// @throws Error(kUsage) if it is no run directory or another kind of proof is asked for
VerifyReport verify_run(const VerifyRequest& request, const std::stop_token& stop,
                        const std::function<void(const std::string&)>& narrate);

}  // namespace grundy
