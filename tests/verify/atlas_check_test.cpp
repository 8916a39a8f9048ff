/// @file
/// Files of families: written files are read and proved, and faults are found.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <grundy/error.hpp>
#include <grundy/file_kind.hpp>
#include <grundy/verify.hpp>

#include "atlas/atlas_file.hpp"
#include "atlas/atlas_testing.hpp"
#include "games/heap/naive.hpp"
#include "kernels/kernels.hpp"
#include "support/damage.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "table/h5.hpp"
#include "table/seal.hpp"

namespace grundy {
namespace {

using ::testing::HasSubstr;
using testing_support::TemporaryDirectory;

/// A code of one to four octal digits, or of one or two hexadecimal ones.
std::string random_code(std::mt19937& random) {
  const bool octal = random() % 3 != 0;
  std::string text = octal ? "0." : "hex:0.";
  for (auto digits = 1 + random() % (octal ? 4 : 2); digits > 1; --digits) {
    text += octal ? "01234567"[random() % 8] : "0123456789ABCDEF"[random() % 16];
  }
  return text + "1234567"[random() % 7];
}

TEST(AtlasCheck, ProvesRandomFamilies) {
  const TemporaryDirectory directory;
  std::mt19937 random(std::random_device{}());
  for (int trial = 0; trial < 10; ++trial) {
    const auto path = directory.path() / (std::to_string(trial) + ".h5");
    std::vector<std::string> patterns{"S{max<=4,size<=2}"};
    for (int i = 0; i < 12; ++i) patterns.push_back(random_code(random));
    const HeapSize last = 20 + random() % 200;
    const AtlasReport made = testing_support::atlas(patterns, last, path);
    EXPECT_EQ(kind_of(path), FileKind::kAtlas);
    std::uint64_t games = 0, certified = 0;
    for (const AtlasClass& c : made.classes) {
      games += c.members.size();
      if (c.period.status == PeriodStatus::kCertified) certified += c.members.size();
    }
    std::optional<AtlasCheck> one;
    for (const std::size_t threads : {1, 3}) {
      const AtlasCheck check = check_atlas(
          {.file = path, .full = true, .machine = {.backend = "threads", .threads = threads}});
      EXPECT_EQ(check.wrong, "");
      EXPECT_TRUE(check.complete);
      EXPECT_EQ(check.classes, made.classes.size());
      EXPECT_EQ(check.count, games);
      EXPECT_EQ(check.certified, certified);
      EXPECT_EQ(check.proved, games);
      EXPECT_EQ(check.heaps, one.value_or(check).heaps);
      one = check;
    }
    const AtlasCheck some = check_atlas({.file = path, .samples = 3});
    EXPECT_EQ(some.wrong, "");
    EXPECT_LE(some.heaps, 3 * games);
    EXPECT_EQ(some.digest, one->digest);
  }
}

/// Writes a family of Kayles alone, after `change`, with statistics that fit its values.
void forge(const std::filesystem::path& path,
           const std::function<void(AtlasClass&, std::vector<Nimber>&)>& change) {
  std::vector<Nimber> values = test::naive_values("0.77", 200);
  AtlasClass c;
  c.code = "0.77";
  c.members = {{.code = "0.77", .lead = 1}};
  c.engine = "forged";
  c.period.status = PeriodStatus::kCertified;
  c.period.preperiod = 71;
  c.period.period = 12;
  change(c, values);
  const Values view{std::span<const Nimber>(values)};
  c.stats = atlas::stats_of(view, select_kernels("auto"));
  c.last_zero = atlas::last_zero_of(view);
  AtlasReport report;
  report.last = 199;
  report.games = c.members.size();
  report.classes = {c};
  atlas::write_atlas_file(
      path, report, [&](std::size_t) { return atlas::KeptValues(view); }, true);
}

// Guy and Smith 1956: Kayles has the period 12 from heap 71 on.
TEST(AtlasCheck, AWrongFileIsFound) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "forged.h5";
  const auto wrong = [&](const auto& change) {
    forge(path, change);
    return check_atlas({.file = path, .full = true}).wrong;
  };
  using Change = std::vector<Nimber>;
  EXPECT_EQ(wrong([](AtlasClass&, Change&) {}), "");
  EXPECT_THAT(wrong([](AtlasClass&, Change& values) { values[30] ^= 1; }),
              HasSubstr("heap 30 of 0.77 has value"));
  EXPECT_THAT(wrong([](AtlasClass&, Change& values) { values[190] ^= 1; }),
              HasSubstr("does not hold at heap 178"));
  EXPECT_THAT(wrong([](AtlasClass& c, Change&) { c.period.preperiod = 70; }),
              HasSubstr("does not hold at heap 70"));
  EXPECT_THAT(wrong([](AtlasClass& c, Change&) { c.period.preperiod = 72; }),
              HasSubstr("begins before heap 72"));
  EXPECT_THAT(wrong([](AtlasClass& c, Change&) { c.period.period = 18; }),
              HasSubstr("period 18 of 0.77"));
  // Random heaps find what is wrong in many places.
  forge(path, [](AtlasClass&, Change& values) {
    for (HeapSize n = 20; n < 60; ++n) values[n] ^= 1;
  });
  EXPECT_THAT(check_atlas({.file = path, .samples = 150}).wrong, HasSubstr("of 0.77 has value"));
  // A game that is not of the class, and one that is, with a wrong shift.
  const auto member = [](const char* code, HeapSize lead) {
    return [=](AtlasClass& c, Change&) {
      c.members.push_back({.code = code, .lead = lead, .evidence = AtlasEvidence::kStandardForm});
    };
  };
  EXPECT_THAT(wrong(member("0.7", 1)), HasSubstr("of 0.7 has value"));
  EXPECT_NE(wrong(member("0.77", 2)), "");
  // An observed equality is only checked as far as it was compared: G(1) = 1, G(2) = 2, G(3) = 3.
  EXPECT_EQ(wrong([](AtlasClass& c, Change&) {
              c.members.push_back(
                  {.code = "0.7", .lead = 1, .evidence = AtlasEvidence::kObserved, .compared = 2});
            }),
            "heap 2 of 0.7 has value 2, but the mex of the values of its options is 0");
}

TEST(AtlasCheck, WhatIsReadIsWhatWasReported) {
  const TemporaryDirectory directory;
  const auto path = directory / "t.h5";
  const AtlasReport made = testing_support::atlas({"0.dd"}, 3000, path);
  atlas::AtlasReader reader(path);
  ASSERT_EQ(reader.classes(), made.classes.size());
  std::size_t sparse = 0, listed = 0;
  for (std::size_t i = 0; i < made.classes.size(); ++i) {
    std::vector<Nimber> values;
    AtlasClass read = reader.read(i, values);
    const AtlasClass& expected = made.classes[i];
    sparse += expected.sparse ? 1 : 0;
    listed += expected.literature != LiteratureStatus::kUnlisted ? 1 : 0;
    EXPECT_EQ(read.members, expected.members) << expected.code;
    EXPECT_EQ(read.engine, expected.engine);
    EXPECT_EQ(read.period.status, expected.period.status);
    EXPECT_EQ(read.period.preperiod, expected.period.preperiod);
    EXPECT_EQ(read.period.period, expected.period.period);
    EXPECT_EQ(read.period.saltus, expected.period.saltus);
    EXPECT_EQ(read.period.theorem, expected.period.theorem);
    ASSERT_EQ(read.sparse.has_value(), expected.sparse.has_value());
    if (read.sparse) {
      EXPECT_EQ(read.sparse->mask, expected.sparse->mask);
      EXPECT_EQ(read.sparse->position, expected.sparse->position);
      EXPECT_EQ(read.sparse->rare, expected.sparse->rare);
      EXPECT_EQ(read.sparse->last_rare, expected.sparse->last_rare);
    }
    EXPECT_EQ(read.literature, expected.literature);
    EXPECT_EQ(read.reference, expected.reference);
  }
  EXPECT_GT(sparse, 0u);
  EXPECT_GT(listed, 0u);
}

// A file of a later program may have words that this one does not know.
TEST(AtlasCheck, UnknownWordsAreRefused) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "words.h5";
  const auto refusal = [&](const std::string& name, const std::string& word) {
    forge(path,
          [](AtlasClass& c, std::vector<Nimber>&) { c.literature = LiteratureStatus::kSolved; });
    {
      h5::File file = h5::File::change(path);
      file.root().open_group("class").open_group("0.77").replace_text(name, word);
      file.close();
    }
    reseal_with(path, {});
    return testing_support::error_of([&] { check_atlas({.file = path, .samples = 0}); });
  };
  const Error status = refusal("status", "conjectured");
  EXPECT_EQ(status.code(), ErrorCode::kCorrupt);
  EXPECT_THAT(status.what(), HasSubstr("'conjectured' is no status of a period"));
  const Error literature = refusal("literature", "rumoured");
  EXPECT_EQ(literature.code(), ErrorCode::kCorrupt);
  EXPECT_THAT(literature.what(), HasSubstr("'rumoured' is no status in the literature"));
}

TEST(AtlasCheck, DamageIsRefused) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "a.h5";
  testing_support::atlas({"0.dd"}, 100, path);
  testing_support::expect_damage_is_refused(path, 32,
                                            [&] { check_atlas({.file = path, .samples = 0}); });
}

}  // namespace
}  // namespace grundy
