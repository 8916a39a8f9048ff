// SPDX-License-Identifier: MIT
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>

#include "python/attend.hpp"
#include "python/module.hpp"

namespace grundy::python {
namespace {

namespace py = pybind11;

using Numbers = py::array_t<std::uint32_t, py::array::c_style | py::array::forcecast>;

/// A game whose positions are numbers and whose options are lists of numbers. The start is 0.
class ListedGame {
 public:
  using Position = std::uint32_t;

  /// @param option_end position p has the options targets[option_end[p - 1]] ..
  ///   targets[option_end[p] - 1]
  /// @throws Error(kUsage) if a position is reached from itself (`describe` names it), or if a play
  ///   is too long for the engines
  template <class Describe>
  ListedGame(std::vector<std::uint64_t> option_end, std::vector<std::uint32_t> targets,
             const Describe& describe)
      : option_end_(std::move(option_end)), targets_(std::move(targets)) {
    find_potentials(describe);
  }

  [[nodiscard]] Position start() const noexcept { return 0; }
  [[nodiscard]] std::uint64_t size() const noexcept { return option_end_.size(); }
  [[nodiscard]] std::uint32_t potential(Position p) const noexcept { return potential_[p]; }
  [[nodiscard]] Position canonical(Position p) const noexcept { return p; }
  template <class Visit>
  void options(Position p, const Visit& visit) const {
    for (const Position q : options_of(p)) visit(q);
  }

 private:
  [[nodiscard]] std::span<const std::uint32_t> options_of(Position p) const noexcept {
    const std::uint64_t begin = p == 0 ? 0 : option_end_[p - 1];
    return std::span(targets_).subspan(begin, option_end_[p] - begin);
  }

  /// Sets the potential of each position: the length of the longest play. Positions are finished
  /// from the end of play backwards: a position is ready when all of its options are.
  template <class Describe>
  void find_potentials(const Describe& describe) {
    const auto count = static_cast<std::uint32_t>(option_end_.size());
    std::vector<std::uint64_t> entering(count + 1);
    for (const Position q : targets_) ++entering[q + 1];
    for (std::uint32_t p = 0; p < count; ++p) entering[p + 1] += entering[p];
    std::vector<Position> before(targets_.size());
    std::vector<std::uint64_t> filled(entering.begin(), entering.end() - 1);
    std::vector<std::uint64_t> open(count);
    std::vector<Position> ready;
    for (Position p = 0; p < count; ++p) {
      open[p] = options_of(p).size();
      if (open[p] == 0) ready.push_back(p);
      for (const Position q : options_of(p)) before[filled[q]++] = p;
    }
    potential_.assign(count, 0);
    for (std::size_t i = 0; i < ready.size(); ++i) {
      const Position q = ready[i];
      for (std::uint64_t j = entering[q]; j < entering[q + 1]; ++j) {
        const Position p = before[j];
        potential_[p] = std::max(potential_[p], potential_[q] + 1);
        if (--open[p] == 0) ready.push_back(p);
      }
    }
    for (Position p = 0; p < count; ++p) {
      if (open[p] > 0) {
        throw Error(ErrorCode::kUsage, "play may never end: " + describe(p) +
                                           " is reached from itself, or leads to such a position");
      }
    }
  }

  std::vector<std::uint64_t> option_end_;
  std::vector<std::uint32_t> targets_;
  std::vector<std::uint32_t> potential_;
};

/// The values of all positions, and their misère values if `misere`, in the order of numbers.
py::tuple listed_values(const py::list& positions, const py::array_t<std::uint64_t>& option_end,
                        const Numbers& targets, bool misere, const py::object& progress) {
  const auto describe = [&positions](std::uint32_t p) {
    return py::repr(positions[p]).cast<std::string>();
  };
  ListedGame game({option_end.data(), option_end.data() + option_end.size()},
                  {targets.data(), targets.data() + targets.size()}, describe);
  const Request request{
      .game = PositionGame{make_graph_game(std::move(game), Reduction::kNone), misere},
      .about = {.game = "a game of one's own"}};
  const Report report =
      attend(progress, [&request](const Hooks& hooks) { return compute(request, hooks); });
  const GraphTable& rows = report.rows;
  std::vector<Nimber> values(rows.size()), misere_values(rows.misere.size());
  for (std::uint64_t row = 0; row < rows.size(); ++row) {
    values[rows.keys[row]] = rows.values[row];
    if (misere) misere_values[rows.keys[row]] = rows.misere[row];
  }
  return py::make_tuple(values, misere_values);
}

}  // namespace

void bind_listed_games(py::module_& module) {
  module.def("listed_values", listed_values);
}

}  // namespace grundy::python
