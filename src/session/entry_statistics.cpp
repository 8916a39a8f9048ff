// SPDX-License-Identifier: MIT
#include "session/entry_statistics.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>

#include <grundy/error.hpp>
#include <grundy/lattice/rank.hpp>
#include <grundy/lattice/tile.hpp>

#include "core/stats_counts.hpp"

namespace grundy {

EntryStatistics::EntryStatistics(const KernelSet& kernels, const Layout& layout, bool sorted_tiles,
                                 std::size_t zeros)
    : kernels_(kernels),
      most_zeros_(zeros),
      array_(array_extent(layout), array_extent(layout)),
      planes_(layout.planes),
      is_sorted_plane_(layout.sorted && layout.heaps == 2 && layout.planes == 1),
      scatter_(layout, sorted_tiles, *this),
      end_of_zeros_(std::numeric_limits<std::uint64_t>::max()) {
  stats_.records_complete = false;
}

Flow EntryStatistics::put(const Stretch& stretch) {
  // The values of a tile of sorted positions are counted where they stand, for their ranks make no
  // lines there. TileScatter would transpose the tile.
  const Tile* const tile = stretch.tile;
  if (is_sorted_plane_ && tile != nullptr && !tile->first_rank &&
      tile->origin[0] + tile->extent[0] <= tile->origin[1] + 1) {
    count(stretch.values, [tile, columns = tile->extent[1]](std::size_t i) {
      const auto row = static_cast<std::uint32_t>(i / columns);
      const auto column = static_cast<std::uint32_t>(i % columns);
      return rank_of(2, {tile->origin[0] + row, tile->origin[1] + column});
    });
  } else {
    scatter_.put(stretch);
  }
  return Flow::kContinue;
}

void EntryStatistics::put(ChunkGrid::Axes at, unsigned axis, Values values) {
  const std::uint64_t first = array_.entry_at(at);
  ++at[axis];
  const std::uint64_t step = array_.entry_at(at) - first;
  count(values, [&](std::size_t i) { return first + i / planes_ * step + i % planes_; });
}

template <class EntryOf>
void EntryStatistics::count(Values values, const EntryOf& entry_of) {
  values.visit([&]<class T>(std::span<const T> all) {
    const auto& kernels = kernels_.of<T>();
    const Nimber top = kernels.maximum(all.data(), all.size());
    if (top >= stats_.max_value) {
      std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i] == top) first = std::min(first, entry_of(i));
      }
      note_largest(top, first);
    }
    const std::uint64_t zeros = stats_.histogram[0];
    count_values(all, top, kernels.histogram, stats_.histogram);
    if (stats_.histogram[0] == zeros) return;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i] == 0) note_zero(entry_of(i));
    }
  });
  stats_.count += values.size();
}

void EntryStatistics::note_largest(Nimber value, std::uint64_t entry) {
  const bool equals = stats_.count > 0 && value == stats_.max_value;
  stats_.argmax = equals ? std::min(stats_.argmax, entry) : entry;
  stats_.max_value = value;
  make_bins(value, stats_.histogram);
}

std::string EntryStatistics::to_bytes() const {
  std::vector<std::uint64_t> words{stats_.count, stats_.max_value, stats_.argmax,
                                   stats_.histogram.size(), zeros_.size()};
  words.insert(words.end(), stats_.histogram.begin(), stats_.histogram.end());
  words.insert(words.end(), zeros_.begin(), zeros_.end());
  return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(std::uint64_t)};
}

void EntryStatistics::add(std::string_view bytes) {
  std::vector<std::uint64_t> words(bytes.size() / sizeof(std::uint64_t));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(std::uint64_t));
  constexpr std::size_t kHead = 5;
  if (words.size() < kHead || words.size() != kHead + words[3] + words[4]) {
    throw Error(ErrorCode::kFailure, "a rank sent other counts than expected");
  }
  if (words[0] == 0) return;
  if (stats_.count == 0 || words[1] >= stats_.max_value) {
    note_largest(static_cast<Nimber>(words[1]), words[2]);
  }
  add_counts(std::span(words).subspan(kHead, words[3]), stats_.histogram);
  stats_.count += words[0];
  for (std::size_t i = kHead + words[3]; i < words.size(); ++i) note_zero(words[i]);
}

void EntryStatistics::note_zero(std::uint64_t entry) {
  if (entry >= end_of_zeros_) return;
  zeros_.push_back(entry);
  if (zeros_.size() < 2 * most_zeros_) return;
  const auto middle = zeros_.begin() + static_cast<std::ptrdiff_t>(most_zeros_);
  std::nth_element(zeros_.begin(), middle, zeros_.end());
  end_of_zeros_ = *middle;
  zeros_.erase(middle, zeros_.end());
}

std::vector<std::uint64_t> EntryStatistics::zeros() const {
  std::vector<std::uint64_t> first = zeros_;
  std::ranges::sort(first);
  if (first.size() > most_zeros_) first.resize(most_zeros_);
  return first;
}

}  // namespace grundy
