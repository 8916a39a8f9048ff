// SPDX-License-Identifier: MIT
#include "session/stripe_traffic.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/machine.hpp>
#include <grundy/team.hpp>

#include "dist/weighing_team.hpp"

namespace grundy {
namespace {

/// Extents of the larger small table.
constexpr std::uint32_t kTrialExtent = 2048;

}  // namespace

std::optional<std::uint64_t> measured_traffic(const LatticeSetup& setup, std::uint32_t factor) {
  LatticeShape shape = setup.computed;
  for (unsigned i = 0; i < shape.heaps; ++i) shape.extent[i] /= factor;
  const std::uint64_t ranks = setup.request.team->size();
  const std::uint32_t tile = setup.stripes.tile / factor;
  const LatticeStripes stripes = setup.engine.stripes(setup.game.rule, shape, tile);
  if (stripes.count() < ranks) return std::nullopt;

  std::atomic<std::uint64_t> bytes = 0;
  std::atomic<bool> is_whole = true;
  const auto teams = make_thread_team(ranks);
  std::vector<std::jthread> threads;
  for (const auto& team : teams) {
    threads.emplace_back([&, rank = team.get()] {
      WeighingTeam weighing(*rank, bytes);
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
                             .tile = tile};
      try {
        static_cast<void>(setup.engine.run_stripes(task, weighing, own));
      } catch (const Error&) {  // no memory; the other ranks hear of it
        is_whole = false;
        weighing.leave();
      }
    });
  }
  threads.clear();
  if (!is_whole) return std::nullopt;
  return bytes;
}

std::optional<std::uint64_t> foretold_traffic(const LatticeSetup& setup) {
  const auto& extent = setup.computed.extent;
  std::uint32_t factor = 1;
  while (std::max(extent[0], extent[1]) / factor > kTrialExtent) factor *= 2;
  const auto larger = measured_traffic(setup, factor);
  if (factor == 1 || !larger) return larger;
  const auto smaller = measured_traffic(setup, 2 * factor);
  if (!smaller || *smaller == 0) return std::nullopt;
  // The values on a border grow like its length, the lines that cross it like that times their own.
  const double growth =
      std::clamp(static_cast<double>(*larger) / static_cast<double>(*smaller), 2.0, 4.0);
  return static_cast<std::uint64_t>(static_cast<double>(*larger) *
                                    std::pow(growth, std::log2(factor)));
}

}  // namespace grundy
