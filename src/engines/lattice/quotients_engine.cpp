/// @file
/// Euclid's game, whose values are found one by one, without a table.
///
/// Let x be the smaller heap, y the larger one, k the quotient y / x and r the remainder. The
/// positions with the heaps x and r + tx, for t = 0, 1, 2, .., are a *series*: the options of each
/// are all positions before it. So the value of the first one of them, say g, is followed by the
/// numbers without g, in their order: by t = 1, 2, .. in turn, the value is t - 1 up to g and t
/// from then on. The first position has r as its smaller heap, and lies in a series of its own. If
/// r is 0 it is terminal, and so is its successor where heaps must stay positive.
///
/// So the value is k or k - 1, and only this is asked of the first position: whether its value is
/// larger than k - 1. That value is k' or k' - 1 for its own quotient k', so the question is passed
/// on, the other way round, only if k' is k. It goes the way of Euclid's algorithm. Nivasch
/// (Integers 6, 2006, G03) has the value in closed form, for heaps that stay positive.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <grundy/lattice/engine.hpp>
#include <grundy/layout.hpp>
#include <grundy/machine.hpp>

#include "engines/lattice/diagonal_tiles.hpp"
#include "engines/lattice/engines.hpp"
#include "engines/lattice/state_bytes.hpp"
#include "engines/lattice/value_order.hpp"

namespace grundy {
namespace {

/// Of the bytes of its states. Raise it whenever they change.
constexpr std::uint64_t kQuotientsStates = 1;

/// Whether the value of the heaps a < b, a > 0, is at least k. @pre k > 0
bool is_at_least(std::uint64_t k, std::uint64_t a, std::uint64_t b, bool to_zero) noexcept {
  for (bool yes = true;; yes = !yes) {
    if (b < k * a) return !yes;        // the quotient is less than k
    if (b >= (k + 1) * a) return yes;  // it is more than k
    const std::uint64_t rest = b - k * a;
    if (rest == 0) return yes == to_zero;  // the value is k, or k - 1 where heaps stay positive
    // The value is k - 1 if that of the first position of the series is larger than k - 1.
    b = std::exchange(a, rest);
  }
}

Nimber value_of(std::uint32_t x, std::uint32_t y, bool to_zero) noexcept {
  if (x > y) std::swap(x, y);
  if (x == 0) return 0;
  const std::uint32_t quotient = y / x;
  const std::uint32_t rest = y - quotient * x;
  const bool less = rest == 0 ? !to_zero : is_at_least(quotient, rest, x, to_zero);
  return quotient - (less ? 1 : 0);
}

/// Tiles need no other tiles, so they are found some at a time, in the order in which they are
/// handed over.
class QuotientsRun {
 public:
  QuotientsRun(const LatticeTask& task, ValueSink& sink)
      : task_(task),
        sink_(sink),
        tiles_(task.shape, edge_of(task.tile)),
        to_zero_(task.rule.moves().families.front() == LatticeFamily::kEuclidToZero),
        found_(kTilesPerThread * task.executor.threads()) {
    if (task.states != nullptr && task.states->has_state()) restore();
  }

  static std::uint32_t edge_of(std::optional<std::uint32_t> wanted) noexcept {
    return std::max(DiagonalTiles::kLeastEdge, wanted.value_or(128));
  }
  static std::uint64_t bytes(const LatticeShape& shape, std::uint32_t edge) noexcept {
    const std::uint64_t all = std::uint64_t{shape.extent[0]} * shape.extent[1];
    const std::uint64_t found = kTilesPerThread * kManyThreads * edge * edge;
    return std::min(all, found) * sizeof(Nimber);
  }

  RunStatus run() {
    bool known = task_.known != nullptr;
    while (layer_ < tiles_.layers()) {
      if (task_.stop.stop_requested()) {
        if (task_.states != nullptr) keep_state();
        return RunStatus::kCancelled;
      }
      if (task_.states != nullptr && task_.states->is_due()) keep_state();
      known = known && take_known();
      if (!known) find();
      for (const Found& tile : std::span(found_).first(count_)) {
        if (tile.area.put(std::span(tile.values), sink_, handed_) == Flow::kStop) {
          return RunStatus::kStoppedBySink;
        }
        done_ += tile.area.positions();
      }
      report_positions(task_, done_);
    }
    return RunStatus::kComplete;
  }

 private:
  static constexpr std::size_t kTilesPerThread = 8;

  struct Found {
    TileArea area;
    std::vector<Nimber> values;
  };

  [[nodiscard]] TileArea next_area() const noexcept {
    return tiles_.area(layer_, tiles_.first_row(layer_) + place_);
  }
  void step() noexcept {
    if (++place_ < tiles_.tiles_in(layer_)) return;
    place_ = 0;
    ++layer_;
  }

  /// Takes the next tile, if its values are known.
  bool take_known() {
    const TileArea area = next_area();
    const std::span<const Nimber> values = task_.known->next(area.size());
    if (values.empty()) return false;
    found_[0].area = area;
    found_[0].values.assign(values.begin(), values.end());
    count_ = 1;
    step();
    return true;
  }

  void find() {
    for (count_ = 0; count_ < found_.size() && layer_ < tiles_.layers(); ++count_, step()) {
      found_[count_].area = next_area();
    }
    task_.executor.parallel_for(count_, [this](std::size_t i) { fill(found_[i]); });
  }

  void fill(Found& tile) const {
    const TileArea& area = tile.area;
    tile.values.resize(area.size());
    auto next = tile.values.begin();
    for (std::uint32_t x = area.x0; x < area.x0 + area.nx; ++x) {
      for (std::uint32_t y = area.y0; y < area.y0 + area.ny; ++y) {
        *next++ = value_of(x, y, to_zero_);
      }
    }
  }

  void keep_state() {
    // A run that has finished nothing of its own has no new state.
    if (handed_ == kept_) return;
    kept_ = handed_;
    task_.states->keep(handed_, [this](const LatticeStates::Write& write) {
      for (const std::uint64_t number : {kQuotientsStates, layer_, place_, done_, handed_}) {
        write_number(write, number);
      }
    });
  }

  void restore() {
    expect_number(*task_.states, kQuotientsStates);
    for (std::uint64_t* const number : {&layer_, &place_, &done_, &handed_}) {
      *number = read_number(*task_.states);
    }
    if (layer_ >= tiles_.layers() || place_ >= tiles_.tiles_in(layer_)) refuse_state();
    kept_ = handed_;
  }

  const LatticeTask& task_;
  ValueSink& sink_;
  const DiagonalTiles tiles_;
  const bool to_zero_;
  std::uint64_t layer_ = 0, place_ = 0;  ///< of the next tile
  std::vector<Found> found_;
  std::size_t count_ = 0;     ///< of found tiles
  std::uint64_t done_ = 0;    ///< positions
  std::uint64_t handed_ = 0;  ///< values; a tile on the diagonal of a sorted table has both sides
  std::uint64_t kept_ = 0;    ///< this at the last state
};

class QuotientsEngine final : public LatticeEngine {
 public:
  std::string_view name() const noexcept override { return "quotients"; }
  std::string_view summary() const noexcept override {
    return "Euclid's game: quotients of heaps, position by position, without a table";
  }
  std::string refusal(const LatticeRule& rule, const LatticeShape& shape) const override {
    const LatticeMoves& moves = rule.moves();
    const bool is_euclid =
        moves.families.size() == 1 && (moves.families.front() == LatticeFamily::kEuclid ||
                                       moves.families.front() == LatticeFamily::kEuclidToZero);
    if (!is_euclid || !moves.rays.empty() || !moves.bands.empty() || !moves.boxes.empty()) {
      return "it has other moves than Euclid's game";
    }
    if (moves.pass) return "it has a pass";
    if (std::max(shape.extent[0], shape.extent[1]) > DiagonalTiles::kLargestExtent) {
      return "an extent is too large";
    }
    return moves.misere ? "it is of misère play" : "";
  }
  std::uint64_t memory_bytes(const LatticeRule&, const LatticeShape& shape,
                             std::optional<std::uint32_t> tile, Nimber) const override {
    return QuotientsRun::bytes(shape, QuotientsRun::edge_of(tile));
  }
  std::optional<double> work(const LatticeRule&, const LatticeShape& shape) const override {
    return static_cast<double>(Layout::of(shape, 1).positions());
  }
  std::string tile_order(const LatticeRule&, const LatticeShape&,
                         std::optional<std::uint32_t> tile) const override {
    return diagonal_order_name(QuotientsRun::edge_of(tile));
  }
  bool has_states() const noexcept override { return true; }
  RunStatus run(const LatticeTask& task, ValueSink& sink) const override {
    return QuotientsRun(task, sink).run();
  }
};

}  // namespace

const LatticeEngine& lattice_quotients_engine() noexcept {
  static const QuotientsEngine engine;
  return engine;
}

}  // namespace grundy
