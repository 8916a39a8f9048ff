/// @file
/// A game of one's own into a table and a file, which is then proved: from a number go to a smaller
/// one prime to it.
// SPDX-License-Identifier: MIT
#include <cstdio>
#include <memory>
#include <numeric>

#include <grundy/compute.hpp>
#include <grundy/verify.hpp>

struct Coprime {
  using Position = std::uint32_t;
  Position start() const { return 1001; }
  std::uint32_t potential(Position n) const { return n; }
  Position canonical(Position n) const { return n; }
  void options(Position n, auto&& visit) const {
    for (Position m = 1; m < n; ++m) {
      if (std::gcd(m, n) == 1) visit(m);
    }
  }
};

int main(int, char** argv) {
  const auto game = grundy::make_graph_game(Coprime{});
  grundy::Request request{.game = grundy::PositionGame{game}, .about = {.game = "coprime"}};
  request.output.path = argv[1];
  const grundy::Report report = grundy::compute(request);
  std::printf("positions: %zu, value of 1001: %u\n", static_cast<std::size_t>(report.rows.size()),
              report.rows.root_value());
  const auto proof =
      grundy::verify({.table = argv[1], .game = game, .proof = grundy::ProofKind::kFull});
  std::printf("wrong values in the file: %s\n", proof.wrong ? "yes" : "none");
}
