/// @file
/// Values of a game with a pass, straight from the definition: for the tests.
// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <vector>

#include <grundy/types.hpp>

namespace grundy::testing_support {

/// @param digits masks of at most three heaps; digits[i] says what may be left after taking i
/// tokens
inline std::vector<Nimber> pass_values(const std::vector<unsigned>& digits, HeapSize pass,
                                       HeapSize count) {
  std::vector<Nimber> g;
  const auto mex = [](const std::set<Nimber>& values) {
    Nimber least = 0;
    while (values.contains(least)) ++least;
    return least;
  };
  for (HeapSize n = 0; n < count; ++n) {
    std::set<Nimber> options;
    for (HeapSize taken = 0; taken < digits.size() && taken <= n; ++taken) {
      const HeapSize m = n - taken;
      if ((digits[taken] & 1u) != 0 && m == 0) options.insert(0);
      if ((digits[taken] & 2u) != 0 && m > 0) options.insert(g[m]);
      for (HeapSize a = 1; a < m; ++a) {
        if ((digits[taken] & 4u) != 0) options.insert(g[a] ^ g[m - a]);
        for (HeapSize b = 1; (digits[taken] & 8u) != 0 && a + b < m; ++b) {
          options.insert(g[a] ^ g[b] ^ g[m - a - b]);
        }
      }
    }
    if (n == pass) options.insert(mex(options));  // the same heap without its pass
    g.push_back(mex(options));
  }
  return g;
}

}  // namespace grundy::testing_support
