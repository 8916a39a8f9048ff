// SPDX-License-Identifier: MIT
#include "table/chunk_file.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/descriptor.hpp"
#include "core/digest.hpp"
#include "table/seal.hpp"

namespace grundy {
namespace {

/// Lets the device read the first GiB ahead, in the order of the file. The caller reads chunks in
/// another order.
void begin_read_ahead(const std::filesystem::path& path) {
  constexpr off_t kMost = off_t{1} << 30;
  constexpr off_t kRequest = off_t{2} << 20;  // Linux cuts larger requests off
  const Descriptor file = Descriptor::open(path, O_RDONLY);
  const off_t end = std::min(kMost, static_cast<off_t>(file.size()));
  for (off_t at = 0; at < end; at += kRequest) {
    static_cast<void>(::posix_fadvise(file.get(), at, kRequest, POSIX_FADV_WILLNEED));
  }
}

/// The order matters: the seal must lie before everything that it covers.
Frame make_frame(const h5::File& file, ValueWidth width, const ChunkGrid& grid) {
  h5::Object root = file.root();
  h5::Object integrity = create_seal(root);
  h5::Dataset values = h5::Dataset::create(root, kValuesName, width, grid);
  return {std::move(root), std::move(integrity), std::move(values)};
}

}  // namespace

ChunkFile::ChunkFile(AtomicFile place, ValueWidth width, const ChunkGrid& grid, Executor& executor)
    : executor_(executor),
      place_(std::move(place)),
      file_(h5::File::create(place_.path())),
      frame_(make_frame(file_, width, grid)),
      codec_(width),
      digests_(grid.chunk_count()),
      pipeline_(
          executor, codec_.buffers(), [this](const Bytes& raw) { return codec_.encode(raw); },
          [this](const Bytes& encoded) { write(encoded); }) {}

void ChunkFile::put(std::uint64_t index, Bytes chunk) {
  const std::uint64_t hash = hash64(chunk);
  digests_[index] = hash;
  order_.push_back(index);
  pipeline_.push(std::move(chunk), hash);
}

void ChunkFile::put_encoded(std::uint64_t index, std::uint64_t digest, const Bytes& encoded) {
  pipeline_.drain();
  digests_[index] = digest;
  order_.push_back(index);
  write(encoded);
}

void ChunkFile::write(const Bytes& encoded) {
  frame_.values.write_chunk(order_[in_file_++], encoded);
  unwritten_ += encoded.size();
  if (unwritten_ < kWriteBack) return;
  unwritten_ = 0;
  // The library has no call for it, and says nowhere which bytes are new.
  Descriptor::open(path(), O_RDONLY).begin_write_back(0, 0);
}

Flow ChunkFile::read(std::span<const std::uint64_t> chunks, const Consumer& consumer) {
  return decode_in_order(
      executor_, codec_.buffers(), chunks.size(),
      [&](std::uint64_t i) { return frame_.values.read_chunk(chunks[i]); },
      [this](const Bytes& encoded) {
        try {
          return codec_.decode(encoded, chunk_bytes());
        } catch (const Error& error) {
          throw Error(ErrorCode::kFailure,
                      fmt::format("'{}' does not read back as it was written: {}",
                                  place_.target().string(), error.what()));
        }
      },
      [&](std::uint64_t i, const Bytes& raw) {
        if (hash64(raw) != digests_[chunks[i]]) {
          throw Error(ErrorCode::kFailure,
                      fmt::format("chunk {} of '{}' does not read back as it was written",
                                  chunks[i], place_.target().string()));
        }
        return consumer(chunks[i], raw);
      });
}

void ChunkFile::replay(const Consumer& consumer) {
  pipeline_.drain();
  read(order_, consumer);
}

void ChunkFile::sync() {
  pipeline_.drain();
  file_.flush();
  place_.sync();
  begin_read_ahead(path());
}

Flow ChunkFile::read(const Consumer& consumer) {
  std::vector<std::uint64_t> chunks(grid().chunk_count());
  std::iota(chunks.begin(), chunks.end(), std::uint64_t{0});
  return read(chunks, consumer);
}

void ChunkFile::complete(const Metadata& metadata) {
  pipeline_.drain();
  file_.flush_without_gaps();
  const std::uint64_t end_of_values = std::filesystem::file_size(path());
  write_metadata(frame_, metadata);
  close_frame(file_, frame_, path(), end_of_values);
  place_.sync();
}

Flow decode_in_order(Executor& executor, ChunkBuffers& buffers, std::uint64_t count,
                     const std::function<Bytes(std::uint64_t)>& read,
                     const ChunkPipeline::Transform& decode, const ChunkFile::Consumer& consumer) {
  std::uint64_t next = 0;
  Flow flow = Flow::kContinue;
  ChunkPipeline pipeline(executor, buffers, decode, [&](const Bytes& raw) {
    if (flow == Flow::kContinue) flow = consumer(next++, raw);
  });
  for (std::uint64_t chunk = 0; chunk < count && flow == Flow::kContinue; ++chunk) {
    Bytes encoded = read(chunk);
    const std::uint64_t hash = hash64(encoded);
    pipeline.push(std::move(encoded), hash);
  }
  if (flow == Flow::kContinue) pipeline.drain();
  return flow;
}

}  // namespace grundy
