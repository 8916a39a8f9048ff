// SPDX-License-Identifier: MIT
#include "store/chunk_codec.hpp"

#include <cstdint>
#include <mutex>
#include <new>

#include <zlib.h>

#include <grundy/error.hpp>

namespace grundy {
namespace {

constexpr int kLevel = 1;

/// Byte k of element i moves from i * kWidth + k to k * count + i.
template <std::size_t kWidth>
void shuffle(const std::byte* in, std::byte* out, std::size_t count) noexcept {
  for (std::size_t k = 0; k < kWidth; ++k) {
    for (std::size_t i = 0; i < count; ++i) out[k * count + i] = in[i * kWidth + k];
  }
}

template <std::size_t kWidth>
void unshuffle(const std::byte* in, std::byte* out, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < kWidth; ++k) out[i * kWidth + k] = in[k * count + i];
  }
}

Bytef* zlib_bytes(const std::byte* bytes) noexcept {
  return reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes));  // zlib's input is not const
}

/// A zlib state with its constructor, destructor and reset functions.
template <auto kInit, auto kReset, auto kEnd>
struct Stream {
  Stream() {
    if (kInit(&z) != Z_OK) throw std::bad_alloc();
  }
  ~Stream() { kEnd(&z); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void start(std::span<const std::byte> in, std::span<std::byte> out) noexcept {
    kReset(&z);
    z.next_in = zlib_bytes(in.data());
    z.avail_in = static_cast<uInt>(in.size());
    z.next_out = zlib_bytes(out.data());
    z.avail_out = static_cast<uInt>(out.size());
  }

  z_stream z{};
  Bytes shuffled;    ///< scratch
  Bytes compressed;  ///< scratch
};

int init_deflate(z_stream* z) {
  return deflateInit(z, kLevel);
}
int init_inflate(z_stream* z) {
  return inflateInit(z);
}
using Deflate = Stream<init_deflate, deflateReset, deflateEnd>;
using Inflate = Stream<init_inflate, inflateReset, inflateEnd>;

/// Idle streams. There are never more than threads that were coding at the same time.
template <class T>
class Pool {
 public:
  /// Runs `work` with a stream that nobody else uses meanwhile.
  template <class F>
  auto with(F&& work) {
    std::unique_ptr<T> stream = take();
    auto result = work(*stream);
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(stream));
    return result;
  }

 private:
  std::unique_ptr<T> take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::make_unique<T>();
    std::unique_ptr<T> stream = std::move(idle_.back());
    idle_.pop_back();
    return stream;
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> idle_;
};

}  // namespace

struct ChunkCodec::Streams {
  Pool<Deflate> deflate;
  Pool<Inflate> inflate;
};

ChunkCodec::ChunkCodec(ValueWidth width) : streams_(std::make_unique<Streams>()), width_(width) {}
ChunkCodec::~ChunkCodec() = default;

Bytes ChunkCodec::encode(std::span<const std::byte> raw) const {
  return streams_->deflate.with([&](Deflate& stream) {
    std::span<const std::byte> in = raw;
    if (width_ != ValueWidth::kU8) {
      stream.shuffled.resize(raw.size());
      in = stream.shuffled;
      if (width_ == ValueWidth::kU16) {
        shuffle<2>(raw.data(), stream.shuffled.data(), raw.size() / 2);
      } else {
        shuffle<4>(raw.data(), stream.shuffled.data(), raw.size() / 4);
      }
    }
    stream.compressed.resize(deflateBound(&stream.z, in.size()));
    stream.start(in, stream.compressed);
    if (deflate(&stream.z, Z_FINISH) != Z_STREAM_END) {
      throw Error(ErrorCode::kFailure, "zlib failed to compress a chunk of values");
    }
    return Bytes(stream.compressed.begin(), stream.compressed.end() - stream.z.avail_out);
  });
}

Bytes ChunkCodec::decode(std::span<const std::byte> encoded, std::size_t size) const {
  if (encoded.size() > largest_encoded_size(size)) {
    throw Error(ErrorCode::kCorrupt, "a compressed chunk is longer than any chunk can be");
  }
  return streams_->inflate.with([&](Inflate& stream) {
    Bytes raw(size);
    std::span<std::byte> out = raw;
    if (width_ != ValueWidth::kU8) {
      stream.shuffled.resize(size);
      out = stream.shuffled;
    }
    stream.start(encoded, out);
    if (inflate(&stream.z, Z_FINISH) != Z_STREAM_END || stream.z.avail_in != 0 ||
        stream.z.avail_out != 0) {
      throw Error(ErrorCode::kCorrupt, "a compressed chunk does not decode");
    }
    if (width_ == ValueWidth::kU16) unshuffle<2>(out.data(), raw.data(), size / 2);
    if (width_ == ValueWidth::kU32) unshuffle<4>(out.data(), raw.data(), size / 4);
    return raw;
  });
}

std::size_t largest_encoded_size(std::size_t size) noexcept {
  return compressBound(size) + 64;
}

}  // namespace grundy
