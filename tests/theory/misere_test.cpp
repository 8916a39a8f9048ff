/// @file
/// Misère play of one heap: against play from the definition, published genera, and theorems.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <stop_token>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <grundy/error.hpp>
#include <grundy/heap/options.hpp>
#include <grundy/misere.hpp>

#include "theory/misere_forms.hpp"

namespace grundy {
namespace {

std::vector<MisereHeap> genera(const std::string& notation, HeapSize last) {
  std::vector<MisereHeap> heaps;
  const auto end =
      find_genera(HeapRule::parse(notation), last, [&](HeapSize n, const MisereHeap& heap) {
        EXPECT_EQ(n, heaps.size());
        heaps.push_back(heap);
        return Flow::kContinue;
      });
  EXPECT_EQ(end, MisereEnd::kComplete);
  return heaps;
}

/// Misère nim-values from the definition: of any heaps, and any number of heaps of two tokens of
/// Nim beside them.
class Definition {
 public:
  explicit Definition(const HeapRule& rule) : rule_(rule) {}

  Nimber value(const std::vector<HeapSize>& heaps, int ones, int twos) {
    std::vector<HeapSize> key = heaps;
    std::ranges::sort(key);
    std::erase_if(key, [this](HeapSize n) { return moves(n).empty(); });
    const auto place = std::tuple(key, ones, twos);
    if (const auto known = known_.find(place); known != known_.end()) return known->second;
    std::vector<Nimber> reached;
    for (std::size_t i = 0; i < key.size(); ++i) {
      for (const HeapMove& move : moves(key[i])) {
        std::vector<HeapSize> next = key;
        next.erase(next.begin() + static_cast<std::ptrdiff_t>(i));
        next.insert(next.end(), move.left.begin(), move.left.end());
        reached.push_back(value(next, ones, twos));
      }
    }
    if (ones > 0) reached.push_back(value(key, ones - 1, twos));
    if (twos > 0) {
      reached.push_back(value(key, ones, twos - 1));
      reached.push_back(value(key, ones + 1, twos - 1));
    }
    Nimber mex = reached.empty() ? 1 : 0;
    if (!reached.empty()) {
      while (std::ranges::find(reached, mex) != reached.end()) ++mex;
    }
    return known_[place] = mex;
  }

 private:
  const std::vector<HeapMove>& moves(HeapSize n) {
    if (const auto known = moves_.find(n); known != moves_.end()) return known->second;
    std::vector<HeapMove>& list = moves_[n];
    for_each_option(rule_, n, [&](const HeapMove& move) {
      list.push_back(move);
      return Flow::kContinue;
    });
    return list;
  }

  const HeapRule& rule_;
  std::map<std::tuple<std::vector<HeapSize>, int, int>, Nimber> known_;
  std::map<HeapSize, std::vector<HeapMove>> moves_;
};

RC_GTEST_PROP(Misere, AreThoseOfTheDefinition, ()) {
  std::string code = *rc::gen::element<std::string>("0.", "4.", "hex:0.");
  const char* const digits = code.front() == 'h' ? "0123456789ABCDEF" : "01234567";
  const int count = *rc::gen::inRange(1, 4);
  for (int i = 0; i < count; ++i) {
    code += digits[*rc::gen::inRange<std::size_t>(0, std::string(digits).size())];
  }
  RC_LOG() << code << '\n';
  HeapRule rule = HeapRule::parse("0.1");
  try {
    rule = HeapRule::parse(code);
  } catch (const Error&) {
    RC_DISCARD("no game");
  }
  Definition definition(rule);
  const HeapSize last = code.front() == 'h' ? 8 : 11;
  std::vector<MisereHeap> heaps;
  find_genera(rule, last, [&](HeapSize, const MisereHeap& heap) {
    heaps.push_back(heap);
    return Flow::kContinue;
  });
  for (HeapSize n = 0; n <= last; ++n) {
    for (int twos = 0; twos < 5; ++twos) {
      RC_ASSERT(heaps[n].genus.misere_with(static_cast<std::size_t>(twos)) ==
                definition.value({n}, 0, twos));
    }
  }
}

/// The rows of a file of golden data, and its last column; a genus is compared as far as it is
/// there.
std::vector<std::pair<MisereHeap, std::string>> compared_rows(const char* name) {
  std::ifstream file(std::string(GRUNDY_GOLDEN_DIR "/") + name);
  EXPECT_TRUE(file) << name;
  std::map<std::string, std::vector<MisereHeap>> known;
  std::vector<std::pair<MisereHeap, std::string>> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#') || line.starts_with("game,")) continue;
    std::istringstream in(line);
    std::string game, heap, value, misere, last;
    std::getline(in, game, ',');
    std::getline(in, heap, ',');
    std::getline(in, value, ',');
    std::getline(in, misere, ',');
    std::getline(in, last, ',');
    if (!known.contains(game)) known[game] = genera(game == "grundy" ? "4!.0" : game, 25);
    const MisereHeap& found = known[game][std::stoul(heap)];
    EXPECT_EQ(found.genus.value, std::stoul(value)) << line;
    for (std::size_t k = 0; k < misere.size(); ++k) {
      EXPECT_EQ(found.genus.misere_with(k), static_cast<Nimber>(misere[k] - '0')) << line;
    }
    rows.emplace_back(found, last);
  }
  return rows;
}

TEST(Misere, AreTheGeneraOfAnotherProgram) {
  const auto rows = compared_rows("genus.csv");
  EXPECT_EQ(rows.size(), 124u);
  for (const auto& [heap, tame] : rows) {
    EXPECT_EQ(heap.kind == MisereKind::kTame, tame == "yes") << heap.genus.text();
  }
}

TEST(Misere, AreTheGeneraInPrint) {
  EXPECT_EQ(compared_rows("genus_printed.csv").size(), 26u);
}

// The test of CGSuite (GameHeapTest), which writes tame genera without their terms.
TEST(Misere, ValuesBeyondNineAreSeparated) {
  const auto heaps = genera("0.3F", 20);
  EXPECT_EQ(heaps[6].genus.text(), "3^{1431}");
  EXPECT_EQ(heaps[12].genus.text(), "6^{1,9,10,8}");
  EXPECT_EQ(heaps[18].genus.text(), "9^{1,9,12,11,9}");
  EXPECT_EQ(heaps[20].genus.text(), "11^{6,10,8}");
}

TEST(Misere, NimIsTame) {
  const auto heaps = genera("0.[3]", 300);
  for (HeapSize n = 0; n <= 300; ++n) {
    EXPECT_EQ(heaps[n].kind, MisereKind::kTame);
    EXPECT_EQ(heaps[n].genus, tame_genus(static_cast<Nimber>(n), n < 2)) << n;
  }
  EXPECT_EQ(heaps[0].genus.text(), "0^{120}");
  EXPECT_EQ(heaps[1].genus.text(), "1^{031}");
  EXPECT_EQ(heaps[2].genus.text(), "2^{20}");
}

TEST(Misere, KindsFollowFromOptions) {
  // Plambeck, Integers 5 (2005) G05: heaps 8 and 9 of 0.123 have genus 2^{1420} and 1^{20}.
  const auto heaps = genera("0.123", 9);
  EXPECT_EQ(heaps[8].genus.text(), "2^{1420}");
  EXPECT_EQ(heaps[8].kind, MisereKind::kRestless);
  EXPECT_EQ(heaps[9].genus.text(), "1^{20}");
  EXPECT_EQ(heaps[9].kind, MisereKind::kRestive);
  EXPECT_EQ(genera("0.77", 9)[9].kind, MisereKind::kWild);
}

TEST(Misere, TameHeapsHaveGeneraOfNim) {
  for (const char* code : {"0.77", "0.137", "0.07", "0.56", "4.7", "0.26", "hex:0.3C"}) {
    for (const MisereHeap& heap : genera(code, 24)) {
      if (heap.kind != MisereKind::kTame) continue;
      EXPECT_EQ(heap.genus, tame_genus(heap.genus.value, is_fickle(heap.genus))) << code;
    }
  }
}

/// Any form of a few moves.
MisereForms::Id random_form(MisereForms& forms, std::mt19937& random, unsigned depth) {
  std::vector<MisereForms::Id> options;
  const unsigned count = depth == 0 ? 0 : random() % 4;
  for (unsigned i = 0; i < count; ++i) options.push_back(random_form(forms, random, depth - 1));
  return forms.make(std::move(options));
}

TEST(MisereForms, SumsAreThoseOfAMonoid) {
  MisereForms forms;
  std::mt19937 random(13);
  std::size_t tame = 0;
  const auto one = forms.make({MisereForms::kZero});
  EXPECT_EQ(forms.sum(one, one), MisereForms::kZero);
  for (int i = 0; i < 1000; ++i) {
    const auto a = random_form(forms, random, 4), b = random_form(forms, random, 4),
               c = random_form(forms, random, 3);
    ASSERT_EQ(forms.sum(a, MisereForms::kZero), a);
    ASSERT_EQ(forms.sum(a, b), forms.sum(b, a));
    ASSERT_EQ(forms.sum(forms.sum(a, b), c), forms.sum(a, forms.sum(b, c)));
    const Genus& with_one = forms[forms.sum(a, one)].genus;
    ASSERT_EQ(with_one.misere[0], forms[a].genus.misere[0] ^ 1);
    if (forms[a].kind != MisereKind::kTame || forms[b].kind != MisereKind::kTame) continue;
    const Genus x = forms[a].genus, y = forms[b].genus;
    const MisereHeap& both = forms[forms.sum(a, b)];
    ASSERT_EQ(both.kind, MisereKind::kTame);
    ASSERT_EQ(both.genus, tame_genus(x.value ^ y.value, is_fickle(x) && is_fickle(y)));
    ++tame;
  }
  EXPECT_GT(tame, 100u);
  EXPECT_LT(tame, 999u);
}

TEST(MisereForms, ReversibleMovesAreRemoved) {
  MisereForms forms;
  const auto zero = MisereForms::kZero;
  const auto one = forms.make({zero});
  const auto two = forms.make({zero, one});
  EXPECT_EQ(forms.make({one}), zero);  // *1 leads to 0, and is a misère P-position
  EXPECT_NE(forms.make({two}), zero);  // *2 leads to 0, but no option is one
  EXPECT_EQ(forms.make({one, two}), zero);
  EXPECT_NE(forms.sum(two, two), zero);
  EXPECT_EQ(forms.make({zero, forms.make({zero, one, two}), one}), forms.make({one, zero}))
      << "*3 leads to *2";
}

TEST(Misere, EndsWhereMemoryEndsOrWhenAsked) {
  const HeapRule kayles = HeapRule::parse("0.77");
  HeapSize heaps = 0;
  const auto count = [&](HeapSize, const MisereHeap&) {
    ++heaps;
    return Flow::kContinue;
  };
  EXPECT_EQ(find_genera(kayles, 1000, count, {.memory = 1u << 20}), MisereEnd::kMemory);
  EXPECT_GT(heaps, 20u);
  EXPECT_LT(heaps, 60u);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(find_genera(kayles, 1000, count, {.stop = stop.get_token()}), MisereEnd::kStopped);
  EXPECT_EQ(find_genera(kayles, 1000, [](HeapSize, const MisereHeap&) { return Flow::kStop; }),
            MisereEnd::kStopped);
}

}  // namespace
}  // namespace grundy
