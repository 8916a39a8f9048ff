// SPDX-License-Identifier: MIT
#include "store/table_file.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "core/digest.hpp"
#include "store/tail_digest.hpp"

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

[[noreturn]] void refuse(ErrorCode code, const fs::path& path, std::string_view what) {
  throw Error(code, fmt::format("'{}' {}", path.string(), what));
}

/// Looks at what can be known before the HDF5 library is let near the file.
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
  if (!file) {
    throw Error(ErrorCode::kUsage, fmt::format("cannot open '{}': {}", path.string(),
                                               std::generic_category().message(errno)));
  }
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

h5::File open_file(const fs::path& path) {
  check_outside(path);
  return h5::File::open(path);
}

/// Opens what is needed to read the rest, and checks that the rest may be read. Only numbers are
/// looked at before the seal: they lie in object headers, which carry checksums.
h5::Object open_root(const h5::File& file, const fs::path& path) {
  h5::Object root = file.root();
  if (!root.has_attribute("format") || !root.has_attribute("format_major") ||
      !root.has_member(kIntegrityName)) {
    refuse(ErrorCode::kCorrupt, path, "is an HDF5 file, but not a grundy table");
  }
  const std::uint64_t major = root.number("format_major");
  if (major != kFormatMajor) {
    refuse(ErrorCode::kCorrupt, path,
           fmt::format("has format {}.{}; this program reads format {}", major,
                       root.number("format_minor"), kFormatMajor));
  }
  if (!root.has_attribute("complete") || root.number("complete") != 1) {
    refuse(ErrorCode::kCorrupt, path, "is not complete: the run that wrote it did not finish");
  }
  return root;
}

h5::Object open_integrity(const h5::Object& root, const fs::path& path) {
  h5::Object integrity = root.open_group(kIntegrityName);
  const std::uint64_t offset = integrity.number(kTailOffsetName);
  if (tail_digest(path, offset) != integrity.number(kTailDigestName)) {
    refuse(ErrorCode::kCorrupt, path, "is damaged: its metadata do not match their digest");
  }
  return integrity;
}

h5::Dataset open_values(const h5::Object& root, const fs::path& path) {
  h5::Dataset values = root.open_values(kValuesName);
  const HeapSize chunk = values.chunk_size();
  if (!std::has_single_bit(chunk) || chunk > kLargestChunk) {
    refuse(ErrorCode::kCorrupt, path,
           fmt::format("has chunks of {} values, which is no power of two up to {}", chunk,
                       kLargestChunk));
  }
  return values;
}

Frame open_frame(const h5::File& file, const fs::path& path) {
  h5::Object root = open_root(file, path);
  h5::Object integrity = open_integrity(root, path);
  if (root.text("format") != kFormatName) {
    refuse(ErrorCode::kCorrupt, path, "is an HDF5 file, but not a grundy table");
  }
  h5::Dataset values = open_values(root, path);
  return {std::move(root), std::move(integrity), std::move(values)};
}

}  // namespace

TableFile::TableFile(const fs::path& path)
    : file_(open_file(path)),
      frame_(open_frame(file_, path)),
      metadata_(read_metadata(frame_)),
      codec_(width()) {
  const HeapSize count = info().stats.count;
  const std::uint64_t chunks = count / chunk_size() + (count % chunk_size() != 0 ? 1 : 0);
  if (chunk_count() != chunks) {
    refuse(ErrorCode::kCorrupt, path,
           fmt::format("is damaged: {} chunk digests for {} chunks", chunk_count(), chunks));
  }
  if (width_for(info().stats.max_value) > width()) {
    refuse(ErrorCode::kCorrupt, path, "is damaged: the maximum does not fit the stored width");
  }
}

Bytes TableFile::decode(const Bytes& encoded) const {
  try {
    return codec_.decode(encoded, frame_.values.chunk_bytes());
  } catch (const Error& error) {
    refuse(error.code(), path(), fmt::format("is damaged: {}", error.what()));
  }
}

void TableFile::verify(std::uint64_t chunk, const Bytes& decoded) const {
  if (hash64(decoded) != metadata_.chunk_digests[chunk]) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("'{}' is damaged: chunk {} (heaps {} and on) does not match its digest",
                            path(), chunk, chunk * chunk_size()));
  }
}

}  // namespace grundy
