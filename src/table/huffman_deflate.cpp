// SPDX-License-Identifier: MIT
#include "table/huffman_deflate.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace grundy {
namespace {

static_assert(std::endian::native == std::endian::little, "bits are stored as they lie in memory");

constexpr std::size_t kLiterals = SymbolCounts::kLiterals;
constexpr std::size_t kSymbols = SymbolCounts::kSymbols;
constexpr std::uint32_t kShortest = SymbolCounts::kShortest;
constexpr std::uint32_t kLongest = SymbolCounts::kLongest;
constexpr std::uint32_t kEndOfBlock = 256;

/// The symbol of a length or a distance, and the bits that follow it.
struct Code {
  std::uint32_t symbol, extra_bits, extra;
};

constexpr Code length_code(std::uint32_t length) noexcept {
  if (length == 258) return {285, 0, 0};
  const std::uint32_t n = length - 3;
  if (n < 8) return {257 + n, 0, 0};
  const auto extra_bits = static_cast<std::uint32_t>(std::bit_width(n)) - 3;
  return {257 + 4 * extra_bits + (n >> extra_bits), extra_bits, n & ((1u << extra_bits) - 1)};
}

constexpr Code distance_code(std::uint32_t distance) noexcept {
  const std::uint32_t n = distance - 1;
  if (n < 4) return {n, 0, 0};
  const auto extra_bits = static_cast<std::uint32_t>(std::bit_width(n)) - 2;
  return {2 * extra_bits + (n >> extra_bits), extra_bits, n & ((1u << extra_bits) - 1)};
}

std::uint64_t reversed(std::uint64_t code, std::uint32_t count) noexcept {
  std::uint64_t out = 0;
  for (std::uint32_t i = 0; i < count; ++i) out |= (code >> i & 1) << (count - 1 - i);
  return out;
}

/// Bits of symbols with these counts: their entropy, but at least one bit for each symbol.
double bits_of(std::span<const std::uint32_t> counts) noexcept {
  float all = 0;
  float sum = 0;
  for (const std::uint32_t count : counts) {
    const auto times = static_cast<float>(count);
    all += times;
    if (count > 1) sum += times * std::log2(times);
  }
  return all == 0 ? 0 : std::max(all, all * std::log2(all) - sum);
}

/// Hands some stretches from everywhere to `count`; all letters if they are few.
void for_each_stretch(std::span<const std::byte> letters, const auto& count) {
  constexpr std::size_t kStretch = 1024;
  constexpr std::size_t kStretches = 16;
  const std::size_t step = std::max(kStretch, letters.size() / kStretches);
  for (std::size_t at = 0; at < letters.size(); at += step) {
    count(letters.subspan(at, std::min(kStretch, letters.size() - at)));
  }
}

}  // namespace

void SymbolCounts::add_match(std::uint32_t length, std::uint32_t distance,
                             std::uint32_t times) noexcept {
  const Code of_length = length_code(length);
  const Code of_distance = distance_code(distance);
  symbols_[of_length.symbol] += times;
  distances_[of_distance.symbol] += times;
  extra_bits_ += std::uint64_t{times} * (of_length.extra_bits + of_distance.extra_bits);
}

double SymbolCounts::bits() const noexcept {
  return bits_of(symbols_) + bits_of(distances_) + static_cast<double>(extra_bits_);
}

const KernelSet& table_kernels() {
  static const KernelSet& best = select_kernels("auto");
  return best;
}

std::size_t HuffmanCoder::write(std::span<const std::byte> bytes, std::byte* out) {
  SymbolCounts seen;
  count(bytes, 0, seen);
  make_code(seen);
  make_tables(bytes);
  Output to{out};
  const std::size_t part = in_parts_ ? part_of(bytes.size()) : bytes.size();
  for (; bytes.size() >= 2 * part && part > 0; bytes = bytes.subspan(part)) {
    write_block(bytes.first(part), to);
  }
  write_block(bytes, to);
  return static_cast<std::size_t>(to.at - out);
}

void HuffmanCoder::write_block(std::span<const std::byte> bytes, Output& to) {
  to.put({0b100, 3});  // not the last block, with a code of its own
  write_header(to);
  put(bytes, to);
  to.put(code(kEndOfBlock));
  to.put({0, 3});  // an empty stored block ends at a whole byte, where the next block can begin
  to.put({0, (8 - to.count) % 8});
  to.at = std::ranges::copy(kLastBytes, to.at).out;
}

/// Writes the lengths of the code words of all symbols.
void HuffmanCoder::write_header(Output& to) const noexcept {
  to.put({kSymbols - 257, 5});
  to.put({0, 5});  // one distance
  to.put({15, 4});
  // Code lengths are written as numbers of 4 bits: in the code for them, symbols 0 to 15 have code
  // words of that length, and 16 to 18 are not used.
  for (int i = 0; i < 19; ++i) to.put({i < 3 ? 0u : 4u, 3});
  for (const std::uint8_t length : length_) to.put({reversed(length, 4), 4});
  to.put({reversed(1, 4), 4});
}

/// Huffman's code; if a code word gets too long, the counts are made rougher. New nodes come in the
/// order of their weights, so the two lightest are at the heads of two queues.
void HuffmanCoder::make_code(const SymbolCounts& seen) {
  constexpr std::uint32_t kWeight = 4;  // the weight of what was seen against what may occur
  std::array<std::uint32_t, kSymbols> counts;
  for (std::size_t i = 0; i < kSymbols; ++i) counts[i] = 1 + kWeight * seen[i];
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
    fits = depth[leaf_parent[0]] < kMaxBits;  // the lightest symbol is the deepest
    for (std::size_t i = 0; i < kSymbols; ++i) {
      length_[leaf[i]] = static_cast<std::uint8_t>(std::min(depth[leaf_parent[i]] + 1, kMaxBits));
      counts[leaf[i]] = counts[leaf[i]] / 2 + 1;
    }
  }
  // Code words of one length are consecutive numbers in the order of their symbols; shorter code
  // words come first.
  std::uint64_t word = 0;
  for (std::uint32_t bits = 1; bits <= kMaxBits; ++bits, word <<= 1) {
    for (std::size_t s = 0; s < kSymbols; ++s) {
      if (length_[s] == bits) code_[s] = {reversed(word++, bits), bits};
    }
  }
}

/// Of 30 letters, 16 KiB give a code that is some 0.04 % longer than the best one.
void LetterCoder::count(std::span<const std::byte> bytes, std::size_t begin, SymbolCounts& seen) {
  std::array<std::uint64_t, kLiterals> times{};
  for_each_stretch(bytes.subspan(begin), [&](std::span<const std::byte> some) {
    table_kernels().of<std::uint8_t>().histogram(reinterpret_cast<const std::uint8_t*>(some.data()),
                                                 some.size(), times.data());
  });
  for (std::size_t byte = 0; byte < kLiterals; ++byte) {
    seen.add_literal(static_cast<std::byte>(byte), static_cast<std::uint32_t>(times[byte]));
  }
}

void LetterCoder::make_tables(std::span<const std::byte> letters) {
  constexpr std::size_t kFew = 64;  // the pairs of as many fill half of a cache of 64 KiB
  const std::size_t all =
      1 + table_kernels().of<std::uint8_t>().maximum(
              reinterpret_cast<const std::uint8_t*>(letters.data()), letters.size());
  has_pairs_ = all <= kFew;
  if (!has_pairs_) return;
  for (std::size_t second = 0; second < all; ++second) {
    for (std::size_t first = 0; first < all; ++first) {
      Bits pair = code(first);
      pair.append(code(second));
      pairs_[second * kLetters + first] = pair.entry();
    }
  }
}

void LetterCoder::put(std::span<const std::byte> letters, Output& to) {
  std::size_t done = 0;
  if (has_pairs_) {
    const std::size_t fours = letters.size() / 4;
    table_kernels().letters.write_pairs(letters.data(), fours, pairs_.data(), to);
    done = 4 * fours;
  }
  // A copy, which stays in registers during writes.
  Output local = to;
  const auto word = [&](std::size_t i) { return code(std::to_integer<std::size_t>(letters[i])); };
  static_assert(3 * kMaxBits <= 57);
  for (; done + 3 <= letters.size(); done += 3) {
    Bits three = word(done);
    three.append(word(done + 1));
    three.append(word(done + 2));
    local.put(three);
  }
  for (; done < letters.size(); ++done) local.put(word(done));
  to = local;
}

void RunCoder::count(std::span<const std::byte> bytes, std::size_t begin, SymbolCounts& seen) {
  constexpr std::uint32_t kEnough = 2048;
  std::array<std::uint32_t, kLiterals> times{};
  std::array<std::uint32_t, kLongest + 1> again{};
  const auto count_runs = [&](std::span<const std::byte> some) {
    table_kernels().letters.count_runs(some.data(), some.size(), times.data(), again.data());
  };
  const auto letters = bytes.subspan(begin);
  for_each_stretch(letters, count_runs);
  // The ends of stretches cut runs. If runs are long, that matters, and all of them are few.
  if (std::reduce(times.begin(), times.end()) < kEnough) {
    times.fill(0);
    again.fill(0);
    count_runs(letters);
  }
  for (std::size_t letter = 0; letter < kLiterals; ++letter) {
    seen.add_literal(static_cast<std::byte>(letter), times[letter]);
  }
  for (std::uint32_t length = kShortest; length <= kLongest; ++length) {
    if (again[length] > 0) seen.add_match(length, 1, again[length]);
  }
}

void RunCoder::put(std::span<const std::byte> bytes, Output& to) {
  table_kernels().letters.write_runs(bytes.data(), bytes.size(), {runs_.data(), again_.data()}, to);
}

void RunCoder::make_tables(std::span<const std::byte> bytes) {
  static_assert(3 * kMaxBits <= 56);  // an entry has room for it
  std::array<Bits, kShortRun> again;
  for (std::uint32_t length = kShortest; length <= kLongest; ++length) {
    const Code of_length = length_code(length);
    Bits bits = code(of_length.symbol);
    bits.append({of_length.extra, of_length.extra_bits});
    bits.append({0, 1});  // distance 1
    again_[length] = bits.entry();
    if (length < kShortRun) again[length] = bits;
  }
  const std::size_t all =
      1 + table_kernels().of<std::uint8_t>().maximum(
              reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  for (std::size_t letter = 0; letter < all; ++letter) {
    Bits alone;  // the letter, and up to two more
    for (std::size_t n = 0; n < kShortRun; ++n) {
      Bits run = code(letter);
      if (n < kShortest) {
        alone.append(code(letter));
        run = alone;
      } else {
        run.append(again[n]);
      }
      runs_[kShortRun * letter + n] = run.entry();
    }
  }
}

}  // namespace grundy
