/// @file
/// The table of named lattice games.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>
#include <grundy/lattice/catalogue.hpp>

#include "core/text.hpp"

namespace grundy {
namespace {

using Parameters = std::span<const std::uint32_t>;

/// `(1,1,0)` for d = 3 and 2 ones.
std::string ones(std::uint32_t d, std::uint32_t count) {
  std::vector<int> entries(d);
  std::fill_n(entries.begin(), count, 1);
  return fmt::format("({})", fmt::join(entries, ","));
}

/// The rays of any amount from any one of d heaps.
std::string singles(std::uint32_t d) {
  return fmt::format("{}: sym {}*", d, ones(d, 1));
}

/// The box of the first `count` heaps.
std::string first_heaps(std::uint32_t count) {
  std::vector<std::uint32_t> heaps(count);
  std::iota(heaps.begin(), heaps.end(), 1);
  return fmt::format("box({})", fmt::join(heaps, ","));
}

/// All steps with at least two entries and a sum below h, once for each multiset.
std::string small_sums(std::uint32_t d, std::uint32_t h) {
  std::string out;
  std::vector<std::uint32_t> step(d);
  // Descending steps, by recursion on the place.
  const auto extend = [&](auto&& self, std::uint32_t place, std::uint32_t left,
                          std::uint32_t most) -> void {
    if (place == d) {
      if (step[1] > 0) out += fmt::format(" + sym ({})", fmt::join(step, ","));
      return;
    }
    for (step[place] = 0; step[place] <= std::min(left, most); ++step[place]) {
      self(self, place + 1, left - step[place], step[place]);
    }
    step[place] = 0;
  };
  extend(extend, 0, h - 1, h - 1);
  return out;
}

void need_at_most_heaps(std::uint32_t k, std::uint32_t d) {
  if (k <= d) return;
  throw Error(ErrorCode::kUsage, fmt::format("k = {} heaps cannot be chosen from {}", k, d));
}

constexpr LatticeParameter kHeaps2{"heaps", 2, 6, 2};
constexpr LatticeParameter kHeaps3{"heaps", 2, 6, 3};
constexpr LatticeParameter kHeaps4{"heaps", 2, 6, 4};
constexpr LatticeParameter kChosen{"k", 1, 6, 2};
constexpr std::array kOnlyHeaps2{kHeaps2};
constexpr std::array kOnlyHeaps3{kHeaps3};
constexpr std::array kOnlyHeaps4{kHeaps4};
constexpr std::array kHeapsAndChosen{kHeaps4, kChosen};
constexpr std::array kWidth{LatticeParameter{"a", 1, 1u << 16, 2}};
constexpr std::array kCyclic{kHeaps2, LatticeParameter{"h", 1, 16, 3}};
constexpr std::array kRows{LatticeParameter{"rows", 2, 6, 3}};

const NamedLatticeGame kGames[] = {
    {"nim", "Nim", "Take any number of tokens from one heap.",
     "C. L. Bouton, Annals of Mathematics 3 (1901) 35-39",
     "The value is the nim-sum of the heaps; a check of engines.", kOnlyHeaps2,
     [](Parameters p) { return singles(p[0]); }},
    {"wythoff",
     "Wythoff's game",
     "Take any number of tokens from one heap, or the same number from both.",
     "W. A. Wythoff, Nieuw Archief voor Wiskunde 7 (1907) 199-202; OEIS A004481",
     "",
     {},
     [](Parameters) { return singles(2) + " + (1,1)*"; }},
    {"a-wythoff", "Fraenkel's a-Wythoff",
     "Take any number of tokens from one heap, or k from one and l from the other, |k - l| < a.",
     "A. S. Fraenkel, American Mathematical Monthly 89 (1982) 353-361", "a = 1 is Wythoff's game.",
     kWidth, [](Parameters p) { return fmt::format("{} + band(1,2;{})", singles(2), p[0]); }},
    {"wythoff-any", "Wythoff with more heaps, any heaps equally",
     "Choose any heaps, at least one, and take the same number of tokens from each of them.",
     "Project Euler, problem 260 (three heaps)", "", kOnlyHeaps3,
     [](Parameters p) {
       std::string rule = singles(p[0]);
       for (std::uint32_t k = 2; k <= p[0]; ++k) rule += " + sym " + ones(p[0], k) + "*";
       return rule;
     }},
    {"wythoff-pairs", "Wythoff with more heaps, one or two equally",
     "Take any number of tokens from one heap, or the same number from each of two heaps.",
     "E. J. Friedman and A. S. Landsberg, Games of No Chance 3 (2009), 3-D Wythoff", "",
     kOnlyHeaps3, [](Parameters p) { return singles(p[0]) + " + sym " + ones(p[0], 2) + "*"; }},
    {"wythoff-all", "Wythoff with more heaps, one or all equally",
     "Take any number of tokens from one heap, or the same number from every heap.",
     "the definition",
     "For an odd number of heaps the values are those of Nim: taking t from each changes the "
     "nim-sum in the lowest bit of t.",
     kOnlyHeaps3, [](Parameters p) { return singles(p[0]) + " + " + ones(p[0], p[0]) + "*"; }},
    {"wythoff-balanced", "Fraenkel's Wythoff with more heaps",
     "Take any number of tokens from one heap, or amounts, not all zero, whose nim-sum is zero.",
     "A. S. Fraenkel, Wythoff games, continued fractions, cedar trees and Fibonacci searches, "
     "Theoretical Computer Science 29 (1984) 49-73",
     "", kOnlyHeaps3, [](Parameters p) { return singles(p[0]) + " + balanced"; }},
    {"moore", "Moore's Nim_k", "Reduce at least one and at most k heaps, each by any number.",
     "E. H. Moore, Annals of Mathematics 11 (1910) 93-94",
     "A formula for the values is known only for k + 1 heaps: T. A. Jenkyns and J. P. Mayberry, "
     "International Journal of Game Theory 9 (1980) 51-63.",
     kHeapsAndChosen,
     [](Parameters p) {
       need_at_most_heaps(p[1], p[0]);
       std::string rule = singles(p[0]);
       for (std::uint32_t k = 2; k <= p[1]; ++k) rule += " + sym " + first_heaps(k);
       return rule;
     }},
    {"exact-nim", "Exact k-Nim", "Reduce exactly k heaps, each by any number.",
     "E. Boros, V. Gurvich, N. B. Ho, K. Makino and P. Mursic, arXiv:1508.04484",
     "Solved when 2k is at least the number of heaps.", kHeapsAndChosen,
     [](Parameters p) {
       need_at_most_heaps(p[1], p[0]);
       return fmt::format("{}: sym {}", p[0], first_heaps(p[1]));
     }},
    {"exact-slow-nim", "Exact slow Nim", "Take one token from each of exactly k heaps.",
     "V. Gurvich and N. B. Ho, exact slow Nim", "", kHeapsAndChosen,
     [](Parameters p) {
       need_at_most_heaps(p[1], p[0]);
       return fmt::format("{}: sym {}", p[0], ones(p[0], p[1]));
     }},
    {"slow-nim", "Slow Moore Nim", "Take one token from each of at least one and at most k heaps.",
     "V. Gurvich and N. B. Ho, slow k-Nim", "", kHeapsAndChosen,
     [](Parameters p) {
       need_at_most_heaps(p[1], p[0]);
       std::string rule = fmt::format("{}: sym {}", p[0], ones(p[0], 1));
       for (std::uint32_t k = 2; k <= p[1]; ++k) rule += " + sym " + ones(p[0], k);
       return rule;
     }},
    {"cycle-nim", "Hypergraph Nim on a cycle",
     "The heaps stand in a circle. Reduce two neighbouring heaps, each by any number.",
     "E. Boros, V. Gurvich, N. B. Ho, K. Makino and P. Mursic, arXiv:1701.02819",
     "Other hypergraphs are written by their edges, such as 4: box(1,2) + box(2,3,4).", kOnlyHeaps4,
     [](Parameters p) {
       std::string rule = fmt::format("{}:", p[0]);
       for (std::uint32_t i = 1; i <= p[0]; ++i) {
         rule += fmt::format("{} box({},{})", i > 1 ? " +" : "", i, i % p[0] + 1);
       }
       return rule;
     }},
    {"nim-with-a-pass", "Nim with a pass",
     "Take any number of tokens from one heap; once in the game, while a token is left, a player "
     "may pass instead.",
     "R. E. Morrison, E. J. Friedman and A. S. Landsberg, Chaos 22 (2012); R. M. Low and W. H. "
     "Chan, Integers 15 (2015)",
     "Two values a position: no pass left, pass left.", kOnlyHeaps3,
     [](Parameters p) { return singles(p[0]) + " + pass"; }},
    {"cyclic-nimhoff", "Cyclic Nimhoff",
     "Take any number of tokens from one heap, or from several heaps fewer than h in all.",
     "A. S. Fraenkel and M. Lorberbom, Discrete Mathematics 95 (1991)",
     "The value is h times the nim-sum of the floor(x_i / h), plus the sum of the x_i modulo h.",
     kCyclic, [](Parameters p) { return singles(p[0]) + small_sums(p[0], p[1]); }},
    {"euclid",
     "Euclid, as Grossman plays it",
     "Take a positive multiple of the smaller heap from the larger, which must stay positive.",
     "G. Nivasch, Integers 6 (2006) G03: the value is floor(|y/x - x/y|)",
     "Positions with an empty heap are terminal and not reached.",
     {},
     [](Parameters) { return std::string("2: euclid"); }},
    {"euclid-to-zero",
     "Euclid, as Cole and Davie play it",
     "Take a positive multiple of the smaller heap from the larger, which may become empty; the "
     "game ends when a heap is empty.",
     "A. J. Cole and A. J. T. Davie, Mathematical Gazette 53 (1969) 354-357; G. Cairns, N. B. Ho "
     "and T. Lengyel, Discrete Mathematics 311 (2011) 457-462",
     "The same P-positions as euclid among positive heaps, other values.",
     {},
     [](Parameters) { return std::string("2: euclid0"); }},
    {"end-nim", "End-Nim",
     "The heaps stand in a row. Take any number of tokens from the first or the last heap that is "
     "not empty.",
     "M. H. Albert and R. J. Nowakowski, Electronic Journal of Combinatorics 8 (2001)",
     "Empty heaps count for nothing, wherever they stand.", kOnlyHeaps3,
     [](Parameters p) { return fmt::format("{}: ends", p[0]); }},
    {"chomp", "Chomp",
     "The heaps, in descending order, are the rows of a bar of chocolate. Bite: choose a square; "
     "it goes with all squares in its row and shorter rows that stand not before it. The first "
     "square of the longest row is poison and cannot be chosen.",
     "D. Gale, American Mathematical Monthly 81 (1974) 876-879",
     "The value of the single square is 0. The position without squares does not occur.", kRows,
     [](Parameters p) { return fmt::format("{}: chomp", p[0]); }},
};

std::string squeezed(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == ' ' || c == '\t') continue;
    out += c == '_' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

/// The numbers of "(4,2)"; nothing for an empty text.
std::vector<std::uint32_t> arguments(const NamedLatticeGame& game, std::string_view text) {
  std::vector<std::uint32_t> values;
  const auto malformed = [&] {
    std::vector<std::string_view> names;
    for (const auto& parameter : game.parameters) names.push_back(parameter.name);
    return Error(
        ErrorCode::kUsage,
        fmt::format("{} is written {}{}", game.name, game.name,
                    names.empty() ? std::string() : fmt::format("({})", fmt::join(names, ","))));
  };
  if (!text.empty()) {
    const char* at = text.data() + 1;
    const char* const end = text.data() + text.size() - 1;
    for (;; ++at) {
      values.push_back(0);
      const auto read = std::from_chars(at, end, values.back());
      if (read.ec != std::errc()) throw malformed();
      at = read.ptr;
      if (at == end) break;
      if (*at != ',') throw malformed();
    }
    if (*end != ')' || values.size() > game.parameters.size()) throw malformed();
  }
  for (std::size_t i = 0; i < game.parameters.size(); ++i) {
    const LatticeParameter& parameter = game.parameters[i];
    if (i == values.size()) values.push_back(parameter.usual);
    if (values[i] < parameter.least || values[i] > parameter.most) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("{} of {} is {} to {}, not {}", parameter.name, game.name,
                              parameter.least, parameter.most, values[i]));
    }
  }
  return values;
}

}  // namespace

std::span<const NamedLatticeGame> lattice_catalogue() noexcept {
  return kGames;
}

ResolvedLatticeGame resolve_lattice_game(std::string_view text) {
  if (text.find(':') != std::string_view::npos) {
    LatticeRule rule = LatticeRule::parse(text);
    std::string title = rule.canonical();
    return {.rule = std::move(rule), .title = std::move(title)};
  }
  const std::string typed = squeezed(text);
  const std::size_t bracket = std::min(typed.find('('), typed.size());
  const auto game = std::ranges::find(kGames, std::string_view(typed).substr(0, bracket),
                                      &NamedLatticeGame::name);
  if (game == std::end(kGames)) {
    std::vector<std::string_view> names;
    for (const auto& entry : kGames) names.push_back(entry.name);
    throw Error(ErrorCode::kUsage,
                fmt::format("there is no lattice game called {}; the names are {}, and a rule "
                            "looks like 2: sym (1,0)* + (1,1)*",
                            in_quotes(text), fmt::join(names, ", ")));
  }
  const auto values = arguments(*game, std::string_view(typed).substr(bracket));
  return {.rule = LatticeRule::parse(game->notation(values)),
          .title = std::string(game->title),
          .rules = std::string(game->rules),
          .reference = std::string(game->reference)};
}

}  // namespace grundy
