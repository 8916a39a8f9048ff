/// @file
/// The entries of a table in words: its shape, the position of an entry, and its columns in CSV.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <grundy/layout.hpp>

namespace grundy {

/// "16384 x 16384: 268 435 456 positions". @pre layout.is_lattice()
std::string shape_text(const Layout& layout);
/// The heaps of the position of an entry.
std::string position_text(const Layout& layout, std::uint64_t entry, std::string_view separator);

/// Names of the columns of CSV for an entry: `n`, or `heap_1,heap_2`, or with several planes
/// `heap_1,heap_2,pass_left`.
std::string entry_header(const Layout& layout);
/// The texts in these columns.
std::string entry_text(const Layout& layout, std::uint64_t entry);

}  // namespace grundy
