// SPDX-License-Identifier: MIT
#include "run/segment_writer.hpp"

#include <span>
#include <utility>

#include <fcntl.h>

#include <grundy/error.hpp>

namespace grundy {
namespace {

/// A place in the run directory, which existed when the run began.
AtomicFile place_in(const std::filesystem::path& directory, std::uint64_t index) {
  try {
    return {directory / segment_name(index), true, directory};
  } catch (const Error& error) {
    throw Error(ErrorCode::kFailure, error.what());
  }
}

}  // namespace

SegmentWriter::SegmentWriter(const std::filesystem::path& directory, SegmentHeader start)
    : header_(std::move(start)),
      place_(place_in(directory, header_.index)),
      file_(Descriptor::open(place_.path(), O_RDWR | O_CREAT | O_EXCL)) {}

std::uint64_t SegmentWriter::write(const ValueChunk& chunk) {
  const ChunkHeader head{.bytes = chunk.encoded.size(),
                         .values_xxh3 = chunk.xxh3,
                         .encoded_xxh3 = hash64(chunk.encoded)};
  file_.write_at(end_, std::as_bytes(std::span(&head, 1)));
  file_.write_at(end_ + sizeof head, chunk.encoded);
  return sizeof head + chunk.encoded.size();
}

void SegmentWriter::append(const ValueChunk& chunk) {
  end_ += write(chunk);
  hashes_.push_back(chunk.xxh3);
  header_.count += chunk.count;
  if (end_ - written_back_ < kWriteBack) return;
  file_.begin_write_back(written_back_, end_ - written_back_);
  written_back_ = end_;
}

void SegmentWriter::append_text(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  file_.write_at(end_ + text_bytes_, bytes);  // if this fails, it is a segment of values
  text_bytes_ += bytes.size();
  text_.update(bytes);
}

void SegmentWriter::end_state(HeapSize begin) noexcept {
  end_ += text_bytes_;
  header_.newest = header_.count;
  header_.count = header_.end() - begin;
  header_.begin = begin;
  header_.text_bytes = text_bytes_;
  header_.text = text_.value();
}

Segment SegmentWriter::snapshot(const ValueChunk* unfinished) {
  SegmentHeader header = header_;
  std::vector<std::uint64_t> hashes = hashes_;
  if (unfinished != nullptr) {
    static_cast<void>(write(*unfinished));  // the next chunk takes its place
    hashes.push_back(unfinished->xxh3);
    header.count += unfinished->count;
  }
  header.values = digest_of_chunks(hashes);
  return {place_.path(), std::move(header), {}};
}

Segment SegmentWriter::seal(const Digest128& previous) {
  closing_ = true;
  header_.previous = previous;
  header_.values = digest_of_chunks(hashes_);
  const SegmentHeaderBytes bytes = header_bytes(header_, end_);
  file_.write_at(0, bytes);
  // Behind its end there may be a part of a chunk, or the unfinished chunk of a snapshot.
  if (file_.size() > end_) file_.truncate(end_);
  file_.sync();
  file_.close();
  place_.publish();
  return {place_.target(), header_, hash128(bytes)};
}

std::optional<Segment> SegmentWriter::seal_whole_chunks(const Digest128& previous) {
  if (closing_ || header_.is_state() || hashes_.empty()) return std::nullopt;
  return seal(previous);
}

}  // namespace grundy
