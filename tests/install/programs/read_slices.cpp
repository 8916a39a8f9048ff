/// @file
/// Opens a table of two heaps and reads one position and a slice of it.
// SPDX-License-Identifier: MIT
#include <cstdio>
#include <vector>

#include <grundy/table.hpp>

int main(int, char** argv) {
  const auto table = grundy::TableReader::open(argv[1]);
  std::printf("(3,3): %u\n", table->value(grundy::LatticePoint{3, 3}));
  const std::vector<grundy::Nimber> row = table->slice({4, 0}, {5, 200});
  std::printf("(4,7): %u\n", row[7]);
}
