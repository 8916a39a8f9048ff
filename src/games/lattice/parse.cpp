/// @file
/// Reader of lattice rules, by recursive descent:
///
///     rule      = number ":" term ("+" term)*
///     term      = ["sym"] move | family | "pass" | "misere"
///     move      = ray | "band" "(" number "," number ";" number ")" | "box" "(" numbers ")"
///     ray       = "(" numbers ")" ["*" [number ".." number | "{" numbers "}"]]
///     numbers   = number ("," number)*
///
/// notation.hpp has the words of families. Blanks are free between tokens. `#` starts a comment up
/// to the end of the line, so that a rule can be kept in a file.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/text_cursor.hpp"
#include "games/lattice/notation.hpp"

namespace grundy {
namespace {

constexpr std::uint64_t kLargestNumber = std::numeric_limits<std::uint32_t>::max();

class Parser {
 public:
  Parser(TextCursor text, LatticeMoves moves) : text_(std::move(text)), moves_(std::move(moves)) {}

  LatticeRule rule() {
    const std::size_t start = text_.place();
    const std::uint64_t heaps = text_.number("the number of heaps, as in 2: sym (1,0)*,");
    if (heaps < kMinLatticeHeaps || heaps > kMaxLatticeHeaps) {
      text_.fail_at(start, fmt::format("a lattice game has {} to {} heaps, not {}",
                                       kMinLatticeHeaps, kMaxLatticeHeaps, heaps));
    }
    moves_.heaps = static_cast<unsigned>(heaps);
    text_.expect(":", "':' after the number of heaps");
    return LatticeRule(terms());
  }

  /// Adds the moves of the text to the moves so far.
  LatticeMoves terms() {
    do {
      term();
    } while (text_.eat('+'));
    text_.expect_end("'+' or the end of the rule");
    return std::move(moves_);
  }

 private:
  void term() {
    const std::size_t start = text_.place();
    std::string name = text_.word();
    const bool all_images = name == "sym";
    if (all_images) name = text_.word();
    if (name == "band") {
      band(all_images);
    } else if (name == "box") {
      box(all_images);
    } else if (name.empty() && text_.peek() == '(') {
      ray(all_images);
    } else if (name == kPassWord && !all_images) {
      moves_.pass = true;
    } else if (name == kMisereWord && !all_images) {
      moves_.misere = true;
    } else {
      const auto family = std::ranges::find(kFamilies, name, &NamedFamily::word);
      if (family == kFamilies.end() || all_images) {
        if (!name.empty()) text_.return_to(start);
        text_.unexpected(all_images ? "a step (1,0), band or box after 'sym'"
                                    : "a step such as (1,0), or one of sym, band, box, chomp, "
                                      "euclid, euclid0, ends, balanced, pass, misere,");
      }
      moves_.families.push_back(family->family);
    }
  }

  void ray(bool all_images) {
    LatticeRay ray;
    const std::size_t start = text_.place();
    text_.expect("(", "'('");
    const auto step = numbers(")", kMaxLatticeHeaps);
    if (step.size() != moves_.heaps) {
      text_.fail_at(start, fmt::format("the step has {} entries, but the game has {} heaps",
                                       step.size(), moves_.heaps));
    }
    std::ranges::copy(step, ray.step.begin());
    if (std::ranges::all_of(step, [](auto v) { return v == 0; })) {
      text_.fail_at(start, "this move takes nothing; every move must take a token");
    }
    ray.multiples = multiples();
    if (!all_images) {
      moves_.rays.push_back(std::move(ray));
      return;
    }
    const auto begin = ray.step.begin();
    const auto end = begin + moves_.heaps;
    std::sort(begin, end);
    do {
      moves_.rays.push_back(ray);
    } while (std::next_permutation(begin, end));
  }

  std::vector<std::uint32_t> multiples() {
    if (!text_.eat('*')) return {1};
    if (text_.eat('{')) return numbers("}", kMaxMultiples);
    if (!text_.at_digit()) return {};
    const std::size_t start = text_.place();
    const auto first = number("the least multiple");
    text_.expect("..", "'..' between the least and the largest multiple");
    const auto last = number("the largest multiple");
    if (first > last || last - first >= kMaxMultiples) {
      text_.fail_at(start, fmt::format("multiples go from the least to the largest, and at most "
                                       "{} are allowed",
                                       kMaxMultiples));
    }
    std::vector<std::uint32_t> all;
    for (std::uint64_t t = first; t <= last; ++t) all.push_back(static_cast<std::uint32_t>(t));
    return all;
  }

  void band(bool all_images) {
    text_.expect("(", "'(' and two heaps, as in band(1,2;2),");
    const unsigned first = heap();
    text_.expect(",", "',' and the second heap");
    const std::size_t start = text_.place();
    const unsigned second = heap();
    if (first == second) text_.fail_at(start, "a band joins two different heaps");
    text_.expect(";", "';' and the width of the band");
    const auto width = number("the width of the band");
    text_.expect(")", "')'");
    for (unsigned j = 0; j < moves_.heaps; ++j) {
      for (unsigned i = 0; i < j && all_images; ++i) moves_.bands.push_back({i, j, width});
    }
    if (!all_images)
      moves_.bands.push_back({std::min(first, second), std::max(first, second), width});
  }

  void box(bool all_images) {
    std::uint32_t mask = 0;
    text_.expect("(", "'(' and the heaps, as in box(1,2),");
    do {
      const std::size_t start = text_.place();
      const std::uint32_t bit = 1u << heap();
      if ((mask & bit) != 0) text_.fail_at(start, "a heap stands twice in a box");
      mask |= bit;
    } while (text_.eat(','));
    text_.expect(")", "',' or ')'");
    for (std::uint32_t image = 1; image < 1u << moves_.heaps && all_images; ++image) {
      if (std::popcount(image) == std::popcount(mask)) moves_.boxes.push_back({image});
    }
    if (!all_images) moves_.boxes.push_back({mask});
  }

  /// A heap, counted from 0.
  unsigned heap() {
    const std::size_t start = text_.place();
    const auto n = number("the number of a heap");
    if (n < 1 || n > moves_.heaps) {
      text_.fail_at(start,
                    fmt::format("there is no heap {}; the heaps are 1 to {}", n, moves_.heaps));
    }
    return n - 1;
  }

  /// Reads numbers up to a bracket.
  std::vector<std::uint32_t> numbers(std::string_view close, std::size_t most) {
    std::vector<std::uint32_t> out;
    do {
      if (out.size() == most) text_.fail(fmt::format("the list has more than {} numbers", most));
      out.push_back(number("a number"));
    } while (text_.eat(','));
    text_.expect(close, fmt::format("',' or '{}'", close));
    return out;
  }

  std::uint32_t number(std::string_view what) {
    if (text_.peek() == '-')
      text_.fail("a move adds no tokens, so no number in a rule is negative");
    return static_cast<std::uint32_t>(text_.number(what, kLargestNumber));
  }

  TextCursor text_;
  LatticeMoves moves_;
};

}  // namespace

LatticeRule LatticeRule::parse(std::string_view text) {
  return Parser(TextCursor(text, Blanks::kSkip), {}).rule();
}

void parse_terms(std::string_view text, const TextOrigin& origin, LatticeMoves& moves) {
  moves = Parser(TextCursor(text, Blanks::kSkip, origin), std::move(moves)).terms();
}

}  // namespace grundy
