// SPDX-License-Identifier: MIT
#include "run/value_chunks.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/advice.hpp"
#include "core/value_copy.hpp"

namespace grundy {

ValueChunks::ValueChunks(Executor& executor, const SegmentHeader& start, Consumer consumer,
                         Matches matches)
    : width_(start.width),
      chunk_(start.chunk),
      plain_(start.plain),
      next_(start.begin),
      consumer_(std::move(consumer)),
      codec_(start.width, matches),
      pipeline_(
          executor, codec_.buffers(), [this](const Bytes& values) { return codec_.encode(values); },
          [this](const Bytes& encoded) {
            const Taken taken = under_way_.front();
            under_way_.pop_front();
            consumer_({taken.count, taken.xxh3, encoded});
          }) {}

void ValueChunks::put(Values values) {
  while (!values.empty()) {
    const auto size =
        static_cast<std::size_t>(std::min<HeapSize>(values.size(), chunk_ - next_ % chunk_));
    const Values part = values.subspan(0, size);
    if (used_ == 0) {
      if (!plain_) values_ = codec_.buffers().take(chunk_ * byte_count(width_));
      values_.resize(chunk_ * byte_count(width_));
      // A value that has not come is all ones, like in the chunks of a table.
      std::memset(values_.data(), 0xff, values_.size());
    }
    hash_values(hash_, part, width_);
    copy_to_width(part, width_, values_.data() + used_ * byte_count(width_));
    used_ += size;
    next_ += size;
    if (next_ % chunk_ == 0) end_chunk();
    values = values.subspan(size);
  }
}

void ValueChunks::put_chunk(const ValueChunk& chunk) {
  pipeline_.drain();
  next_ += chunk.count;
  consumer_(chunk);
}

std::uint64_t ValueChunks::checked_hash() const {
  const std::uint64_t hash = hash_.value();
  if (hash64(std::span(values_).first(used_ * byte_count(width_))) != hash) {
    throw Error(
        ErrorCode::kFailure,
        fmt::format("some of the values {} to {} have changed in the memory of this process before "
                    "they were sealed; do not trust this machine before {}",
                    next_ - used_, next_ - 1, kLongTest));
  }
  return hash;
}

void ValueChunks::end_chunk() {
  const std::uint64_t hash = checked_hash();
  const HeapSize count = std::exchange(used_, 0);
  hash_.reset();
  values_.resize(count * byte_count(width_));
  if (plain_) {
    consumer_({count, hash, values_});
  } else {
    under_way_.push_back({count, hash});
    pipeline_.push(std::move(values_), hash);
  }
}

void ValueChunks::end() {
  if (used_ > 0) end_chunk();
  pipeline_.drain();
}

void ValueChunks::with_unfinished(const std::function<void(const ValueChunk*)>& look) {
  if (used_ == 0) {
    look(nullptr);
    return;
  }
  const std::uint64_t hash = checked_hash();
  const auto values = std::span(values_).first(used_ * byte_count(width_));
  const Bytes encoded = plain_ ? Bytes(values.begin(), values.end()) : codec_.encode(values);
  const ValueChunk chunk{used_, hash, encoded};
  look(&chunk);
}

}  // namespace grundy
