// SPDX-License-Identifier: MIT
#include "session/packed_values.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <grundy/error.hpp>

#include "table/chunk_codec.hpp"

namespace grundy {
namespace {

constexpr HeapSize kChunk = HeapSize{1} << 20;

}  // namespace

PackedValues packed(Values values) {
  PackedValues result{.width = values.width(), .count = values.size()};
  const std::size_t width = byte_count(values.width());
  const ChunkCodec codec(values.width());
  const std::span all(static_cast<const std::byte*>(values.data()), values.size() * width);
  for (HeapSize begin = 0; begin < values.size(); begin += kChunk) {
    const HeapSize size = std::min(kChunk, values.size() - begin);
    const Bytes chunk = codec.encode(all.subspan(begin * width, size * width));
    result.sizes.push_back(chunk.size());
    result.bytes.insert(result.bytes.end(), chunk.begin(), chunk.end());
  }
  return result;
}

void unpack(const PackedValues& packed, ValueBuffer& values) {
  const std::size_t width = byte_count(packed.width);
  const ChunkCodec codec(packed.width);
  std::span<const std::byte> rest(packed.bytes);
  HeapSize left = packed.count;
  for (const std::uint64_t size : packed.sizes) {
    const HeapSize count = std::min(kChunk, left);
    if (size > rest.size() || count == 0) break;
    Bytes raw = codec.decode(rest.first(size), count * width);
    values.append(Values(raw.data(), count, packed.width));
    codec.buffers().give_back(std::move(raw));
    rest = rest.subspan(size);
    left -= count;
  }
  if (left > 0 || !rest.empty()) {
    throw Error(ErrorCode::kCorrupt, "the sealed state has fewer values than it says");
  }
}

}  // namespace grundy
