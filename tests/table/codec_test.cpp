// The chunk codec: what it writes is what the HDF5 filters read, and it survives any input.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "table/chunk_codec.hpp"
#include "table/h5.hpp"
#include "table/huffman_inflate.hpp"
#include "table/table_samples.hpp"

namespace grundy::store_test {
namespace {

constexpr std::array kWidths = {ValueWidth::kU8, ValueWidth::kU16, ValueWidth::kU32};

Bytes random_bytes(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  Bytes bytes(size);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random() % 3 * random());
  return bytes;
}

/// Values like those of a table of two heaps: of 16 bits, the lower ones without any pattern.
Bytes noisy_values(std::size_t count, ValueWidth width) {
  std::mt19937 random(7);
  Bytes bytes(count * byte_count(width));
  for (std::size_t at = 0; at < bytes.size(); at += byte_count(width)) {
    bytes[at] = static_cast<std::byte>(random());
    if (width != ValueWidth::kU8) bytes[at + 1] = static_cast<std::byte>(random() % 20);
  }
  return bytes;
}

/// Noise below bytes that come in runs: of every length, or of few and long ones.
Bytes values_in_runs(std::size_t count, ValueWidth width, unsigned longest) {
  std::mt19937 random(longest);
  Bytes bytes(count * byte_count(width));
  unsigned long left = 0;
  unsigned long high = 0;
  for (std::size_t at = 0; at < bytes.size(); at += byte_count(width)) {
    if (left-- == 0) {
      left = random() % longest;
      high = random() % 256;
    }
    bytes[at] = static_cast<std::byte>(random());
    if (width != ValueWidth::kU8) bytes[at + 1] = static_cast<std::byte>(high);
  }
  return bytes;
}

/// Bytes of 4.3 bits of information each, alike in nothing that is longer than some bytes.
Bytes letters(std::size_t count, ValueWidth width) {
  std::mt19937 random(3);
  Bytes bytes(count * byte_count(width));
  for (std::size_t at = 0; at < bytes.size(); at += byte_count(width)) {
    bytes[at] = static_cast<std::byte>(random() % 8 + random() % 8 * (random() % 4));
    if (width != ValueWidth::kU8) bytes[at + 1] = static_cast<std::byte>(random() % 1000 == 0);
  }
  return bytes;
}

TEST(ChunkCodec, RoundTripAtEveryWidth) {
  for (const ValueWidth width : kWidths) {
    const ChunkCodec codec(width);
    for (const std::size_t count : {1, 2, 255, 4096, 1 << 18}) {
      const Bytes raw = random_bytes(count * byte_count(width), 5);
      const Bytes encoded = codec.encode(raw);
      EXPECT_LE(encoded.size(), largest_encoded_size(raw.size()));
      EXPECT_EQ(codec.decode(encoded, raw.size()), raw);
      EXPECT_EQ(codec.encode(raw), encoded) << "a reused stream gives other bytes";
      EXPECT_THROW(static_cast<void>(codec.decode(encoded, raw.size() - 1)), Error);
      EXPECT_THROW(static_cast<void>(codec.decode(encoded, raw.size() + 1)), Error);
    }
  }
}

TEST(ChunkCodec, NoiseIsStoredAndTheRestCompressed) {
  constexpr std::size_t kCount = 1 << 16;
  for (const ValueWidth width : kWidths) {
    const Bytes raw = noisy_values(kCount, width);
    const ChunkCodec codec(width);
    const Bytes encoded = codec.encode(raw);
    EXPECT_EQ(codec.decode(encoded, raw.size()), raw);
    EXPECT_GT(encoded.size(), kCount);
    // 20 values of a byte are log2(20) = 4.4 bits.
    EXPECT_LT(encoded.size(), width == ValueWidth::kU8 ? kCount + 64 : kCount * 8 / 5);
  }
  // Noise that comes again is compressed: pieces of the sample are equal.
  Bytes again;
  const Bytes noise = noisy_values(1 << 14, ValueWidth::kU8);
  for (int i = 0; i < 4; ++i) again.insert(again.end(), noise.begin(), noise.end());
  EXPECT_LT(ChunkCodec(ValueWidth::kU8).encode(again).size(), again.size() / 3);
}

TEST(ChunkCodec, RunsAboveNoiseTakeABlockOfTheirOwn) {
  for (const ValueWidth width : {ValueWidth::kU16, ValueWidth::kU32}) {
    const ChunkCodec codec(width);
    for (const unsigned longest : {1, 3, 5, 20, 300, 1000, 100000}) {
      for (const std::size_t count : {9000, 1 << 16}) {
        const Bytes raw = values_in_runs(count, width, longest);
        const Bytes encoded = codec.encode(raw);
        EXPECT_EQ(codec.decode(encoded, raw.size()), raw) << longest;
        // A run of `longest` / 2 bytes on average takes a byte, a length and a distance for every
        // 258.
        const std::size_t runs = 600 + count / 129 + 8 * count / longest;
        const std::size_t most = count + (longest < 20 ? count + 1000 : runs);
        EXPECT_LT(encoded.size(), most) << longest;
      }
    }
  }
}

TEST(ChunkCodec, LettersTakeTheirHuffmanCode) {
  constexpr std::size_t kCount = 1 << 17;
  for (const ValueWidth width : kWidths) {
    const Bytes raw = letters(kCount, width);
    std::map<std::byte, double> counts;
    for (std::size_t at = 0; at < raw.size(); at += byte_count(width)) ++counts[raw[at]];
    double entropy = 0;
    for (const auto& [byte, count] : counts) entropy += count * std::log2(kCount / count) / 8;
    const ChunkCodec codec(width);
    const Bytes encoded = codec.encode(raw);
    EXPECT_EQ(codec.decode(encoded, raw.size()), raw);
    EXPECT_GT(static_cast<double>(encoded.size()), entropy);
    EXPECT_LT(static_cast<double>(encoded.size()), entropy * 1.02 + 2000);
  }
  // Letters that come again are compressed, whatever their period.
  for (const std::size_t period : {100, 1000, 10007, 20011, 32000}) {
    Bytes again = letters(kCount, ValueWidth::kU8);
    for (std::size_t i = period; i < again.size(); ++i) again[i] = again[i - period];
    EXPECT_LT(ChunkCodec(ValueWidth::kU8).encode(again).size(), period + 3000) << period;
  }
}

TEST(ChunkCodec, MatchesCanBeLeftOut) {
  constexpr std::size_t kPeriod = 10007;
  HuffmanInflate inflate;
  for (const ValueWidth width : kWidths) {
    Bytes again = letters(1 << 17, width);
    for (std::size_t i = kPeriod * byte_count(width); i < again.size(); ++i) {
      again[i] = again[i - kPeriod * byte_count(width)];
    }
    const ChunkCodec codec(width), quick(width, Matches::kNone);
    const Bytes encoded = quick.encode(again);
    EXPECT_EQ(codec.decode(encoded, again.size()), again);
    EXPECT_GT(encoded.size(), 3 * codec.encode(again).size());
    Bytes columns(again.size());
    EXPECT_TRUE(inflate.decode(encoded, columns, 1 << 17)) << "a match was found";
    EXPECT_FALSE(inflate.decode(codec.encode(again), columns, 1 << 17));
  }
}

/// Streams without matches are read by HuffmanInflate, to the bytes that the general decoder gives.
TEST(ChunkCodec, StreamsWithoutMatchesAreReadByHand) {
  HuffmanInflate inflate;
  const ChunkCodec codec(ValueWidth::kU8);
  for (const std::size_t count : {1000, 4097, 1 << 17, 200001}) {
    const auto noise = noisy_values(count, ValueWidth::kU8);
    // Some letters are so rare that their words are long.
    Bytes rare = letters(count, ValueWidth::kU8);
    for (std::size_t i = 0; i < 100; ++i) rare[i * 977 % count] = static_cast<std::byte>(156 + i);
    for (const Bytes& raw : {letters(count, ValueWidth::kU8), rare, noise}) {
      const Bytes encoded = codec.encode(raw);
      Bytes decoded(raw.size());
      EXPECT_TRUE(inflate.decode(encoded, decoded, count)) << count;
      EXPECT_EQ(decoded, raw) << count;
      Bytes less(raw.size() - 1);
      EXPECT_FALSE(inflate.decode(encoded, less, count));
      Bytes more(raw.size() + 1);
      EXPECT_FALSE(inflate.decode(encoded, more, count));
      for (std::size_t size = 0; size < encoded.size(); size += 1 + encoded.size() / 100) {
        EXPECT_FALSE(inflate.decode(std::span(encoded).first(size), decoded, count)) << size;
      }
    }
  }
  // Planes of several kinds, runs among them: all lengths of a match.
  const ChunkCodec wide(ValueWidth::kU16);
  for (const unsigned longest : {20, 300, 1000}) {
    Bytes raw = values_in_runs(1 << 16, ValueWidth::kU16, longest);
    const Bytes encoded = wide.encode(raw);
    Bytes planes(raw.size());
    ASSERT_TRUE(inflate.decode(encoded, planes, planes.size() / 2)) << longest;
    for (std::size_t i = 0; i < raw.size() / 2; ++i) {
      ASSERT_EQ(planes[i], raw[2 * i]);
      ASSERT_EQ(planes[raw.size() / 2 + i], raw[2 * i + 1]);
    }
  }
  // Matches are for the general decoder.
  Bytes again = letters(1 << 16, ValueWidth::kU8);
  for (std::size_t i = 1000; i < again.size(); ++i) again[i] = again[i - 1000];
  Bytes decoded(again.size());
  EXPECT_FALSE(inflate.decode(codec.encode(again), decoded, decoded.size()));
}

/// Letters in blocks that are not equally long in bits, and columns with the same code.
TEST(ChunkCodec, PartsAreReadSideBySide) {
  HuffmanInflate inflate;
  for (const std::size_t count : {1 << 14, (1 << 14) + 1, 70001, 1 << 17}) {
    // The letters of one stretch have shorter words, and some have words above 11 bits.
    for (const bool first_is_short : {true, false}) {
      std::mt19937 random(11);
      Bytes raw(count);
      for (std::size_t i = 0; i < count; ++i) {
        const bool few = (i < count / 2) == first_is_short;
        raw[i] = static_cast<std::byte>(few ? random() % 2 : random() % 3 * (random() % 17));
        if (random() % 5000 == 0) raw[i] = static_cast<std::byte>(50 + random() % 200);
      }
      const Bytes encoded = ChunkCodec(ValueWidth::kU8).encode(raw);
      Bytes decoded(count);
      ASSERT_TRUE(inflate.decode(encoded, decoded, count));
      EXPECT_EQ(decoded, raw);
      // The parts of a stream are seen only where its columns are.
      ASSERT_TRUE(inflate.decode(encoded, decoded, count - 1));
      EXPECT_EQ(decoded, raw);
      for (std::size_t at = 0; at < encoded.size(); at += 1 + encoded.size() / 50) {
        Bytes damaged = encoded;
        damaged[at] ^= std::byte{0x10};
        EXPECT_FALSE(inflate.decode(damaged, decoded, count) && decoded != raw) << at;
      }
    }
    // The blocks of equal columns have equal heads, as parts have.
    Bytes zeros(4 * count);
    std::mt19937 random(12);
    for (std::size_t i = 0; i < count; ++i) zeros[4 * i] = static_cast<std::byte>(random() % 23);
    const ChunkCodec wide(ValueWidth::kU32);
    const Bytes encoded = wide.encode(zeros);
    Bytes planes(zeros.size());
    EXPECT_TRUE(inflate.decode(encoded, planes, count));
    EXPECT_EQ(wide.decode(encoded, zeros.size()), zeros);
  }
}

/// Writes the encoded form directly and lets the library's own filters decode it.
TEST(ChunkCodec, LibraryDecodesWhatWeEncode) {
  const h5::Guard guard;
  const TemporaryDirectory dir;
  constexpr hsize_t kCount = 70000;
  const hid_t types[] = {H5T_STD_U8LE, H5T_STD_U16LE, H5T_STD_U32LE};
  const hid_t file = H5Fcreate((dir / "t.h5").c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT);
  for (std::size_t i = 0; i < kWidths.size(); ++i) {
    const hid_t space = H5Screate_simple(1, &kCount, nullptr);
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, 1, &kCount);
    H5Pset_shuffle(list);
    H5Pset_deflate(list, 1);
    const hid_t dataset = H5Dcreate2(file, std::to_string(i).c_str(), types[i], space, H5P_DEFAULT,
                                     list, H5P_DEFAULT);
    for (const Bytes& raw :
         {random_bytes(kCount * byte_count(kWidths[i]), 6), noisy_values(kCount, kWidths[i]),
          letters(kCount, kWidths[i]), values_in_runs(kCount, kWidths[i], 20),
          values_in_runs(kCount, kWidths[i], 2000)}) {
      const Bytes encoded = ChunkCodec(kWidths[i]).encode(raw);
      const hsize_t origin = 0;
      ASSERT_GE(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, &origin, encoded.size(), encoded.data()),
                0);
      Bytes decoded(raw.size());
      ASSERT_GE(H5Dread(dataset, types[i], H5S_ALL, H5S_ALL, H5P_DEFAULT, decoded.data()), 0);
      EXPECT_EQ(decoded, raw);
    }
    H5Dclose(dataset);
    H5Pclose(list);
    H5Sclose(space);
  }
  H5Fclose(file);
}

TEST(ChunkCodec, HostileInputIsRefusedAndNeverOverruns) {
  for (const ValueWidth width : kWidths) {
    const ChunkCodec codec(width);
    for (const Bytes& raw : {random_bytes(4096, 9), letters(4096, width), noisy_values(4096, width),
                             values_in_runs(4096, width, 20)}) {
      const Bytes encoded = codec.encode(raw);
      std::mt19937 random(3);
      for (int i = 0; i < 1000; ++i) {
        Bytes damaged = encoded;
        for (unsigned k = 0; k <= random() % 4; ++k) {
          // Half of the changes are in the first bytes, where the code stands.
          const std::size_t reach = random() % 2 == 0 ? damaged.size() : 256;
          damaged[random() % std::min(reach, damaged.size())] ^=
              static_cast<std::byte>(1 + random() % 255);
        }
        if (random() % 4 == 0) damaged.resize(random() % damaged.size());
        try {
          EXPECT_EQ(codec.decode(damaged, raw.size()), raw) << "Adler-32 missed a change";
        } catch (const Error& error) {
          EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
        }
      }
    }
    EXPECT_THROW(static_cast<void>(codec.decode({}, 4096)), Error);
    EXPECT_THROW(static_cast<void>(codec.decode(Bytes(1 << 20), 16)), Error);
  }
}

}  // namespace
}  // namespace grundy::store_test
