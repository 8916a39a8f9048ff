/// @file
/// What the program was built from. It stands in every table, so that others can build it again.
// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace grundy::build_info {

/// `git describe` of the source when the library was built, with "-dirty" if files had changed.
/// Empty if the source is not a git checkout.
extern const std::string_view kCommit;
extern const std::string_view kCompiler;
extern const std::string_view kFlags;

}  // namespace grundy::build_info
