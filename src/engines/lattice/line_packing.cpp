// SPDX-License-Identifier: MIT
#include "engines/lattice/line_packing.hpp"

#include <algorithm>
#include <array>
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
  spare_ = kSetSlack;
  parts_.clear();
  for (Run& run : runs_) {
    run.set = spare_;
    run.pitch = whole(run.chain_length(0));
    run.held = lines_.held_by_all(run.first, run.last);
    run.end = lines_.end_of(run.first, run.last);
    spare_ += run.pitch * run.apart;
    run.first_part = parts_.size();
    find_parts(run);
    run.end_part = parts_.size();
  }
  // With an odd number of cache lines, the words of a set do not all fall into one cache way.
  bits_.stride = (whole(spare_ + spare + kSetSlack) / kBlock | 1) * kBlock;
}

void LinePacking::find_parts(const Run& run) {
  constexpr auto kGroup = static_cast<std::int64_t>(LineMemory::kGroup);
  const auto apart = static_cast<std::int64_t>(run.apart);
  const std::int64_t step = run.backwards ? -apart : apart;
  for (std::uint64_t chain = 0; chain < run.chains(); ++chain) {
    auto line = static_cast<std::int64_t>(run.backwards ? run.last - chain : run.first + chain);
    std::uint64_t set = run.set + chain * run.pitch;
    for (auto left = static_cast<std::int64_t>(run.chain_length(chain)); left > 0;) {
      const std::int64_t at = line % kGroup;
      const std::int64_t inside = (run.backwards ? at : kGroup - 1 - at) / apart + 1;
      const std::int64_t count = std::min(left, inside);
      parts_.push_back({.group = static_cast<std::uint64_t>(line / kGroup),
                        .set = set,
                        .count = static_cast<std::size_t>(count),
                        .at = at * static_cast<std::int64_t>(kBlock),
                        .next = step * static_cast<std::int64_t>(kBlock)});
      line += count * step;
      set += static_cast<std::uint64_t>(count);
      left -= count;
    }
  }
}

void LinePacking::find_living(std::size_t growth) {
  std::size_t end = 0;
  for (const Run& run : runs_) end = std::max(end, run.end);
  const std::size_t bits = std::min(64 * lines_.words(), 64 * end + growth);
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

template <class Word, class Copy>
void LinePacking::for_words_of(const Part& part, Word* piece, std::size_t block, Copy copy) const {
  constexpr std::int64_t kAhead = 2 * kBlock;  // lines of a large table are not in the cache
  Word* line = piece + part.at;
  std::uint64_t* packed = words_of(part, block, 0).data();
  for (std::size_t at = 0; at < part.count; at += kBlock) {
    const std::size_t count = std::min(kBlock, part.count - at);
    for (std::size_t i = 0; i < kBlock; ++i) {
      __builtin_prefetch(line + (kAhead + static_cast<std::int64_t>(i)) * part.next, 1);
    }
    std::uint64_t* row = packed + at;
    for (std::size_t w = 0; w < kBlock; ++w, row += bits_.stride) {
      Word* word = line + w;
      if (count == kBlock) {  // a constant that the compiler knows
        for (std::size_t i = 0; i < kBlock; ++i, word += part.next) copy(row[i], *word);
      } else {
        for (std::size_t i = 0; i < count; ++i, word += part.next) copy(row[i], *word);
      }
    }
    line += static_cast<std::int64_t>(kBlock) * part.next;
  }
}

void LinePacking::pack(const TileArea& area, std::size_t growth, std::size_t spare) {
  find_runs(area, spare);
  find_living(growth);
  words_.resize(std::max(words_.size(), values_.size() * bits_.stride));
  bits_.words = words_.data();
  const auto copy = [](std::uint64_t& packed, const std::uint64_t& word) { packed = word; };
  for (const Part& part : parts_) {
    for (std::size_t block = 0; block < living_.size(); ++block) {
      for_words_of(part, lines_.memory().piece(part.group, block_of(block)), block, copy);
    }
  }
  for (std::size_t w = 0; w < values_.size(); ++w) {
    std::fill_n(bits_.words + w * bits_.stride + spare_, spare, 0);
  }
}

void LinePacking::unpack() {
  const auto copy = [](const std::uint64_t& packed, std::uint64_t& word) { word = packed; };
  for (const Run& run : runs_) {
    std::size_t end = 0;
    for (std::size_t block = 0; block < living_.size(); ++block) {
      std::array<std::uint64_t, kBlock> held;
      held.fill(~std::uint64_t{0});
      for (std::size_t p = run.first_part; p < run.end_part; ++p) {
        const Part& part = parts_[p];
        bool is_empty = true, is_full = true;
        for (std::size_t w = 0; w < kBlock; ++w) {
          const std::span row = words_of(part, block, w);
          const WordBits bits = kernels_.bits_of(row.data(), row.size());
          held[w] &= bits.all;
          is_full = is_full && ~bits.all == 0;
          is_empty = is_empty && bits.is_zero;
        }
        // A piece that is full or empty need not take memory to stay so.
        LineMemory& memory = lines_.memory();
        if (is_empty) continue;
        end = living_[block] / 64 + kBlock;
        if (is_full && memory.is_full(part.group, block_of(block))) continue;
        for_words_of(part, memory.writable(part.group, block_of(block)), block, copy);
      }
      std::ranges::copy(held, run.held + living_[block] / 64);
    }
    lines_.settle(run.first, run.last, end);
  }
}

void LinePacking::find_ranges(const TileArea& part) {
  ranges_.clear();
  for (std::size_t k = 0; k < accesses_.size(); ++k) {
    const Run& run = runs_[run_of_[k]];
    const auto [first, last] = accesses_[k].lines_through(part);
    for (std::uint64_t i = 0; i < run.apart && first + i <= last; ++i) {
      const std::uint64_t one = run.set_of(first + i);
      const std::uint64_t other = run.set_of(last - (last - first - i) % run.apart);
      const std::uint64_t begin = std::min(one, other) / kSetSlack;
      const std::uint64_t end = std::max(one, other) / kSetSlack + 1;
      ranges_.push_back({.direction = k, .first = begin, .count = end - begin});
    }
  }
}

void LinePacking::note_full(const TileArea& part, std::size_t unseen) {
  unseen = std::min(unseen, values_.size());
  full_.resize(std::max(full_.size(), bits_.stride / kSetSlack * full_words().pitch));
  find_ranges(part);
  // Most words are full in all lines of one direction. The direction with the fewest lines is asked
  // first, and the others for what it leaves.
  chunks_.assign(accesses_.size(), 0);
  for (const ChunkRange& range : ranges_) chunks_[range.direction] += range.count;
  std::ranges::stable_sort(ranges_, {}, [this](const ChunkRange& range) {
    return std::pair(chunks_[range.direction], range.direction);
  });
  noted_.resize(values_.size());
  std::iota(noted_.begin(), noted_.end(), 0u);
  std::size_t count = unseen;
  for (auto range = ranges_.begin(); range != ranges_.end();) {
    const std::size_t direction = range->direction;
    for (; range != ranges_.end() && range->direction == direction; ++range) {
      kernels_.note_full(bits_, noted_.data(), count, *range, full_words());
    }
    count = kernels_.living_words(full_words(), unseen, ranges_.data(),
                                  static_cast<std::size_t>(range - ranges_.begin()), noted_.data());
  }
}

void LinePacking::living_words(const TileArea& part, std::size_t unseen,
                               std::vector<std::uint32_t>& list) {
  find_ranges(part);
  list.resize(values_.size());
  unseen = std::min(unseen, values_.size());
  const std::size_t found =
      kernels_.living_words(full_words(), unseen, ranges_.data(), ranges_.size(), list.data());
  const auto rest = list.begin() + static_cast<std::ptrdiff_t>(found);
  std::iota(rest, rest + static_cast<std::ptrdiff_t>(values_.size() - unseen),
            static_cast<std::uint32_t>(unseen));
}

}  // namespace grundy
