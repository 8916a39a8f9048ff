// Tables of several heaps: right ones are proved, a wrong value is named by its position.
// SPDX-License-Identifier: MIT
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/compute.hpp>

#include "engines/lattice/value_order.hpp"
#include "support/errors.hpp"
#include "table/table_writer.hpp"
#include "table/written_check.hpp"
#include "verify/lattice/prover.hpp"
#include "verify/verify_testing.hpp"

namespace grundy::verify_test {
namespace {

struct Game {
  const char* rule;
  std::uint32_t extent;
  bool sorted;
};

class LatticeVerifyTest : public testing::TestWithParam<Game> {
 protected:
  Request request() const {
    const LatticeRule rule = LatticeRule::parse(GetParam().rule);
    return {.game = LatticeGame{rule, LatticeShape::cube(rule.heaps(), GetParam().extent,
                                                         GetParam().sorted)},
            .machine = {.backend = "threads"}};
  }
  VerifyReport run(ProofKind proof, EntryRange range = {}) {
    VerifyRequest what{
        .table = table, .proof = proof, .range = range, .machine = {.backend = "threads"}};
    what.seconds = 0.5;
    return verify(what);
  }

  TemporaryDirectory dir;
  std::filesystem::path table = dir / "t.h5";
};

TEST_P(LatticeVerifyTest, RightTablesAreProved) {
  Request what = request();
  what.output.path = table;
  const HeapSize last = compute(what).info.stats.count - 1;
  for (const ProofKind proof : {ProofKind::kSamples, ProofKind::kRange, ProofKind::kFull}) {
    const VerifyReport report = run(proof, {0, last});
    EXPECT_TRUE(report.complete);
    EXPECT_FALSE(report.wrong) << report.wrong->sentence;
    if (proof != ProofKind::kSamples) {
      EXPECT_EQ(report.proved, (EntryRange{0, last}));
    }
  }
}

TEST_P(LatticeVerifyTest, TheWrongPositionIsNamed) {
  const Request what = request();
  testing_support::CollectSink right;
  TableInfo info = compute(what, testing_support::into(right)).info;
  const Layout layout = info.layout;
  std::mt19937 random(9);
  for (int i = 0; i < 6; ++i) {
    std::vector<Nimber> wrong = right.values();
    const HeapSize entry = draw(random, static_cast<unsigned>(wrong.size()));
    wrong[entry] ^= 1 + draw(random, 3);
    info.stats = store_test::stats_of(wrong);
    std::vector<std::uint64_t> zeros;
    for (HeapSize n = 0; n < wrong.size(); ++n) {
      if (wrong[n] == 0) zeros.push_back(n);
    }
    std::filesystem::remove(table);
    const auto executor = make_executor(1, "threads");
    const auto writer =
        TableWriter::create(table, layout, *executor, {.sorted_tiles = layout.sorted});
    Tile tile;
    if (layout.sorted) {
      tile.first_rank = 0;
    } else {
      tile.extent = layout.shape().extent;
    }
    WrittenCheck expected(layout, layout.sorted);
    const Stretch all{.values = std::span<const Nimber>(wrong), .table = {}, .tile = &tile};
    expected.put(all);
    writer->put(all);
    testing_support::CollectSink back;
    writer->read_back(back, expected);
    ASSERT_EQ(back.values(), wrong);
    writer->finish(info, zeros);
    for (const ProofKind proof : {ProofKind::kSamples, ProofKind::kRange, ProofKind::kFull}) {
      const VerifyReport report = run(proof, {0, wrong.size() - 1});
      ASSERT_TRUE(report.wrong);
      EXPECT_EQ(report.wrong->entry, entry);
      EXPECT_THAT(report.wrong->sentence, testing::HasSubstr("position ("));
    }
  }
}

TEST_P(LatticeVerifyTest, OnlyWhatAProofNeedsIsKept) {
  Request what = request();
  what.output.path = table;
  const HeapSize count = compute(what).info.stats.count;
  VerifyRequest some{.table = table, .proof = ProofKind::kRange, .machine = {.backend = "threads"}};
  some.seconds = 0.2;
  some.machine.memory = count / 2;  // values take a byte
  some.range = {count / 3, count / 2 - 1};
  EXPECT_EQ(verify(some).proved, some.range);
  ++some.range.last;
  const Error error = testing_support::error_of([&] { static_cast<void>(verify(some)); });
  EXPECT_EQ(error.code(), ErrorCode::kFailure);
  EXPECT_THAT(error.what(), testing::HasSubstr("prove a range that ends earlier"));
  some.force = true;
  EXPECT_EQ(verify(some).proved, some.range);

  some.force = false;
  some.proof = ProofKind::kSamples;
  some.samples = count;
  std::string said;
  const VerifyReport report =
      verify(some, {.narrate = [&said](const std::string& sentence) { said += sentence; }});
  EXPECT_FALSE(report.wrong);
  EXPECT_EQ(report.random, count / 4) << "a half is for values, a half for everything else";
  EXPECT_THAT(said, testing::HasSubstr("entries from " + std::to_string(count / 4)));
}

/// An entry that may have more options than one can look at in the time is left out.
TEST_P(LatticeVerifyTest, SamplesAreBoundedByTheirOptions) {
  const Request what = request();
  testing_support::CollectSink right;
  const ValueOrder order(compute(what, testing_support::into(right)).info.layout);
  const Stored stored(right.values());
  const LatticeProver prover(std::get<LatticeGame>(what.game).rule, order, stored.get());
  std::uint64_t left_out = 0;
  for (HeapSize entry = 0; entry < order.count(); ++entry) {
    const auto is_right = prover.is_right(entry, 20);
    EXPECT_EQ(is_right.has_value(),
              option_bound(std::get<LatticeGame>(what.game).rule, order, entry) <= 20);
    if (!is_right) ++left_out;
    EXPECT_TRUE(is_right.value_or(true));
  }
  EXPECT_GT(left_out, 0U);
  EXPECT_LT(left_out, order.count());
}

INSTANTIATE_TEST_SUITE_P(Rules, LatticeVerifyTest,
                         testing::Values(Game{"2: sym (1,0)* + (1,1)*", 40, false},
                                         Game{"2: sym (1,0)* + (1,1)*", 40, true},
                                         Game{"2: (1,0)* + (0,1)*{1,2} + (1,2)", 30, false},
                                         Game{"2: sym (1,0)* + pass", 20, true},
                                         Game{"3: sym (1,0,0)* + pass", 9, false},
                                         Game{"3: sym (1,0,0)* + box(1,2,3)", 10, true}),
                         [](const auto& test) { return "Game" + std::to_string(test.index); });

}  // namespace
}  // namespace grundy::verify_test
