/// @file
/// The census of rules of several heaps, compared with values that are found here move by move.
// SPDX-License-Identifier: MIT
#include "atlas/rule_census.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/rule_census.hpp>
#include <grundy/table.hpp>

#include "atlas/atlas_testing.hpp"
#include "atlas/census_file.hpp"
#include "atlas/census_testing.hpp"
#include "core/digest.hpp"
#include "support/damage.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace grundy {
namespace {

using testing_support::fresh_directory;

LatticeShape box(std::initializer_list<std::uint32_t> extents) {
  LatticeShape shape{.heaps = static_cast<unsigned>(extents.size())};
  std::ranges::copy(extents, shape.extent.begin());
  return shape;
}

/// Values in row-major order, by trying every smaller position: `is_move` decides by the numbers of
/// tokens taken.
std::vector<Nimber> naive_values(const LatticeShape& shape,
                                 const std::function<bool(const LatticePoint&)>& is_move) {
  std::vector<LatticePoint> positions{LatticePoint{}};
  for (unsigned i = 0; i < shape.heaps; ++i) {
    std::vector<LatticePoint> more;
    for (const LatticePoint& p : positions) {
      for (std::uint32_t n = 0; n < shape.extent[i]; ++n) {
        more.push_back(p);
        more.back()[i] = n;
      }
    }
    positions = std::move(more);
  }
  std::vector<Nimber> values;
  for (const LatticePoint& p : positions) {
    std::set<Nimber> reached;
    for (std::size_t j = 0; j < values.size(); ++j) {
      LatticePoint taken{};
      bool fits = true;
      for (unsigned i = 0; i < shape.heaps; ++i) {
        fits = fits && positions[j][i] <= p[i];
        taken[i] = p[i] - positions[j][i];
      }
      if (fits && is_move(taken)) reached.insert(values[j]);
    }
    Nimber value = 0;
    while (reached.contains(value)) ++value;
    values.push_back(value);
  }
  return values;
}

/// Whether this many heaps are reduced, each by the same number of tokens.
bool takes_alike(const LatticePoint& taken, std::ptrdiff_t heaps) {
  const std::uint32_t most = std::ranges::max(taken);
  return most > 0 && std::ranges::count(taken, 0u) == std::ptrdiff_t{kMaxLatticeHeaps} - heaps &&
         std::ranges::count(taken, most) == heaps;
}

bool is_nim_move(const LatticePoint& taken) {
  return takes_alike(taken, 1);
}

bool is_wythoff_move(const LatticePoint& taken) {
  return takes_alike(taken, 1) || takes_alike(taken, 2);
}

bool no_move(const LatticePoint& /*taken*/) {
  return false;
}

/// The facts of a rule, from the values of it, the base, Nim and Wythoff's game.
RuleFacts naive_facts(const std::vector<Nimber>& values, const std::vector<Nimber>& base,
                      const std::vector<Nimber>& nim, const std::vector<Nimber>& wythoff) {
  const auto is_p = [](Nimber value) { return value == 0; };
  const auto first = [](auto differs, const auto& a, const auto& b) {
    std::uint32_t i = 0;
    while (i < a.size() && !differs(a[i], b[i])) ++i;
    return i;
  };
  const auto other_p = [&](Nimber a, Nimber b) { return is_p(a) != is_p(b); };
  ValueDigest digest;
  digest.update(std::span<const Nimber>(values));
  return {.p_positions = static_cast<std::uint32_t>(std::ranges::count(values, 0u)),
          .max_value = std::ranges::max(values),
          .first_difference = first(std::not_equal_to<>{}, values, base),
          .first_p_difference = first(other_p, values, base),
          .is_nim_p = first(other_p, values, nim) == values.size(),
          .is_wythoff_p = !wythoff.empty() && first(other_p, values, wythoff) == values.size(),
          .digest = digest.value()};
}

/// All rows of a census without a file, as it would write them.
std::vector<RuleFacts> rows_of(const RuleCensusRequest& request) {
  const atlas::RuleCensus census(request);
  const auto search = census.search();
  std::vector<RuleFacts> rows;
  std::vector<std::uint32_t> facts(census.fact_numbers());
  for (std::uint64_t row = 0; row < census.sets().sets(); ++row) {
    search->find(census.sets().at(row), facts);
    rows.push_back(atlas::facts_of(facts));
  }
  return rows;
}

void expect_naive(const std::string& text, const LatticeShape& shape,
                  const std::function<bool(const LatticePoint&)>& is_base_move) {
  const RuleFamily family = RuleFamily::parse(text);
  const std::vector<LatticePoint> vectors = family.vectors();
  const SetFamily sets{vectors.size(), family.size};
  const std::vector<RuleFacts> rows = rows_of({.family = family, .shape = shape});
  ASSERT_EQ(rows.size(), sets.sets());
  const auto base = naive_values(shape, is_base_move), nim = naive_values(shape, is_nim_move);
  const auto wythoff =
      shape.heaps == 2 ? naive_values(shape, is_wythoff_move) : std::vector<Nimber>();
  for (std::uint64_t row = 0; row < rows.size(); ++row) {
    std::set<LatticePoint> moves;
    for (const HeapSize number : sets.at(row)) {
      LatticePoint image = vectors[number - 1];
      moves.insert(image);
      if (!family.images) continue;
      std::sort(image.begin(), image.begin() + shape.heaps);
      do {
        moves.insert(image);
      } while (std::next_permutation(image.begin(), image.begin() + shape.heaps));
    }
    const auto values = naive_values(shape, [&](const LatticePoint& taken) {
      return is_base_move(taken) || moves.contains(taken);
    });
    EXPECT_EQ(rows[row], naive_facts(values, base, nim, wythoff)) << text << ", row " << row;
  }
}

TEST(RuleFamily, IsReadAndWritten) {
  const std::pair<const char*, const char*> texts[] = {
      {"2: V{max<=3,size=2}", "2: V{max<=3,size=2}"},
      {" 2 :  sym V{ size=1 , max<=4 } ", "2: sym V{max<=4,size=1}"},
      {"2: (1,0)* + V{max<=3,size=2} + (0,1)*", "2: sym (1,0)* + V{max<=3,size=2}"},
      {"2: V{max<=3,size=2} + sym (1,0)*", "2: sym (1,0)* + V{max<=3,size=2}"},
      {"2: (1,0)* + (0,1)* + SYM v { Max<=2, SIZE=1 }", "2: sym (1,0)* + sym V{max<=2,size=1}"},
      {"wythoff + sym V{max<=2,size=1}", "2: sym (1,0)* + (1,1)* + sym V{max<=2,size=1}"},
      {"3: box(1,3) + V{max<=1,size=7}", "3: box(1,3) + V{max<=1,size=7}"}};
  for (const auto& [given, canonical] : texts) {
    const RuleFamily family = RuleFamily::parse(given);
    EXPECT_EQ(family.text(), canonical) << given;
    EXPECT_EQ(RuleFamily::parse(canonical), family) << given;
  }
  for (const char* text : {"2: (1,0)*",
                           "V{max<=3,size=2}",
                           "2: V{}",
                           "2: V{max<=3}",
                           "2: V{max<=3,size<=2}",
                           "2: V{max<=3,size=2",
                           "2: V{max<=1,size=4}",
                           "2: V{max<=256,size=1}",
                           "2: V{max<=9,size=9}",
                           "2: V{max<=3,size=0}",
                           "2: V{max<=0,size=1}",
                           "2: V{max<=3,size=2,size=1}",
                           "9: V{max<=1,size=1}",
                           "2: pass + (1,0) + V{max<=3,size=2}",
                           "kayles + V{max<=3,size=2}",
                           "2: (1,0)* V{max<=3,size=2}",
                           "2: V{max<=3,size=2} (1,0)*",
                           "2: V{max<=3,size=2} +",
                           "2: V{max<=3,size=2} + V{max<=3,size=2}",
                           "2: V{max<=99999999999,size=1}",
                           "2: V{max<=255,size=8}"}) {
    EXPECT_EQ(testing_support::code_of([&] { RuleFamily::parse(text); }), ErrorCode::kUsage)
        << text;
  }
}

TEST(RuleFamily, VectorsStandByTheirLargestEntry) {
  const auto small = RuleFamily::parse("2: V{max<=2,size=1}").vectors();
  const std::vector<LatticePoint> expected{{0, 1}, {1, 0}, {1, 1}, {0, 2},
                                           {1, 2}, {2, 0}, {2, 1}, {2, 2}};
  EXPECT_EQ(small, expected);
  const auto large = RuleFamily::parse("2: V{max<=5,size=1}").vectors();
  EXPECT_EQ(large.size(), 35u);
  EXPECT_TRUE(std::equal(small.begin(), small.end(), large.begin()));
  const std::vector<LatticePoint> sorted{{0, 0, 1}, {0, 1, 1}, {1, 1, 1}};
  EXPECT_EQ(RuleFamily::parse("3: sym V{max<=1,size=1}").vectors(), sorted);
}

TEST(RuleCensus, RowsAreThoseOfTheDefinition) {
  expect_naive("2: V{max<=2,size=2}", box({7, 9}), no_move);
  expect_naive("2: sym V{max<=3,size=2}", box({9, 9}), no_move);
  expect_naive("2: sym (1,0)* + V{max<=2,size=3}", box({8, 11}), is_nim_move);
  expect_naive("2: sym (1,0)* + sym V{max<=3,size=1}", box({12, 12}), is_nim_move);
  expect_naive("wythoff + V{max<=3,size=1}", box({13, 11}), is_wythoff_move);
  expect_naive("3: sym (1,0,0)* + sym V{max<=2,size=1}", box({4, 5, 4}), is_nim_move);
  expect_naive("3: V{max<=1,size=2}", box({3, 4, 5}), no_move);
}

// E. Duchene, A. Fraenkel, R. Nowakowski and M. Rigo, Extensions and restrictions of Wythoff's game
// preserving its P positions, J. Combin. Theory A 117 (2010): moves may be added that lead from no
// P-position to another one. W. A. Wythoff's formula tells the P-positions.
TEST(RuleCensus, FindsWhichMovesKeepThePPositionsOfWythoff) {
  constexpr std::uint32_t kExtent = 100;
  std::set<LatticePoint> p;
  const double golden = (1 + std::sqrt(5.0)) / 2;
  for (std::uint32_t n = 0; n < kExtent; ++n) {
    const auto a = static_cast<std::uint32_t>(std::floor(n * golden));
    p.insert({a, a + n});
    p.insert({a + n, a});
  }
  const RuleFamily family = RuleFamily::parse("wythoff + V{max<=16,size=1}");
  const std::vector<LatticePoint> vectors = family.vectors();
  const auto rows = rows_of({.family = family, .shape = box({kExtent, kExtent})});
  ASSERT_EQ(rows.size(), vectors.size());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool leads_to_p = std::ranges::any_of(p, [&](const LatticePoint& from) {
      const LatticePoint& v = vectors[i];
      return from[0] < kExtent && from[1] < kExtent && from[0] >= v[0] && from[1] >= v[1] &&
             p.contains({from[0] - v[0], from[1] - v[1]});
    });
    EXPECT_EQ(rows[i].is_wythoff_p, !leads_to_p) << vectors[i][0] << "," << vectors[i][1];
    EXPECT_EQ(rows[i].first_p_difference == kExtent * kExtent, !leads_to_p);
    kept += leads_to_p ? 0 : 1;
  }
  EXPECT_GT(kept, 50u);
  EXPECT_LT(kept, rows.size() - 50);
}

TEST(RuleCensus, DigestsAreThoseOfTables) {
  const auto directory = fresh_directory();
  const RuleCensusRequest request{.family = RuleFamily::parse("wythoff + V{max<=2,size=2}"),
                                  .shape = box({40, 50})};
  const std::vector<RuleFacts> rows = rows_of(request);
  const std::vector<LatticePoint> vectors = request.family.vectors();
  const SetFamily sets{vectors.size(), 2};
  for (const std::uint64_t row : {0, 7, 27}) {
    const auto path = directory / (std::to_string(row) + ".h5");
    compute({.game = LatticeGame{request.family.rule(vectors, sets.at(row)), request.shape},
             .output = {.path = path}});
    const TableInfo info = TableReader::open(path)->info();
    EXPECT_EQ(info.stats.digest, rows[row].digest);
    EXPECT_EQ(info.stats.max_value, rows[row].max_value);
  }
}

TEST(RuleCensus, IsTheSameForAnyNumberOfThreadsAndAPrefixOfALargerOne) {
  const auto directory = fresh_directory();
  RuleCensusRequest request{.family = RuleFamily::parse("2: sym (1,0)* + V{max<=3,size=2}"),
                            .shape = box({20, 20}),
                            .output = directory / "one.h5"};
  request.machine.threads = 1;
  const RuleCensusReport one = compute_rule_census(request);
  request.output = directory / "three.h5";
  request.machine.threads = 3;
  request.machine.backend = "threads";
  request.machine.engine = "layered";
  const RuleCensusReport three = compute_rule_census(request);
  EXPECT_TRUE(one.complete);
  EXPECT_EQ(one.all.rules, 105u);
  EXPECT_EQ(testing_support::bytes_of(directory / "one.h5"),
            testing_support::bytes_of(directory / "three.h5"));
  const RuleCensusReport read = read_rule_census(directory / "three.h5");
  EXPECT_EQ(read.csv(), one.csv());
  EXPECT_EQ(read.family, request.family);
  EXPECT_EQ(read.shape, request.shape);
  EXPECT_EQ(read.digest, one.digest);
  request.family.largest = 2;
  request.output.clear();
  const std::string begin = compute_rule_census(request).csv();
  EXPECT_EQ(one.csv().substr(0, begin.size()), begin);
}

// The record begins as its smaller family.
TEST(RuleCensus, EqualsItsRecord) {
  const auto path =
      std::filesystem::path(GRUNDY_GOLDEN_DIR) / "records/rules-vectors-3-9/summary.csv";
  const std::string begin = compute_rule_census({.family = RuleFamily::parse("2: V{max<=4,size=3}"),
                                                 .shape = box({64, 64})})
                                .csv();
  EXPECT_EQ(testing_support::bytes_of(path).substr(0, begin.size()), begin);
}

TEST(RuleCensus, WritesNothingWhenItIsStoppedOrMistaken) {
  const auto directory = fresh_directory();
  std::stop_source stop;
  stop.request_stop();
  Hooks hooks;
  hooks.stop = stop.get_token();
  RuleCensusRequest request{.family = RuleFamily::parse("2: V{max<=3,size=2}"),
                            .shape = box({20, 20}),
                            .output = directory / "c.h5"};
  EXPECT_FALSE(compute_rule_census(request, hooks).complete);
  for (const LatticeShape& shape :
       {box({20, 20, 20}), box({5000, 5000}), box({0, 3}), LatticeShape::cube(2, 20, true)}) {
    request.shape = shape;
    EXPECT_EQ(testing_support::code_of([&] { compute_rule_census(request); }), ErrorCode::kUsage);
  }
  EXPECT_TRUE(std::filesystem::is_empty(directory));
}

/// Writes a census with one row changed and everything else made to match.
void forge(const std::filesystem::path& path, std::uint64_t row,
           const std::function<void(RuleFacts&)>& change) {
  atlas::RuleCensus census(
      {.family = RuleFamily::parse("wythoff + V{max<=3,size=2}"), .shape = box({12, 12})});
  const SetFamily& sets = census.sets();
  const auto search = census.search();
  atlas::CensusRows rows(census, sets.sets());
  for (std::uint64_t i = 0; i < sets.sets(); ++i) {
    census.write_game(sets.at(i), rows.game(i));
    search->find(sets.at(i), rows.facts(i));
    if (i != row) continue;
    RuleFacts facts = atlas::facts_of(rows.facts(i));
    change(facts);
    atlas::write_facts(facts, rows.facts(i));
  }
  testing::write_rows(path, census, rows);
}

TEST(RuleCensusCheck, FindsEveryKindOfWrongRow) {
  const auto directory = fresh_directory();
  const std::pair<std::function<void(RuleFacts&)>, const char*> forgeries[] = {
      {[](RuleFacts&) {}, ""},
      {[](RuleFacts& f) { ++f.p_positions; }, "number of P-positions"},
      {[](RuleFacts& f) { ++f.max_value; }, "largest value"},
      {[](RuleFacts& f) { ++f.first_difference; }, "first difference"},
      {[](RuleFacts& f) { --f.first_p_difference; }, "first difference of P-positions"},
      {[](RuleFacts& f) { f.is_nim_p = !f.is_nim_p; }, "compared with Nim"},
      {[](RuleFacts& f) { f.is_wythoff_p = !f.is_wythoff_p; }, "compared with Nim"},
      {[](RuleFacts& f) { f.digest[5] ^= 1; }, "another digest"}};
  int number = 0;
  for (const auto& [change, sentence] : forgeries) {
    const auto path = directory / (std::to_string(number++) + ".h5");
    forge(path, 77, change);
    for (const bool full : {true, false}) {
      const ListCheck check = check_census({.file = path, .full = full, .samples = 105});
      EXPECT_EQ(check.count, 105u);
      testing::expect_wrong_row(check, sentence, "row 77, 2: ");
    }
  }
}

TEST(RuleCensusCheck, ProvesSomeRowsOnly) {
  const auto directory = fresh_directory();
  const auto path = directory / "c.h5";
  forge(path, 0, [](RuleFacts&) {});
  EXPECT_EQ(check_census({.file = path, .samples = 10}).proved, 10u);
  EXPECT_EQ(check_census({.file = path, .seconds = 0}).proved, 0u);
}

TEST(RuleCensusCheck, RefusesDamagedFiles) {
  const auto directory = fresh_directory();
  forge(directory / "c.h5", 0, [](RuleFacts&) {});
  testing_support::expect_damage_is_refused(directory / "c.h5", 64,
                                            [&] { read_rule_census(directory / "c.h5"); });
}

}  // namespace
}  // namespace grundy
