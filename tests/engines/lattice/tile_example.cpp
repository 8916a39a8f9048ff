/// @file
/// Example: define a game of several heaps and receive its Grundy values, without any file.
///
/// The game is Wythoff's with one more move, (1, 2). Tiles come while the engine runs; this sink
/// keeps only the P-positions and the largest value. It links the lattice library alone, so it
/// needs no HDF5:
///
///     target_link_libraries(tile_example PRIVATE grundy_lattice)
///
/// Prints the first P-positions; exit code 1 if they do not answer every move from each other.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/lattice/engine.hpp>

namespace {

using grundy::LatticePoint;

/// Receives the tiles: boxes of positions in row-major order, the last heap fastest.
class PPositions final : public grundy::ValueSink {
 public:
  grundy::Flow put(const grundy::Stretch& stretch) override {
    const grundy::Tile& tile = *stretch.tile;
    for (std::size_t i = 0; i < stretch.values.size(); ++i) {
      const grundy::Nimber value = stretch.values[i];
      largest = std::max(largest, value);
      if (value != 0) continue;
      const auto row = static_cast<std::uint32_t>(i / tile.extent[1]);
      const auto column = static_cast<std::uint32_t>(i % tile.extent[1]);
      found.push_back({tile.origin[0] + row, tile.origin[1] + column});
    }
    return grundy::Flow::kContinue;  // kStop would end the run
  }

  std::vector<LatticePoint> found;
  grundy::Nimber largest = 0;
};

/// Whether a move leads from one position to the other.
bool is_move(const LatticePoint& from, const LatticePoint& to) {
  if (to[0] > from[0] || to[1] > from[1]) return false;
  const std::uint32_t a = from[0] - to[0];
  const std::uint32_t b = from[1] - to[1];
  return (a == 0) != (b == 0) || (a == b && a > 0) || (a == 1 && b == 2) || (a == 2 && b == 1);
}

}  // namespace

int main() {
  try {
    // As text; LatticeMoves holds the same as a structure.
    const auto rule = grundy::LatticeRule::parse("2: sym (1,0)* + (1,1)* + sym (1,2)");
    std::printf("%s\n%s\n", rule.canonical().c_str(), rule.describe().c_str());

    PPositions sink;
    const auto shape = grundy::LatticeShape::cube(2, 500);
    const auto executor = grundy::make_executor(2);
    const grundy::LatticeTask task{.rule = rule,
                                   .shape = shape,
                                   .kernels = grundy::select_kernels("auto"),
                                   .executor = *executor};
    grundy::select_lattice_engine("auto", rule, shape).run(task, sink);

    std::ranges::sort(sink.found);
    for (std::size_t i = 0; i < 5; ++i)
      std::printf("(%u, %u) ", sink.found[i][0], sink.found[i][1]);
    std::printf(".. %zu P-positions, largest value %u\n", sink.found.size(), sink.largest);
    for (const LatticePoint& p : sink.found) {
      for (const LatticePoint& q : sink.found) {
        if (is_move(p, q)) return 1;  // a P-position has no move to another one
      }
    }
    return 0;
  } catch (const grundy::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
