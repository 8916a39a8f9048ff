/// @file
/// A sum of games of all kinds: its value, and every move that wins.
// SPDX-License-Identifier: MIT
#include <cstdio>

#include <grundy/sum.hpp>

int main() {
  const auto sum = grundy::GameSum::read({"kayles:5,7", "wythoff:3,5", "cram:3x4", "*1"});
  std::printf("value: %llu\n", static_cast<unsigned long long>(sum.value()));
  const auto winning = sum.winning_moves();
  for (std::size_t i = 0; i < winning.size(); ++i) {
    for (const grundy::SumMove& move : winning[i].moves) {
      std::printf("%s\n", sum.components()[i]->describe(move).c_str());
    }
  }
}
