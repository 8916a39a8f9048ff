// SPDX-License-Identifier: MIT
#include "engines/lattice/line_packing.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace grundy {

void LinePacking::pack(const TileArea& area, const LineBits& all, std::size_t growth) {
  from_ = all;
  find_runs(area);
  for (Run& run : runs_) run.from = run.first;
  find_living(growth);
  pack_runs();
}

void LinePacking::pack(const TileArea& area, const LinePacking& outer, std::size_t growth) {
  from_ = outer.bits();
  find_runs(area);
  for (std::size_t k = 0; k < run_of_.size(); ++k) {
    Run& run = runs_[run_of_[k]];
    run.from = outer.set_of(k, run.first);
  }
  find_living(growth);
  pack_runs();
}

void LinePacking::find_runs(const TileArea& area) {
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  runs_.clear();
  run_of_.clear();
  std::vector<std::size_t> run_of_family(lines_.families(), kNone);
  for (const LineAccess& access : accesses_) {
    const auto [first, last] = access.lines_through(area);
    // Where the runs of two directions of a family overlap, a line must have one copy only.
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
    runs_.push_back({.first = first, .last = last});
  }
  std::uint64_t sets = 0;
  for (Run& run : runs_) {
    run.set = sets;
    sets += run.last - run.first + 1;
  }
  low_.assign(sets + 1, 0);
  high_.assign(sets + 1, 0);
}

void LinePacking::find_living(std::size_t growth) {
  // What all lines of a run hold at the start is dead; what lies beyond `end` nobody reaches.
  std::size_t begin = 0;
  std::size_t end = 0;
  for (const Run& run : runs_) {
    const std::uint64_t count = run.last - run.first + 1;
    begin = std::max<std::size_t>(
        begin, *std::min_element(from_.low + run.from, from_.low + run.from + count));
    end = std::max<std::size_t>(
        end, *std::max_element(from_.high + run.from, from_.high + run.from + count));
  }
  const std::size_t bits = std::min(from_.bits, 64 * end + growth);
  const std::size_t words = (bits + 63) / 64;
  dead_.assign(words, 0);
  if (bits % 64 != 0) dead_.back() = ~std::uint64_t{0} << (bits % 64);
  for (const Run& run : runs_) {
    const std::uint64_t count = run.last - run.first + 1;
    const std::uint64_t* const head = from_.set(run.from);
    common_.assign(head + begin, head + words);
    for (std::uint64_t i = 1; i < count; ++i) {
      kernels_.and_words(common_.data(), from_.set(run.from + i) + begin, words - begin);
    }
    for (std::size_t w = begin; w < words; ++w) dead_[w] |= common_[w - begin];
  }
  living_word_.clear();
  living_mask_.clear();
  living_.clear();
  for (std::size_t w = begin; w < words; ++w) {
    const std::uint64_t mask = ~dead_[w];
    if (mask == 0) continue;
    living_word_.push_back(static_cast<std::uint32_t>(w));
    living_mask_.push_back(mask);
    for (std::uint64_t left = mask; left != 0; left &= left - 1) {
      living_.push_back(static_cast<std::uint32_t>(64 * w + std::countr_zero(left)));
    }
  }
}

void LinePacking::load_ahead(std::uint64_t set) const noexcept {
  const std::uint64_t* const words = from_.set(set);
  for (std::size_t k = 0; k < living_word_.size(); k += 2)
    __builtin_prefetch(words + living_word_[k], 1);
}

void LinePacking::pack_runs() {
  const std::size_t words = living_.size() / 64 + 1;
  const std::size_t stride = words + kSetSlack;
  words_.resize(low_.size() * stride + kSetSlack);
  bits_ = {words_.data(), stride, living_.size(), low_.data(), high_.data()};
  std::fill_n(bits_.set(spare_set()), stride, 0);
  for (const Run& run : runs_) {
    for (std::uint64_t i = 0; i <= run.last - run.first; ++i) {
      std::uint64_t* const out = bits_.set(run.set + i);
      if (i < run.last - run.first) load_ahead(run.from + i + 1);
      kernels_.pack_bits(from_.set(run.from + i), living_word_.data(), living_mask_.data(),
                         living_word_.size(), out);
      std::fill_n(out + words, kSetSlack, 0);
      bits_.taken(run.set + i, words);
    }
  }
}

void LinePacking::unpack() {
  const std::size_t end = living_word_.empty() ? 0 : living_word_.back() + std::size_t{1};
  for (const Run& run : runs_) {
    for (std::uint64_t i = 0; i <= run.last - run.first; ++i) {
      if (i < run.last - run.first) load_ahead(run.from + i + 1);
      kernels_.unpack_bits(bits_.set(run.set + i), living_word_.data(), living_mask_.data(),
                           living_word_.size(), from_.set(run.from + i));
      from_.taken(run.from + i, end);
    }
  }
}

}  // namespace grundy
