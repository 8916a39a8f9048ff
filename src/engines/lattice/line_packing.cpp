// SPDX-License-Identifier: MIT
#include "engines/lattice/line_packing.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace grundy {

void LinePacking::find_runs(const TileArea& area, std::size_t spare) {
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  runs_.clear();
  run_of_.clear();
  std::vector<std::size_t> run_of_family(lines_.families(), kNone);
  for (const LineAccess& access : accesses_) {
    const auto [first, last] = access.lines_through(area);
    // If the runs of two directions of a family overlap, they become one run, because a line must
    // have one copy only.
    std::size_t& known = run_of_family[access.family];
    if (known != kNone && first <= runs_[known].last && last >= runs_[known].first) {
      Run& run = runs_[known];
      run.first = std::min(run.first, first);
      run.last = std::max(run.last, last);
      run_of_.push_back(known);
      continue;
    }
    known = runs_.size();
    run_of_.push_back(known);
    const auto apart = static_cast<std::uint64_t>(access.g == 1 ? access.a + access.b : 1);
    runs_.push_back({.first = first, .last = last, .apart = apart, .backwards = access.mirrored});
  }
  // Vectors may begin before the first set of descending cells. Chains begin with a cache line.
  const auto whole = [](std::uint64_t sets) { return (sets + kBlock - 1) / kBlock * kBlock; };
  spare_ = kSetSlack;
  for (Run& run : runs_) {
    run.set = spare_;
    run.pitch = whole(run.chain_length(0));
    run.held = lines_.held_by_all(run.first, run.last);
    spare_ += run.pitch * run.apart;
  }
  // With an odd number of cache lines, the words of a set do not all fall into one cache way.
  bits_.stride = (whole(spare_ + spare + kSetSlack) / kBlock | 1) * kBlock;
}

void LinePacking::find_living(std::size_t growth) {
  const LineBits all = lines_.bits();
  std::size_t end = 0;
  for (const Run& run : runs_) {
    const auto* const high = all.high + run.first;
    end = std::max<std::size_t>(end, *std::max_element(high, high + run.count()));
  }
  const std::size_t bits = std::min(all.bits, 64 * end + growth);
  index_of_block_.assign((bits + kBlockBits - 1) / kBlockBits, kDead);
  living_.clear();
  values_.clear();
  for (std::size_t block = 0; block < index_of_block_.size(); ++block) {
    std::uint64_t dead = ~std::uint64_t{0};
    for (std::size_t w = kBlock * block; w < kBlock * (block + 1); ++w) {
      std::uint64_t held = 0;
      for (const Run& run : runs_) held |= run.held[w];
      dead &= held;
    }
    if (~dead == 0) continue;
    index_of_block_[block] = static_cast<std::uint32_t>(kBlockBits * living_.size());
    living_.push_back(static_cast<Nimber>(kBlockBits * block));
    for (std::uint32_t w = 0; w < kBlock; ++w) values_.push_back(living_.back() + 64 * w);
  }
}

template <class Copy>
void LinePacking::for_blocks_of(const Run& run, Copy copy) const {
  const LineBits all = lines_.bits();
  std::array<std::uint64_t*, kBlock> lines{}, next{};
  for (std::uint64_t chain = 0; chain < run.apart; ++chain) {
    const std::uint64_t length = chain < run.count() ? run.chain_length(chain) : 0;
    for (std::uint64_t at = 0; at < length; at += kBlock) {
      const std::size_t count = std::min<std::uint64_t>(kBlock, length - at);
      const std::size_t behind = std::min<std::uint64_t>(kBlock, length - at - count);
      for (std::size_t i = 0; i < count; ++i) lines[i] = all.set(run.line_at(chain, at + i));
      for (std::size_t i = 0; i < behind; ++i) {
        next[i] = all.set(run.line_at(chain, at + count + i));
      }
      std::uint64_t* packed = bits_.words + run.set + chain * run.pitch + at;
      for (const Nimber value : living_) {
        // Sets of a large table are long and not in the cache.
        for (std::size_t i = 0; i < behind; ++i) __builtin_prefetch(next[i] + value / 64, 1);
        for (std::size_t w = value / 64; w < value / 64 + kBlock; ++w, packed += bits_.stride) {
          if (count == kBlock) {  // a constant that the compiler knows
            for (std::size_t i = 0; i < kBlock; ++i) copy(packed[i], lines[i][w]);
          } else {
            for (std::size_t i = 0; i < count; ++i) copy(packed[i], lines[i][w]);
          }
        }
      }
    }
  }
}

void LinePacking::pack(const TileArea& area, std::size_t growth, std::size_t spare) {
  find_runs(area, spare);
  find_living(growth);
  words_.resize(values_.size() * bits_.stride);
  bits_.words = words_.data();
  for (const Run& run : runs_) {
    for_blocks_of(run, [](std::uint64_t& packed, std::uint64_t& word) { packed = word; });
  }
  for (std::size_t w = 0; w < values_.size(); ++w) {
    std::fill_n(bits_.words + w * bits_.stride + spare_, spare, 0);
  }
}

void LinePacking::unpack() {
  const LineBits all = lines_.bits();
  const std::size_t end = living_.empty() ? 0 : living_.back() / 64 + kBlock;
  for (const Run& run : runs_) {
    for_blocks_of(run, [](std::uint64_t& packed, std::uint64_t& word) { word = packed; });
    for (std::uint64_t line = run.first; line <= run.last; ++line) all.taken(line, end);
    const std::uint64_t* row = bits_.words + run.set;
    for (const Nimber value : living_) {
      for (std::size_t w = value / 64; w < value / 64 + kBlock; ++w, row += bits_.stride) {
        std::uint64_t held = ~std::uint64_t{0};
        for (std::uint64_t chain = 0; chain < std::min(run.apart, run.count()); ++chain) {
          held &= kernels_.all_of(row + chain * run.pitch, run.chain_length(chain));
        }
        run.held[w] = held;
      }
    }
  }
}

const std::uint32_t* LinePacking::living_words(const TileArea& part) {
  ranges_.clear();
  for (std::size_t k = 0; k < accesses_.size(); ++k) {
    const Run& run = runs_[run_of_[k]];
    const auto [first, last] = accesses_[k].lines_through(part);
    for (std::uint64_t i = 0; i < run.apart && first + i <= last; ++i) {
      const std::uint64_t one = run.set_of(first + i);
      const std::uint64_t other = run.set_of(last - (last - first - i) % run.apart);
      ranges_.push_back({.direction = k,
                         .first = std::min(one, other),
                         .count = std::max(one, other) - std::min(one, other) + 1});
    }
  }
  living_words_.resize(values_.size());
  kernels_.living_words(bits_, values_.size(), ranges_.data(), ranges_.size(),
                        living_words_.data());
  return living_words_.data();
}

}  // namespace grundy
