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
#include <hdf5.h>

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
#include "support/stops_half_way.hpp"
#include "table/h5.hpp"
#include "table/seal.hpp"
#include "verify/window_tables.hpp"

namespace grundy {
namespace {

using ::testing::HasSubstr;
using testing_support::TemporaryDirectory;
using verify_test::WindowTable;

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
      if (c.period.status != PeriodStatus::kCertified) continue;
      certified += static_cast<std::uint64_t>(std::ranges::count_if(
          c.members, [](const AtlasMember& m) { return m.evidence != AtlasEvidence::kObserved; }));
    }
    std::optional<AtlasCheck> one;
    for (const std::size_t threads : {1, 3}) {
      const AtlasCheck check = check_atlas(
          {.file = path, .full = true, .machine = {.backend = "threads", .threads = threads}});
      EXPECT_EQ(check.wrong, "");
      EXPECT_TRUE(check.complete);
      EXPECT_EQ(check.classes, made.classes.size());
      EXPECT_EQ(check.count, games);
      EXPECT_EQ(check.called_certified, certified);
      EXPECT_EQ(check.certified, certified);
      EXPECT_EQ(check.proved, games);
      EXPECT_EQ(check.heaps, one.value_or(check).heaps);
      one = check;
    }
    const AtlasCheck some = check_atlas({.file = path, .samples = 3});
    EXPECT_EQ(some.wrong, "");
    EXPECT_LE(some.heaps, 3 * games);
    EXPECT_EQ(some.digest, one->digest);
    EXPECT_EQ(some.certified, certified);
    const AtlasCheck read = read_atlas(path);
    EXPECT_EQ(read.digest, one->digest);
    EXPECT_EQ(read.called_certified, certified);
    EXPECT_EQ(read.certified, 0u) << "nothing was proved";
  }
}

/// Writes a family of one class, with statistics that fit its values.
void write_family(const std::filesystem::path& path, AtlasClass c,
                  const std::vector<Nimber>& values) {
  const Values view{std::span<const Nimber>(values)};
  c.stats = atlas::stats_of(view, select_kernels("auto"));
  c.last_zero = atlas::last_zero_of(view);
  AtlasReport report;
  report.last = values.size() - 1;
  report.games = c.members.size();
  report.classes = {c};
  atlas::write_atlas_file(
      path, report, [&](std::size_t) { return atlas::KeptValues(view); }, true);
}

/// Writes a family of Kayles alone, after `change`.
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
  c.period.verified_to = 200;
  change(c, values);
  write_family(path, c, values);
}

TEST(AtlasCheck, AStoppedProofStatesWhatTheNextOneNeedNotProve) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "f.h5";
  testing_support::atlas({"0.dd"}, 200, path);
  testing_support::StopsHalfWay half;
  const AtlasCheck begun =
      check_atlas({.file = path, .full = true}, {.stop = half.token(), .progress = &half});
  ASSERT_FALSE(begun.complete);
  ASSERT_TRUE(begun.proved_range);
  EXPECT_EQ(begun.proved_range->first, 0u);
  const EntryRange rest{begun.proved_range->last + 1, begun.count - 1};
  const AtlasCheck ended = check_atlas({.file = path, .range = rest});
  EXPECT_EQ(ended.proved_range, rest);
  EXPECT_TRUE(merge({certificate_of(begun), certificate_of(ended)}).complete());
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
  // Ranges are of games: only the one that has a wrong value finds it.
  forge(path, [](AtlasClass& c, Change& values) {
    values[30] ^= 1;
    c.members.push_back(
        {.code = "0.7", .lead = 1, .evidence = AtlasEvidence::kObserved, .compared = 1});
  });
  EXPECT_THAT(check_atlas({.file = path, .range = EntryRange{0, 0}}).wrong,
              HasSubstr("heap 30 of 0.77 has value"));
  const AtlasCheck other = check_atlas({.file = path, .range = EntryRange{1, 1}});
  EXPECT_EQ(other.wrong, "");
  EXPECT_EQ(other.proved, 1u);
  EXPECT_EQ(other.proved_range, (EntryRange{1, 1}));
  // Random heaps find what is wrong in many places.
  forge(path, [](AtlasClass&, Change& values) {
    for (HeapSize n = 20; n < 60; ++n) values[n] ^= 1;
  });
  EXPECT_THAT(check_atlas({.file = path, .samples = 150}).wrong, HasSubstr("of 0.77 has value"));
  // An observed equality is only checked as far as it was compared: G(1) = 1, G(2) = 2, G(3) = 3.
  EXPECT_EQ(wrong([](AtlasClass& c, Change&) {
              c.members.push_back(
                  {.code = "0.7", .lead = 1, .evidence = AtlasEvidence::kObserved, .compared = 2});
            }),
            "heap 2 of 0.7 has value 2, but the mex of the values of its options is 0");
}

// Every claim about all heaps is refused that the values and the theorem do not bear out.
TEST(AtlasCheck, AFalseTheoremIsFound) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "forged.h5";
  const auto wrong = [&](const std::function<void(AtlasClass&)>& change) {
    forge(path, [&](AtlasClass& c, std::vector<Nimber>&) { change(c); });
    const AtlasCheck check = check_atlas({.file = path, .samples = 0});
    EXPECT_EQ(check.certified, 0u);
    return check.wrong;
  };
  EXPECT_EQ(wrong([](AtlasClass& c) { c.period.preperiod = 70; }),
            "class 0.77: heap 82 has value 2, but the period 12 gives 6");
  EXPECT_EQ(wrong([](AtlasClass& c) { c.period.preperiod = 72; }),
            "class 0.77: the preperiod 72 is too large: heap 71 obeys the period as well");
  EXPECT_THAT(wrong([](AtlasClass& c) { c.period.period = 13; }),
              HasSubstr("class 0.77: heap 84 has value"));
  EXPECT_EQ(wrong([](AtlasClass& c) { c.period.period = 24; }),
            "class 0.77: the period 24 is not the least: 12 is one as well");
  EXPECT_THAT(wrong([](AtlasClass& c) { c.period.saltus = 1; }),
              HasSubstr("class 0.77: the period 12 is called certified, but"));
  // Guy and Smith need 167 values.
  EXPECT_EQ(wrong([](AtlasClass& c) { c.period.verified_to = 166; }),
            "class 0.77: the period 12 is called certified, but the 166 heaps it rests on are not "
            "enough for a proof");
  EXPECT_THAT(wrong([](AtlasClass& c) { c.period.verified_to = 201; }),
              HasSubstr("class 0.77: the period claims to rest on the heaps below 201"));
  // Codes that are not equal, a wrong shift, and a period that there is not.
  const auto member = [](const char* code, HeapSize lead, AtlasEvidence evidence) {
    return [=](AtlasClass& c) {
      c.members.push_back({.code = code, .lead = lead, .evidence = evidence});
    };
  };
  EXPECT_EQ(
      wrong(member("0.7", 1, AtlasEvidence::kStandardForm)),
      "class 0.77: 0.7 is said to be in it by the evidence 'standard form', which their codes "
      "do not show");
  EXPECT_THAT(wrong(member("0.77", 2, AtlasEvidence::kStandardForm)), HasSubstr("'standard form'"));
  EXPECT_THAT(wrong(member("0.7", 1, AtlasEvidence::kRedundantMoves)),
              HasSubstr("'redundant moves'"));
  // The zeros of 0.11 would make the second 1 of 0.11 redundant in 0.1, which has other values.
  const AtlasCheck other = [&] {
    forge(path, [&](AtlasClass& c, std::vector<Nimber>& values) {
      values = test::naive_values("0.11", 200);
      c.code = "0.11";
      c.members = {{.code = "0.11", .lead = 1}};
      c.period = {};
      member("0.1", 1, AtlasEvidence::kRedundantMoves)(c);
    });
    return check_atlas({.file = path, .samples = 0});
  }();
  EXPECT_THAT(other.wrong, HasSubstr("'redundant moves'"));
  EXPECT_THAT(wrong(member("0.77", 1, AtlasEvidence::kItself)), HasSubstr("'itself'"));
  EXPECT_THAT(wrong([&](AtlasClass& c) {
                member("0.7", 1, AtlasEvidence::kPeriods)(c);
                c.period = {};
              }),
              HasSubstr("the class has no certified period"));
  // Kayles itself proves its period, and no theorem does that of a code of unknown end.
  forge(path, [&](AtlasClass& c, std::vector<Nimber>&) {
    member("0.77!", 1, AtlasEvidence::kPeriods)(c);
  });
  const AtlasCheck some = check_atlas({.file = path, .samples = 0});
  EXPECT_EQ(some.wrong, "");
  EXPECT_EQ(some.called_certified, 2u);
  EXPECT_EQ(some.certified, 1u);
}

/// Changes the file of a forged family and seals it again.
void tamper(const std::filesystem::path& path, const std::function<void(h5::Object&)>& change) {
  {
    h5::File file = h5::File::change(path);
    h5::Object root = file.root();
    change(root);
    root.close();
    file.close();
  }
  reseal_with(path, {});
}

// What a file before version 2.1 does not keep is no fault, and what proves itself is proved.
TEST(AtlasCheck, AnOlderFileIsProvedWherePossible) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "older.h5";
  const auto older = [&](const auto& change) {
    forge(path, change);
    tamper(path, [](h5::Object& root) {
      root.set_number("format_minor", 0);
      const h5::Object group = root.open_group("class").open_group("0.77");
      ASSERT_GE(H5Adelete(group.id(), "verified_to"), 0);
      H5Adelete(group.id(), "last_exception");
    });
    return check_atlas({.file = path, .full = true});
  };
  using Change = std::vector<Nimber>;
  EXPECT_EQ(older([](AtlasClass&, Change&) {}).certified, 1u);
  const AtlasCheck short_of = older([](AtlasClass&, Change& values) { values.resize(166); });
  EXPECT_EQ(short_of.wrong, "");
  EXPECT_EQ(short_of.called_certified, 1u);
  EXPECT_EQ(short_of.certified, 0u);
  EXPECT_THAT(older([](AtlasClass& c, Change&) { c.period.preperiod = 70; }).wrong,
              HasSubstr("class 0.77: heap 82 has value"));
}

// A class keeps the window certificate of its period, which is proved as that of a table is.
TEST(AtlasCheck, AWindowCertificateIsProvedAgain) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "window.h5";
  const WindowTable table;
  table.write(directory / "table.h5");
  AtlasClass c;
  c.code = "0.127";
  c.members = {{.code = "0.127", .lead = 1}};
  c.engine = "sparse";
  c.period = TableReader::open(directory / "table.h5")->info().period;
  const auto check = [&](const std::function<void(AtlasClass&)>& change) {
    AtlasClass changed = c;
    change(changed);
    // As many values as the certificate needs; Guy and Smith need more.
    const auto begin = table.values.begin();
    write_family(path, changed, {begin, begin + static_cast<std::ptrdiff_t>(c.period.verified_to)});
    return check_atlas({.file = path, .samples = 1});
  };
  const AtlasCheck right = check([](AtlasClass&) {});
  EXPECT_EQ(right.wrong, "");
  EXPECT_EQ(right.certified, 1u);
  EXPECT_THAT(check([](AtlasClass& f) { f.period.sparse->depth = 2; }).wrong,
              HasSubstr("class 0.127: the window certificate says that splits with a heap of at "
                        "most 2 reach"));
  EXPECT_THAT(check([](AtlasClass& f) { ++f.period.sparse->rare; }).wrong, HasSubstr("says 694"));
  EXPECT_THAT(check([](AtlasClass& f) { --f.period.verified_to; }).wrong, HasSubstr("not enough"));
  EXPECT_THAT(check([](AtlasClass& f) { f.period.sparse.reset(); }).wrong, HasSubstr("not enough"));
  // The certificate without its depth, and a file of a version that has none.
  check([](AtlasClass&) {});
  const std::string whole = testing_support::bytes_of(path);
  const auto group = [](h5::Object& root) { return root.open_group("class").open_group("0.127"); };
  tamper(path, [&](h5::Object& root) {
    const h5::Object window = group(root).open_group("window_certificate");
    ASSERT_GE(H5Adelete(window.id(), "depth"), 0);
  });
  EXPECT_EQ(testing_support::code_of([&] { check_atlas({.file = path}); }), ErrorCode::kCorrupt);
  testing_support::write_bytes(path, whole);
  tamper(path, [&](h5::Object& root) { ASSERT_GE(H5Adelete(group(root).id(), "verified_to"), 0); });
  EXPECT_EQ(testing_support::code_of([&] { check_atlas({.file = path}); }), ErrorCode::kCorrupt);
  testing_support::write_bytes(path, whole);
  tamper(path, [&](h5::Object& root) { root.set_number("format_minor", 0); });
  const AtlasCheck older = check_atlas({.file = path, .samples = 1});
  EXPECT_EQ(older.wrong, "");
  EXPECT_EQ(older.called_certified, 1u);
  EXPECT_EQ(older.certified, 0u);
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
    if (read.period.status != PeriodStatus::kNone) {
      EXPECT_TRUE(read.period == expected.period) << expected.code;
    }
    ASSERT_EQ(read.sparse.has_value(), expected.sparse.has_value());
    if (read.sparse) {
      EXPECT_EQ(read.sparse->mask, expected.sparse->mask);
      EXPECT_EQ(read.sparse->parity, expected.sparse->parity);
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
    tamper(path, [&](h5::Object& root) {
      root.open_group("class").open_group("0.77").replace_text(name, word);
    });
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
