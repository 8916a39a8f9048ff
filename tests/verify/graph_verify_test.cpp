// Tables of positions: right ones are proved, the first wrong row is named.
// SPDX-License-Identifier: MIT
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/games.hpp>

#include "core/digest.hpp"
#include "verify/verify_testing.hpp"

namespace grundy::verify_test {
namespace {

using testing::HasSubstr;

struct GraphCase {
  const char* name;
  Reduction reduction;
  bool misere;
};

class GraphVerifyTest : public testing::TestWithParam<GraphCase> {
 protected:
  void SetUp() override {
    auto game = std::get<std::shared_ptr<const GraphGame>>(
        resolve_game(GetParam().name, GameKind::kGraph, GetParam().reduction).rule);
    ASSERT_TRUE(compute({.game = PositionGame{std::move(game), GetParam().misere},
                         .about = {.game = GetParam().name},
                         .machine = {.backend = "threads"},
                         .output = {.path = path}})
                    .complete);
    file = read_graph_file(path);
  }
  /// Writes the table anew after a change, with digests and counts that match its rows.
  void falsify(const std::function<void(GraphFile&)>& change) {
    GraphFile changed = file;
    change(changed);
    changed.info.stats = changed.table.stats();
    changed.info.root_value = changed.table.root_value();
    write_graph_file(path, changed.info, changed.table, nullptr, true, true);
  }
  VerifyReport check(ProofKind proof, EntryRange range = {}) {
    VerifyRequest what{
        .table = path, .proof = proof, .range = range, .machine = {.backend = "threads"}};
    what.seconds = 1;
    return verify(what);
  }
  void expect_wrong(HeapSize row, const char* what) {
    for (const ProofKind proof : {ProofKind::kSamples, ProofKind::kRange, ProofKind::kFull}) {
      const VerifyReport report = check(proof, {0, file.table.size() - 1});
      ASSERT_TRUE(report.wrong) << what;
      EXPECT_EQ(report.wrong->entry, row) << report.wrong->sentence;
      EXPECT_THAT(report.wrong->sentence, HasSubstr(what));
      EXPECT_FALSE(report.proved && report.proved->last >= row);
    }
  }

  TemporaryDirectory dir;
  std::filesystem::path path = dir / "t.h5";
  GraphFile file;
};

TEST_P(GraphVerifyTest, RightTablesAreProved) {
  const HeapSize last = file.table.size() - 1;
  for (const ProofKind proof : {ProofKind::kSamples, ProofKind::kRange, ProofKind::kFull}) {
    const VerifyReport report = check(proof, {0, last});
    EXPECT_TRUE(report.complete);
    EXPECT_FALSE(report.wrong) << report.wrong->sentence;
    EXPECT_EQ(report.unit, "positions");
    if (proof != ProofKind::kSamples) {
      EXPECT_EQ(report.proved, (EntryRange{0, last}));
      EXPECT_TRUE(certificate_of(report).complete());
      EXPECT_EQ(certificate_of(report).table_digest, to_hex(stored_info(path).stats.digest));
    } else {
      EXPECT_EQ(report.random, last + 1) << "all rows of so small a table";
    }
  }
}

TEST_P(GraphVerifyTest, TheFirstWrongRowIsNamed) {
  std::mt19937 random(3);
  for (int i = 0; i < 5; ++i) {
    const HeapSize row = draw(random, static_cast<unsigned>(file.table.size()));
    falsify([row](GraphFile& f) { f.table.values[row] ^= 1; });
    expect_wrong(row, "the mex of the values of its options is");
    if (!GetParam().misere) continue;
    falsify([row](GraphFile& f) { f.table.misere[row] ^= 1; });
    expect_wrong(row, "has misère value");
  }
  const HeapSize middle = file.table.size() / 2;
  falsify([middle](GraphFile& f) { ++f.table.options[middle]; });
  expect_wrong(middle, " are recorded");
}

TEST_P(GraphVerifyTest, RangesBeyondTheTableAreRefused) {
  try {
    static_cast<void>(check(ProofKind::kRange, {0, file.table.size()}));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
  }
}

TEST_P(GraphVerifyTest, TablesOfOtherGamesAreRefused) {
  const auto code = [this](const std::function<void(GraphFile&)>& change) {
    falsify(change);
    try {
      static_cast<void>(check(ProofKind::kSamples));
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::kUsage;
  };
  EXPECT_EQ(code([](GraphFile& f) { f.info.game = "no-such-game"; }), ErrorCode::kCorrupt);
  EXPECT_EQ(code([](GraphFile& f) { f.table.start = {0}; }), ErrorCode::kCorrupt);
}

INSTANTIATE_TEST_SUITE_P(Games, GraphVerifyTest,
                         testing::Values(GraphCase{"cram:3x4", Reduction::kComponents, false},
                                         GraphCase{"cram:3x3", Reduction::kSymmetry, true},
                                         GraphCase{"cram:2x4", Reduction::kNone, false},
                                         GraphCase{"heaps:nim:4,3,2", Reduction::kSymmetry, false}),
                         [](const auto& test) { return "Game" + std::to_string(test.index); });

}  // namespace
}  // namespace grundy::verify_test
