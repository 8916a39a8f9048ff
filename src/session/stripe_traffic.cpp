// SPDX-License-Identifier: MIT
#include "session/stripe_traffic.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <thread>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/machine.hpp>
#include <grundy/team.hpp>

#include "dist/weighing_team.hpp"
#include "engines/lattice/stripe_order.hpp"
#include "engines/lattice/stripe_schedule.hpp"

namespace grundy {
namespace {

/// Extent of the larger small table, if it is a square.
constexpr std::uint64_t kTrialExtent = 4096;
/// The number of stripes of a small table, if its extents are not too small for them.
constexpr std::uint32_t kTrialStripes = 16;
/// The slabs of tiles of one of its stripes.
constexpr std::uint32_t kTrialSlabs = 2;

/// Bytes of the letters that each rank posts while `ranks` threads compute a table. Nothing if
/// memory is short.
std::optional<std::vector<std::uint64_t>> posted_by_ranks(const LatticeSetup& setup,
                                                          const LatticeShape& shape,
                                                          const LatticeStripes& stripes,
                                                          std::uint64_t ranks) {
  std::vector<std::atomic<std::uint64_t>> bytes(ranks);
  std::atomic<bool> is_whole = true;
  const auto teams = make_thread_team(ranks);
  std::vector<std::jthread> threads;
  for (const auto& team : teams) {
    threads.emplace_back([&, rank = team.get()] {
      try {
        WeighingTeam weighing(*rank, bytes[rank->rank()]);
        SinkOf nowhere([](const Stretch&) { return Flow::kContinue; });
        std::vector<LatticeStripe> own;
        for (std::size_t i = 0; i < stripes.count(); ++i) {
          if (rank_of_stripe(shape, i, stripes.count(), ranks) != rank->rank()) continue;
          own.push_back({stripes.borders[i], stripes.borders[i + 1], &nowhere});
        }
        const auto executor = make_executor(1);
        const LatticeTask task{.rule = setup.game.rule,
                               .shape = shape,
                               .kernels = setup.kernels,
                               .executor = *executor,
                               .tile = stripes.tile};
        static_cast<void>(setup.engine.run_stripes(task, weighing, own));
      } catch (const std::exception&) {  // no memory; the other ranks hear of it
        is_whole = false;
        rank->leave();
      }
    });
  }
  threads.clear();
  if (!is_whole) return std::nullopt;
  return std::vector<std::uint64_t>(bytes.begin(), bytes.end());
}

/// Bytes of what all letters across a border say of the progress of ranks. The letters go both
/// ways.
std::uint64_t bytes_of_counts(const LatticeShape& shape, const LatticeStripes& stripes,
                              std::size_t border, std::uint64_t ranks) {
  const std::uint64_t slab = stripes.borders[border] / stripes.tile - 1;
  return 2 * places_of_slab(shape, stripes.tile, slab) * ranks * sizeof(std::uint64_t);
}

/// What crosses a border, besides counts.
struct Crossing {
  double place;  ///< of the border, as a part of the extent
  double bytes;
};

/// What crosses the borders of all stripes of a table with every extent divided by `factor`. It
/// does not depend on the edge of tiles.
std::optional<std::vector<Crossing>> measured_crossings(const LatticeSetup& setup,
                                                        std::uint32_t factor) {
  LatticeShape shape = setup.computed;
  for (unsigned i = 0; i < shape.heaps; ++i)
    shape.extent[i] = std::max(1u, shape.extent[i] / factor);
  const auto tile = std::max(1u, shape.extent[0] / (kTrialStripes * kTrialSlabs));
  const LatticeStripes stripes = setup.engine.stripes(setup.game.rule, shape, tile);
  const std::uint64_t ranks = stripes.count();  // so rank i has stripe i
  const auto posted = posted_by_ranks(setup, shape, stripes, ranks);
  if (!posted) return std::nullopt;
  std::vector<Crossing> crossings{{.place = 0, .bytes = 0}};
  std::uint64_t answers = 0;  // what a rank posts to the rank before it
  for (std::size_t i = 1; i < ranks; ++i) {
    const std::uint64_t counts = bytes_of_counts(shape, stripes, i, ranks);
    crossings.push_back({static_cast<double>(stripes.borders[i]) / shape.extent[0],
                         static_cast<double>((*posted)[i - 1] - answers - counts / 2)});
    answers = counts / 2;
  }
  return crossings;
}

/// What crosses a border at a place, from the crossings around it.
/// @param crossings at least two, by ascending places
double bytes_at(const std::vector<Crossing>& crossings, double place) {
  auto end = std::ranges::upper_bound(crossings, place, {}, &Crossing::place);
  end = std::clamp(end, crossings.begin() + 1, crossings.end() - 1);
  const Crossing& before = *(end - 1);
  const double part = (place - before.place) / (end->place - before.place);
  return std::max(0.0, before.bytes + part * (end->bytes - before.bytes));
}

/// The bytes when the extent grows by `factor` after they have grown from `half` to `whole` as it
/// doubled. Values near a border grow like the extent N. Lines have about a N^2 + b N^1.5 bytes:
/// the share of their words that are mixed falls, and less and less so.
double extrapolated(double half, double whole, double factor) {
  const double growth = std::clamp(whole / std::max(half, 1.0), 2.0, 4.0);
  const double least = std::pow(2, 1.5);
  if (growth < least) return whole * std::pow(factor, std::log2(growth));
  const double square = whole * (1 - least / growth) / (1 - least / 4);
  return square * factor * factor + (whole - square) * std::pow(factor, 1.5);
}

}  // namespace

std::optional<std::uint64_t> measured_traffic(const LatticeSetup& setup) {
  const auto posted =
      posted_by_ranks(setup, setup.computed, setup.stripes, setup.request.team->size());
  if (!posted) return std::nullopt;
  return std::accumulate(posted->begin(), posted->end(), std::uint64_t{0});
}

std::optional<std::uint64_t> foretold_traffic(const LatticeSetup& setup) {
  const LatticeShape& shape = setup.computed;
  const LatticeStripes& stripes = setup.stripes;
  const std::uint64_t ranks = setup.request.team->size();
  const auto positions = [&](std::uint32_t factor) {
    return std::uint64_t{shape.extent[0] / factor} * (shape.extent[1] / factor);
  };
  std::uint32_t factor = 1;
  while (positions(factor) > kTrialExtent * kTrialExtent) factor *= 2;
  if (factor == 1) return measured_traffic(setup);
  const auto large = measured_crossings(setup, factor);
  const auto small = measured_crossings(setup, 2 * factor);
  if (!large || !small || large->size() < 2 || small->size() < 2) return std::nullopt;

  double bytes = 0;
  const StripeDeal deal(shape, stripes.count(), ranks);
  for (std::size_t i = 1; i < stripes.count(); ++i) {
    if (deal.belt_of(i) == deal.belt_of(i - 1)) continue;
    const double place = static_cast<double>(stripes.borders[i]) / shape.extent[0];
    bytes += extrapolated(bytes_at(*small, place), bytes_at(*large, place), factor) +
             static_cast<double>(bytes_of_counts(shape, stripes, i, ranks));
  }
  return static_cast<std::uint64_t>(bytes);
}

}  // namespace grundy
