// SPDX-License-Identifier: MIT
#include "store/tail_digest.hpp"

#include <fstream>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/digest.hpp"
#include "store/chunk_codec.hpp"

namespace grundy {
namespace {

/// Far above the largest metadata there are (histogram, records, and 8 bytes for every chunk), so
/// that a foreign file cannot ask for all memory.
constexpr std::uint64_t kLargestTail = std::uint64_t{1} << 32;

}  // namespace

std::uint64_t tail_digest(const std::filesystem::path& path, std::uint64_t offset) {
  const std::uint64_t size = std::filesystem::file_size(path);
  if (offset > size || size - offset > kLargestTail) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("'{}' is damaged: its metadata cannot begin at byte {} of {}",
                            path.string(), offset, size));
  }
  Bytes tail(size - offset);
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(offset));
  if (!file.read(reinterpret_cast<char*>(tail.data()), static_cast<std::streamsize>(tail.size()))) {
    throw Error(ErrorCode::kCorrupt, fmt::format("'{}' cannot be read", path.string()));
  }
  return hash64(tail);
}

}  // namespace grundy
