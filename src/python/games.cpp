// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include <grundy/error.hpp>
#include <grundy/games.hpp>
#include <grundy/graph/engine.hpp>
#include <grundy/heap/options.hpp>
#include <grundy/lattice/options.hpp>
#include <grundy/sum.hpp>

#include "core/text_cursor.hpp"
#include "games/catalogue/kind_name.hpp"
#include "python/attend.hpp"
#include "python/module.hpp"
#include "session/sum_components.hpp"
#include "session/value_source.hpp"

namespace grundy::python {
namespace {

namespace py = pybind11;

/// The most options that are listed: a list of Python tuples takes about 100 bytes for each.
constexpr std::size_t kMostListedOptions = 10'000'000;

[[noreturn]] void refuse_list() {
  throw Error(ErrorCode::kUsage, "the position has more than 10 million options");
}

std::string moves_of(const AnyGame& game) {
  switch (game.kind()) {
    case GameKind::kHeap:
      return game.heap().describe();
    case GameKind::kLattice:
      return game.lattice().describe();
    case GameKind::kGraph:
      break;
  }
  return game.rules;
}

LatticePoint point_of(const LatticeRule& rule, const std::vector<std::uint32_t>& heaps) {
  if (heaps.size() != rule.heaps()) {
    throw Error(ErrorCode::kUsage, "a position of this game has " + std::to_string(rule.heaps()) +
                                       " heaps, not " + std::to_string(heaps.size()));
  }
  LatticePoint p{};
  std::ranges::copy(heaps, p.begin());
  return p;
}

/// The heaps that each move leaves; without a pass, which changes nothing else.
std::vector<py::tuple> heap_options(const AnyGame& game, HeapSize n) {
  std::vector<std::vector<HeapSize>> found;
  for_each_option(game.heap(), n, [&found](const HeapMove& move) {
    if (found.size() == kMostListedOptions) refuse_list();
    found.push_back(move.left);
    return Flow::kContinue;
  });
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::vector<py::tuple> options;
  for (const auto& left : found) options.push_back(py::tuple(py::cast(left)));
  return options;
}

/// The positions that moves reach; without a pass, which changes nothing else.
std::vector<py::tuple> lattice_options(const AnyGame& game,
                                       const std::vector<std::uint32_t>& heaps) {
  const LatticeRule& rule = game.lattice();
  const LatticePoint p = point_of(rule, heaps);
  if (option_bound(rule, p) > static_cast<double>(kMostListedOptions)) refuse_list();
  std::vector<LatticePoint> found;
  for_each_option(rule, p, [&found](const LatticePoint& q) { found.push_back(q); });
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::vector<py::tuple> options;
  for (const LatticePoint& q : found) {
    py::tuple option(rule.heaps());
    for (unsigned i = 0; i < rule.heaps(); ++i) option[i] = q[i];
    options.push_back(std::move(option));
  }
  return options;
}

/// The same game without reduction: every position counts as itself.
const GraphGame& unreduced(const AnyGame& game, AnyGame& kept) {
  kept = resolve_game(game.notation, GameKind::kGraph, Reduction::kNone);
  return kept.graph();
}

std::vector<std::string> graph_options(const AnyGame& game, const std::string& position) {
  AnyGame kept = game;
  const GraphGame& whole = unreduced(game, kept);
  std::vector<std::uint64_t> key, positions;
  whole.parse(trimmed(position), key);
  whole.moves(key, positions);
  std::vector<std::string> options;
  for (std::size_t i = 0; i < positions.size(); i += whole.key_words()) {
    options.push_back(whole.text(std::span(positions).subspan(i, whole.key_words())));
  }
  std::ranges::sort(options);
  options.erase(std::unique(options.begin(), options.end()), options.end());
  return options;
}

std::string start_of(const AnyGame& game) {
  AnyGame kept = game;
  const GraphGame& whole = unreduced(game, kept);
  std::vector<std::uint64_t> start;
  whole.whole_start(start);
  return whole.text(start);
}

std::uint64_t heap_value(const AnyGame& game, HeapSize n, const py::object& progress) {
  return attend(progress, [&](const Hooks& hooks) {
    const auto values = ValueSource(game).values(n, hooks);
    return values ? values->value(n) : 0;
  });
}

std::uint64_t lattice_value(const AnyGame& game, const std::vector<std::uint32_t>& heaps,
                            const py::object& progress) {
  const LatticePoint p = point_of(game.lattice(), heaps);
  return attend(progress, [&](const Hooks& hooks) {
    const auto position = LatticeComponent::compute(game, p, hooks);
    return position ? position->value() : 0;
  });
}

std::uint64_t graph_value(const AnyGame& game, const std::string& position) {
  std::vector<std::uint64_t> keys;
  game.graph().parse(trimmed(position), keys);
  return attend(py::none(), [&](const Hooks& hooks) {
    return GraphSearch(game.graph()).value(keys, hooks.stop).value_or(0);
  });
}

std::vector<std::vector<std::string>> winning_moves(const GameSum& sum) {
  const auto winning = attend(py::none(), [&sum](const Hooks& hooks) {
    return sum.winning_moves(hooks.stop).value_or(std::vector<SumMoves>());
  });
  std::vector<std::vector<std::string>> all;
  for (std::size_t i = 0; i < winning.size(); ++i) {
    std::vector<std::string>& sentences = all.emplace_back();
    for (const SumMove& move : winning[i].moves) {
      sentences.push_back(sum.components()[i]->describe(move));
    }
  }
  return all;
}

}  // namespace

void bind_games(py::module_& module) {
  py::class_<AnyGame>(module, "Game")
      .def(py::init([](const std::string& text, bool several) {
             return resolve_game(text, several ? GameKind::kLattice : GameKind::kHeap);
           }),
           py::arg("text"), py::arg("several") = false)
      .def_property_readonly("kind", [](const AnyGame& game) { return kind_name(game.kind()); })
      .def_property_readonly("moves", moves_of)
      .def_readonly("notation", &AnyGame::notation)
      .def_readonly("title", &AnyGame::title)
      .def_readonly("reference", &AnyGame::reference)
      .def_property_readonly("heaps", [](const AnyGame& game) { return game.lattice().heaps(); })
      .def_property_readonly("start", start_of)
      .def("heap_options", heap_options)
      .def("lattice_options", lattice_options)
      .def("graph_options", graph_options)
      .def("heap_value", heap_value)
      .def("lattice_value", lattice_value)
      .def("graph_value", graph_value)
      .def(py::pickle(
          [](const AnyGame& game) {
            return py::make_tuple(static_cast<int>(game.kind()), game.notation, game.title,
                                  game.rules, game.reference);
          },
          [](const py::tuple& state) {
            const auto text = [&state](int i) { return state[i].cast<std::string>(); };
            AnyGame game = resolve_game(text(1), static_cast<GameKind>(state[0].cast<int>()));
            game.title = text(2);
            game.rules = text(3);
            game.reference = text(4);
            return game;
          }));

  py::class_<GameSum>(module, "Sum")
      .def(py::init([](const std::vector<std::string>& components, const py::object& progress) {
        return attend(progress, [&components](const Hooks& hooks) {
          return GameSum::read(components, hooks).value_or(GameSum());
        });
      }))
      .def_property_readonly("value", &GameSum::value)
      .def_property_readonly("components",
                             [](const GameSum& sum) {
                               std::vector<std::pair<std::string, std::uint64_t>> components;
                               for (const auto& component : sum.components()) {
                                 components.emplace_back(component->label(), component->value());
                               }
                               return components;
                             })
      .def("winning_moves", winning_moves);

  module.def("catalogue", [] {
    std::vector<std::pair<std::string, std::string>> games;
    for (const NamedGame& game : catalogue()) games.emplace_back(game.form, game.title);
    return games;
  });
}

}  // namespace grundy::python
