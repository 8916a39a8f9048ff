// SPDX-License-Identifier: MIT
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/games.hpp>
#include <grundy/heap/outcomes.hpp>
#include <grundy/misere.hpp>

#include "core/text.hpp"
#include "python/attend.hpp"
#include "python/module.hpp"
#include "python/value_array.hpp"
#include "session/machine.hpp"

namespace grundy::python {
namespace {

namespace py = pybind11;

Request heap_request(const AnyGame& game, HeapSize last, bool extend, bool stats_only,
                     bool misere) {
  return {.game = HeapGame{.rule = game.heap(),
                           .last = last,
                           .at_period = extend ? AtPeriod::kExtend : AtPeriod::kCompute,
                           .stats_only = stats_only,
                           .misere = misere},
          .about = GameDescription::of(game, game.notation, misere)};
}

Request lattice_request(const AnyGame& as_named, const std::vector<std::uint32_t>& extent,
                        bool sorted, bool misere, bool stats_only) {
  const AnyGame game = misere ? in_misere_play(as_named) : as_named;
  const LatticeRule& rule = game.lattice();
  if (extent.size() != rule.heaps()) {
    throw Error(ErrorCode::kUsage, "the game has " + std::to_string(rule.heaps()) +
                                       " heaps, but the shape has sizes for " +
                                       std::to_string(extent.size()));
  }
  LatticeShape shape{.heaps = rule.heaps(), .extent = {}, .sorted = sorted};
  std::ranges::copy(extent, shape.extent.begin());
  return {.game = LatticeGame{rule, shape, stats_only},
          .about = GameDescription::of(game, game.notation)};
}

Request graph_request(const AnyGame& game, bool misere) {
  // Misère values do not add up.
  const AnyGame counted = resolve_game(game.notation, GameKind::kGraph,
                                       misere ? Reduction::kSymmetry : Reduction::kComponents);
  return {.game = PositionGame{std::get<std::shared_ptr<const GraphGame>>(counted.rule), misere},
          .about = GameDescription::of(counted, counted.notation)};
}

/// The layout of a game of heaps.
Layout layout_of(const Request& request) {
  if (const auto* heaps = std::get_if<HeapGame>(&request.game)) {
    return Layout::of_heaps(heaps->last + 1);
  }
  const auto& game = std::get<LatticeGame>(request.game);
  return Layout::of(game.shape, game.rule.planes());
}

/// An array of the entries of a table, which `run` hands to the hooks that it is given with the
/// request.
template <class Run>
py::array collect(Request request, const py::object& progress, Run run) {
  request.keeps_values = true;
  ValueArray array;
  attend(progress, [&](Hooks hooks) {
    hooks.values = [&array](const Stretch& stretch) {
      array.append(stretch.values);
      return Flow::kContinue;
    };
    return run(request, hooks);
  });
  return array.release(array_shape(layout_of(request)));
}

/// All values of a game of heaps.
py::array values(const Request& request, const py::object& progress) {
  return collect(request, progress, [](const Request& r, const Hooks& h) { return compute(r, h); });
}

/// The outcomes of a game of heaps: 0 for a P-position, another number for any other.
py::array outcomes(const Request& request, const py::object& progress) {
  return collect(request, progress,
                 [](const Request& r, const Hooks& h) { return compute_outcomes(r, h); });
}

/// Whether the outcomes of a game of one heap can be found only through all its values.
bool outcomes_need_values(const Request& request) {
  const auto* const heaps = std::get_if<HeapGame>(&request.game);
  return heaps != nullptr && !outcomes_refusal(heaps->rule, heaps->misere, heaps->last + 1).empty();
}

/// The text and the value of each position of a table, and its misère value if there are any.
py::tuple positions(const Request& request, const Report& report) {
  const GraphGame& game = *std::get<PositionGame>(request.game).game;
  const GraphTable& rows = report.rows;
  std::vector<std::string> texts;
  for (std::uint64_t row = 0; row < rows.size(); ++row) texts.push_back(game.text(rows.key(row)));
  return py::make_tuple(std::move(texts), rows.values, rows.misere);
}

void set_machine(Request& request, const std::string& engine, const std::string& kernel,
                 std::optional<std::size_t> threads, std::optional<std::uint64_t> memory) {
  request.machine.engine = engine;
  request.machine.kernel = kernel;
  request.machine.threads = threads;
  request.machine.memory = memory;
}

void set_output(Request& request, const std::filesystem::path& path, bool overwrite,
                double checkpoint_seconds) {
  request.output.path = path;
  request.output.overwrite = overwrite;
  request.output.command_line = "grundy.compute (Python)";
  request.output.checkpoint.time = std::chrono::duration<double>(checkpoint_seconds);
}

/// The genera of heaps 0 to last. @throws Error(kFailure) if they need more memory
std::vector<MisereHeap> genera(const AnyGame& game, HeapSize last,
                               std::optional<std::uint64_t> memory) {
  return attend(py::none(), [&](const Hooks& hooks) {
    std::vector<MisereHeap> heaps;
    const MisereEnd end =
        find_genera(game.heap(), last,
                    [&heaps](HeapSize, const MisereHeap& heap) {
                      heaps.push_back(heap);
                      return Flow::kContinue;
                    },
                    {.memory = memory ? *memory : memory_available(), .stop = hooks.stop});
    if (end == MisereEnd::kMemory) {
      throw Error(ErrorCode::kFailure, "the positions below heap " + std::to_string(heaps.size()) +
                                           " need more memory than there is");
    }
    return heaps;
  });
}

template <class Function>
Report attended(const Request& request, const py::object& progress, Function function) {
  return attend(progress, [&](const Hooks& hooks) { return function(request, hooks); });
}

/// A fact of a game on positions; nothing for games of heaps.
template <class Fact>
std::optional<Fact> of_positions(const Report& report, Fact fact) {
  return report.positions.stats.positions > 0 ? std::optional(fact) : std::nullopt;
}

std::string text_of(const Report& report) {
  const GraphFileInfo& positions = report.positions;
  if (positions.stats.positions > 0) {
    return "Report(positions=" + std::to_string(positions.stats.positions) +
           ", root_value=" + std::to_string(positions.root_value) + ")";
  }
  const auto written = [](const auto& part) {
    return py::repr(py::cast(part)).template cast<std::string>();
  };
  const TableInfo& info = report.info;
  return "Report(" + (info.layout.is_lattice() ? "" : written(info.period) + ", ") +
         written(info.stats) + ")";
}

}  // namespace

void bind_computations(py::module_& module) {
  py::class_<Request>(module, "Request")
      .def_static("of_heaps", heap_request)
      .def_static("of_lattice", lattice_request)
      .def_static("of_graph", graph_request)
      .def("set_machine", set_machine)
      .def("set_output", set_output);

  py::class_<MisereHeap>(module, "Genus", "A heap in misère play; written as in Winning Ways.")
      .def_property_readonly(
          "value", [](const MisereHeap& heap) { return heap.genus.value; }, "In normal play.")
      .def_property_readonly(
          "misere", [](const MisereHeap& heap) { return py::tuple(py::cast(heap.genus.misere)); },
          "Misère nim-values with 0, 1, 2, … heaps of two tokens; the last two alternate.")
      .def_property_readonly(
          "kind", [](const MisereHeap& heap) { return name_of(heap.kind); },
          "`tame`, `restive`, `restless` or `wild`.")
      .def_property_readonly(
          "outcome",
          [](const MisereHeap& heap) { return heap.genus.misere.front() == 0 ? "P" : "N"; },
          "In misère play; `P`: the player to move loses.")
      .def("__str__", [](const MisereHeap& heap) { return heap.genus.text(); })
      .def("__repr__", [](const MisereHeap& heap) {
        return "Genus('" + heap.genus.text() + "', '" + name_of(heap.kind) + "')";
      });
  module.def("genera", genera);

  py::class_<Report>(module, "Report", "What came out of a computation.")
      .def_property_readonly(
          "period", [](const Report& report) { return report.info.period; },
          "Of one heap: the period.")
      .def_property_readonly(
          "statistics", [](const Report& report) { return report.info.stats; },
          "Of heaps: counts of the values.")
      .def_property_readonly(
          "root_value",
          [](const Report& report) { return of_positions(report, report.positions.root_value); },
          "Of a game on positions: the value of the start in normal play.")
      .def_property_readonly(
          "misere_root_value",
          [](const Report& report) -> std::optional<Nimber> {
            const auto misere = report.rows.misere_play();
            return misere ? std::optional(misere->root_value) : std::nullopt;
          },
          "Of a game on positions in misère play: the misère value of the start.")
      .def_property_readonly(
          "positions",
          [](const Report& report) {
            return of_positions(report, report.positions.stats.positions);
          },
          "Of a game on positions: how many there are.")
      .def_property_readonly(
          "engines",
          [](const Report& report) {
            std::vector<std::string> engines;
            for (const EngineChoice& choice : report.engines) {
              engines.push_back(choice.engine);
            }
            return engines;
          },
          "Of one heap: the engines that were at work, in order.")
      .def_readonly("seconds", &Report::seconds, "Of this call.")
      .def_readonly("resumed_at", &Report::resumed_at,
                    "So many values were sealed by earlier calls.")
      .def_readonly("file_bytes", &Report::file_bytes, "The size of the file; 0 without an output.")
      .def("__repr__", [](const Report& report) { return text_of(report); });

  module.def("parse_count", [](const std::string& text) { return parse_count(text); });
  module.def("values", values);
  module.def("outcomes", outcomes);
  module.def("outcomes_need_values", outcomes_need_values);
  module.def("compute", [](const Request& request, const py::object& progress) {
    return attended(request, progress,
                    [](const Request& r, const Hooks& h) { return compute(r, h); });
  });
  module.def("search_period", [](const Request& request, const py::object& progress) {
    return attended(request, progress,
                    [](const Request& r, const Hooks& h) { return search_period(r, h); });
  });
  module.def("positions", positions);
}

}  // namespace grundy::python
