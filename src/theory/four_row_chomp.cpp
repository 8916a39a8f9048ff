// SPDX-License-Identifier: MIT
#include "theory/four_row_chomp.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

namespace grundy {
namespace {

/// Sets of numbers up to `most`, as bits.
class NumberSets {
 public:
  NumberSets(std::size_t sets, std::size_t most) : words_(most / 64 + 1), bits_(sets * words_) {}

  [[nodiscard]] std::uint64_t word(std::size_t set, std::size_t w) const {
    return bits_[set * words_ + w];
  }
  /// Forbids what a P-position does that has e squares in the last row and l in the row that was
  /// shortened.
  void forbid(std::size_t set, std::size_t e, std::size_t l) {
    std::uint64_t* const words = &bits_[set * words_];
    words[e / 64] |= std::uint64_t{1} << e % 64;
    if (e < l) return;
    words[e / 64] |= ~std::uint64_t{0} << e % 64;
    for (std::size_t w = e / 64 + 1; w < words_; ++w) words[w] = ~std::uint64_t{0};
  }
  void copy(std::size_t set, const NumberSets& from, std::size_t other) {
    std::copy_n(&from.bits_[other * words_], words_, &bits_[set * words_]);
  }
  void clear(std::size_t set) { std::fill_n(&bits_[set * words_], words_, 0); }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace

std::uint64_t p_positions_of_chomp_bytes(std::uint32_t longest) noexcept {
  const std::uint64_t n = std::uint64_t{longest} + 1;
  return (n * (n + 1) / 2 + 5 * n) * (longest / 64 + 1) * sizeof(std::uint64_t);
}

void for_each_p_position_of_chomp(std::uint32_t longest,
                                  const std::function<Flow(const FourRows&)>& visit) {
  if (visit({}) == Flow::kStop) return;
  const std::size_t n = std::size_t{longest} + 1;
  const auto pair = [](std::size_t b, std::size_t c) { return b * (b + 1) / 2 + c; };
  // The first three rows of the P-positions. All sets are for one a, and `third` is for one b.
  NumberSets third(1, longest);                // (a, b, l) for l < c
  NumberSets second(n, longest);               // set c: (a, l, c) for c <= l < b
  NumberSets second_cuts(n + 1, longest);      // set c: (a, l, l) for l < c
  NumberSets first(n * (n + 1) / 2, longest);  // set (b, c): (l, b, c) for b <= l < a, after ..
  NumberSets first_cuts(n, longest);           // .. set c: (l, l, c) for c <= l < b
  NumberSets first_cuts_two(n + 1, longest);   // set c: (l, l, l) for l < c
  for (std::uint32_t a = 1; a <= longest; ++a) {
    for (std::size_t c = 0; c <= a; ++c) second.clear(c);
    second_cuts.clear(0);
    for (std::uint32_t b = 0; b <= a; ++b) {
      third.clear(0);
      if (b == a) {
        for (std::size_t c = 0; c <= b; ++c) first.copy(pair(b, c), first_cuts, c);
      }
      for (std::uint32_t c = 0; c <= b; ++c) {
        std::size_t d = 0;
        for (std::size_t w = 0; w <= c / 64; ++w) {
          const std::uint64_t forbidden = third.word(0, w) | second.word(c, w) |
                                          second_cuts.word(c, w) | first.word(pair(b, c), w) |
                                          first_cuts_two.word(c, w);
          d = 64 * w + static_cast<std::size_t>(std::countr_one(forbidden));
          if (~forbidden != 0) break;
        }
        const bool is_p = d <= c;
        if (is_p) {
          if (visit({a, b, c, static_cast<std::uint32_t>(d)}) == Flow::kStop) return;
          third.forbid(0, d, c);
          second.forbid(c, d, b);
          first.forbid(pair(b, c), d, a);
          if (a == b) first_cuts.forbid(c, d, b);
        }
        if (b == c) {
          second_cuts.copy(c + 1, second_cuts, c);
          if (is_p) second_cuts.forbid(c + 1, d, c);
        }
        if (a == c) {
          first_cuts_two.copy(c + 1, first_cuts_two, c);
          if (is_p) first_cuts_two.forbid(c + 1, d, c);
        }
      }
    }
  }
}

}  // namespace grundy
