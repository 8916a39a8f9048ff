// SPDX-License-Identifier: MIT
#include "table/table_file.hpp"

#include <bit>

#include <fmt/format.h>

#include "core/digest.hpp"
#include "table/file_checks.hpp"
#include "table/seal.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

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

h5::Dataset open_values(const h5::Object& root, const fs::path& path) {
  h5::Dataset values = root.open_values(kValuesName);
  const HeapSize chunk = values.grid().chunk_size();
  const bool heaps = !root.has_member(kLatticeName);
  if (chunk == 0 || chunk > kLargestChunk || (heaps && !std::has_single_bit(chunk))) {
    refuse(ErrorCode::kCorrupt, path,
           fmt::format("has chunks of {} values, where a power of two up to {} is right", chunk,
                       kLargestChunk));
  }
  return values;
}

Frame open_frame(const h5::File& file, const fs::path& path) {
  h5::Object root = open_root(file, path);
  h5::Object integrity = open_sealed(root, path);
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
  if (chunk_count() != grid().chunk_count()) {
    refuse(ErrorCode::kCorrupt, path,
           fmt::format("is damaged: {} chunk digests for {} chunks", chunk_count(),
                       grid().chunk_count()));
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
                fmt::format("'{}' is damaged: chunk {} ({} {} and on) does not match its digest",
                            path(), chunk, info().layout.is_lattice() ? "entries" : "heaps",
                            grid().entry_at(grid().origin_of(chunk))));
  }
}

}  // namespace grundy
