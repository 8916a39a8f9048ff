/// @file
/// The kinds of files that this program writes, and what they have in common: a name and a version
/// of their format, a mark of completeness, and a seal (seal.hpp).
///
/// The kind of a file is known from numbers and names of objects. They lie in object headers, which
/// have checksums. No text is read before the seal was compared.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>

#include <grundy/file_kind.hpp>

#include "table/h5.hpp"

namespace grundy {

struct FileFormat {
  const char* name;  ///< the attribute `format`
  /// The version that is written; every major version from `first` on is read.
  std::uint64_t major, minor;
  const char* mark;         ///< an attribute or a member of the root that only this kind has
  const char* what;         ///< for messages: `a table of positions`
  std::uint64_t first = 1;  ///< the first major version that is read
};
const FileFormat& format_of(FileKind kind) noexcept;

/// Writes name and version of the format.
void put_format(h5::Object& root, FileKind kind);

/// A file whose seal was compared.
struct SealedFile {
  h5::File file;
  h5::Object root;
  h5::Object integrity;
};
/// Opens a complete file of the wanted kind. check_outside() comes first.
/// @throws Error(kCorrupt) if it is of another version, incomplete or damaged;
///   Error(kUsage) if it is of another kind, there is no such file, or it cannot be opened
SealedFile open_sealed(const std::filesystem::path& path, FileKind wanted);

}  // namespace grundy
