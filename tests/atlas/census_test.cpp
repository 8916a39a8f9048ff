// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <set>

#include <grundy/census.hpp>
#include <grundy/error.hpp>
#include <grundy/period.hpp>

#include "atlas/atlas_testing.hpp"
#include "atlas/census_file.hpp"
#include "atlas/census_testing.hpp"
#include "atlas/set_census.hpp"
#include "atlas/set_period_search.hpp"
#include "games/heap/naive.hpp"
#include "support/damage.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/stops_half_way.hpp"

namespace grundy {
namespace {

using atlas::CensusRows;
using atlas::SetPeriodSearch;
using testing_support::fresh_directory;

constexpr HeapSize kFar = HeapSize{1} << 24;

/// By find_period() from values by definition, of which there are enough for its proof.
SetPeriod by_the_theory(const MoveSet& moves) {
  const HeapRule rule{SubtractionRule{SubtractionRule::Kind::kFinite, moves}};
  for (HeapSize count = 64;; count *= 2) {
    const std::vector<unsigned> values = test::naive_values(rule, count);
    const PeriodReport report = find_period(rule, std::span<const Nimber>(values));
    if (report.status != PeriodStatus::kCertified) continue;
    const auto end = values.begin() + static_cast<std::ptrdiff_t>(report.preperiod + report.period);
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(report.preperiod);
    return {.preperiod = static_cast<std::uint32_t>(report.preperiod),
            .period = static_cast<std::uint32_t>(report.period),
            .zeros = static_cast<std::uint32_t>(std::count(begin, end, 0u)),
            .max_value = static_cast<std::uint8_t>(*std::max_element(values.begin(), end))};
  }
}

void expect_equal(const SetPeriod& found, const SetPeriod& expected, const MoveSet& moves) {
  EXPECT_EQ(found, expected) << ::testing::PrintToString(moves) << ": preperiod " << found.preperiod
                             << ", not " << expected.preperiod << "; period " << found.period
                             << ", not " << expected.period << "; zeros " << found.zeros << ", not "
                             << expected.zeros;
}

TEST(SetFamily, RowsStandInColexicographicOrder) {
  for (const SetFamily& family :
       {SetFamily{9, 1}, SetFamily{9, 3}, SetFamily{8, 8}, SetFamily{12, 5}}) {
    std::set<MoveSet> seen;
    MoveSet set = family.at(0);
    for (std::uint64_t row = 0; row < family.sets(); ++row) {
      ASSERT_EQ(family.at(row), set);
      ASSERT_TRUE(std::ranges::is_sorted(set) && set.back() <= family.largest && set.front() > 0);
      ASSERT_TRUE(seen.insert(set).second);
      MoveSet next = set;
      SetFamily::advance(next);
      ASSERT_TRUE(std::ranges::lexicographical_compare(std::vector(set.rbegin(), set.rend()),
                                                       std::vector(next.rbegin(), next.rend())));
      set = next;
    }
  }
  EXPECT_EQ((SetFamily{512, 3}).sets(), 22'238'720u);
  EXPECT_EQ((SetFamily{65535, 2}).at(SetFamily{65535, 2}.sets() - 1), (MoveSet{65534, 65535}));
}

TEST(SetFamily, IsReadAndRefused) {
  EXPECT_EQ(SetFamily::parse("S{max<=7,size=3}"), (SetFamily{7, 3}));
  EXPECT_EQ(SetFamily::parse("S{size=3,max<=7}").text(), "S{max<=7,size=3}");
  EXPECT_EQ(SetFamily::parse("s { MAX <= 2^3-1, Size = 3 }"), (SetFamily{7, 3}));
  for (const char* text :
       {"", "S{}", "S{max<=7}", "S{max<=7,max<=8,size=3}", "S{max<=7,size=3", "S{max<=7,size=3}x",
        "S{max<=7,size<=3}", "S{max<=2,size=3}", "S{max<=70000,size=1}", "S{max<=9,size=9}",
        "S{max<=9,size=0}", "S{max<=65535,size=8}", "S{max<=-1,size=1}", "kayles"}) {
    EXPECT_EQ(testing_support::code_of([&] { SetFamily::parse(text); }), ErrorCode::kUsage) << text;
  }
}

TEST(SetPeriodSearch, EqualsTheTheoryForAllSmallSets) {
  SetPeriodSearch search(kFar);
  for (const SetFamily& family :
       {SetFamily{70, 1}, SetFamily{24, 2}, SetFamily{18, 3}, SetFamily{12, 4}, SetFamily{10, 5},
        SetFamily{10, 6}, SetFamily{9, 7}, SetFamily{9, 8}}) {
    for (std::uint64_t row = 0; row < family.sets(); ++row) {
      const MoveSet moves = family.at(row);
      expect_equal(search.find(moves), by_the_theory(moves), moves);
    }
  }
}

// Words of 56 heaps at any distance from the borders of bytes.
TEST(SetPeriodSearch, EqualsTheTheoryWhereMovesAreLarge) {
  SetPeriodSearch search(kFar);
  for (const MoveSet& moves :
       {MoveSet{48, 49}, MoveSet{49, 50, 51}, MoveSet{50, 57, 64}, MoveSet{55, 56, 111},
        MoveSet{56, 57, 58}, MoveSet{56, 63, 127}, MoveSet{57, 100, 201}, MoveSet{64, 128, 191},
        MoveSet{113, 127, 240}, MoveSet{200}, MoveSet{7, 56, 60, 61}, MoveSet{60, 61, 75, 99, 140},
        MoveSet{3, 5, 64, 65, 66, 90}, MoveSet{56, 60, 61, 70, 71, 80, 90, 95}}) {
    expect_equal(search.find(moves), by_the_theory(moves), moves);
  }
}

// I. Althofer and J. Bultermann, Superlinear period lengths in some subtraction games, Theoretical
// Computer Science 148 (1995): {s, 4s, 12s+1, 16s+1} has the period 56s^3 + 52s^2 + 9s + 1.
TEST(SetPeriodSearch, FindsTheCubicPeriodsOfAlthoferAndBultermann) {
  SetPeriodSearch search(kFar);
  for (HeapSize s = 2; s <= 12; ++s) {
    const SetPeriod found = search.find(MoveSet{s, 4 * s, 12 * s + 1, 16 * s + 1});
    EXPECT_EQ(found.period, 56 * s * s * s + 52 * s * s + 9 * s + 1);
  }
}

TEST(SetPeriodSearch, SaysNothingBehindTheLastHeap) {
  const MoveSet moves{2, 8, 25, 33};  // period 675 from heap 53 on
  EXPECT_EQ(SetPeriodSearch(500).find(moves), SetPeriod{});
  EXPECT_EQ(SetPeriodSearch(2000).find(moves).period, 675u);
}

TEST(Census, IsTheSameForAnyNumberOfThreadsAndAPrefixOfALargerOne) {
  const auto directory = fresh_directory();
  CensusRequest request{.family = {80, 3}, .output = directory / "one.h5"};
  request.machine.threads = 1;
  const CensusReport one = compute_census(request);
  request.output = directory / "three.h5";
  request.machine.threads = 3;
  request.machine.backend = "threads";
  const CensusReport three = compute_census(request);
  EXPECT_TRUE(one.complete);
  EXPECT_EQ(one.digest, three.digest);
  EXPECT_EQ(one.csv(), three.csv());
  EXPECT_EQ(read_census(directory / "three.h5").csv(), one.csv());
  const CensusReport smaller = compute_census({.family = {40, 3}});
  const std::string begin = smaller.csv();
  EXPECT_EQ(one.csv().substr(0, begin.size()), begin);
}

// A. Flammenkamp, Lange Perioden in Subtraktions-Spielen, thesis, Bielefeld 1997, conjectures both.
TEST(Census, TellsAdditiveSetsFromOthers) {
  const CensusCounts all = compute_census({.family = {60, 3}}).all;
  EXPECT_EQ(all.sets, 34'220u);
  EXPECT_EQ(all.open, 0u);
  EXPECT_EQ(all.additive, 870u);
  EXPECT_EQ(all.additive_purely, all.additive);
  EXPECT_EQ(all.sums, all.sets - all.additive);
}

TEST(Census, AStoppedProofStatesWhatTheNextOneNeedNotProve) {
  const auto directory = fresh_directory();
  const auto path = directory / "c.h5";
  compute_census({.family = {80, 3}, .output = path});
  testing_support::StopsHalfWay half;
  ListCheckRequest request{.file = path, .full = true};
  request.machine.threads = 1;
  const ListCheck begun = check_census(request, {.stop = half.token(), .progress = &half});
  ASSERT_FALSE(begun.complete);
  ASSERT_TRUE(begun.proved_range);
  EXPECT_EQ(begun.proved_range->first, 0u);
  const EntryRange rest{begun.proved_range->last + 1, begun.count - 1};
  EXPECT_EQ(check_census({.file = path, .range = rest}).proved_range, rest);
}

TEST(Census, WritesNothingWhenItIsStopped) {
  const auto directory = fresh_directory();
  std::stop_source stop;
  stop.request_stop();
  Hooks hooks;
  hooks.stop = stop.get_token();
  EXPECT_FALSE(compute_census({.family = {60, 3}, .output = directory / "c.h5"}, hooks).complete);
  EXPECT_TRUE(std::filesystem::is_empty(directory));
}

// The records of two censuses begin as their smaller families.
TEST(Census, EqualsItsRecords) {
  const std::pair<const char*, SetFamily> records[] = {{"subtraction-sets-3-512", {100, 3}},
                                                       {"subtraction-sets-4-128", {32, 4}}};
  for (const auto& [name, family] : records) {
    const auto path = std::filesystem::path(GRUNDY_GOLDEN_DIR) / "records" / name / "summary.csv";
    const std::string begin = compute_census({.family = family}).csv();
    EXPECT_EQ(testing_support::bytes_of(path).substr(0, begin.size()), begin) << name;
  }
}

/// Writes a census with one row changed and everything else made to match.
void forge(const std::filesystem::path& path, std::uint64_t row,
           const std::function<void(SetPeriod&)>& change) {
  atlas::SetCensus census({20, 3}, kFar);
  const SetFamily& family = census.sets();
  CensusRows rows(census, family.sets());
  SetPeriodSearch search(kFar);
  for (std::uint64_t i = 0; i < family.sets(); ++i) {
    const MoveSet set = family.at(i);
    SetPeriod found = search.find(set);
    if (i == row) change(found);
    census.write_game(set, rows.game(i));
    atlas::write_period(found, rows.facts(i));
  }
  testing::write_rows(path, census, rows);
}

TEST(CensusCheck, FindsEveryKindOfWrongRow) {
  const auto directory = fresh_directory();
  const std::pair<std::function<void(SetPeriod&)>, const char*> forgeries[] = {
      {[](SetPeriod&) {}, ""},
      {[](SetPeriod& found) { found.period *= 2; }, "the smaller period"},
      {[](SetPeriod& found) { found.period += 1; }, "has not the period"},
      {[](SetPeriod& found) { found.preperiod += 1; }, "already"},
      {[](SetPeriod& found) { found.zeros -= 1; }, "zeros"},
      {[](SetPeriod& found) { found.max_value += 1; }, "largest value"},
      {[](SetPeriod& found) { found.period = 0; }, "no period"}};
  int number = 0;
  for (const auto& [change, sentence] : forgeries) {
    const auto path = directory / (std::to_string(number++) + ".h5");
    forge(path, 1000, change);
    for (const bool full : {true, false}) {
      const ListCheck check =
          check_census({.file = path, .full = full, .samples = full ? 0 : 1140});
      EXPECT_EQ(check.count, 1140u);
      testing::expect_wrong_row(check, sentence, "row 1000,");
    }
  }
}

TEST(CensusCheck, RefusesDamagedFiles) {
  const auto directory = fresh_directory();
  compute_census({.family = {20, 3}, .output = directory / "c.h5"});
  testing_support::expect_damage_is_refused(directory / "c.h5", 64,
                                            [&] { read_census(directory / "c.h5"); });
}

}  // namespace
}  // namespace grundy
