/// @file
/// Checks of a file before the HDF5 library reads it: version 1.10 can crash on damaged metadata.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string_view>

#include <grundy/error.hpp>

namespace grundy {

/// @throws Error that says `'PATH' what`
[[noreturn]] void refuse(ErrorCode code, const std::filesystem::path& path, std::string_view what);

/// Checks what can be checked without the library: that the file is a regular file with the
/// superblock and the size of a closed HDF5 file, of a version that this program writes.
/// @throws Error(kCorrupt), or kUsage if there is no such file or it cannot be opened
void check_outside(const std::filesystem::path& path);

}  // namespace grundy
