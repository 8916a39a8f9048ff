// SPDX-License-Identifier: MIT
#include "run/segment.hpp"

#include <algorithm>

#include <fcntl.h>
#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/digest.hpp"
#include "core/value_copy.hpp"
#include "table/file_checks.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

/// Bytes of raw values that are read at a time: for values in their order, and for single values.
constexpr std::size_t kReplayed = std::size_t{1} << 20;
constexpr std::size_t kLookedUp = std::size_t{1} << 12;
/// Bytes of the text of a state that are read at a time.
constexpr std::size_t kTextPiece = std::size_t{1} << 20;

/// Refuses a file that is not what its header said when it was read.
[[noreturn]] void refuse_content(const Segment& segment, const std::string& what) {
  // Segments that are not sealed yet have no chain digest.
  if (segment.header.is_state() && segment.chain != Digest128{} &&
      open_segment(segment.path).chain != segment.chain) {
    throw Error(ErrorCode::kFailure,
                fmt::format("'{}' has been replaced by the run, which is at work; look again",
                            segment.path.string()));
  }
  refuse(ErrorCode::kCorrupt, segment.path, what);
}

[[noreturn]] void values_are_bad(const Segment& segment, HeapSize begin, HeapSize end) {
  refuse_content(
      segment,
      fmt::format("is damaged: values {} to {} do not match the digest taken when they were "
                  "computed; without it and the segments after it the run can be resumed "
                  "from value {}",
                  begin, end - 1, segment.header.begin));
}

/// Reads raw values of an open segment.
void read_raw(const Segment& segment, const Descriptor& file, HeapSize begin,
              std::span<std::byte> out) {
  const SegmentHeader& header = segment.header;
  const std::uint64_t offset = (begin - header.first()) * byte_count(header.width);
  if (file.read_at(kSegmentHeaderSize + offset, out) != out.size()) {
    refuse_content(segment, "is cut short");
  }
}

/// Reads all raw values, so that they are checked.
Flow replay_raw(const Segment& segment, HeapSize from, HeapSize to, ValueSink& sink) {
  const SegmentHeader& header = segment.header;
  const Descriptor file = Descriptor::open(segment.path, O_RDONLY);
  std::vector<std::byte> buffer(kReplayed);
  SegmentDigest digest(header);
  const HeapSize step = kReplayed / byte_count(header.width);
  for (HeapSize begin = header.first(); begin < header.end();) {
    const HeapSize size = std::min(step, header.end() - begin);
    read_raw(segment, file, begin, std::span(buffer).first(size * byte_count(header.width)));
    Stretch block{.begin = begin, .values = {buffer.data(), size, header.width}, .table = {}};
    digest.update(block.values);
    begin += size;
    // The last piece waits until all pieces are known to be right.
    if (begin == header.end() && digest.value() != header.values) {
      values_are_bad(segment, header.first(), header.end());
    }
    block = block.from(from).to(to);
    if (!block.values.empty() && sink.put(block) == Flow::kStop) return Flow::kStop;
  }
  return Flow::kContinue;
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
  SegmentHeaderBytes bytes{};
  if (file.read_at(0, bytes) != bytes.size()) {
    refuse(ErrorCode::kCorrupt, path, fmt::format("is cut short{}", kWithoutSegment));
  }
  return {path, parse_header(bytes, path, file.size()), hash128(bytes)};
}

SegmentReader::SegmentReader(Segment segment)
    : segment_(std::move(segment)),
      file_(Descriptor::open(segment_.path, O_RDONLY)),
      codec_(segment_.header.width) {
  if (!segment_.header.is_raw()) find_chunks();
}

void SegmentReader::find_chunks() {
  const SegmentHeader& header = segment_.header;
  std::uint64_t offset = kSegmentHeaderSize;
  std::vector<std::uint64_t> hashes;
  for (HeapSize begin = header.first(); begin < header.end();) {
    const HeapSize end = end_of_chunk(begin);
    Place place{.offset = offset + sizeof(ChunkHeader), .header = {}};
    if (file_.read_at(offset, std::as_writable_bytes(std::span(&place.header, 1))) !=
        sizeof(ChunkHeader)) {
      refuse_content(segment_, "is cut short");
    }
    const std::uint64_t most = largest_encoded_size((end - begin) * byte_count(header.width));
    if (place.header.bytes > most) refuse(begin, end);
    hashes.push_back(place.header.values_xxh3);
    chunks_.push_back(place);
    offset = place.offset + place.header.bytes;
    begin = end;
  }
  if (digest_of_chunks(hashes) != header.values) refuse(header.first(), header.end());
}

HeapSize SegmentReader::end_of_chunk(HeapSize n) const noexcept {
  const SegmentHeader& header = segment_.header;
  const HeapSize left = header.chunk - n % header.chunk;
  return left < header.end() - n ? n + left : header.end();
}

std::size_t SegmentReader::number_of(HeapSize n) const noexcept {
  const HeapSize chunk = segment_.header.chunk;
  return static_cast<std::size_t>(n / chunk - segment_.header.first() / chunk);
}

void SegmentReader::refuse(HeapSize begin, HeapSize end) const {
  values_are_bad(segment_, begin, end);
}

SegmentReader::Encoded SegmentReader::encoded_at(HeapSize n) const {
  const auto& [offset, header] = chunks_[number_of(n)];
  Encoded chunk{.values_xxh3 = header.values_xxh3, .bytes = Bytes(header.bytes)};
  if (file_.read_at(offset, chunk.bytes) != chunk.bytes.size()) {
    refuse_content(segment_, "is cut short");
  }
  if (hash64(chunk.bytes) != header.encoded_xxh3) refuse(n, end_of_chunk(n));
  return chunk;
}

const SegmentReader::Piece& SegmentReader::piece_with(HeapSize n) {
  if (n >= piece_.begin && n < piece_.end()) return piece_;
  const SegmentHeader& header = segment_.header;
  const std::size_t width = byte_count(header.width);
  piece_ = {};
  if (header.is_raw()) {
    const HeapSize size = std::min<HeapSize>(kLookedUp / width, header.end() - n);
    bytes_.resize(size * width);
    read_raw(segment_, file_, n, bytes_);
    piece_ = {n, {bytes_.data(), size, header.width}};
    return piece_;
  }
  const HeapSize begin = std::max(header.first(), n - n % header.chunk);
  const HeapSize end = end_of_chunk(n);
  Encoded chunk = encoded_at(begin);
  codec_.buffers().give_back(std::move(bytes_));
  if (header.plain) {
    bytes_ = std::move(chunk.bytes);
    if (bytes_.size() != (end - begin) * width) refuse(begin, end);
  } else {
    try {
      bytes_ = codec_.decode(chunk.bytes, (end - begin) * width);
    } catch (const Error&) {
      refuse(begin, end);
    }
  }
  if (hash64(bytes_) != chunk.values_xxh3) refuse(begin, end);
  piece_ = {begin, {bytes_.data(), static_cast<std::size_t>(end - begin), header.width}};
  return piece_;
}

void SegmentReader::read(HeapSize begin, std::span<Nimber> out) {
  while (!out.empty()) {
    const Piece& piece = piece_with(begin);
    const auto size = static_cast<std::size_t>(std::min<HeapSize>(out.size(), piece.end() - begin));
    copy_to_width(piece.values.subspan(begin - piece.begin, size), kWidthOf<Nimber>,
                  std::as_writable_bytes(out).data());
    out = out.subspan(size);
    begin += size;
  }
}

Nimber SegmentReader::at(HeapSize n) {
  const Piece& piece = piece_with(n);
  return piece.values[n - piece.begin];
}

Flow replay_segment(const Segment& segment, HeapSize from, HeapSize to, ValueSink& sink) {
  const SegmentHeader& header = segment.header;
  if (header.is_raw()) return replay_raw(segment, from, to, sink);
  SegmentReader reader(segment);
  for (HeapSize n = std::max(from, header.first()); n < std::min(to, header.end());) {
    const auto& [begin, values] = reader.piece_with(n);
    const Stretch block = Stretch{.begin = begin, .values = values, .table = {}}.from(n).to(to);
    n = block.end();
    if (sink.put(block) == Flow::kStop) return Flow::kStop;
  }
  return Flow::kContinue;
}

StateTextReader::StateTextReader(const Segment& segment)
    : segment_(segment), file_(Descriptor::open(segment.path, O_RDONLY)), end_(file_.size()) {
  const std::uint64_t size = segment.header.text_bytes;
  const std::uint64_t begin = end_ - std::min(end_, size);
  for (at_ = begin; at_ < end_; at_ += buffer_.size()) fill();
  check();
  at_ = begin;
  buffer_.clear();
}

/// Reads the next piece of the file.
void StateTextReader::fill() {
  buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kTextPiece, left())));
  used_ = 0;
  if (file_.read_at(at_, buffer_) != buffer_.size()) refuse();
  digest_.update(std::span<const std::byte>(buffer_));
}

/// Compares the digest of what was read, which is all. It is taken anew after that.
void StateTextReader::check() {
  if (digest_.value() != segment_.header.text) refuse();
  digest_.reset();
}

void StateTextReader::refuse() const {
  refuse_content(segment_,
                 fmt::format("is damaged: what it says of the first {} values does not match its "
                             "digest; without it and the segments after it the run can be resumed "
                             "from value {}",
                             segment_.header.end(), segment_.header.begin));
}

void StateTextReader::read(std::span<std::byte> bytes) {
  if (bytes.size() > left()) {
    grundy::refuse(ErrorCode::kCorrupt, segment_.path, "has fewer bytes than it speaks of");
  }
  while (!bytes.empty()) {
    if (used_ == buffer_.size()) fill();
    const std::size_t size = std::min(bytes.size(), buffer_.size() - used_);
    std::copy_n(buffer_.begin() + static_cast<std::ptrdiff_t>(used_), size, bytes.begin());
    used_ += size;
    at_ += size;
    bytes = bytes.subspan(size);
    // A large text comes from the device a second time.
    if (at_ == end_) check();
  }
}

std::string read_state_text(const Segment& segment) {
  StateTextReader in(segment);
  std::string text(in.left(), '\0');
  in.read(std::as_writable_bytes(std::span(text)));
  return text;
}

void check_segment(const Segment& segment) {
  SinkOf unused([](const Stretch& /*block*/) {});
  replay_segment(segment, segment.header.first(), segment.header.end(), unused);
  if (segment.header.is_state()) static_cast<void>(read_state_text(segment));
}

void read_segment(const Segment& segment, HeapSize begin, std::span<Nimber> out) {
  SegmentReader(segment).read(begin, out);
}

void SegmentCursor::read(HeapSize begin, std::span<Nimber> out) {
  while (!out.empty()) {
    SegmentReader& reader = reader_with(begin);
    const HeapSize left = reader.segment().header.end() - begin;
    const auto size = static_cast<std::size_t>(std::min<HeapSize>(out.size(), left));
    reader.read(begin, out.first(size));
    out = out.subspan(size);
    begin += size;
  }
}

void SegmentCursor::renew(std::vector<Segment> segments) {
  segments_ = std::move(segments);
  // A segment that was not sealed may have grown, or got its name.
  std::erase_if(opened_, [](const auto& reader) { return reader->segment().chain == Digest128{}; });
}

SegmentReader& SegmentCursor::reader_with(HeapSize n) {
  constexpr std::size_t kMostOpen = 64;
  const auto has = [n](const auto& reader) {
    const SegmentHeader& header = reader->segment().header;
    return n >= header.begin && n < header.end();
  };
  if (!opened_.empty() && has(opened_.back())) return *opened_.back();
  const auto found = std::ranges::find_if(opened_, has);
  if (found != opened_.end()) {
    std::rotate(found, found + 1, opened_.end());
  } else {
    if (opened_.size() == kMostOpen) opened_.erase(opened_.begin());
    opened_.push_back(std::make_unique<SegmentReader>(segment_of(segments_, n)));
  }
  return *opened_.back();
}

}  // namespace grundy
