/// @file
/// Streams the values of Kayles to 10^7 into a lambda, which counts the P-positions.
// SPDX-License-Identifier: MIT
#include <cstdio>

#include <grundy/grundy.hpp>

int main() {
  const auto kayles = grundy::HeapRule::parse("0.77");
  unsigned zeros = 0, last = 0;
  grundy::compute({.game = grundy::HeapGame{kayles, 10'000'000}},
                  {.values = [&](const grundy::Stretch& block) {
                    for (grundy::Nimber value : block.values) zeros += (last = value) == 0;
                    return grundy::Flow::kContinue;
                  }});
  std::printf("P-positions: %u, value of the last heap: %u\n", zeros, last);
}
