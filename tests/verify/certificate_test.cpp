// Certificates: written ones are read, damage is refused, ranges are joined, and gaps show.
// SPDX-License-Identifier: MIT
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/statistics.hpp>

#include "core/digest.hpp"
#include "support/errors.hpp"
#include "verify/verify_testing.hpp"

namespace grundy::verify_test {
namespace {

using testing_support::code_of;

Certificate sample(std::vector<EntryRange> proved) {
  Certificate one;
  one.rule = "0.77";
  one.count = 1000;
  one.table_digest = std::string(32, 'a');
  one.period = {PeriodStatus::kCertified, 71, 12, 0, 400, ""};
  one.periodic_from = 167;
  one.proved = std::move(proved);
  one.methods = {"by \"hand\"\n"};
  one.programs = {"grundy 0.1.0"};
  return one;
}

TEST(Certificate, WhatIsWrittenIsRead) {
  const TemporaryDirectory dir;
  const Certificate one = sample({{0, 499}, {600, 999}});
  store_test::write_bytes(dir / "c.json", one.to_json());
  EXPECT_EQ(Certificate::read(dir / "c.json"), one);
  EXPECT_EQ(one.gaps(), (std::vector<EntryRange>{{500, 599}}));
  EXPECT_FALSE(one.complete());
}

TEST(Certificate, OfTheRecordOf167IsComplete) {
  const auto record = std::filesystem::path(GRUNDY_GOLDEN_DIR) / "records" / "octal-167";
  const Certificate one = Certificate::read(record / "certificate.json");
  const StatisticsFile statistics = read_statistics(record / "0.167.h5");
  EXPECT_TRUE(one.complete());
  EXPECT_EQ(one.rule, statistics.info.canonical);
  EXPECT_EQ(one.count, statistics.info.stats.count);
  EXPECT_EQ(one.table_digest, to_hex(statistics.info.stats.digest));
}

// A part of the run of `.106`, made before the last exception was known: the period began earlier.
TEST(Certificate, AnOlderOneOfARunWithoutATableMayNameABound) {
  const TemporaryDirectory dir;
  store_test::write_bytes(dir / "c.json", R"({
  "format": "grundy-certificate",
  "format_major": 1,
  "statement": "computed again from the state before it by the rule, the heaps of a range have the statistics, the digests and the newest values that the states in it keep",
  "rule": "0.106",
  "unit": "heaps",
  "count": 877981954362,
  "table_xxh3_128": "b55cf726fe514399168ee7ec7e2172c3",
  "period": {
    "status": "certified",
    "preperiod": 549755781114,
    "period": 328226140474,
    "saltus": 0,
    "verified_to": 877981937975,
    "proved": false
  },
  "periodic_from": 877981954362,
  "proved": [
    [
      0,
      117433352191
    ]
  ],
  "complete": false,
  "methods": [
    "the engine sparse from seal to seal, kernel avx2, 1 thread"
  ],
  "programs": [
    "grundy 0.1.0"
  ],
  "xxh3": "761bfcc8c9e1ab0e"
})");
  const Certificate one = Certificate::read(dir / "c.json");
  EXPECT_EQ(one.period.preperiod, 549'755'781'114u);
  EXPECT_FALSE(one.period.is_least);
  EXPECT_EQ(one.period.last_exception(), std::nullopt);
}

TEST(Certificate, AnyChangedCharacterIsRefusedOrMeansTheSame) {
  const TemporaryDirectory dir;
  const Certificate one = sample({{0, 999}});
  const std::string text = one.to_json();
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char c : {'0', '9', 'x', '"', ' ', '\n', '\0', '\xff'}) {
      std::string changed = text;
      changed[at] = c;
      store_test::write_bytes(dir / "c.json", changed);
      try {
        EXPECT_EQ(Certificate::read(dir / "c.json"), one) << at << c;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
      }
    }
  }
  for (std::size_t size = 0; size + 1 < text.size(); ++size) {
    store_test::write_bytes(dir / "c.json", text.substr(0, size));
    if (size + 1 >= text.size()) continue;
    EXPECT_EQ(code_of([&] { Certificate::read(dir / "c.json"); }), ErrorCode::kCorrupt) << size;
  }
  EXPECT_EQ(code_of([&] { Certificate::read(dir / "none.json"); }), ErrorCode::kUsage);
  EXPECT_EQ(code_of([&] { Certificate::read(dir.path()); }), ErrorCode::kUsage);
  // Deeper than a recursion could follow, and a table without values, whose last number is none.
  store_test::write_bytes(dir / "c.json", std::string(1 << 23, '['));
  EXPECT_EQ(code_of([&] { Certificate::read(dir / "c.json"); }), ErrorCode::kCorrupt);
  store_test::write_bytes(dir / "c.json", "{\"a\":" + std::string(1 << 22, '[') +
                                              std::string(1 << 22, ']') + "," +
                                              text.substr(text.find('{') + 1));
  EXPECT_EQ(code_of([&] { Certificate::read(dir / "c.json"); }), ErrorCode::kCorrupt);
  Certificate none = sample({});
  none.count = 0;
  store_test::write_bytes(dir / "c.json", none.to_json());
  EXPECT_EQ(code_of([&] { Certificate::read(dir / "c.json"); }), ErrorCode::kCorrupt);
}

TEST(Certificate, MergingJoinsRangesInAnyOrder) {
  const Certificate all =
      merge({sample({{700, 999}}), sample({{0, 300}}), sample({{250, 650}}), sample({{651, 699}})});
  EXPECT_EQ(all.proved, (std::vector<EntryRange>{{0, 999}}));
  EXPECT_TRUE(all.lacks_period());
  EXPECT_FALSE(all.complete());
  Certificate with_period = sample({{10, 20}});
  with_period.period_proved = true;
  EXPECT_TRUE(merge({all, with_period}).complete());
  EXPECT_EQ(all.methods.size(), 1u);
  const Certificate some = merge({sample({{5, 9}}), sample({{20, 30}})});
  EXPECT_EQ(some.gaps(), (std::vector<EntryRange>{{0, 4}, {10, 19}, {31, 999}}));
}

TEST(Certificate, DifferentTablesDoNotMerge) {
  const std::vector<std::function<void(Certificate&)>> changes = {
      [](Certificate& c) { c.rule = "0.07"; },         [](Certificate& c) { c.count = 1001; },
      [](Certificate& c) { c.table_digest[0] = 'b'; }, [](Certificate& c) { c.period.period = 24; },
      [](Certificate& c) { c.periodic_from = 168; },
  };
  for (const auto& change : changes) {
    Certificate other = sample({{500, 999}});
    change(other);
    EXPECT_EQ(code_of([&] { merge({sample({{0, 499}}), other}); }), ErrorCode::kMismatch);
  }
  EXPECT_EQ(code_of([] { merge({}); }), ErrorCode::kUsage);
}

}  // namespace
}  // namespace grundy::verify_test
