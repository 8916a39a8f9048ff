/// @file
/// Writes files of outcomes.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>

#include <grundy/outcomes.hpp>

namespace grundy {

/// Takes the next P-positions, as entries of the layout that ascend.
using TakeEntries = std::function<void(std::span<const std::uint64_t>)>;

/// Makes the file `path`. `fill` hands over all P-positions; the attributes follow. Sets the count
/// and the digest of `info`. @throws Error(kFailure)
void write_outcomes_file(const std::filesystem::path& path, OutcomesInfo& info,
                         const std::function<void(const TakeEntries&)>& fill);

}  // namespace grundy
