// SPDX-License-Identifier: MIT
#include "table/chunk_codec.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

#include <libdeflate.h>

#include <grundy/error.hpp>

#include "table/huffman_deflate.hpp"
#include "table/huffman_inflate.hpp"

namespace grundy {
namespace {

static_assert(std::endian::native == std::endian::little,
              "values are stored as they lie in memory");

constexpr int kLevel = 1;

/// Owns a state of the library, from its making to its end.
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

/// Writes blocks that hold bytes as they are, and do not end the stream; returns their length.
std::size_t store(std::span<const std::byte> bytes, std::byte* out) {
  constexpr std::size_t kMost = 0xFFFF;
  std::byte* at = out;
  while (!bytes.empty()) {
    const std::size_t length = std::min(bytes.size(), kMost);
    *at++ = std::byte{0};  // not the last block, stored
    for (const std::size_t number : {length, ~length}) {
      *at++ = static_cast<std::byte>(number);
      *at++ = static_cast<std::byte>(number >> 8);
    }
    std::memcpy(at, bytes.data(), length);
    at += length;
    bytes = bytes.subspan(length);
  }
  return static_cast<std::size_t>(at - out);
}

/// Blocks with matches, made by a general compressor. The last block ends the stream.
class MatchCoder final : public BlockCoder {
 public:
  /// Looks for matches like a fast compressor: compares the bytes after four bytes with the bytes
  /// after their last occurrence.
  void count(std::span<const std::byte> bytes, std::size_t begin, SymbolCounts& seen) override;
  std::size_t write(std::span<const std::byte> bytes, std::byte* out) override;

 private:
  Owned<libdeflate_compressor, libdeflate_free_compressor> state_{
      libdeflate_alloc_compressor(kLevel)};
  /// By a hash of four bytes: the place of their last occurrence.
  std::array<std::uint32_t, std::size_t{1} << 12> last_{};
};

void MatchCoder::count(std::span<const std::byte> bytes, std::size_t begin, SymbolCounts& seen) {
  constexpr std::size_t kReach = std::size_t{1} << 15;  // the reach of a match in deflate
  constexpr std::size_t kNear = 512;
  constexpr std::size_t kStep = 32;
  constexpr std::size_t kLeast = 4;
  constexpr std::size_t kNoted = 8;  // places within a match
  const auto note = [&](std::size_t at) -> std::size_t {
    std::uint32_t four = 0;
    std::memcpy(&four, &bytes[at], sizeof four);
    std::uint32_t& last = last_[four * 0x9e3779b1u >> (32 - std::bit_width(last_.size() - 1))];
    return std::exchange(last, static_cast<std::uint32_t>(at));
  };
  last_.fill(0);
  const std::size_t end = bytes.size() - std::min(bytes.size(), kLeast - 1);
  const std::size_t near = begin - std::min(begin, kNear);
  // Far away, few places are enough: a match that is worth its distance is long.
  for (std::size_t at = begin - std::min(begin, kReach); at < near; at += kStep) note(at);
  for (std::size_t at = near; at < std::min(begin, end); ++at) note(at);
  std::size_t at = begin;
  while (at < end) {
    const std::size_t before = note(at);
    const std::size_t most = std::min<std::size_t>(SymbolCounts::kLongest, bytes.size() - at);
    std::size_t length = 0;
    if (before < at && at - before <= kReach) {
      while (length < most && bytes[before + length] == bytes[at + length]) ++length;
    }
    if (length < kLeast) {
      seen.add_literal(bytes[at++]);
      continue;
    }
    seen.add_match(static_cast<std::uint32_t>(length), static_cast<std::uint32_t>(at - before));
    for (std::size_t i = 1; i < std::min(length, kNoted) && at + i < end; ++i) note(at + i);
    at += length;
  }
  for (; at < bytes.size(); ++at) seen.add_literal(bytes[at]);
}

std::size_t MatchCoder::write(std::span<const std::byte> bytes, std::byte* out) {
  const std::size_t length = libdeflate_deflate_compress(state_.get(), bytes.data(), bytes.size(),
                                                         out, bound(bytes.size()));
  if (length == 0) throw Error(ErrorCode::kFailure, "a chunk of values could not be compressed");
  return length;
}

/// Makes zlib streams (RFC 1950). Holds scratch of one thread.
class Deflate {
 public:
  /// The stream of `bytes`. Each run of `column` bytes is coded in the way that suits it best.
  Bytes stream(std::span<const std::byte> bytes, std::size_t column, Matches allowed) {
    out_.resize(BlockCoder::bound(bytes.size()) + BlockCoder::bound(0));
    out_[0] = std::byte{0x78};  // deflate with a window of 32 KiB
    out_[1] = std::byte{0x01};  // made by a fast compressor; the header is a multiple of 31
    std::size_t at = 2;
    std::span<const std::byte> rest = bytes;
    while (!rest.empty()) {
      const auto part = rest.first(std::min(column, rest.size()));
      BlockCoder* const coder = choose(part, allowed);
      if (coder == &matches_) break;  // its blocks end the stream
      const std::size_t length = coder == nullptr ? part.size() + 1 : coder->write(part, &out_[at]);
      at += length > part.size() ? store(part, &out_[at]) : length;
      rest = rest.subspan(part.size());
    }
    at += matches_.write(rest, &out_[at]);
    const std::uint32_t check = libdeflate_adler32(1, bytes.data(), bytes.size());
    for (int shift = 24; shift >= 0; shift -= 8)
      out_[at++] = static_cast<std::byte>(check >> shift);
    return {out_.begin(), out_.begin() + static_cast<std::ptrdiff_t>(at)};
  }

  Bytes columns;  ///< scratch for the caller

 private:
  /// The way to write bytes; null: as they are. It has the least product of size and a factor for
  /// its time. The sizes are those of a sample: the ends of the four quarters.
  BlockCoder* choose(std::span<const std::byte> bytes, Matches allowed) {
    constexpr std::size_t kPieces = 4;
    constexpr std::size_t kPiece = 512;
    struct Way {
      BlockCoder& coder;
      double factor;
    };
    const std::size_t quarter = (bytes.size() + kPieces - 1) / kPieces;
    BlockCoder* best = nullptr;
    double least = 8 * static_cast<double>(std::min(kPieces * kPiece, bytes.size()));
    for (const auto& [coder, factor] : {Way{letters_, 1.06}, {runs_, 1.06}, {matches_, 1.09}}) {
      if (&coder == &matches_ && allowed == Matches::kNone) continue;
      SymbolCounts seen;
      for (std::size_t i = 0; i < kPieces; ++i) {
        const std::size_t end = std::min((i + 1) * quarter, bytes.size());
        const std::size_t begin = std::min(i * quarter, end);
        coder.count(bytes.first(end), std::max(begin, end - std::min(end, kPiece)), seen);
      }
      const double cost = factor * seen.bits();
      if (cost >= least) continue;
      least = cost;
      best = &coder;
    }
    return best;
  }

  LetterCoder letters_;
  RunCoder runs_;
  MatchCoder matches_;
  Bytes out_;
};

struct Inflate {
  Owned<libdeflate_decompressor, libdeflate_free_decompressor> state{
      libdeflate_alloc_decompressor()};
  HuffmanInflate own;
  Bytes columns;  ///< scratch
};

/// Idle states. There are at most as many as threads that were coding at the same time.
template <class T>
class Pool {
 public:
  /// Runs `work` with a state that no other thread uses meanwhile.
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

Bytes ChunkBuffers::take(std::size_t size) {
  {
    const std::lock_guard lock(mutex_);
    if (size != size_) idle_.clear();
    size_ = size;
    if (!idle_.empty()) {
      Bytes buffer = std::move(idle_.back());
      idle_.pop_back();
      return buffer;
    }
  }
  return Bytes(size);
}

void ChunkBuffers::give_back(Bytes buffer) {
  const std::lock_guard lock(mutex_);
  if (buffer.size() == size_) idle_.push_back(std::move(buffer));
}

struct ChunkCodec::Streams {
  Pool<Deflate> deflate;
  Pool<Inflate> inflate;
  ChunkBuffers buffers;
};

ChunkCodec::ChunkCodec(ValueWidth width, Matches matches)
    : streams_(std::make_unique<Streams>()), width_(width), allowed_(matches) {}
ChunkCodec::~ChunkCodec() = default;

Bytes ChunkCodec::encode(std::span<const std::byte> raw) const {
  return streams_->deflate.with([&](Deflate& with) {
    if (width_ == ValueWidth::kU8) return with.stream(raw, raw.size(), allowed_);
    const std::size_t count = raw.size() / byte_count(width_);
    with.columns.resize(raw.size());
    table_kernels().letters.to_columns(raw.data(), byte_count(width_), count, with.columns.data());
    return with.stream(with.columns, count, allowed_);
  });
}

Bytes ChunkCodec::decode(std::span<const std::byte> encoded, std::size_t size) const {
  if (encoded.size() > largest_encoded_size(size)) {
    throw Error(ErrorCode::kCorrupt, "a compressed chunk is longer than any chunk can be");
  }
  return streams_->inflate.with([&](Inflate& with) {
    Bytes raw = streams_->buffers.take(size);
    std::span<std::byte> out = raw;
    if (width_ != ValueWidth::kU8) {
      with.columns.resize(size);
      out = with.columns;
    }
    std::size_t used = 0;
    if (!with.own.decode(encoded, out, size / byte_count(width_)) &&
        (libdeflate_zlib_decompress_ex(with.state.get(), encoded.data(), encoded.size(), out.data(),
                                       size, &used, nullptr) != LIBDEFLATE_SUCCESS ||
         used != encoded.size())) {
      throw Error(ErrorCode::kCorrupt, "a compressed chunk does not decode");
    }
    if (width_ != ValueWidth::kU8) {
      table_kernels().letters.from_columns(out.data(), byte_count(width_),
                                           size / byte_count(width_), raw.data());
    }
    return raw;
  });
}

ChunkBuffers& ChunkCodec::buffers() const noexcept {
  return streams_->buffers;
}

std::size_t largest_encoded_size(std::size_t size) noexcept {
  // At worst, blocks of some thousand bytes are stored, with 5 bytes before each.
  return size + size / 512 + 64;
}

}  // namespace grundy
