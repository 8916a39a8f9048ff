/// @file
/// The named games of several heaps.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>

#include "games/catalogue/rows.hpp"

namespace grundy {
namespace {

using Parameters = std::span<const std::uint32_t>;

/// `(1,1,0)` for d = 3 and 2 ones.
std::string ones(std::uint32_t d, std::uint32_t count) {
  std::vector<int> entries(d);
  std::fill_n(entries.begin(), count, 1);
  return fmt::format("({})", fmt::join(entries, ","));
}

/// Rays that take any amount from any one of d heaps.
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

/// The boxes of all sets of heaps that lie on an arc of k in a circle of d.
std::vector<std::string> arc_boxes(std::uint32_t d, std::uint32_t k) {
  std::set<std::uint32_t> masks;
  for (std::uint32_t first = 0; first < d; ++first) {
    for (std::uint32_t chosen = 1; chosen < 1u << k; ++chosen) {
      std::uint32_t mask = 0;
      for (std::uint32_t i = 0; i < k; ++i) {
        if ((chosen >> i & 1) != 0) mask |= 1u << ((first + i) % d);
      }
      masks.insert(mask);
    }
  }
  std::vector<std::string> boxes;
  for (const std::uint32_t mask : masks) {
    std::vector<std::uint32_t> heaps;
    for (std::uint32_t i = 0; i < d; ++i) {
      if ((mask >> i & 1) != 0) heaps.push_back(i + 1);
    }
    boxes.push_back(fmt::format("box({})", fmt::join(heaps, ",")));
  }
  return boxes;
}

void need_at_most_heaps(std::uint32_t k, std::uint32_t d) {
  if (k <= d) return;
  throw Error(ErrorCode::kUsage, fmt::format("k = {} heaps cannot be chosen from {}", k, d));
}

constexpr GameParameter kHeaps2{"heaps", kMinLatticeHeaps, kMaxLatticeHeaps, 2};
constexpr GameParameter kHeaps3{"heaps", kMinLatticeHeaps, kMaxLatticeHeaps, 3};
constexpr GameParameter kHeaps4{"heaps", kMinLatticeHeaps, kMaxLatticeHeaps, 4};
constexpr GameParameter kChosen{"k", 1, kMaxLatticeHeaps, 2};
constexpr std::array kOnlyHeaps2{kHeaps2};
constexpr std::array kOnlyHeaps3{kHeaps3};
constexpr std::array kOnlyHeaps4{kHeaps4};
constexpr std::array kHeapsAndChosen{kHeaps4, kChosen};
constexpr std::array kWidth{GameParameter{"a", 1, 1u << 16, 2}};
constexpr std::array kCyclic{kHeaps2, GameParameter{"h", 1, 16, 3}};
constexpr std::array kCircle{GameParameter{"heaps", kMinLatticeHeaps, kMaxLatticeHeaps, 5},
                             kChosen};
constexpr std::array kRows{GameParameter{"rows", kMinLatticeHeaps, kMaxLatticeHeaps, 3}};

struct LatticeEntry {
  std::string_view name, title, rules, reference, note;
  std::span<const GameParameter> parameters;
  std::string (*notation)(Parameters);
};

const LatticeEntry kLatticeGames[] = {
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
     "A. S. Fraenkel; R. K. Guy and R. J. Nowakowski, Unsolved problems in combinatorial games; X. "
     "Sun and D. Zeilberger, Annals of Combinatorics 8 (2004) 225-238",
     "The structure of the P-positions was conjectured by Fraenkel.", kOnlyHeaps3,
     [](Parameters p) { return singles(p[0]) + " + balanced"; }},
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
     "V. Gurvich and N. B. Ho, arXiv:1508.05777; V. Gurvich, S. Heubach, N. B. Ho and N. Chikin, "
     "Integers 20 (2020) G3",
     "", kHeapsAndChosen,
     [](Parameters p) {
       need_at_most_heaps(p[1], p[0]);
       return fmt::format("{}: sym {}", p[0], ones(p[0], p[1]));
     }},
    {"slow-nim", "Slow Moore Nim", "Take one token from each of at least one and at most k heaps.",
     "V. Gurvich and N. B. Ho, arXiv:1508.05777; V. Gurvich, S. Heubach, N. B. Ho and N. Chikin, "
     "Integers 20 (2020) G3",
     "", kHeapsAndChosen,
     [](Parameters p) {
       need_at_most_heaps(p[1], p[0]);
       std::string rule = fmt::format("{}: sym {}", p[0], ones(p[0], 1));
       for (std::uint32_t k = 2; k <= p[1]; ++k) rule += " + sym " + ones(p[0], k);
       return rule;
     }},
    {"cycle-nim", "Hypergraph Nim on a cycle",
     "The heaps stand in a circle. Reduce two neighbouring heaps, each by any number.",
     "E. Boros, V. Gurvich, N. B. Ho, K. Makino and P. Mursic, arXiv:1701.02819",
     "Both heaps lose tokens; in circular-nim one of them may stay as it is. Other hypergraphs are "
     "written by their edges, such as 4: box(1,2) + box(2,3,4).",
     kOnlyHeaps4,
     [](Parameters p) {
       std::string rule = fmt::format("{}:", p[0]);
       for (std::uint32_t i = 1; i <= p[0]; ++i) {
         rule += fmt::format("{} box({},{})", i > 1 ? " +" : "", i, i % p[0] + 1);
       }
       return rule;
     }},
    {"circular-nim", "Circular Nim CN(n,k)",
     "The heaps stand in a circle. Choose k consecutive heaps and take at least one token from one "
     "or more of them.",
     "M. Dufour and S. Heubach, Electronic Journal of Combinatorics 20(2) (2013) P22; "
     "arXiv:1211.0091",
     "P-positions of CN(4,2): opposite heaps are equal; of CN(n,n-1): all heaps are equal. "
     "CN(n,1) is Nim.",
     kCircle,
     [](Parameters p) {
       need_at_most_heaps(p[1], p[0]);
       return fmt::format("{}: {}", p[0], fmt::join(arc_boxes(p[0], p[1]), " + "));
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
     "A. S. Fraenkel and M. Lorberbom, Nimhoff games, J. Combin. Theory A 58 (1991)",
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
     "Of two positive heaps that differ it is a P-position exactly if it is one of euclid. Equal "
     "heaps are P-positions of euclid and N-positions here. The values are others.",
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
     "The value of the single square is 0. The position without squares does not occur; tables and "
     "counts of P-positions have it with the value 0.",
     kRows, [](Parameters p) { return fmt::format("{}: chomp", p[0]); }},
};

/// The form of a game with its parameters: `moore(heaps,k)`.
std::string form_of(const LatticeEntry& game) {
  if (game.parameters.empty()) return std::string(game.name);
  std::vector<std::string_view> names;
  for (const GameParameter& parameter : game.parameters) names.push_back(parameter.name);
  return fmt::format("{}({})", game.name, fmt::join(names, ","));
}

std::string usual_notation(const LatticeEntry& game) {
  std::vector<std::uint32_t> usual;
  for (const GameParameter& parameter : game.parameters) usual.push_back(parameter.usual);
  return LatticeRule::parse(game.notation(usual)).canonical();
}

}  // namespace

std::vector<CatalogueRow> lattice_rows() {
  std::vector<CatalogueRow> rows;
  for (const LatticeEntry& game : kLatticeGames) {
    rows.push_back({.game = {.kind = GameKind::kLattice,
                             .name = game.name,
                             .title = game.title,
                             .form = form_of(game),
                             .notation = usual_notation(game),
                             .rules = std::string(game.rules),
                             .reference = game.reference,
                             .note = game.note,
                             .parameters = game.parameters,
                             .positions = {}},
                    .notation = game.notation});
  }
  return rows;
}

}  // namespace grundy
