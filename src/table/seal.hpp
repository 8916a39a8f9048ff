/// @file
/// The seal of a file: a digest over all bytes behind its values.
///
/// HDF5 keeps checksums of object headers and indexes, but not of texts (the global heap) nor of
/// plain arrays, and version 1.10 can crash on a heap with a flipped bit. So the writer notes where
/// the file ended before the metadata came, makes the library reuse no space, and stores the digest
/// (XXH3-64) of everything behind that point in an object before it. A reader compares the digest
/// before it lets the library look at anything there.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "table/h5.hpp"

namespace grundy {

inline constexpr const char* kIntegrityName = "integrity";

/// XXH3-64 of the bytes of a file from `offset` to its end.
/// @throws Error(kCorrupt) if the file ends before `offset`; kFailure if it cannot be read
std::uint64_t tail_digest(const std::filesystem::path& path, std::uint64_t offset);

/// Makes the group of the seal; what the seal covers must come after it.
h5::Object create_seal(h5::Object& root);

/// Sets the seal over the bytes of the file from `offset` to its end, and closes it. @pre the bytes
/// that it covers have been flushed
void close_seal(h5::Object& seal, const std::filesystem::path& path, std::uint64_t offset);

/// The digest that a seal holds.
std::uint64_t seal_of(const h5::Object& seal);

/// Opens the group of the seal and compares it. @throws Error(kCorrupt) if it does not match
h5::Object open_seal(const h5::Object& root, const std::filesystem::path& path);

/// Makes the file `path`. First comes what `fill` puts into it, which the seal covers, then the
/// mark of a complete file. The seal is set last.
void write_sealed(const std::filesystem::path& path,
                  const std::function<void(h5::Object& root)>& fill);

/// Texts of the root of a file by their names.
using RootTexts = std::vector<std::pair<std::string, std::string>>;

/// Adds texts to the root of a finished file, or replaces texts with the same names, and sets its
/// seal anew. A failure may leave the file damaged, so it has to be a copy. @pre the seal was
/// compared; if not, this would seal damaged data
void reseal_with(const std::filesystem::path& path, const RootTexts& texts);

}  // namespace grundy
