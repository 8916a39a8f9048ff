// SPDX-License-Identifier: MIT
#include "table/file_checks.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "core/descriptor.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

/// The first bytes of an HDF5 file, superblock version 2 or 3 (HDF5 File Format Specification,
/// section II.A).
struct Superblock {
  static constexpr std::string_view kSignature{"\x89HDF\r\n\x1a\n", 8};
  static constexpr std::size_t kVersionAt = 8;
  static constexpr std::size_t kFlagsAt = 11;
  static constexpr std::size_t kEndOfFileAt = 28;
  static constexpr std::size_t kSize = 48;
};

}  // namespace

void refuse(ErrorCode code, const fs::path& path, std::string_view what) {
  throw Error(code, fmt::format("'{}' {}", path.string(), what));
}

void check_outside(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    throw Error(ErrorCode::kUsage, fmt::format("cannot open '{}': {}", path.string(),
                                               error ? error.message() : "there is no such file"));
  }
  if (fs::is_directory(status)) refuse(ErrorCode::kUsage, path, "is a directory, not a table");
  if (!fs::is_regular_file(status)) refuse(ErrorCode::kUsage, path, "is no regular file");

  std::ifstream file(path, std::ios::binary);
  if (!file) throw_errno("open", path.string(), ErrorCode::kUsage);
  std::array<char, Superblock::kSize> head{};
  file.read(head.data(), head.size());
  const std::string_view seen(head.data(), static_cast<std::size_t>(file.gcount()));
  if (seen.empty()) refuse(ErrorCode::kCorrupt, path, "is empty, not a table");
  if (seen.substr(0, 8) != Superblock::kSignature.substr(0, seen.size())) {
    refuse(ErrorCode::kCorrupt, path, "is not an HDF5 file");
  }
  if (seen.size() < head.size()) refuse(ErrorCode::kCorrupt, path, "is cut short");
  const int version = head[Superblock::kVersionAt];
  if (version != 2 && version != 3) {
    refuse(ErrorCode::kCorrupt, path, "is an HDF5 file, but of another program than grundy");
  }
  if (head[Superblock::kFlagsAt] != 0) {
    refuse(ErrorCode::kCorrupt, path, "was not closed by the program that wrote it");
  }
  std::uint64_t expected = 0;
  static_assert(std::endian::native == std::endian::little);
  std::memcpy(&expected, head.data() + Superblock::kEndOfFileAt, sizeof expected);
  const std::uint64_t size = fs::file_size(path);
  if (size != expected) {
    refuse(ErrorCode::kCorrupt, path,
           fmt::format("has {} bytes where {} were written; it is cut short or damaged", size,
                       expected));
  }
}

}  // namespace grundy
