/// @file
/// Computes a table of a game of two heaps from its rule: Wythoff's game, 100 by 200.
// SPDX-License-Identifier: MIT
#include <cstdio>

#include <grundy/compute.hpp>

int main(int, char** argv) {
  grundy::Request request{
      .game = grundy::LatticeGame{grundy::LatticeRule::parse("2: sym (1,0)* + (1,1)*"),
                                  {.heaps = 2, .extent = {100, 200}}}};
  request.output.path = argv[1];
  const grundy::Report report = grundy::compute(request);
  std::printf("largest value: %u\n", report.info.stats.max_value);
}
