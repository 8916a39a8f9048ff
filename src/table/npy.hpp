/// @file
/// NumPy arrays of unsigned integers as bytes (NEP 1, format 1.0).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace grundy {

/// Everything of a file before the numbers, which have `width` bytes each.
std::string npy_header(std::size_t width, std::span<const std::uint64_t> shape);

/// Appends numbers of `width` bytes.
void append_npy(std::string& bytes, std::size_t width, std::span<const std::uint32_t> numbers);

}  // namespace grundy
