// SPDX-License-Identifier: MIT
#include "run/segment.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/value_copy.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

constexpr std::array<char, 8> kMagic = {'G', 'R', 'N', 'D', 'Y', 'S', 'E', 'G'};
constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kByteOrder = 0x01020304;
constexpr std::size_t kTextSize = 32;
constexpr std::size_t kBuffer = std::size_t{1} << 20;

/// The header as it lies in the file; little-endian, as everything here.
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
  std::array<char, 40> reserved;
  std::uint64_t own_xxh3;
};
static_assert(sizeof(RawHeader) == 248 && std::is_trivially_copyable_v<RawHeader>);

constexpr std::size_t kHeaderSize = 256;
using HeaderBytes = std::array<std::byte, kHeaderSize>;
constexpr std::size_t kHashed = offsetof(RawHeader, own_xxh3);

void put_text(std::array<char, kTextSize>& out, const std::string& text) {
  std::copy_n(text.begin(), std::min(text.size(), out.size() - 1), out.begin());
}

std::string get_text(const std::array<char, kTextSize>& text) {
  return {text.begin(), std::find(text.begin(), text.end(), '\0')};
}

HeaderBytes encode(const SegmentHeader& header) {
  RawHeader raw{};
  raw.magic = kMagic;
  raw.version = kVersion;
  raw.byte_order = kByteOrder;
  raw.file_bytes = kHeaderSize + header.stored() * byte_count(header.width) + header.text_bytes;
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
  HeaderBytes bytes{};
  std::memcpy(bytes.data(), &raw, sizeof raw);
  const std::uint64_t hash = hash64(std::span(bytes).first(kHashed));
  std::memcpy(bytes.data() + kHashed, &hash, sizeof hash);
  return bytes;
}

[[noreturn]] void damaged(const fs::path& path, std::string_view what) {
  throw Error(ErrorCode::kCorrupt, fmt::format("'{}' {}", path.string(), what));
}

SegmentHeader decode(const HeaderBytes& bytes, const fs::path& path, std::uint64_t file_bytes) {
  RawHeader raw{};
  std::memcpy(&raw, bytes.data(), sizeof raw);
  if (raw.magic != kMagic) damaged(path, "is no segment of a run");
  if (raw.version != kVersion) {
    damaged(path,
            fmt::format("has segment format {}; this program reads {}", raw.version, kVersion));
  }
  if (raw.byte_order != kByteOrder || raw.own_xxh3 != hash64(std::span(bytes).first(kHashed)) ||
      std::any_of(bytes.begin() + sizeof raw, bytes.end(),
                  [](std::byte b) { return b != std::byte{0}; })) {
    damaged(path, "is damaged: its header does not match its digest");
  }
  if (raw.file_bytes != file_bytes) {
    damaged(path, fmt::format("is damaged: it has {} bytes where {} were written", file_bytes,
                              raw.file_bytes));
  }
  const bool legal_width = raw.width == 1 || raw.width == 2 || raw.width == 4;
  const std::uint64_t value_bytes =
      file_bytes - kHeaderSize - std::min(file_bytes - kHeaderSize, raw.text_bytes);
  const std::uint64_t stored = raw.text_bytes > 0 ? raw.newest : raw.count;
  if (!legal_width || raw.count == 0 || value_bytes / raw.width != stored ||
      value_bytes % raw.width != 0 || raw.begin + raw.count < raw.begin ||
      (raw.text_bytes == 0 && raw.newest != 0) || stored > raw.begin + raw.count) {
    damaged(path, "is damaged: its header contradicts itself");
  }
  return {raw.index,
          raw.begin,
          raw.count,
          static_cast<ValueWidth>(raw.width),
          raw.fingerprint,
          raw.previous,
          raw.values,
          raw.newest,
          raw.text_bytes,
          raw.text,
          get_text(raw.engine),
          get_text(raw.kernel)};
}

/// Copies values of an open segment.
void read_values(const Segment& segment, const Descriptor& file, HeapSize begin,
                 std::span<Nimber> out) {
  const SegmentHeader& header = segment.header;
  const std::size_t width = byte_count(header.width);
  std::vector<std::byte> bytes(out.size() * width);
  if (file.read_at(kHeaderSize + (begin - header.first()) * width, bytes) != bytes.size()) {
    damaged(segment.path, "is cut short");
  }
  Values(bytes.data(), out.size(), header.width).visit([&](auto values) {
    std::ranges::copy(values, out.begin());
  });
}

/// A place in the run directory, which existed when the run began.
AtomicFile place_in(const fs::path& directory, std::uint64_t index) {
  try {
    return {directory / segment_name(index), false};
  } catch (const Error& error) {
    throw Error(ErrorCode::kFailure, error.what());
  }
}

}  // namespace

std::string segment_name(std::uint64_t index) {
  return fmt::format("seg-{:010}.gseg", index);
}

const Segment& segment_of(const std::vector<Segment>& segments, HeapSize n) {
  const auto end = [](const Segment& segment) { return segment.header.end(); };
  return *std::ranges::upper_bound(segments, n, {}, end);
}

Segment open_segment(const fs::path& path) {
  const Descriptor file = Descriptor::open(path, O_RDONLY);
  HeaderBytes bytes{};
  if (file.read_at(0, bytes) != bytes.size()) damaged(path, "is cut short");
  return {path, decode(bytes, path, file.size()), hash128(bytes)};
}

Flow replay_segment(const Segment& segment, HeapSize from, ValueSink& sink) {
  const SegmentHeader& header = segment.header;
  const Descriptor file = Descriptor::open(segment.path, O_RDONLY);
  std::vector<std::byte> buffer(kBuffer);
  SequentialDigest digest;
  const HeapSize step = kBuffer / byte_count(header.width);
  for (HeapSize done = 0; done < header.stored();) {
    const HeapSize n = std::min(step, header.stored() - done);
    const auto bytes = std::span(buffer).first(n * byte_count(header.width));
    if (file.read_at(kHeaderSize + done * byte_count(header.width), bytes) != bytes.size()) {
      damaged(segment.path, "is cut short");
    }
    const Values values(buffer.data(), n, header.width);
    digest.update(values);
    const HeapSize begin = header.first() + done;
    done += n;
    // The last piece waits until all are known to be good.
    if (done == header.stored() && digest.value() != header.values) {
      damaged(
          segment.path,
          fmt::format("is damaged: values {} to {} do not match the digest taken when they were "
                      "computed; without it and the segments after it the run can be resumed "
                      "from value {}",
                      header.first(), header.end() - 1, header.begin));
    }
    if (begin + n <= from) continue;
    const HeapSize skip = from > begin ? from - begin : 0;
    if (sink.put({begin + skip, values.subspan(skip, n - skip), {}}) == Flow::kStop) {
      return Flow::kStop;
    }
  }
  return Flow::kContinue;
}

std::string read_state_text(const Segment& segment) {
  const SegmentHeader& header = segment.header;
  const Descriptor file = Descriptor::open(segment.path, O_RDONLY);
  std::string text(header.text_bytes, '\0');
  const auto bytes = std::as_writable_bytes(std::span(text));
  if (file.read_at(kHeaderSize + header.stored() * byte_count(header.width), bytes) !=
          bytes.size() ||
      hash128(bytes) != header.text) {
    damaged(segment.path,
            fmt::format("is damaged: what it says of heap {} does not match its digest; without it "
                        "and the segments after it the run can be resumed from value {}",
                        header.end(), header.begin));
  }
  return text;
}

void check_segment(const Segment& segment) {
  SinkOf unused([](const Stretch& /*block*/) {});
  replay_segment(segment, segment.header.first(), unused);
}

void read_segment(const Segment& segment, HeapSize begin, std::span<Nimber> out) {
  read_values(segment, Descriptor::open(segment.path, O_RDONLY), begin, out);
}

Nimber SegmentCursor::at(HeapSize n) {
  constexpr HeapSize kMost = 1024;
  if (n < begin_ || n - begin_ >= read_.size()) {
    if (opened_ == nullptr || n < opened_->header.begin || n >= opened_->header.end()) {
      opened_ = &segment_of(segments_, n);
      file_ = Descriptor::open(opened_->path, O_RDONLY);
    }
    read_.resize(std::min(kMost, opened_->header.end() - n));
    begin_ = n;
    read_values(*opened_, file_, n, read_);
  }
  return read_[n - begin_];
}

SegmentWriter::SegmentWriter(const fs::path& directory, SegmentHeader start)
    : header_(std::move(start)),
      place_(place_in(directory, header_.index)),
      file_(Descriptor::open(place_.path(), O_RDWR | O_CREAT | O_EXCL)) {
  buffer_.reserve(kBuffer);
}

void SegmentWriter::append(Values values) {
  header_.count += values.size();
  write(values);
}

void SegmentWriter::put_state(Values newest, const std::string& text) {
  header_.newest = newest.size();
  header_.text_bytes = text.size();
  const auto bytes = std::as_bytes(std::span(text));
  header_.text = hash128(bytes);
  write(newest);
  flush();
  file_.write_at(kHeaderSize + written_, bytes);
}

void SegmentWriter::write(Values values) {
  const std::size_t width = byte_count(header_.width);
  while (!values.empty()) {
    const std::size_t used = buffer_.size();
    const std::size_t n = std::min(values.size(), (kBuffer - used) / width);
    digest_.update(values.subspan(0, n));
    buffer_.resize(used + n * width);
    copy_to_width(values.subspan(0, n), header_.width, buffer_.data() + used);
    if (buffer_.size() == kBuffer) {
      flush();
      whole_ = written_;
      whole_digest_ = digest_.value();
    }
    values = values.subspan(n);
  }
}

void SegmentWriter::flush() {
  file_.write_at(kHeaderSize + written_, buffer_);
  written_ += buffer_.size();
  buffer_.clear();
}

Segment SegmentWriter::snapshot() {
  flush();
  header_.values = digest_.value();
  return {place_.path(), header_, {}};
}

Segment SegmentWriter::seal(const Digest128& previous) {
  flush();
  return close(previous, digest_.value());
}

std::optional<Segment> SegmentWriter::seal_whole_buffers(const Digest128& previous) {
  if (closing_ || header_.is_state() || whole_ == 0) return std::nullopt;
  file_.truncate(kHeaderSize + whole_);
  header_.count = whole_ / byte_count(header_.width);
  return close(previous, whole_digest_);
}

Segment SegmentWriter::close(const Digest128& previous, const Digest128& values) {
  closing_ = true;
  header_.previous = previous;
  header_.values = values;
  const HeaderBytes bytes = encode(header_);
  file_.write_at(0, bytes);
  file_.sync();
  file_.close();
  place_.publish();
  return {place_.target(), header_, hash128(bytes)};
}

}  // namespace grundy
