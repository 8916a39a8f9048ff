// SPDX-License-Identifier: MIT
#include "session/lattice_prediction.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "session/machine.hpp"
#include "session/prediction.hpp"
#include "table/lattice_array.hpp"
#include "table/lattice_writer.hpp"

namespace grundy {
namespace {

/// Entries of a trial, at most; and what part of the whole they may be.
constexpr std::uint64_t kTrialLimit = 1u << 18;
constexpr std::uint64_t kTrialShare = 16;

struct Trial {
  double seconds = 0;
  std::uint64_t entries = 0;
  std::uint64_t p_positions = 0;
  Nimber maximum = 0;
};

/// The shape with every heap cut to one in `factor`.
LatticeShape reduced(LatticeShape shape, std::uint32_t factor) {
  for (unsigned i = 0; i < shape.heaps; ++i) {
    shape.extent[i] = std::max(1u, shape.extent[i] / factor);
  }
  return shape;
}

Trial run_trial(const LatticeSetup& setup, const LatticeShape& shape, std::stop_token stop) {
  LatticeArray array({.shape = shape, .planes = setup.stored.planes}, shape.sorted);
  const auto start = std::chrono::steady_clock::now();
  if (setup.run(shape, array, std::move(stop), nullptr) != RunStatus::kComplete) return {};
  Trial trial;
  trial.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  trial.entries = array.layout().entries();
  array.values().visit([&](auto values) {
    trial.p_positions = static_cast<std::uint64_t>(std::ranges::count(values, 0));
    trial.maximum = *std::ranges::max_element(values);
  });
  return trial;
}

/// No value exceeds the length of the longest game, and every move takes a token or the pass.
std::uint64_t largest_possible(const LatticeSetup& setup) {
  std::uint64_t tokens = setup.stored.planes - 1;
  for (unsigned i = 0; i < setup.computed.heaps; ++i) tokens += setup.computed.extent[i] - 1;
  return std::min<std::uint64_t>(tokens, largest_value(ValueWidth::kU32));
}

Prediction predict_for(const LatticeSetup& setup, std::stop_token stop) {
  std::uint32_t factor = 1;
  const auto entries_of = [&](const LatticeShape& shape) {
    return LatticeLayout{.shape = shape, .planes = setup.stored.planes}.entries();
  };
  while (entries_of(reduced(setup.computed, factor)) > kTrialLimit) factor *= 2;
  const Trial half = run_trial(setup, reduced(setup.computed, 2 * factor), stop);
  const Trial trial = run_trial(setup, reduced(setup.computed, factor), stop);

  // By every doubling of the heaps the time grows at least as the positions do, and at most with
  // two more powers: as many options, each of them larger, in a game of rays.
  const double positions = static_cast<double>(trial.entries) /
                           static_cast<double>(std::max<std::uint64_t>(1, half.entries));
  const double growth =
      std::clamp(trial.seconds / std::max(half.seconds, 1e-6), positions, 4 * positions);
  const bool grows = trial.maximum > half.maximum;
  const auto maximum = static_cast<Nimber>(
      std::min(largest_possible(setup), std::uint64_t{trial.maximum} * (grows ? factor : 1)));
  const std::uint64_t entries = setup.stored.entries();
  const double share = static_cast<double>(trial.p_positions) /
                       static_cast<double>(std::max<std::uint64_t>(1, trial.entries));
  const auto p_positions = std::min(
      kMostListedPPositions, static_cast<std::uint64_t>(share * static_cast<double>(entries)));
  const std::uint64_t row = setup.computed.heaps * sizeof(std::uint32_t);

  Prediction result;
  result.engine = setup.engine.name();
  result.kernel = setup.kernels.name;
  result.threads = setup.executor->threads();
  result.seconds = trial.seconds * std::pow(growth, std::countr_zero(factor));
  result.memory_bytes =
      setup.engine.memory_bytes(setup.request.rule, setup.computed, setup.request.tile) +
      p_positions * (row + sizeof(std::uint64_t));
  result.memory_available =
      setup.request.memory_limit != 0 ? setup.request.memory_limit : memory_available();
  if (setup.request.output.empty()) {
    result.memory_bytes += entries * byte_count(width_for(maximum));
    return result;
  }
  result.memory_bytes +=
      LatticeWriter::memory_bytes(setup.stored, setup.computed.sorted, maximum, result.threads);
  const auto bits = static_cast<std::uint64_t>(std::bit_width(maximum | 1u));
  const ChunkGrid grid = lattice_grid(setup.stored);
  const std::uint64_t stored = grid.chunk_count() * grid.chunk_size();
  const LatticeLayout sealed{.shape = setup.computed, .planes = setup.stored.planes};
  if (!setup.tile_order().empty()) {
    result.disk_bytes = sealed.entries() * byte_count(width_for(maximum));
  }
  result.disk_bytes +=
      stored / 8 * bits + p_positions * row + metadata_bytes(maximum, stored, grid.chunk_size());
  result.disk_available = disk_available(setup.request.output);
  return result;
}

}  // namespace

Prediction predict(const LatticeRequest& request) {
  return predict_for(LatticeSetup(request), {});
}

std::optional<Prediction> admit(const LatticeSetup& setup, std::stop_token stop) {
  const bool small = setup.stored.entries() / kTrialShare < kTrialLimit;
  if (small && setup.request.memory_limit == 0) return std::nullopt;
  Prediction needs = predict_for(setup, std::move(stop));
  require_space(needs);
  return needs;
}

}  // namespace grundy
