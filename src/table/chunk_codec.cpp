// SPDX-License-Identifier: MIT
#include "table/chunk_codec.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <new>

#include <libdeflate.h>

#include <grundy/error.hpp>

#include "table/huffman_deflate.hpp"

namespace grundy {
namespace {

static_assert(std::endian::native == std::endian::little,
              "values are stored as they lie in memory");

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

/// A state of the library, and how it is made and ended.
template <class State, auto kFree>
class Owned {
 public:
  explicit Owned(State* state) : state_(state) {
    if (state == nullptr) throw std::bad_alloc();
  }
  [[nodiscard]] State* get() const noexcept { return state_.get(); }

 private:
  struct Free {
    void operator()(State* state) const noexcept { kFree(state); }
  };
  std::unique_ptr<State, Free> state_;
};

struct Deflate {
  Owned<libdeflate_compressor, libdeflate_free_compressor> state{
      libdeflate_alloc_compressor(kLevel)};
  HuffmanDeflate huffman;
  Bytes shuffled;    ///< scratch
  Bytes compressed;  ///< scratch
};

struct Inflate {
  Owned<libdeflate_decompressor, libdeflate_free_decompressor> state{
      libdeflate_alloc_decompressor()};
  Bytes shuffled;  ///< scratch
};

/// Whether bytes are not worth compressing, by pieces from everywhere in them: a repetition within
/// a piece shows, and one from piece to piece.
bool is_noise(libdeflate_compressor* state, std::span<const std::byte> bytes) {
  constexpr std::size_t kPieces = 8;
  constexpr std::size_t kPiece = 256;
  std::array<std::byte, kPieces * kPiece> sample;
  if (bytes.size() < 4 * sample.size()) return false;
  for (std::size_t i = 0; i < kPieces; ++i) {
    std::memcpy(&sample[i * kPiece], &bytes[bytes.size() / kPieces * i], kPiece);
  }
  std::array<std::byte, sample.size() - sample.size() / 16> out;
  return libdeflate_deflate_compress(state, sample.data(), sample.size(), out.data(), out.size()) ==
         0;  // it did not fit
}

/// Whether some of the bytes have been there before, as far back as deflate can look: a period, or
/// stretches that are alike.
bool repeats(std::span<const std::byte> bytes) {
  constexpr std::size_t kReach = std::size_t{1} << 15;
  constexpr std::size_t kPieces = 4;
  constexpr std::size_t kPiece = 16;
  for (std::size_t i = 1; i <= kPieces; ++i) {
    const std::size_t at = bytes.size() / (kPieces + 1) * i;
    const std::byte* const piece = bytes.data() + at;
    const std::size_t before = std::min(at, kReach);
    if (::memmem(piece - before, before + kPiece - 1, piece, kPiece) != nullptr) return true;
  }
  return false;
}

/// Whether matches would shorten bytes by 4 % at most: judged by a piece from their middle, in
/// which they save half of what they save in all.
bool are_letters(Deflate& with, std::span<const std::byte> bytes) {
  constexpr std::size_t kSample = std::size_t{1} << 14;
  if (bytes.size() < 4 * kSample) return false;
  const auto sample = bytes.subspan(bytes.size() / 2, kSample);
  with.huffman.fit(sample);
  const std::uint64_t letters = with.huffman.bits_of(sample) / 8;
  std::array<std::byte, kSample> out;
  const std::size_t matched = libdeflate_deflate_compress(with.state.get(), sample.data(),
                                                          sample.size(), out.data(), out.size());
  return letters < kSample / 16 * 15 && matched >= letters - letters / 25 && !repeats(bytes);
}

/// Writes a zlib stream (RFC 1950, 1951).
class StreamWriter {
 public:
  StreamWriter(Bytes& out, std::size_t size) : out_(out) {
    out_.resize(largest_encoded_size(size) + HuffmanDeflate::bound(size));
    put(0x78);  // deflate with a window of 32 KiB
    put(0x01);  // by a fast compressor; makes the header a multiple of 31
  }

  /// Blocks that hold `bytes` as they are.
  void store(std::span<const std::byte> bytes) {
    constexpr std::size_t kMost = 0xFFFF;
    while (!bytes.empty()) {
      const std::size_t length = std::min(bytes.size(), kMost);
      put(0);  // not the last block, stored; byte by byte, as all blocks so far end at a byte
      put_little_endian(length);
      put_little_endian(~length);
      std::memcpy(&out_[at_], bytes.data(), length);
      at_ += length;
      bytes = bytes.subspan(length);
    }
  }

  /// A block of a code for `bytes`.
  void put_letters(HuffmanDeflate& huffman, std::span<const std::byte> bytes) {
    huffman.fit(bytes);
    at_ += huffman.write_letters(bytes, &out_[at_]);
  }

  /// The last block, if `bytes` come in runs that make it worth while.
  bool put_runs(HuffmanDeflate& huffman, std::span<const std::byte> bytes) {
    const std::size_t length = huffman.write_runs(bytes, &out_[at_]);
    if (length == 0 || length > bytes.size()) return false;
    at_ += length;
    return true;
  }

  /// The last blocks.
  void put_last(libdeflate_compressor* state, std::span<const std::byte> bytes) {
    const std::size_t length = libdeflate_deflate_compress(state, bytes.data(), bytes.size(),
                                                           &out_[at_], out_.size() - at_);
    if (length == 0) throw Error(ErrorCode::kFailure, "a chunk of values could not be compressed");
    at_ += length;
  }

  /// Ends the stream, which stands for `all`, and returns it.
  Bytes finish(std::span<const std::byte> all) {
    const std::uint32_t check = libdeflate_adler32(1, all.data(), all.size());
    for (int shift = 24; shift >= 0; shift -= 8) put(check >> shift);
    return Bytes(out_.begin(), out_.begin() + static_cast<std::ptrdiff_t>(at_));
  }

 private:
  void put(std::uint64_t byte) { out_[at_++] = static_cast<std::byte>(byte); }
  void put_little_endian(std::size_t number) {
    put(number);
    put(number >> 8);
  }

  Bytes& out_;
  std::size_t at_ = 0;
};

/// Idle states. There are never more than threads that were coding at the same time.
template <class T>
class Pool {
 public:
  /// Runs `work` with a state that nobody else uses meanwhile.
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
  return streams_->deflate.with([&](Deflate& with) {
    std::span<const std::byte> in = raw;
    if (width_ != ValueWidth::kU8) {
      with.shuffled.resize(raw.size());
      in = with.shuffled;
      if (width_ == ValueWidth::kU16) {
        shuffle<2>(raw.data(), with.shuffled.data(), raw.size() / 2);
      } else {
        shuffle<4>(raw.data(), with.shuffled.data(), raw.size() / 4);
      }
    }
    StreamWriter out(with.compressed, in.size());
    const std::size_t plane = in.size() / byte_count(width_);
    bool ended = false;
    for (std::size_t done = 0; !ended; done += plane) {
      const auto rest = in.subspan(done);
      const auto bytes = rest.first(std::min(plane, rest.size()));
      if (is_noise(with.state.get(), bytes)) {
        out.store(bytes);
      } else if (done > 0 && out.put_runs(with.huffman, rest)) {
        ended = true;  // above noise no pattern returns, and bytes come in runs at best
      } else if (are_letters(with, bytes)) {
        out.put_letters(with.huffman, bytes);
      } else {
        out.put_last(with.state.get(), rest);
        ended = true;
      }
    }
    return out.finish(in);
  });
}

Bytes ChunkCodec::decode(std::span<const std::byte> encoded, std::size_t size) const {
  if (encoded.size() > largest_encoded_size(size)) {
    throw Error(ErrorCode::kCorrupt, "a compressed chunk is longer than any chunk can be");
  }
  return streams_->inflate.with([&](Inflate& with) {
    Bytes raw(size);
    std::span<std::byte> out = raw;
    if (width_ != ValueWidth::kU8) {
      with.shuffled.resize(size);
      out = with.shuffled;
    }
    std::size_t used = 0;
    if (libdeflate_zlib_decompress_ex(with.state.get(), encoded.data(), encoded.size(), out.data(),
                                      size, &used, nullptr) != LIBDEFLATE_SUCCESS ||
        used != encoded.size()) {
      throw Error(ErrorCode::kCorrupt, "a compressed chunk does not decode");
    }
    if (width_ == ValueWidth::kU16) unshuffle<2>(out.data(), raw.data(), size / 2);
    if (width_ == ValueWidth::kU32) unshuffle<4>(out.data(), raw.data(), size / 4);
    return raw;
  });
}

std::size_t largest_encoded_size(std::size_t size) noexcept {
  // At worst blocks are stored, of some thousand bytes each and with 5 bytes before them.
  return size + size / 512 + 64;
}

}  // namespace grundy
