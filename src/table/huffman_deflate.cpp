// SPDX-License-Identifier: MIT
#include "table/huffman_deflate.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

namespace grundy {
namespace {

static_assert(std::endian::native == std::endian::little, "bits are stored as they lie in memory");

constexpr std::uint32_t kEndOfBlock = 256;
constexpr std::uint32_t kMaxBits = 15;
/// Average length of the runs; of shorter ones a general compressor makes a smaller block.
constexpr std::size_t kLeastRun = 4;

/// The symbol of a match length, how many bits follow it, and which.
struct LengthCode {
  std::uint32_t symbol, extra_bits, extra;
};

constexpr LengthCode length_code(std::uint32_t length) noexcept {
  if (length == 258) return {285, 0, 0};
  const std::uint32_t n = length - 3;
  if (n < 8) return {257 + n, 0, 0};
  const auto extra_bits = static_cast<std::uint32_t>(std::bit_width(n)) - 3;
  return {257 + 4 * extra_bits + (n >> extra_bits), extra_bits, n & ((1u << extra_bits) - 1)};
}

std::uint64_t reversed(std::uint64_t code, std::uint32_t count) noexcept {
  std::uint64_t out = 0;
  for (std::uint32_t i = 0; i < count; ++i) out |= (code >> i & 1) << (count - 1 - i);
  return out;
}

}  // namespace

struct HuffmanDeflate::Output {
  std::byte* at;
  Bits left{};  ///< fewer than 8 between calls

  void put(const Bits& bits) noexcept {
    left.append(bits);
    std::memcpy(at, &left.bits, sizeof left.bits);
    at += left.count / 8;
    left.bits >>= left.count & ~7u;
    left.count &= 7;
  }
};

void HuffmanDeflate::fit(std::span<const std::byte> letters) {
  // Several counters a letter: those of equal neighbours would wait for each other.
  constexpr std::size_t kWays = 4;
  std::array<std::array<std::uint32_t, kLiterals>, kWays> seen{};
  for (std::size_t i = 0; i < letters.size(); ++i) {
    ++seen[i % kWays][std::to_integer<std::size_t>(letters[i])];
  }
  Counts counts;
  counts.fill(1);
  for (const auto& way : seen) {
    for (std::size_t byte = 0; byte < kLiterals; ++byte) counts[byte] += way[byte];
  }
  make_code(counts);
}

std::uint64_t HuffmanDeflate::bits_of(std::span<const std::byte> letters) const noexcept {
  std::uint64_t bits = 0;
  for (const std::byte letter : letters) bits += length_[std::to_integer<std::size_t>(letter)];
  return bits;
}

std::size_t HuffmanDeflate::write_letters(std::span<const std::byte> letters,
                                          std::byte* out) const {
  Output to{out};
  to.put({0b100, 3});  // not the last block, with a code of its own
  write_header(to);
  const auto code = [&](std::size_t i) { return code_[std::to_integer<std::size_t>(letters[i])]; };
  static_assert(3 * kMaxBits + 7 <= 64);
  std::size_t i = 0;
  for (; i + 3 <= letters.size(); i += 3) {
    Bits three = code(i);
    three.append(code(i + 1));
    three.append(code(i + 2));
    to.put(three);
  }
  for (; i < letters.size(); ++i) to.put(code(i));
  to.put(code_[kEndOfBlock]);
  to.put({0, 3});  // a stored block of no bytes begins at a byte, as whatever comes next
  to.put({0, (8 - to.left.count) % 8});
  to.put({0xFFFF0000, 32});
  return static_cast<std::size_t>(to.at - out);
}

std::size_t HuffmanDeflate::write_runs(std::span<const std::byte> bytes, std::byte* out) {
  find_runs(bytes);
  if (bytes.size() < kLeastRun * starts_.size()) return 0;
  make_code(sample(bytes));
  make_tables();

  Output to{out};
  to.put({0b101, 3});  // the last block, with a code of its own
  write_header(to);
  for (std::size_t i = 0; i + 1 < starts_.size(); ++i) {
    const auto byte = std::to_integer<std::uint32_t>(bytes[starts_[i]]);
    std::uint32_t more = starts_[i + 1] - starts_[i] - 1;
    Bits token = head_[4 * byte + std::min(more, kShortest)];
    token.append(match_[std::min(more, kLongest)]);
    to.put(token);
    while (more > kLongest) {
      more -= kLongest;
      if (more >= kShortest) {
        to.put(match_[std::min(more, kLongest)]);
      } else {
        for (; more > 0; --more) to.put(code_[byte]);
      }
    }
  }
  to.put(code_[kEndOfBlock]);
  to.put({0, (8 - to.left.count) % 8});
  return static_cast<std::size_t>(to.at - out);
}

/// Writes which symbols have code words of what length.
void HuffmanDeflate::write_header(Output& to) const noexcept {
  to.put({kSymbols - 257, 5});
  to.put({0, 5});  // one distance
  to.put({15, 4});
  // Lengths of codes are written as numbers of 4 bits: symbols 0 to 15 of the code for them have
  // codes of that length, 16 to 18 are not used.
  for (int i = 0; i < 19; ++i) to.put({i < 3 ? 0u : 4u, 3});
  for (const std::uint8_t length : length_) to.put({reversed(length, 4), 4});
  to.put({reversed(1, 4), 4});
}

void HuffmanDeflate::find_runs(std::span<const std::byte> bytes) {
  starts_.resize(bytes.size() + 1);
  std::uint32_t* end = starts_.data();
  if (!bytes.empty()) *end++ = 0;
  for (std::uint32_t i = 1; i < bytes.size(); ++i) {
    *end = i;  // without a branch, which would be guessed wrong at every other run
    end += bytes[i] != bytes[i - 1] ? 1 : 0;
  }
  *end++ = static_cast<std::uint32_t>(bytes.size());
  starts_.resize(static_cast<std::size_t>(end - starts_.data()));
}

/// Symbols in some stretches of runs from everywhere.
HuffmanDeflate::Counts HuffmanDeflate::sample(std::span<const std::byte> bytes) const {
  constexpr std::size_t kStretch = 64;
  constexpr std::size_t kStretches = 64;
  constexpr std::uint32_t kWeight = 4;  // of what was seen, against what may occur
  Counts counts;
  counts.fill(1);
  const std::size_t runs = starts_.size() - 1;
  const std::size_t step = std::max(kStretch, runs / kStretches);
  for (std::size_t begin = 0; begin < runs; begin += step) {
    for (std::size_t i = begin; i < std::min(runs, begin + kStretch); ++i) {
      const std::uint32_t more = starts_[i + 1] - starts_[i] - 1;
      const bool matched = more >= kShortest;
      counts[std::to_integer<std::size_t>(bytes[starts_[i]])] += kWeight * (matched ? 1 : 1 + more);
      if (matched) {
        counts[length_code(std::min(more, kLongest)).symbol] += kWeight;
      }
    }
  }
  return counts;
}

/// Huffman's code, of rougher counts if a code word gets too long. Nodes that are made come in the
/// order of their weights, so the two lightest are at the heads of two queues.
void HuffmanDeflate::make_code(Counts counts) {
  std::array<std::uint16_t, kSymbols> leaf;
  std::iota(leaf.begin(), leaf.end(), std::uint16_t{0});
  std::ranges::sort(
      leaf, [&](auto a, auto b) { return counts[a] != counts[b] ? counts[a] < counts[b] : a < b; });
  for (bool fits = false; !fits;) {
    constexpr std::size_t kInner = kSymbols - 1;
    std::array<std::uint64_t, kInner> weight;
    std::array<std::uint16_t, kSymbols> leaf_parent{};
    std::array<std::uint16_t, kInner> parent{};
    std::size_t next_leaf = 0;
    std::size_t next_inner = 0;
    for (std::uint16_t made = 0; made < kInner; ++made) {
      weight[made] = 0;
      for (int child = 0; child < 2; ++child) {
        const bool take_leaf =
            next_leaf < kSymbols &&
            (next_inner == made || counts[leaf[next_leaf]] <= weight[next_inner]);
        weight[made] += take_leaf ? counts[leaf[next_leaf]] : weight[next_inner];
        (take_leaf ? leaf_parent[next_leaf++] : parent[next_inner++]) = made;
      }
    }
    std::array<std::uint32_t, kInner> depth{};
    for (std::size_t node = kInner - 1; node-- > 0;) depth[node] = depth[parent[node]] + 1;
    fits = depth[leaf_parent[0]] < kMaxBits;  // the lightest one is the deepest
    for (std::size_t i = 0; i < kSymbols; ++i) {
      length_[leaf[i]] = static_cast<std::uint8_t>(std::min(depth[leaf_parent[i]] + 1, kMaxBits));
      counts[leaf[i]] = counts[leaf[i]] / 2 + 1;
    }
  }
  // Code words of one length are consecutive numbers in the order of symbols, shorter ones first.
  std::uint64_t word = 0;
  for (std::uint32_t bits = 1; bits <= kMaxBits; ++bits, word <<= 1) {
    for (std::size_t s = 0; s < kSymbols; ++s) {
      if (length_[s] == bits) code_[s] = {reversed(word++, bits), bits};
    }
  }
}

void HuffmanDeflate::make_tables() {
  for (std::size_t byte = 0; byte < kLiterals; ++byte) {
    Bits* const head = &head_[4 * byte];
    head[0] = head[1] = head[2] = head[3] = code_[byte];
    head[1].append(code_[byte]);
    head[2].append(head[1]);
  }
  for (std::uint32_t length = kShortest; length <= kLongest; ++length) {
    const LengthCode code = length_code(length);
    match_[length] = code_[code.symbol];
    match_[length].append({code.extra, code.extra_bits});
    match_[length].append({0, 1});  // distance 1
  }
}

}  // namespace grundy
