/// @file
/// The census far beyond the screen, against what others computed.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <sstream>

#include "atlas/atlas_testing.hpp"

namespace grundy {
namespace {

using testing::class_of;
using testing::games;

/// The fields of every row of a golden file, its header left out.
std::vector<std::vector<std::string>> rows_of(const std::string& name) {
  std::ifstream file(std::string(GRUNDY_GOLDEN_DIR) + "/" + name);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    rows.emplace_back();
    for (std::string field; std::getline(fields, field, ',');) rows.back().push_back(field);
  }
  EXPECT_GT(rows.size(), 1u) << name;
  if (!rows.empty()) rows.erase(rows.begin());
  return rows;
}

AtlasReport atlas(const std::vector<std::string>& patterns, HeapSize last) {
  AtlasRequest request;
  request.games = games(patterns);
  request.last = last;
  request.threads = 2;
  return compute_atlas(request);
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
  const AtlasReport report = atlas({"0.dddn", "4.dddn"}, 2500);
  std::size_t certified = 0, open = 0, observed = 0;
  for (const AtlasClass& c : report.classes) {
    const bool proved = c.period.status == PeriodStatus::kCertified;
    (proved ? certified : open) += proved ? c.members.size() : 1;
    observed += static_cast<std::size_t>(
        std::ranges::count(c.members, Evidence::kObserved, &AtlasMember::evidence));
  }
  EXPECT_EQ(certified, 3599u);
  EXPECT_EQ(open, 478u);
  EXPECT_EQ(observed, 121u);
}

}  // namespace
}  // namespace grundy
