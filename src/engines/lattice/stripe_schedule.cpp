// SPDX-License-Identifier: MIT
#include "engines/lattice/stripe_schedule.hpp"

#include <algorithm>

#include "engines/lattice/stripe_order.hpp"

namespace grundy {
namespace {

/// More stripes do not help, and each stripe has files of its own.
constexpr std::uint64_t kMostStripes = 256;
/// Number of slabs of tiles in a stripe, if there are enough of them.
constexpr std::uint64_t kUsualSlabs = 2;
/// A sorted table is dealt in this many shares, and in at least this many rounds, if there are
/// enough stripes. More shares would cost more letters.
constexpr std::uint64_t kUsualShares = 16, kLeastRounds = 4;
/// If the shares have about fewer stripes than this, all shares get the same number.
constexpr std::uint64_t kFewStripes = 4;
/// The number of places that a belt should be ahead of the next one.
constexpr std::uint64_t kHeadStart = 2;

}  // namespace

std::vector<std::uint32_t> stripe_borders_of(const LatticeShape& shape, std::uint32_t edge) {
  const std::uint32_t slabs = shape.extent[0];
  const std::uint64_t tiles = (slabs - 1) / edge + 1;
  const std::uint64_t wanted = std::min(kUsualSlabs, tiles);
  const std::uint64_t count = std::clamp<std::uint64_t>(tiles / wanted, 1, kMostStripes);
  std::vector<std::uint32_t> borders;
  for (std::uint64_t i = 0; i < count; ++i) {
    borders.push_back(static_cast<std::uint32_t>(tiles * i / count * edge));
  }
  borders.push_back(slabs);
  return borders;
}

StripeDeal::StripeDeal(const LatticeShape& shape, std::uint64_t stripes,
                       std::uint64_t ranks) noexcept
    : stripes_(stripes),
      ranks_(ranks),
      rounds_(shape.sorted && ranks > 1
                  ? std::min(std::max(kUsualShares / ranks, kLeastRounds), stripes / ranks)
                  : 1) {}

std::uint64_t StripeDeal::belt_of(std::uint64_t stripe) const noexcept {
  const std::uint64_t shares = ranks_ * rounds_;
  std::uint64_t share = 0;
  if (stripes_ < kFewStripes * shares) {
    share = ((stripe + 1) * shares - 1) / stripes_;
  } else {
    // Sets grow, so that a position in the last slabs costs half as much again as one in the first.
    // So the work of the first part x of the slabs is (x + x^2 / 4) / (5 / 4).
    const double x = (static_cast<double>(stripe) + 0.5) / static_cast<double>(stripes_);
    share = static_cast<std::uint64_t>((x + x * x / 4) / 1.25 * static_cast<double>(shares));
  }
  return share - share / ranks_;
}

std::uint64_t StripeDeal::rank_of(std::uint64_t belt) const noexcept {
  if (ranks_ == 1) return 0;
  const std::uint64_t turn = belt % (2 * (ranks_ - 1));
  return std::min(turn, 2 * (ranks_ - 1) - turn);
}

StripeSchedule::StripeSchedule(const LatticeShape& shape, std::uint32_t edge,
                               const std::vector<std::uint32_t>& borders, std::uint64_t rank,
                               std::uint64_t ranks, std::size_t threads)
    : threads_(threads) {
  const std::uint64_t stripes = borders.size() - 1;
  const StripeDeal deal(shape, stripes, ranks);
  for (std::uint64_t i = 0; i < stripes; ++i) {
    const std::uint64_t number = deal.belt_of(i);
    if (deal.rank_of(number) != rank) continue;
    const std::uint64_t first = borders[i] / edge;
    if (belts_.empty() || belts_.back().number != number) {
      Belt belt{.number = number, .first = first, .end = first, .before = {}, .behind = {}};
      if (number > 0) {
        belt.before = deal.rank_of(number - 1);
        belt.letters = places_of_slab(shape, edge, first - 1);
      }
      if (number + 1 < deal.belts()) belt.behind = deal.rank_of(number + 1);
      belts_.push_back(belt);
    }
    belts_.back().end = (borders[i + 1] - 1) / edge + 1;
    for (std::uint64_t slab = first; slab < belts_.back().end; ++slab) {
      slabs_.push_back(
          {.number = slab, .belt = belts_.size() - 1, .places = places_of_slab(shape, edge, slab)});
    }
  }
}

bool StripeSchedule::is_ready(std::size_t index) const noexcept {
  const Slab& slab = slabs_[index];
  const Belt& belt = belts_[slab.belt];
  const std::uint64_t place = slab.begun;
  if (slab.done != place || place == slab.places) return false;
  if (slab.number > belt.first) {
    const Slab& above = slabs_[index - 1];
    if (above.done <= place && above.done < above.places) return false;
  } else if (place < belt.letters && belt.arrived <= place) {
    return false;
  }
  // Where the next belt is slow, the slabs before the last one would take up the lines of all
  // places. A place for each thread keeps all of them busy.
  const Slab& last = slabs_[index + static_cast<std::size_t>(belt.end - 1 - slab.number)];
  if (place > last.begun + threads_) return false;
  const bool sends = slab.number + 1 == belt.end && belt.behind;
  return !sends || place < belt.used + kAhead;
}

std::optional<std::size_t> StripeSchedule::next() const noexcept {
  std::optional<std::size_t> best;
  const auto delay = [this](std::size_t slab) {
    return slabs_[slab].begun + kHeadStart * belts_[slabs_[slab].belt].number;
  };
  for (std::size_t i = 0; i < slabs_.size(); ++i) {
    if ((!best || delay(i) < delay(*best)) && is_ready(i)) best = i;
  }
  return best;
}

bool StripeSchedule::is_over() const noexcept {
  return std::ranges::all_of(slabs_, [](const Slab& slab) { return slab.begun == slab.places; });
}

}  // namespace grundy
