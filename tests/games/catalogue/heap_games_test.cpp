/// @file
/// Proof of the catalogue: every notation is compared with the game played by its own rules, on
/// boards, strips and rows of pins instead of heaps, and with the terms that OEIS lists.
// SPDX-License-Identifier: MIT
#include <fstream>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/error.hpp>
#include <grundy/games.hpp>

#include "games/heap/naive.hpp"
#include "support/errors.hpp"

namespace grundy {
namespace {

using test::mex;
using test::naive_values;
using testing::HasSubstr;

std::vector<unsigned> catalogue_values(std::string_view name, std::uint64_t count) {
  return naive_values(resolve_game(name).heap(), count);
}

/// Values of rows of n = 0 .. count-1 cells, all of them free, in a game whose moves fill cells.
/// `moves(row, n, f)` calls f with each row that a move leaves (bit set: the cell is free).
template <class Moves>
std::vector<unsigned> row_values(unsigned count, Moves moves) {
  std::vector<unsigned> values;
  for (unsigned n = 0; n < count; ++n) {
    std::vector<unsigned> of_row(std::size_t{1} << n);  // filling cells makes the number smaller
    for (unsigned row = 0; row < of_row.size(); ++row) {
      std::set<unsigned> seen;
      moves(row, n, [&](unsigned left) { seen.insert(of_row[left]); });
      of_row[row] = mex(seen);
    }
    values.push_back(of_row.back());
  }
  return values;
}

/// Knocks down 1 .. most neighbouring pins, at least `least` of them.
std::vector<unsigned> bowling_values(unsigned count, unsigned least, unsigned most) {
  return row_values(count, [=](unsigned row, unsigned n, auto leave) {
    for (unsigned width = least; width <= most; ++width) {
      const unsigned block = (1u << width) - 1;
      for (unsigned at = 0; at + width <= n; ++at) {
        if ((row >> at & block) == block) leave(row & ~(block << at));
      }
    }
  });
}

TEST(Catalogue, Kayles) {
  EXPECT_EQ(catalogue_values("kayles", 14), bowling_values(14, 1, 2));
  EXPECT_EQ(catalogue_values("double-kayles", 14), bowling_values(14, 1, 4));
  EXPECT_EQ(catalogue_values("dawsons-kayles", 14), bowling_values(14, 2, 2));
}

TEST(Catalogue, DoubleKaylesDoublesKayles) {
  const auto kayles = catalogue_values("kayles", 75);
  const auto doubled = catalogue_values("double-kayles", 150);
  const auto repeated = naive_values("0.44", 150);
  for (std::size_t n = 0; n < 75; ++n) {
    EXPECT_EQ(std::minmax(doubled[2 * n], doubled[2 * n + 1]),
              std::minmax(2 * kayles[n], 2 * kayles[n] + 1));
    if (n == 74) continue;
    EXPECT_EQ(repeated[2 * n + 1], kayles[n]);
    EXPECT_EQ(repeated[2 * n + 2], kayles[n]);
  }
}

/// Guiles: an isolated pin, or two neighbours that are a whole row or strictly inside one.
TEST(Catalogue, Guiles) {
  const auto values = row_values(13, [](unsigned row, unsigned n, auto leave) {
    const auto standing = [&](int at) {
      return at >= 0 && at < static_cast<int>(n) && (row >> at & 1) != 0;
    };
    for (int at = 0; at < static_cast<int>(n); ++at) {
      if (!standing(at)) continue;
      if (!standing(at - 1) && !standing(at + 1)) leave(row & ~(1u << at));
      if (standing(at + 1) && standing(at - 1) == standing(at + 2)) leave(row & ~(3u << at));
    }
  });
  EXPECT_EQ(catalogue_values("guiles", 13), values);
}

/// Dawson's Chess on a board of three ranks: white pawns below, black above, capture compulsory,
/// the player without a move loses.
class PawnGame {
 public:
  static bool first_player_wins(unsigned files) {
    PawnGame game(files);
    return game.wins(std::string(files, 'w') + std::string(files, '.') + std::string(files, 'b'),
                     'w');
  }

 private:
  explicit PawnGame(unsigned files) : files_(static_cast<int>(files)) {}

  bool wins(const std::string& board, char mover) {
    const std::string key = board + mover;
    if (const auto known = wins_.find(key); known != wins_.end()) return known->second;
    std::vector<std::string> captures;
    std::vector<std::string> advances;
    const int step = mover == 'w' ? 1 : -1;
    const char enemy = mover == 'w' ? 'b' : 'w';
    for (int at = 0; at < 3 * files_; ++at) {
      const int rank = at / files_ + step;
      if (board[at] != mover || rank < 0 || rank > 2) continue;
      for (int file = at % files_ - 1; file <= at % files_ + 1; ++file) {
        if (file < 0 || file >= files_) continue;
        const int to = rank * files_ + file;
        const bool straight = file == at % files_;
        if (board[to] != (straight ? '.' : enemy)) continue;
        std::string next = board;
        next[to] = mover;
        next[at] = '.';
        (straight ? advances : captures).push_back(next);
      }
    }
    bool won = false;
    for (const auto& next : captures.empty() ? advances : captures) {
      won = won || !wins(next, enemy);
    }
    return wins_[key] = won;
  }

  int files_;
  std::map<std::string, bool> wins_;
};

TEST(Catalogue, DawsonsChessOnTheBoard) {
  const auto values = catalogue_values("dawsons-chess", 10);
  for (unsigned files = 1; files < 10; ++files) {
    EXPECT_EQ(PawnGame::first_player_wins(files), values[files] != 0) << files << " files";
  }
}

TEST(Catalogue, DawsonsChessIsNodeKaylesOnAPath) {
  const auto values = row_values(14, [](unsigned row, unsigned n, auto leave) {
    for (unsigned at = 0; at < n; ++at) {
      const unsigned near = 2u << at | 1u << at | 1u << at >> 1;
      if ((row >> at & 1) != 0) leave(row & ~near);
    }
  });
  EXPECT_EQ(catalogue_values("dawsons-chess", 14), values);

  const auto kayles = catalogue_values("dawsons-kayles", 90);
  const auto chess = catalogue_values("dawsons-chess", 89);
  EXPECT_TRUE(std::equal(chess.begin(), chess.end(), kayles.begin() + 1));
}

/// Treblecross by its own rule: whoever completes three crosses in a row wins.
bool treblecross_first_player_wins(unsigned squares) {
  std::vector<bool> wins(std::size_t{1} << squares);  // by the squares that are still free
  for (unsigned row = 1; row < wins.size(); ++row) {
    for (unsigned at = 0; at < squares && !wins[row]; ++at) {
      if ((row >> at & 1) == 0) continue;
      const unsigned left = row & ~(1u << at);
      const unsigned crosses = ((1u << squares) - 1) & ~left;
      wins[row] = (crosses & crosses >> 1 & crosses >> 2) != 0 || !wins[left];
    }
  }
  return wins.back();
}

TEST(Catalogue, TreblecrossOnTheStrip) {
  const auto values = catalogue_values("treblecross", 64);
  // Up to two squares nobody can make three crosses, and a full strip is a draw.
  for (unsigned squares = 3; squares < 17; ++squares) {
    EXPECT_EQ(treblecross_first_player_wins(squares), values[squares + 2] != 0) << squares;
  }
  // A cross next to or next but one to another loses at once; the players avoid that.
  const auto avoiding = row_values(14, [](unsigned row, unsigned n, auto leave) {
    for (unsigned at = 0; at < n; ++at) {
      if ((row >> at & 1) != 0) leave(row & ~((31u << at) >> 2));
    }
  });
  EXPECT_TRUE(std::equal(avoiding.begin(), avoiding.end(), values.begin() + 2));
  const auto unshifted = naive_values("0.11337", 62);
  EXPECT_TRUE(std::equal(unshifted.begin(), unshifted.end(), values.begin() + 2));
}

/// Values of heap games given by the splits of heap n into heaps a and b (0: no heap).
std::vector<unsigned> split_values(
    unsigned count, const std::function<bool(unsigned n, unsigned a, unsigned b)>& may) {
  std::vector<unsigned> values;
  for (unsigned n = 0; n < count; ++n) {
    std::set<unsigned> seen;
    for (unsigned a = 0; a < n; ++a) {
      for (unsigned b = a; a + b <= n && b < n; ++b) {
        if (may(n, a, b)) seen.insert(values[a] ^ values[b]);
      }
    }
    values.push_back(mex(seen));
  }
  return values;
}

TEST(Catalogue, GamesOfSplitting) {
  EXPECT_EQ(catalogue_values("nim", 40),
            split_values(40, [](unsigned, unsigned a, unsigned) { return a == 0; }));
  EXPECT_EQ(catalogue_values("rims", 40),
            split_values(40, [](unsigned n, unsigned a, unsigned b) { return a + b < n; }));
  EXPECT_EQ(
      catalogue_values("laskers-nim", 40),
      split_values(40, [](unsigned n, unsigned a, unsigned b) { return a == 0 || a + b == n; }));
  EXPECT_EQ(catalogue_values("grundys-game", 60),
            split_values(60, [](unsigned n, unsigned a, unsigned b) {
              return a + b == n && a != 0 && a != b;
            }));
  EXPECT_EQ(catalogue_values("officers", 60),
            split_values(
                60, [](unsigned n, unsigned a, unsigned b) { return a + b + 1 == n && b != 0; }));
}

TEST(Catalogue, CouplesAreForeverIsShiftedByOne) {
  const auto couples = split_values(
      100, [](unsigned n, unsigned a, unsigned b) { return n != 2 && a != 0 && a + b == n; });
  const auto table = catalogue_values("couples-are-forever", 99);
  EXPECT_TRUE(std::equal(table.begin(), table.end(), couples.begin() + 1));
  EXPECT_THAT(std::string(resolve_game("couples-are-forever").named->note),
              HasSubstr("SHIFTED BY 1"));
}

TEST(Catalogue, LaskersNimFormula) {
  const auto values = catalogue_values("laskers-nim", 60);
  for (unsigned n = 1; n < values.size(); ++n) {
    EXPECT_EQ(values[n], n % 4 == 3 ? n + 1 : n % 4 == 0 ? n - 1 : n);
  }
}

TEST(Catalogue, SubtractionGames) {
  const auto check = [](std::string_view name, const std::function<bool(unsigned)>& in_set) {
    EXPECT_EQ(catalogue_values(name, 200),
              split_values(
                  200, [&](unsigned n, unsigned a, unsigned b) { return a == 0 && in_set(n - b); }))
        << name;
  };
  check("subtract-a-square", [](unsigned s) {
    unsigned root = 0;
    while (root * root < s) ++root;
    return root * root == s;
  });
  check("subtract-a-prime", [](unsigned s) {
    unsigned divisors = 0;
    for (unsigned d = 1; d <= s; ++d) divisors += s % d == 0;
    return divisors == 2;
  });
  check("subtract-a-factorial", [](unsigned s) {
    return std::set<unsigned>{1, 2, 6, 24, 120}.contains(s);
  });
  check("subtract-a-fibonacci", [](unsigned s) {
    return std::set<unsigned>{1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144}.contains(s);
  });
}

TEST(Catalogue, GamesOfDivisors) {
  const auto check = [](std::string_view name, auto may) {
    EXPECT_EQ(catalogue_values(name, 120),
              split_values(120, [&](unsigned n, unsigned a,
                                    unsigned b) { return a == 0 && b < n && may(n, b); }))
        << name;
  };
  check("subtract-a-divisor", [](unsigned n, unsigned m) { return m > 0 && n % (n - m) == 0; });
  check("leave-a-divisor", [](unsigned n, unsigned m) { return m > 0 && n % m == 0; });
  check("saliquant", [](unsigned n, unsigned m) { return n % (n - m) != 0; });
  check("leave-a-nondivisor", [](unsigned n, unsigned m) { return m > 0 && n % m != 0; });
  check("subtract-a-coprime", [](unsigned n, unsigned m) { return std::gcd(n, n - m) == 1; });
  check("leave-a-coprime", [](unsigned n, unsigned m) { return m > 0 && std::gcd(n, m) == 1; });
  check("mark", [](unsigned n, unsigned m) { return m + 1 == n || m == n / 2; });
  check("i-mark", [](unsigned n, unsigned m) { return m + 1 == n || 2 * m == n; });
}

TEST(Catalogue, FactorialsReachFourAt5050) {
  const auto values = catalogue_values("subtract-a-factorial", 5051);
  EXPECT_EQ(std::ranges::find(values, 4u) - values.begin(), 5050);
}

TEST(Catalogue, PeriodsInTheNotes) {
  struct Note {
    std::string_view name;
    std::size_t preperiod, period;
    unsigned saltus;
  };
  for (const auto& [name, preperiod, period, saltus] :
       {Note{"kayles", 71, 12, 0}, Note{"dawsons-kayles", 53, 34, 0}, Note{"guiles", 1, 10, 0},
        Note{"stars", 1, 4, 0}, Note{"kenyons-game", 0, 6, 3}}) {
    const auto values = catalogue_values(name, name == "kenyons-game" ? 60 : 200);
    for (std::size_t n = preperiod; n + period < values.size(); ++n) {
      ASSERT_EQ(values[n + period], values[n] + saltus) << name << " at " << n;
    }
    if (preperiod > 0) {
      EXPECT_NE(values[preperiod - 1 + period], values[preperiod - 1]) << name;
    }
  }
}

/// The terms of an OEIS sequence in tests/golden, from its term 0 for heap 0 on.
std::vector<unsigned> oeis_terms(const std::string& number) {
  std::ifstream file(GRUNDY_GOLDEN_DIR "/oeis_heap_games.csv");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(number + ",")) continue;
    std::vector<unsigned> terms;
    const auto start = line.find("\"0,") + 1;
    std::istringstream list(line.substr(start, line.find('"', start) - start));
    for (std::string term; std::getline(list, term, ',');) {
      terms.push_back(static_cast<unsigned>(std::stoul(term)));
    }
    return terms;
  }
  return {};
}

TEST(Catalogue, AgreesWithOeis) {
  for (const auto& [name, number] :
       std::map<std::string_view, std::string>{{"kayles", "A002186"},
                                               {"dawsons-chess", "A002187"},
                                               {"grundys-game", "A002188"},
                                               {"subtract-a-square", "A014586"},
                                               {"subtract-a-factorial", "A014587"},
                                               {"subtract-a-fibonacci", "A014588"},
                                               {"subtract-a-prime", "A014589"},
                                               {"officers", "A046695"},
                                               {"treblecross", "A395248"}}) {
    const auto terms = oeis_terms(number);
    ASSERT_GT(terms.size(), 20u) << number;
    EXPECT_EQ(catalogue_values(name, terms.size()), terms) << name << " " << number;
  }
}

}  // namespace
}  // namespace grundy
