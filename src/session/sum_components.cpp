// SPDX-License-Identifier: MIT
#include "session/sum_components.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>
#include <grundy/lattice/options.hpp>

#include "session/machine.hpp"
#include "session/prediction.hpp"
#include "session/setup.hpp"
#include "table/lattice_array.hpp"

namespace grundy {
namespace {

WrittenPosition written(const std::vector<HeapSize>& heaps) {
  return {.text = fmt::format("{}", fmt::join(heaps, " + ")), .heaps = heaps};
}

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

HeapComponent::HeapComponent(std::shared_ptr<const GameValues> game, HeapSize size)
    : game_(std::move(game)), size_(size), value_(game_->value(size)) {}

WrittenPosition HeapComponent::position() const {
  return written({size_});
}

std::string HeapComponent::label() const {
  return fmt::format("{} {}", game_->name, size_);
}

std::string HeapComponent::words() const {
  return fmt::format("the {} heap of {}", game_->name, size_);
}

std::optional<SumMoves> HeapComponent::moves_to(std::uint64_t wanted,
                                                const std::stop_token& stop) const {
  const auto found = moves_to_value(*game_, size_, wanted, kMostOptions, stop);
  if (!found) return std::nullopt;
  SumMoves result{.complete = found->complete};
  for (const HeapMove& move : found->moves) {
    result.moves.push_back({.left = written(move.left), .taken = move.taken});
  }
  if (found->pass) result.moves.push_back({.left = position(), .pass = true});
  return result;
}

std::string HeapComponent::describe(const SumMove& move) const {
  if (move.pass) return "pass in " + words();
  if (move.left.heaps.empty()) return "take the whole of " + words();
  const HeapSize taken = move.taken.value_or(0);
  if (taken == 0) return fmt::format("split {} into {}", words(), move.left.text);
  return fmt::format("from {} take {}, leaving {}", words(), taken, move.left.text);
}

LatticeComponent::LatticeComponent(std::string title, LatticeRule rule, const LatticePoint& p,
                                   PositionValues values)
    : title_(std::move(title)),
      rule_(std::move(rule)),
      p_(p),
      values_(std::move(values)),
      value_(values_(p_, rule_.planes() - 1)) {}

std::unique_ptr<LatticeComponent> LatticeComponent::compute(const AnyGame& game,
                                                            const LatticePoint& p,
                                                            const Hooks& hooks) {
  const LatticeRule& rule = game.lattice();
  const Request request{.game = LatticeGame{rule, shape_below(rule.heaps(), p)}};
  const LatticeSetup setup(request);
  static_cast<void>(admit(setup, hooks.stop));
  const auto array = std::make_shared<LatticeArray>(setup.stored, setup.computed.sorted);
  const RunStatus status =
      setup.run(setup.computed, *array, {.stop = hooks.stop, .progress = hooks.progress});
  if (status != RunStatus::kComplete) return nullptr;
  return std::unique_ptr<LatticeComponent>(new LatticeComponent(
      game.title, rule, p,
      [array](const LatticePoint& q, unsigned plane) { return array->at(q, plane); }));
}

LatticeComponent::LatticeComponent(std::shared_ptr<const TableReader> table, const LatticePoint& p)
    : LatticeComponent(
          table->info().title, LatticeRule::parse(table->info().canonical), p,
          [table](const LatticePoint& q, unsigned plane) { return table->value(q, plane); }) {}

WrittenPosition LatticeComponent::written(const LatticePoint& p) const {
  const auto heaps = std::span(p).first(rule_.heaps());
  return {.text = fmt::format("({})", fmt::join(heaps, ", ")),
          .heaps = std::vector<HeapSize>(heaps.begin(), heaps.end())};
}

std::string LatticeComponent::label() const {
  return fmt::format("{} {}", title_, position().text);
}

std::string LatticeComponent::words() const {
  return fmt::format("the position {} of {}", position().text, title_);
}

std::optional<SumMoves> LatticeComponent::moves_to(std::uint64_t wanted,
                                                   const std::stop_token& stop) const {
  std::vector<LatticePoint> left;
  bool terminal = true;
  for_each_option(rule_, p_, [&](const LatticePoint& q) {
    terminal = false;
    if (stop.stop_requested()) return;  // the options that are left cost little
    if (values_(q, rule_.planes() - 1) == wanted) left.push_back(q);
  });
  if (stop.stop_requested()) return std::nullopt;
  std::ranges::sort(left);
  left.erase(std::unique(left.begin(), left.end()), left.end());
  std::vector<SumMove> moves;
  for (const LatticePoint& q : left) moves.push_back({.left = written(q)});
  if (rule_.planes() > 1 && !terminal && values_(p_, 0) == wanted) {
    moves.push_back({.left = written(p_), .pass = true});
  }
  return SumMoves{.moves = std::move(moves)};
}

std::string LatticeComponent::describe(const SumMove& move) const {
  if (move.pass) return "pass in " + words();
  return fmt::format("in {} leave {}", words(), move.left.text);
}

GraphComponent::GraphComponent(const AnyGame& game)
    : notation_(game.notation),
      title_(game.title),
      game_(std::get<std::shared_ptr<const GraphGame>>(game.rule)),
      search_(std::make_unique<GraphSearch>(*game_, memory_available())) {
  game_->whole_start(start_);
}

std::unique_ptr<GraphComponent> GraphComponent::compute(const AnyGame& game,
                                                        const std::stop_token& stop) {
  std::unique_ptr<GraphComponent> component(new GraphComponent(game));
  std::vector<std::uint64_t> keys;
  component->game_->start(keys);
  const auto value = component->search_->value(keys, stop);
  if (!value) return nullptr;
  component->value_ = *value;
  return component;
}

WrittenPosition GraphComponent::position() const {
  return {.text = game_->text(start_)};
}

std::optional<SumMoves> GraphComponent::moves_to(std::uint64_t wanted,
                                                 const std::stop_token& stop) const {
  std::vector<std::uint64_t> positions, keys;
  game_->moves(start_, positions);
  const std::size_t words = game_->key_words();
  std::vector<SumMove> moves;
  const std::lock_guard lock(searching_);
  for (std::size_t i = 0; i < positions.size(); i += words) {
    const auto position = std::span(positions).subspan(i, words);
    keys.clear();
    game_->reduce(position, keys);
    const auto value = search_->value(keys, stop);
    if (!value) return std::nullopt;
    if (*value == wanted) moves.push_back({.left = {.text = game_->text(position)}});
  }
  std::ranges::sort(moves, {}, &SumMove::left);
  return SumMoves{.moves = std::move(moves)};
}

std::string GraphComponent::describe(const SumMove& move) const {
  return fmt::format("in {} leave {}", words(), move.left.text);
}

}  // namespace grundy
