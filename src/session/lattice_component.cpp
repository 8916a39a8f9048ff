// SPDX-License-Identifier: MIT
#include "session/lattice_component.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>

#include "games/lattice/options.hpp"
#include "session/prediction.hpp"
#include "session/setup.hpp"
#include "table/lattice_array.hpp"

namespace grundy {
namespace {

/// All positions that play can reach from p, and some more.
LatticeShape shape_below(unsigned heaps, const LatticePoint& p) {
  LatticeShape shape{.heaps = heaps, .extent = {}, .sorted = false};
  for (unsigned i = 0; i < heaps; ++i) {
    if (p[i] == std::numeric_limits<std::uint32_t>::max()) {
      throw Error(ErrorCode::kUsage, fmt::format("a heap of {} tokens is too large", p[i]));
    }
    shape.extent[i] = p[i] + 1;
  }
  return shape;
}

}  // namespace

LatticeComponent::LatticeComponent(const AnyGame& game, const LatticePoint& p,
                                   ProgressSink* progress)
    : title_(game.title), rule_(game.lattice()), p_(p) {
  const Request request{.game = LatticeGame{rule_, shape_below(rule_.heaps(), p)}};
  const LatticeSetup setup(request);
  static_cast<void>(admit(setup, {}));
  const auto array = std::make_shared<LatticeArray>(setup.stored, setup.computed.sorted);
  setup.run(setup.computed, *array, {.progress = progress});
  values_ = [array](const LatticePoint& q, unsigned plane) { return array->at(q, plane); };
  value_ = values_(p_, rule_.planes() - 1);
}

LatticeComponent::LatticeComponent(std::shared_ptr<const TableReader> table, const LatticePoint& p)
    : title_(table->info().title),
      rule_(LatticeRule::parse(table->info().canonical)),
      p_(p),
      values_([table](const LatticePoint& q, unsigned plane) { return table->value(q, plane); }),
      value_(values_(p_, rule_.planes() - 1)) {}

WrittenPosition LatticeComponent::written(const LatticePoint& p) const {
  const auto heaps = std::span(p).first(rule_.heaps());
  return {.text = fmt::format("({})", fmt::join(heaps, ", ")),
          .heaps = std::vector<HeapSize>(heaps.begin(), heaps.end())};
}

std::string LatticeComponent::label() const {
  return fmt::format("{} {}", title_, position().text);
}

std::string LatticeComponent::words() const {
  return fmt::format("the {} position {}", title_, position().text);
}

SumMoves LatticeComponent::moves_to(std::uint64_t wanted) const {
  std::vector<LatticePoint> left;
  bool terminal = true;
  for_each_option(rule_, p_, [&](const LatticePoint& q) {
    terminal = false;
    if (values_(q, rule_.planes() - 1) == wanted) left.push_back(q);
  });
  std::ranges::sort(left);
  left.erase(std::unique(left.begin(), left.end()), left.end());
  std::vector<SumMove> moves;
  for (const LatticePoint& q : left) moves.push_back({.left = written(q)});
  if (rule_.planes() > 1 && !terminal && values_(p_, 0) == wanted) {
    moves.push_back({.left = written(p_), .pass = true});
  }
  return {.moves = std::move(moves)};
}

std::string LatticeComponent::describe(const SumMove& move) const {
  if (move.pass) return "pass in " + words();
  return fmt::format("in {} leave {}", words(), move.left.text);
}

}  // namespace grundy
