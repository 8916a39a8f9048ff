// SPDX-License-Identifier: MIT
#include "engines/heap/subtraction/marks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace grundy {
namespace {

constexpr std::size_t kWordBits = 64;
/// Zero bits before the first place, for the word that a shift reads before it.
constexpr std::size_t kFront = 64;
/// The number of vector operations that one entry of a list costs in the second sieve. A vector
/// here is 512 heaps. Marking goes on while it removes entries at a lower price.
constexpr double kEntryPrice = 20;
constexpr double kVectorHeaps = 512;

std::size_t row_words(HeapSize modulus, HeapSize count, HeapSize max_block) {
  const HeapSize kept = ResidueMarks::kReach + ResidueMarks::kReach / 4 + max_block;
  const HeapSize heaps = std::min(kept, count + max_block);
  return heaps / modulus / kWordBits + 4 * kVectorWords;
}

}  // namespace

ResidueMarks::ResidueMarks(std::span<const HeapSize> taps, HeapSize modulus, HeapSize count,
                           HeapSize max_block, const SubtractionKernels& kernels)
    : modulus_(modulus),
      reach_(kReach / modulus / kWordBits * kWordBits),
      kernels_(kernels),
      row_words_(row_words(modulus, count, max_block)),
      steps_(modulus) {
  for (HeapSize row = 0; row < modulus; ++row) {
    std::vector<Step> by_residue(modulus);
    for (const HeapSize s : taps) {
      const HeapSize from_row = (row + modulus - s % modulus) % modulus;
      const HeapSize places = (s + from_row - row) / modulus;
      if (places + 1 >= reach_) break;
      Step& step = by_residue[s % modulus];
      step.from_row = from_row;
      step.down[places % 8].push_back(places / 8);
    }
    for (Step& step : by_residue) {
      const bool used = std::any_of(step.down.begin(), step.down.end(),
                                    [](const auto& group) { return !group.empty(); });
      if (used) steps_[row].push_back(std::move(step));
    }
  }
}

std::uint64_t ResidueMarks::memory_bytes(HeapSize modulus, HeapSize count, HeapSize max_block,
                                         std::uint64_t values) {
  const std::uint64_t level = modulus * row_words(modulus, count, max_block) * sizeof(Word);
  const std::uint64_t levels = std::min<std::uint64_t>(values, kMaxValues);
  return (levels + kLevelsOfRoom - 1) / kLevelsOfRoom * memory_of_huge_pages(kLevelsOfRoom * level);
}

void ResidueMarks::start_block(HeapSize begin, HeapSize heaps) {
  first_ = begin / modulus_;
  places_ = heaps / modulus_;
  if (first_ + places_ - origin_ + kFront > (row_words_ - 2 * kVectorWords) * kWordBits) {
    const HeapSize origin = first_ - reach_;
    const auto words = static_cast<std::size_t>((origin - origin_) / kWordBits);
    for (Level& level : levels_) {
      for (HeapSize row = 0; row < modulus_; ++row) {
        Word* const bits = level.bits + row * row_words_;
        std::copy(bits + words, bits + row_words_, bits);
        std::fill(bits + row_words_ - words, bits + row_words_, Word{0});
      }
    }
    origin_ = origin;
  }
  for (auto& into_row : steps_) {
    for (Step& step : into_row) {
      step.size = 0;
      for (std::size_t g = 0; g < step.down.size(); ++g) {
        // All sources lie below the block and at heap 0 or above.
        const auto& down = step.down[g];
        const auto from = std::lower_bound(down.begin(), down.end(), places_ / 8 + 1);
        const auto to = std::lower_bound(from, down.end(), first_ / 8);
        step.begin[g] = static_cast<std::size_t>(from - down.begin());
        step.end[g] = static_cast<std::size_t>(to - down.begin());
        step.size += step.end[g] - step.begin[g];
      }
    }
  }
}

std::size_t ResidueMarks::units() const noexcept {
  return (places_ + kLanes - 1) / kLanes * modulus_;
}

ResidueMarks::Unit ResidueMarks::unit(std::size_t index) const noexcept {
  Unit unit;
  unit.row = index % modulus_;
  unit.lane = index / modulus_ * kLanes;
  unit.lanes = static_cast<std::size_t>(std::min<HeapSize>(kLanes, places_ - unit.lane));
  unit.open = unit.lanes;
  std::fill_n(unit.is_open.begin(), unit.lanes / kWordBits, ~Word{0});
  return unit;
}

void ResidueMarks::cover(const Level& level, const Unit& unit, Word* words) const {
  // Elements are taken from the most crowded row on, as long as the entry that is removed, with
  // probability density * exp(-expected hits so far), is worth more than the operation.
  struct Share {
    const Step* step;
    double density;
    double taken;
  };
  std::array<Share, 64> shares;
  std::size_t count = 0;
  const double open = static_cast<double>(unit.open) / static_cast<double>(unit.lanes);
  for (const Step& step : steps_[unit.row]) {
    const auto members = static_cast<double>(level.per_row[step.from_row]);
    if (members > 0 && step.size > 0 && count < shares.size()) {
      shares[count++] = {&step, members / static_cast<double>(first_), 0};
    }
  }
  std::sort(shares.begin(), shares.begin() + count,
            [](const Share& a, const Share& b) { return a.density > b.density; });
  double hits = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Share& share = shares[i];
    const double room = std::log(kVectorHeaps * kEntryPrice * open * share.density) - hits;
    if (room <= 0) {
      count = i;
      break;
    }
    const double wanted = room / share.density / static_cast<double>(share.step->size);
    share.taken = std::min(wanted, 1.0);
    hits += share.taken * share.density * static_cast<double>(share.step->size);
  }

  const std::size_t vectors = (unit.lanes / kWordBits + kVectorWords - 1) / kVectorWords;
  const std::size_t padded = (vectors + 1) * kVectorWords;
  std::array<Word, kLanes / kWordBits + kVectorWords> moved;
  std::array<std::uint64_t, 256> back;
  const auto* const base = reinterpret_cast<const std::uint8_t*>(level.bits);
  const std::size_t place = (first_ + unit.lane - origin_ + kFront) / 8 - sizeof(Word);
  const std::size_t end = modulus_ * row_words_ * sizeof(Word);
  for (std::size_t g = 0; g < 8; ++g) {
    bool any = false;
    std::size_t filled = 0;
    const auto flush = [&] {
      if (!any) std::fill_n(moved.data(), padded, Word{0});
      any = true;
      kernels_.or_earlier(reinterpret_cast<std::uint8_t*>(moved.data()), padded * sizeof(Word),
                          base + end, back.data(), filled);
      filled = 0;
    };
    for (std::size_t i = 0; i < count; ++i) {
      const Step& step = *shares[i].step;
      const std::size_t available = step.end[g] - step.begin[g];
      const auto taken =
          static_cast<std::size_t>(std::ceil(shares[i].taken * static_cast<double>(available)));
      const std::uint64_t to_end = end - step.from_row * row_words_ * sizeof(Word) - place;
      const std::uint64_t* const down = step.down[g].data() + step.begin[g];
      for (std::size_t t = 0; t < taken; ++t) {
        back[filled++] = down[t] + to_end;
        if (filled == back.size()) flush();
      }
    }
    if (filled > 0) flush();
    if (any)
      kernels_.or_shifted(words, moved.data(), padded - kVectorWords, static_cast<unsigned>(g));
  }
}

template <class T>
void ResidueMarks::append(Unit& unit, T value, const Word* covered, T* lists) const {
  for (std::size_t w = 0; w < unit.lanes / kWordBits; ++w) {
    for (Word bits = unit.is_open[w] & ~covered[w]; bits != 0; bits &= bits - 1) {
      const int bit = std::countr_zero(bits);
      const std::size_t i = w * kWordBits + bit;
      lists[((unit.lane + i) * modulus_ + unit.row) * kListed + unit.listed[i]] = value;
      if (++unit.listed[i] == kListed) {
        unit.is_open[w] &= ~(Word{1} << bit);
        --unit.open;
      }
    }
  }
}

template <class T>
void ResidueMarks::list_candidates(std::size_t first, std::size_t last, T* lists) const {
  // Lists are long, so they are visited once for a batch of values.
  constexpr std::size_t kBatch = 32;
  constexpr std::size_t kUnitWords = kLanes / kWordBits;
  std::vector<Unit> units;
  for (std::size_t i = first; i < last; ++i) units.push_back(unit(i));
  std::vector<Word> covered(units.size() * kBatch * kUnitWords);
  const auto words = [&](std::size_t u, std::size_t v) {
    return covered.data() + (u * kBatch + v % kBatch) * kUnitWords;
  };
  const std::size_t limit =
      std::min<std::size_t>(kMaxValues, std::size_t{largest_value(kWidthOf<T>)} + 1);
  for (std::size_t batch = 0; batch < limit; batch += kBatch) {
    const bool any =
        std::any_of(units.begin(), units.end(), [](const Unit& u) { return u.open > 0; });
    if (!any) break;
    const std::size_t batch_end = std::min(batch + kBatch, limit);
    std::fill(covered.begin(), covered.end(), Word{0});
    for (std::size_t v = batch; v < std::min(batch_end, levels_.size()); ++v) {
      for (std::size_t u = 0; u < units.size(); ++u) {
        if (units[u].open > 0) cover(levels_[v], units[u], words(u, v));
      }
    }
    for (std::size_t u = 0; u < units.size(); ++u) {
      for (std::size_t v = batch; v < batch_end && units[u].open > 0; ++v) {
        append(units[u], static_cast<T>(v), words(u, v), lists);
      }
    }
  }
}

void ResidueMarks::make_room(Nimber largest) {
  const std::size_t wanted = std::min<std::size_t>(std::size_t{largest} + 1, kMaxValues);
  const std::size_t words = modulus_ * row_words_;
  while (levels_.size() < wanted) {
    const std::size_t place = levels_.size() % kLevelsOfRoom;
    if (place == 0) rooms_.emplace_back(kLevelsOfRoom * words);
    levels_.push_back({&rooms_.back()[place * words], std::vector<std::uint64_t>(modulus_)});
  }
}

template <class T>
void ResidueMarks::add_row(HeapSize row, HeapSize begin, std::span<const T> values) {
  const std::size_t offset = row * row_words_ * kWordBits + begin / modulus_ - origin_ + kFront;
  for (std::size_t i = row, place = offset; i < values.size(); i += modulus_, ++place) {
    if (values[i] >= kMaxValues) continue;
    Level& level = levels_[values[i]];
    level.bits[place / kWordBits] |= Word{1} << (place % kWordBits);
    ++level.per_row[row];
  }
}

template void ResidueMarks::list_candidates(std::size_t, std::size_t, std::uint8_t*) const;
template void ResidueMarks::list_candidates(std::size_t, std::size_t, std::uint16_t*) const;
template void ResidueMarks::list_candidates(std::size_t, std::size_t, std::uint32_t*) const;
template void ResidueMarks::add_row(HeapSize, HeapSize, std::span<const std::uint8_t>);
template void ResidueMarks::add_row(HeapSize, HeapSize, std::span<const std::uint16_t>);
template void ResidueMarks::add_row(HeapSize, HeapSize, std::span<const std::uint32_t>);

}  // namespace grundy
