/// @file
/// Files with one wrong bit.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include <grundy/error.hpp>

#include "support/errors.hpp"
#include "support/files.hpp"

namespace grundy::testing_support {

/// Expects that `read` refuses a file as damaged with a wrong bit at any of this many places, from
/// its first byte to its last one. Leaves the file as it was.
inline void expect_damage_is_refused(const std::filesystem::path& file, std::size_t places,
                                     const std::function<void()>& read) {
  const std::string bytes = bytes_of(file);
  for (std::size_t i = 0; i < places; ++i) {
    std::string bad = bytes;
    bad[i * (bytes.size() - 1) / (places - 1)] ^= 0x10;
    write_bytes(file, bad);
    EXPECT_EQ(code_of(read), ErrorCode::kCorrupt) << i;
  }
  write_bytes(file, bytes);
}

}  // namespace grundy::testing_support
