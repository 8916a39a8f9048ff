/// @file
/// The census far beyond the screen, compared with the results of others.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "atlas/atlas_testing.hpp"
#include "atlas/literature.hpp"
#include "support/csv.hpp"

namespace grundy {
namespace {

using testing_support::atlas;
using testing_support::class_of;
using testing_support::Tally;
using testing_support::tally;

/// The fields of every row of a golden file, its header left out.
std::vector<std::vector<std::string>> rows_of(const std::string& name) {
  std::ifstream file(std::filesystem::path(GRUNDY_GOLDEN_DIR) / name);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(file, line);) {
    rows.push_back(testing_support::csv_fields(line));
  }
  EXPECT_GT(rows.size(), 1u) << name;
  if (!rows.empty()) rows.erase(rows.begin());
  return rows;
}

TEST(AtlasSlow, HardClassesOfThreeDigits) {
  const AtlasReport report = atlas({"0.ddd", "4.ddd"}, 131072);
  EXPECT_EQ(std::ranges::count_if(
                report.classes,
                [](const AtlasClass& c) { return c.period.status != PeriodStatus::kCertified; }),
            84);
  std::size_t compared = 0;
  for (const auto& row : rows_of("octal_statistics.csv")) {
    const std::string code = row[0].starts_with('.') ? "0" + row[0] : row[0];
    const AtlasClass* const c = class_of(report, code);
    if (c == nullptr || c->code != code || c->stats.count != 131073) continue;
    EXPECT_EQ(std::to_string(c->stats.max_value), row[1]) << code;
    EXPECT_EQ(std::to_string(c->stats.argmax), row[2]) << code;
    EXPECT_EQ(std::to_string(c->stats.histogram.front()), row[3]) << code;
    EXPECT_EQ(std::to_string(c->last_zero), row[4]) << code;
    ++compared;
  }
  EXPECT_GT(compared, 30u);
}

// `.054`, `.104` and `.454` take 10^8 values and more; `.106` takes 8 10^11.
TEST(AtlasSlow, SolvedGamesOfTheLiteratureAreProvedAgain) {
  std::size_t proved = 0;
  for (const atlas::KnownGame& game : atlas::known_games()) {
    const HeapSize needed = game.preperiod + game.period;
    if (game.period == 0 || needed > 100'000'000) continue;
    const AtlasReport report = atlas({std::string(game.code)}, std::max(3 * needed, kAtlasScreen));
    ASSERT_EQ(report.classes.size(), 1u) << game.code;
    const PeriodReport& period = report.classes.front().period;
    EXPECT_EQ(period.status, PeriodStatus::kCertified) << game.code;
    EXPECT_EQ(period.preperiod, game.preperiod) << game.code;
    EXPECT_EQ(period.period, game.period) << game.code;
    ++proved;
  }
  EXPECT_EQ(proved, 96u);
}

TEST(AtlasSlow, FourDigits) {
  const AtlasReport report = atlas({"0.dddn", "4.dddn"}, 20000);
  EXPECT_EQ(report.games, 7168u);
  EXPECT_EQ(report.classes.size(), 769u);
  std::size_t late = 0;
  for (const AtlasClass& c : report.classes) {
    late += c.period.status == PeriodStatus::kCertified && c.engine == "dense" &&
            c.stats.count != kAtlasScreen + 1;
  }
  const auto golden = rows_of("octal_census4.csv");
  EXPECT_EQ(late, golden.size());
  for (const auto& row : golden) {
    const AtlasClass* const c = class_of(report, row[0]);
    ASSERT_NE(c, nullptr) << row[0];
    EXPECT_EQ(std::to_string(c->period.preperiod), row[1]) << row[0];
    EXPECT_EQ(std::to_string(c->period.period), row[2]) << row[0];
    EXPECT_EQ(std::to_string(c->stats.max_value), row[3]) << row[0];
    EXPECT_EQ(std::to_string(c->members.size()), row[4]) << row[0];
  }
}

TEST(AtlasSlow, FourDigitsAtTheScreen) {
  const Tally found = tally(atlas({"0.dddn", "4.dddn"}, 2500));
  EXPECT_EQ(found.certified, 3599u);
  EXPECT_EQ(found.open, 478u);
  EXPECT_EQ(found.observed, 121u);
}

}  // namespace
}  // namespace grundy
