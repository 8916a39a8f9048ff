/// @file
/// Opens a table of two heaps and reads one position and one row of it.
// SPDX-License-Identifier: MIT
#include <cstdio>
#include <vector>

#include <grundy/table.hpp>

int main(int, char** argv) {
  const auto table = grundy::TableReader::open(argv[1]);
  std::printf("(3,3): %u\n", table->value(grundy::LatticePoint{3, 3}));
  std::vector<grundy::Nimber> row(200);
  table->read(4 * row.size(), row);  // the last heap changes fastest
  std::printf("(4,7): %u\n", row[7]);
}
