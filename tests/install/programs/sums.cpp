/// @file
/// The value of a sum of rows of Kayles, and every move that wins.
// SPDX-License-Identifier: MIT
#include <cstdio>

#include <grundy/compute.hpp>
#include <grundy/sum.hpp>

int main() {
  grundy::GameValues kayles{.name = "kayles", .rule = grundy::HeapRule::parse("0.77")};
  const auto keep = [&](const grundy::Stretch& block) {
    for (std::size_t i = 0; i < block.values.size(); ++i) kayles.first.push_back(block.values[i]);
    return grundy::Flow::kContinue;
  };
  kayles.period =
      grundy::compute({.game = grundy::HeapGame{kayles.rule, 1000}}, {.values = keep}).info.period;
  const grundy::SumHeap heaps[] = {{&kayles, 5}, {&kayles, 7}, {&kayles, 1'000'000'000'000}};
  std::printf("value: %u\n", grundy::sum_value(heaps));
  const auto winning = grundy::winning_moves(std::span(heaps).first(2));
  for (std::size_t i = 0; i < winning.size(); ++i) {
    for (const grundy::HeapMove& move : winning[i].moves) {
      std::printf("from %u take %u, leave", static_cast<unsigned>(heaps[i].size),
                  static_cast<unsigned>(move.taken));
      for (const auto left : move.left) std::printf(" %u", static_cast<unsigned>(left));
      std::printf("\n");
    }
  }
}
