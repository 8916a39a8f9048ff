// SPDX-License-Identifier: MIT
#include "run/segment_header.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/value_copy.hpp"
#include "table/file_checks.hpp"

namespace grundy {
namespace {

constexpr std::array<char, 8> kMagic = {'G', 'R', 'N', 'D', 'Y', 'S', 'E', 'G'};
constexpr std::uint32_t kRawFormat = 1;
constexpr std::uint32_t kChunkFormat = 2;
constexpr std::uint32_t kByteOrder = 0x01020304;
constexpr std::size_t kTextSize = 32;

/// The header as it lies in the file; little-endian, like everything here.
struct RawHeader {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t byte_order;
  std::uint64_t file_bytes;
  std::uint64_t index;
  std::uint64_t begin;
  std::uint64_t count;
  std::uint64_t width;
  Digest128 fingerprint;
  Digest128 previous;
  Digest128 values;
  std::array<char, kTextSize> engine;
  std::array<char, kTextSize> kernel;
  std::uint64_t newest;
  std::uint64_t text_bytes;
  Digest128 text;
  std::uint64_t chunk;
  std::uint64_t plain;
  std::array<char, 24> reserved;
  std::uint64_t own_xxh3;
};
static_assert(sizeof(RawHeader) == 248 && std::is_trivially_copyable_v<RawHeader>);

constexpr std::size_t kHashed = offsetof(RawHeader, own_xxh3);

void put_text(std::array<char, kTextSize>& out, const std::string& text) {
  std::copy_n(text.begin(), std::min(text.size(), out.size() - 1), out.begin());
}

std::string get_text(const std::array<char, kTextSize>& text) {
  return {text.begin(), std::find(text.begin(), text.end(), '\0')};
}

/// Whether the file can hold the raw values and text, or the chunks, that the header claims.
bool is_possible(const RawHeader& raw, std::uint64_t file_bytes) {
  const bool legal_width = raw.width == 1 || raw.width == 2 || raw.width == 4;
  if (!legal_width || raw.count == 0 || raw.begin + raw.count < raw.begin) return false;
  const std::uint64_t stored = raw.text_bytes > 0 ? raw.newest : raw.count;
  if ((raw.text_bytes == 0 && raw.newest > 0) || stored > raw.begin + raw.count) return false;
  const std::uint64_t content = file_bytes - kSegmentHeaderSize;
  if (raw.version == kChunkFormat) {
    return raw.chunk > 0 && raw.plain <= 1 && raw.text_bytes <= content;
  }
  const std::uint64_t value_bytes = content - std::min(content, raw.text_bytes);
  return raw.chunk == 0 && raw.plain == 0 && value_bytes / raw.width == stored &&
         value_bytes % raw.width == 0;
}

}  // namespace

SegmentHeaderBytes header_bytes(const SegmentHeader& header, std::uint64_t file_bytes) {
  RawHeader raw{};
  raw.magic = kMagic;
  raw.version = header.is_raw() ? kRawFormat : kChunkFormat;
  raw.byte_order = kByteOrder;
  raw.file_bytes = file_bytes;
  raw.index = header.index;
  raw.begin = header.begin;
  raw.count = header.count;
  raw.width = byte_count(header.width);
  raw.fingerprint = header.fingerprint;
  raw.previous = header.previous;
  raw.values = header.values;
  put_text(raw.engine, header.engine);
  put_text(raw.kernel, header.kernel);
  raw.newest = header.newest;
  raw.text_bytes = header.text_bytes;
  raw.text = header.text;
  raw.chunk = header.chunk;
  raw.plain = header.plain ? 1 : 0;
  SegmentHeaderBytes bytes{};
  std::memcpy(bytes.data(), &raw, sizeof raw);
  const std::uint64_t hash = hash64(std::span(bytes).first(kHashed));
  std::memcpy(bytes.data() + kHashed, &hash, sizeof hash);
  return bytes;
}

SegmentHeader parse_header(const SegmentHeaderBytes& bytes, const std::filesystem::path& path,
                           std::uint64_t file_bytes) {
  RawHeader raw{};
  std::memcpy(&raw, bytes.data(), sizeof raw);
  if (raw.magic != kMagic) refuse(ErrorCode::kCorrupt, path, "is no segment of a run");
  if (raw.version != kRawFormat && raw.version != kChunkFormat) {
    refuse(ErrorCode::kCorrupt, path,
           fmt::format("has segment format {}; this program reads {} and {}", raw.version,
                       kRawFormat, kChunkFormat));
  }
  if (raw.byte_order != kByteOrder || raw.own_xxh3 != hash64(std::span(bytes).first(kHashed)) ||
      std::any_of(bytes.begin() + sizeof raw, bytes.end(),
                  [](std::byte b) { return b != std::byte{0}; })) {
    refuse(ErrorCode::kCorrupt, path,
           fmt::format("is damaged: its header does not match its digest{}", kWithoutSegment));
  }
  if (raw.file_bytes != file_bytes) {
    refuse(ErrorCode::kCorrupt, path,
           fmt::format("is damaged: it has {} bytes where {} were written{}", file_bytes,
                       raw.file_bytes, kWithoutSegment));
  }
  if (!is_possible(raw, file_bytes)) {
    refuse(ErrorCode::kCorrupt, path, "is damaged: its header contradicts itself");
  }
  return {.index = raw.index,
          .begin = raw.begin,
          .count = raw.count,
          .width = static_cast<ValueWidth>(raw.width),
          .fingerprint = raw.fingerprint,
          .previous = raw.previous,
          .values = raw.values,
          .newest = raw.newest,
          .text_bytes = raw.text_bytes,
          .text = raw.text,
          .engine = get_text(raw.engine),
          .kernel = get_text(raw.kernel),
          .chunk = raw.chunk,
          .plain = raw.plain == 1};
}

void hash_values(ByteHash& hash, Values values, ValueWidth width) {
  if (values.width() == width) {
    values.visit([&](auto run) { hash.update(std::as_bytes(run)); });
    return;
  }
  // The values go through a buffer that stays in the first-level cache.
  constexpr std::size_t kPiece = 2048;
  std::array<std::byte, kPiece * sizeof(Nimber)> piece;
  while (!values.empty()) {
    const std::size_t size = std::min(kPiece, values.size());
    copy_to_width(values.subspan(0, size), width, piece.data());
    hash.update(std::span(piece).first(size * byte_count(width)));
    values = values.subspan(size);
  }
}

Digest128 digest_of_chunks(std::span<const std::uint64_t> hashes) noexcept {
  return hash128(std::as_bytes(hashes));
}

void SegmentDigest::update(Values values) {
  if (chunk_ == 0) {
    raw_.update(values);
    return;
  }
  fit_ = fit_ && least_width(values) <= width_;
  while (fit_ && !values.empty()) {
    const auto size =
        static_cast<std::size_t>(std::min<HeapSize>(values.size(), chunk_ - next_ % chunk_));
    hash_values(unfinished_, values.subspan(0, size), width_);
    next_ += size;
    has_unfinished_ = next_ % chunk_ != 0;
    if (!has_unfinished_) {
      chunks_.push_back(unfinished_.value());
      unfinished_.reset();
    }
    values = values.subspan(size);
  }
}

Digest128 SegmentDigest::value() const {
  if (chunk_ == 0) return raw_.value();
  if (!fit_) return {};  // the segment cannot have these values
  std::vector<std::uint64_t> all = chunks_;
  if (has_unfinished_) all.push_back(unfinished_.value());
  return digest_of_chunks(all);
}

}  // namespace grundy
