/// @file
/// Pages of zeros from the system that can become more: large mappings grow without a copy. Pages
/// that are never touched cost nothing.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace grundy {

/// Maps `bytes` of zeros, in huge pages if the system has them. Without them, random access to
/// gigabytes would miss the address translation buffers at nearly every step. Null if the system
/// has no such address range left.
void* new_mapping(std::size_t bytes) noexcept;

/// A mapping that begins with the pages of `old` and goes on with zeros; `old` is no longer one.
/// Null, and `old` stays, if the system has no such address range left. @pre bytes >= old_bytes
void* larger_mapping(void* old, std::size_t old_bytes, std::size_t bytes) noexcept;

}  // namespace grundy
