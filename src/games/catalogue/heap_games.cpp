/// @file
/// The named games of one heap. The notations are proved by
/// tests/games/catalogue/heap_games_test.cpp, which plays each game by its own rules.
// SPDX-License-Identifier: MIT
#include "games/catalogue/rows.hpp"

namespace grundy {
namespace {

struct HeapEntry {
  std::string_view name, title, notation, reference, note;
};

constexpr std::string_view kIannucciLarsson =
    "D. E. Iannucci and U. Larsson, Game values of arithmetic functions, arXiv:2101.07608";

constexpr HeapEntry kHeapGames[] = {
    {"nim", "Nim", "0.[3]", "C. L. Bouton, Annals of Mathematics 3 (1901) 35-39",
     "The value of a heap is its size."},
    {"laskers-nim", "Lasker's Nim", "4.[3]",
     "E. Lasker, Brettspiele der Voelker (1931); Winning Ways (1982), ch. 4",
     "Nim in which a heap may also be split. G(n) = n for n = 1, 2 mod 4, n+1 for n = 3 mod 4, n-1 "
     "for n = 0 mod 4 (n >= 1)."},
    {"rims", "Rims", "0.[7]", "Winning Ways (1982), ch. 17",
     "A closed curve through any number of the n dots of a region separates the rest; the values "
     "are those of Nim."},
    {"kayles", "Kayles", "0.77",
     "H. E. Dudeney, The Canterbury Puzzles (1907); solved by R. K. Guy and C. A. B. Smith, Proc. "
     "Camb. Phil. Soc. 52 (1956) 514-526",
     "Heap n is a row of n pins. Period 12 from heap 71 on."},
    {"double-kayles", "Double Kayles", "0.7777",
     "Guy and Smith (1956), p. 521; Winning Ways (1982), ch. 4; OEIS A071074",
     "G(2n) and G(2n+1) are 2K and 2K+1 in one order or the other, where K is the value of heap n "
     "in Kayles. The game 0.44, whose values are those of Kayles repeated twice, sometimes goes by "
     "this name."},
    {"dawsons-kayles", "Dawson's Kayles", "0.07",
     "Guy and Smith (1956); Winning Ways (1982), ch. 4; OEIS A002187",
     "Heap n is a row of n pins, of which two neighbours fall at a time; also Cram on a strip of n "
     "squares. G(n) is the value of heap n-1 in Dawson's Chess. Period 34 from heap 53 on."},
    {"dawsons-chess", "Dawson's Chess", "0.137",
     "T. R. Dawson, Caissa's Wild Roses (1935); solved by Guy and Smith (1956); OEIS A002187",
     "Heap n is a board of n files; also Node Kayles on a path of n vertices. G(n) is the value of "
     "heap n+1 in Dawson's Kayles. Dawson let the last player lose; the table is for normal play."},
    {"treblecross", "Treblecross", "0.007", "Winning Ways (1982), ch. 4; OEIS A395248",
     "SHIFTED BY 2: the strip of n squares is heap n+2. Under the code 0.11337 it is heap n. No "
     "period is known."},
    {"guiles", "Guiles", "0.15", "Winning Ways (1982), ch. 4; OEIS A125916",
     "Period 10 from heap 1 on."},
    {"stars", "Stars", "0.57", "Winning Ways (1982), ch. 4, table of octal games",
     "NAME UNCONFIRMED: that the name belongs to this code was not checked against a printed "
     "source; the values are those of 0.57. Period 4 from heap 1 on."},
    {"officers", "Officers", "0.6", "Winning Ways (1982), ch. 4; OEIS A046695",
     "G(n) is the value of heap n+1 in Couples-are-Forever. No period up to 1.4e14: J. P. "
     "Grossman, "
     "Games of No Chance 5 (2019) 373-385."},
    {"couples-are-forever", "Couples-are-Forever", "0.6",
     "I. Caines, C. Gates, R. K. Guy and R. J. Nowakowski, Amer. Math. Monthly 106 (1999) 359-361",
     "SHIFTED BY 1: heap n of Couples-are-Forever is heap n-1 of this table (n >= 1). No "
     "take-and-break code says that a heap may be split unless it has two tokens, so the notation "
     "is that of Officers."},
    {"grundys-game", "Grundy's game", "4!.0",
     "P. M. Grundy, Eureka 2 (1939) 6-8; Winning Ways (1982), ch. 4; OEIS A002188",
     "A heap is split into two unequal ones. Not an octal game; no period is known."},
    {"kenyons-game", "Kenyon's game", "0.3F",
     "J. C. Kenyon, MSc thesis, University of Calgary (1967); Winning Ways (1982), ch. 4",
     "Hexadecimal. Arithmetic periodic: G(n+6) = G(n)+3."},
    {"subtract-a-square", "Subtract-a-square", "S{squares}",
     "S. W. Golomb, J. Combinatorial Theory 1 (1966) 443-458; OEIS A014586",
     "The values grow slowly: none above 168 up to heap 10^6."},
    {"subtract-a-prime", "Subtract-a-prime", "S{primes}", "OEIS A014589",
     "No value above 11 is known."},
    {"subtract-a-factorial", "Subtract-a-factorial", "S{factorials}", "OEIS A014587",
     "The first heap of value 4 has 5050 tokens."},
    {"subtract-a-fibonacci", "Subtract-a-Fibonacci", "S{fibonacci}", "OEIS A014588",
     "The numbers 1, 2, 3, 5, 8, ... may be taken at any time; not Whinihan's Fibonacci Nim, where "
     "the last move bounds the next."},
    {"subtract-a-divisor", "Subtract a proper divisor", "n -> n - d : d | n, d < n",
     kIannucciLarsson, "G(n) is the exponent of 2 in n (n >= 1; OEIS A007814)."},
    {"leave-a-divisor", "Leave a proper divisor", "n -> d : d | n, d < n", kIannucciLarsson,
     "G(n) is the number of primes of n, each counted as often as it divides n (n >= 1; OEIS "
     "A001222)."},
    {"subtract-a-nondivisor", "Saliquant", "n -> n - d : not d | n",
     "D. E. Iannucci and U. Larsson, Game values of arithmetic functions, arXiv:2101.07608; "
     "Ellis, Shi, Thanatipanonda and Tu, Two games on arithmetic functions, arXiv:2309.01231",
     "G(n) = (n-1)/2 for odd n."},
    {"leave-a-nondivisor", "Leave a nondivisor", "n -> d : not d | n", kIannucciLarsson, ""},
    {"subtract-a-coprime", "Subtract a coprime number", "n -> n - d : gcd(d, n) = 1",
     kIannucciLarsson,
     "G(n) = 0 for even n; for odd n > 1 it is the place of the least prime of n among the primes "
     "2, 3, 5, ... (OEIS A055396)."},
    {"leave-a-coprime", "Leave a coprime number", "n -> d : gcd(d, n) = 1, d < n", kIannucciLarsson,
     "G(n) is the place of the least prime of n among the primes 2, 3, 5, ... (n >= 2; OEIS "
     "A055396)."},
    {"mark", "Mark", "n -> n - 1, floor(n/2)",
     "A. S. Fraenkel, Aperiodic subtraction games, Electronic J. Combinatorics 18(2) (2011)",
     "Heap n >= 1 has value 0 if 2 divides n an odd number of times. Not periodic. Mark-t is such "
     "as n -> n - 1, n - 2, floor(n/3)."},
    {"i-mark", "i-Mark", "n -> n - 1; floor(n/2) : 2 | n",
     "E. Sopena, i-Mark: a new subtraction division game, arXiv:1509.04199",
     "Mark in which only an even heap may be halved. Other such games are written in the same "
     "way."},
};

}  // namespace

std::vector<CatalogueRow> heap_rows() {
  std::vector<CatalogueRow> rows;
  for (const HeapEntry& game : kHeapGames) {
    rows.push_back({.game = {.kind = GameKind::kHeap,
                             .name = game.name,
                             .title = game.title,
                             .form = std::string(game.name),
                             .notation = std::string(game.notation),
                             .rules = HeapRule::parse(game.notation).describe(),
                             .reference = game.reference,
                             .note = game.note,
                             .parameters = {},
                             .positions = {}}});
  }
  return rows;
}

}  // namespace grundy
