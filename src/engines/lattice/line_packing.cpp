// SPDX-License-Identifier: MIT
#include "engines/lattice/line_packing.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

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
  const LineBits all = lines_.bits();
  spare_ = kSetSlack;
  for (Run& run : runs_) {
    run.set = spare_;
    run.pitch = whole(run.chain_length(0));
    run.held = lines_.held_by_all(run.first, run.last);
    run.end = *std::max_element(all.high + run.first, all.high + run.last + 1);
    spare_ += run.pitch * run.apart;
    line_of_.resize(spare_);
    for (std::uint64_t line = run.first; line <= run.last; ++line) {
      line_of_[run.set_of(line)] = all.set(line);
    }
  }
  // With an odd number of cache lines, the words of a set do not all fall into one cache way.
  bits_.stride = (whole(spare_ + spare + kSetSlack) / kBlock | 1) * kBlock;
}

void LinePacking::find_living(std::size_t growth) {
  std::size_t end = 0;
  for (const Run& run : runs_) end = std::max(end, run.end);
  const std::size_t bits = std::min(lines_.bits().bits, 64 * end + growth);
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
void LinePacking::for_words_of(const Run& run, std::size_t block, Copy copy) const {
  constexpr std::size_t kAhead = 2 * kBlock;  // lines of a large table are not in the cache
  const std::size_t offset = LineBits::offset_of(living_[block] / 64);
  for (std::uint64_t chain = 0; chain < run.chains(); ++chain) {
    const std::span row = words_of(run, chain, block, 0);
    std::uint64_t* const* const lines = line_of_.data() + run.set + chain * run.pitch;
    for (std::size_t at = 0; at < row.size(); at += kBlock) {
      const std::size_t count = std::min(kBlock, row.size() - at);
      for (std::size_t i = at + kAhead; i < std::min(row.size(), at + kAhead + kBlock); ++i) {
        __builtin_prefetch(lines[i] + offset, 1);
      }
      std::uint64_t* packed = row.data() + at;
      for (std::size_t w = offset; w < offset + kBlock; ++w, packed += bits_.stride) {
        if (count == kBlock) {  // a constant that the compiler knows
          for (std::size_t i = 0; i < kBlock; ++i) copy(packed[i], lines[at + i][w]);
        } else {
          for (std::size_t i = 0; i < count; ++i) copy(packed[i], lines[at + i][w]);
        }
      }
    }
  }
}

void LinePacking::pack(const TileArea& area, std::size_t growth, std::size_t spare) {
  find_runs(area, spare);
  find_living(growth);
  words_.resize(std::max(words_.size(), values_.size() * bits_.stride));
  bits_.words = words_.data();
  for (const Run& run : runs_) {
    for (std::size_t block = 0; block < living_.size(); ++block) {
      if (living_[block] / 64 < run.end) {
        for_words_of(run, block,
                     [](std::uint64_t& packed, const std::uint64_t& word) { packed = word; });
        continue;
      }
      // Memory that no line has reached is not touched before something is written there.
      for_words_of(run, block, [](std::uint64_t& packed, const std::uint64_t&) { packed = 0; });
    }
  }
  for (std::size_t w = 0; w < values_.size(); ++w) {
    std::fill_n(bits_.words + w * bits_.stride + spare_, spare, 0);
  }
}

void LinePacking::unpack() {
  const LineBits all = lines_.bits();
  for (const Run& run : runs_) {
    std::size_t end = 0;
    for (std::size_t block = 0; block < living_.size(); ++block) {
      bool is_empty = living_[block] / 64 >= run.end;
      for (std::size_t w = 0; w < kBlock; ++w) {
        std::uint64_t held = ~std::uint64_t{0};
        for (std::uint64_t chain = 0; chain < run.chains(); ++chain) {
          const std::span row = words_of(run, chain, block, w);
          held &= kernels_.all_of(row.data(), row.size());
          is_empty = is_empty && std::ranges::all_of(row, [](auto word) { return word == 0; });
        }
        run.held[living_[block] / 64 + w] = held;
      }
      if (is_empty) continue;
      for_words_of(run, block,
                   [](const std::uint64_t& packed, std::uint64_t& word) { word = packed; });
      end = living_[block] / 64 + kBlock;
    }
    for (std::uint64_t line = run.first; line <= run.last; ++line) all.taken(line, end);
  }
}

const std::uint32_t* LinePacking::living_words(const TileArea& part, std::size_t unseen) {
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
  unseen = std::min(unseen, values_.size());
  const std::size_t found =
      kernels_.living_words(bits_, unseen, ranges_.data(), ranges_.size(), living_words_.data());
  const auto rest = living_words_.begin() + static_cast<std::ptrdiff_t>(found);
  std::iota(rest, rest + static_cast<std::ptrdiff_t>(values_.size() - unseen),
            static_cast<std::uint32_t>(unseen));
  return living_words_.data();
}

}  // namespace grundy
