/// @file
/// The seal of a table file: a digest over all bytes behind its values.
///
/// HDF5 keeps checksums of object headers and indexes, but none of texts (the global heap) nor of
/// plain arrays, and version 1.10 can crash on a heap with a flipped bit. So the writer notes where
/// the file ended before the metadata came, lets the library reuse no space, and stores the digest
/// of everything behind that point in an object before it. A reader compares the digest before it
/// lets the library look at anything there.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>

namespace grundy {

/// XXH3-64 of the bytes of a file from `offset` to its end.
/// @throws Error(kCorrupt) if the file ends before `offset` or holds implausibly much behind it
std::uint64_t tail_digest(const std::filesystem::path& path, std::uint64_t offset);

}  // namespace grundy
