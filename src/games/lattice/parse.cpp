/// @file
/// Reader of lattice rules, by recursive descent:
///
///     rule      = number ":" term ("+" term)*
///     term      = ["sym"] move | family | "pass"
///     move      = ray | "band" "(" number "," number ";" number ")" | "box" "(" numbers ")"
///     ray       = "(" numbers ")" ["*" [number ".." number | "{" numbers "}"]]
///     numbers   = number ("," number)*
///
/// Words of families are those of notation.hpp. White space is free between tokens, and `#` starts
/// a comment that ends with the line, so that a rule can be kept in a file.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/text.hpp"
#include "games/lattice/notation.hpp"

namespace grundy {
namespace {

constexpr bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}
constexpr char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
constexpr bool is_letter(char c) noexcept {
  return lower(c) >= 'a' && lower(c) <= 'z';
}

class Parser {
 public:
  Parser(std::string_view text, TextOrigin origin, LatticeMoves moves)
      : text_(text), origin_(std::move(origin)), moves_(std::move(moves)) {
    skip_space();
  }

  LatticeRule rule() {
    moves_.heaps = number("the number of heaps, as in 2: sym (1,0)*");
    if (moves_.heaps < kMinLatticeHeaps || moves_.heaps > kMaxLatticeHeaps) {
      throw Error(ErrorCode::kUsage, fmt::format("a lattice game has {} to {} heaps, not {}",
                                                 kMinLatticeHeaps, kMaxLatticeHeaps, moves_.heaps));
    }
    expect(':', "':' after the number of heaps");
    return LatticeRule(terms());
  }

  /// The moves so far and those of the text.
  LatticeMoves terms() {
    do {
      term();
    } while (eat('+'));
    if (at_ < text_.size()) unexpected("'+' or the end of the rule");
    return std::move(moves_);
  }

 private:
  void term() {
    const std::size_t start = at_;
    std::string name = word();
    const bool all_images = name == "sym";
    if (all_images) name = word();
    if (name == "band") {
      band(all_images);
    } else if (name == "box") {
      box(all_images);
    } else if (name.empty() && peek() == '(') {
      ray(all_images);
    } else if (name == kPassWord && !all_images) {
      moves_.pass = true;
    } else {
      const auto family = std::ranges::find(kFamilies, name, &NamedFamily::word);
      if (family == kFamilies.end() || all_images) {
        if (!name.empty()) at_ = start;
        unexpected(all_images ? "a step (1,0), band or box after 'sym'"
                              : "a step such as (1,0), or one of sym, band, box, chomp, euclid, "
                                "euclid0, ends, balanced, pass");
      }
      moves_.families.push_back(family->family);
    }
  }

  void ray(bool all_images) {
    Ray ray;
    const std::size_t start = at_;
    const auto step = list('(', ')', kMaxLatticeHeaps);
    if (step.size() != moves_.heaps) {
      at_ = start;
      fail(fmt::format("the step has {} entries, but the game has {} heaps", step.size(),
                       moves_.heaps));
    }
    std::ranges::copy(step, ray.step.begin());
    if (std::ranges::all_of(step, [](auto v) { return v == 0; })) {
      at_ = start;
      fail("this move takes nothing; every move must take a token");
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
    if (!eat('*')) return {1};
    if (peek() == '{') return list('{', '}', kMaxMultiples);
    if (at_ == text_.size() || !is_digit(text_[at_])) return {};
    const std::size_t start = at_;
    const auto first = number("the least multiple");
    expect('.', "'..' between the least and the largest multiple");
    expect('.', "'..' between the least and the largest multiple");
    const auto last = number("the largest multiple");
    if (first > last || last - first >= kMaxMultiples) {
      at_ = start;
      fail(fmt::format("multiples go from the least to the largest, and at most {} are allowed",
                       kMaxMultiples));
    }
    std::vector<std::uint32_t> all;
    for (std::uint64_t t = first; t <= last; ++t) all.push_back(static_cast<std::uint32_t>(t));
    return all;
  }

  void band(bool all_images) {
    expect('(', "'(' and two heaps, as in band(1,2;2)");
    const unsigned first = heap();
    expect(',', "',' and the second heap");
    const unsigned second = heap();
    expect(';', "';' and the width of the band");
    const auto width = number("the width of the band");
    expect(')', "')'");
    for (unsigned j = 0; j < moves_.heaps; ++j) {
      for (unsigned i = 0; i < j && all_images; ++i) moves_.bands.push_back({i, j, width});
    }
    if (!all_images)
      moves_.bands.push_back({std::min(first, second), std::max(first, second), width});
  }

  void box(bool all_images) {
    std::uint32_t mask = 0;
    expect('(', "'(' and the heaps, as in box(1,2)");
    do {
      mask |= 1u << heap();
    } while (eat(','));
    expect(')', "',' or ')'");
    for (std::uint32_t image = 1; image < 1u << moves_.heaps && all_images; ++image) {
      if (std::popcount(image) == std::popcount(mask)) moves_.boxes.push_back({image});
    }
    if (!all_images) moves_.boxes.push_back({mask});
  }

  /// A heap, counted from 0.
  unsigned heap() {
    const std::size_t start = at_;
    const auto n = number("the number of a heap");
    if (n < 1 || n > moves_.heaps) {
      at_ = start;
      fail(fmt::format("there is no heap {}; the heaps are 1 to {}", n, moves_.heaps));
    }
    return n - 1;
  }

  std::vector<std::uint32_t> list(char open, char close, std::size_t most) {
    std::vector<std::uint32_t> out;
    expect(open, fmt::format("'{}'", open));
    do {
      if (out.size() == most) fail(fmt::format("the list has more than {} numbers", most));
      out.push_back(number("a number"));
    } while (eat(','));
    expect(close, fmt::format("',' or '{}'", close));
    return out;
  }

  std::uint32_t number(std::string_view what) {
    if (peek() == '-') fail("a move adds no tokens, so no number in a rule is negative");
    if (at_ == text_.size() || !is_digit(text_[at_])) unexpected(what);
    const std::size_t start = at_;
    std::uint64_t n = 0;
    for (; at_ < text_.size() && is_digit(text_[at_]); ++at_) {
      n = 10 * n + static_cast<std::uint64_t>(text_[at_] - '0');
      if (n > std::numeric_limits<std::uint32_t>::max()) {
        at_ = start;
        fail("the number is too large");
      }
    }
    skip_space();
    return static_cast<std::uint32_t>(n);
  }

  /// Letters, and digits that follow them at once, in lower case; may be empty.
  std::string word() {
    std::string out;
    while (at_ < text_.size() &&
           (is_letter(text_[at_]) || (!out.empty() && is_digit(text_[at_])))) {
      out += lower(text_[at_++]);
    }
    skip_space();
    return out;
  }

  [[nodiscard]] char peek() const noexcept { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool eat(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    skip_space();
    return true;
  }

  void expect(char c, std::string_view what) {
    if (!eat(c)) unexpected(what);
  }

  void skip_space() {
    for (bool comment = false; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '#') comment = true;
      if (c == '\n') comment = false;
      if (!comment && c != ' ' && c != '\t' && c != '\r' && c != '\n') return;
    }
  }

  [[noreturn]] void unexpected(std::string_view wanted) {
    fail(fmt::format("{} stands where {} was expected",
                     at_ < text_.size() ? in_quotes(text_.substr(at_, 1)) : "the end", wanted));
  }

  [[noreturn]] void fail(std::string_view reason) {
    const std::string_view before = text_.substr(0, at_);
    const auto lines = static_cast<std::uint64_t>(std::ranges::count(before, '\n'));
    const std::size_t offset = at_ - (before.rfind('\n') + 1);
    throw Error(ErrorCode::kUsage,
                fmt::format("{}, line {}, column {}: {}", origin_.name, origin_.line + lines,
                            (lines == 0 ? origin_.column : 1) + offset, reason));
  }

  std::string_view text_;
  TextOrigin origin_;
  std::size_t at_ = 0;
  LatticeMoves moves_;
};

}  // namespace

LatticeRule LatticeRule::parse(std::string_view text) {
  return Parser(text, {}, {}).rule();
}

void parse_terms(std::string_view text, const TextOrigin& origin, LatticeMoves& moves) {
  moves = Parser(text, origin, std::move(moves)).terms();
}

}  // namespace grundy
