// Tables of positions: right ones are proved, the first wrong row is named.
// SPDX-License-Identifier: MIT
#include <functional>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/games.hpp>

#include "core/digest.hpp"
#include "support/errors.hpp"
#include "verify/verify_testing.hpp"

namespace grundy::verify_test {
namespace {

using testing::HasSubstr;
using testing_support::code_of;
using testing_support::error_of;

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
  falsify([middle](GraphFile& f) { ++f.table.moves[middle]; });
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
  EXPECT_EQ(code([](GraphFile& f) { f.table.start = {0}; }), ErrorCode::kCorrupt);
}

/// From a number go to a smaller one prime to it.
struct Coprime {
  using Position = std::uint32_t;
  Position from;

  [[nodiscard]] Position start() const { return from; }
  [[nodiscard]] std::uint32_t potential(Position n) const { return n; }
  [[nodiscard]] Position canonical(Position n) const { return n; }
  void options(Position n, auto&& visit) const {
    for (Position m = 1; m < n; ++m) {
      if (std::gcd(m, n) == 1) visit(m);
    }
  }
};

class OwnGameVerifyTest : public testing::Test {
 protected:
  using Game = std::shared_ptr<const GraphGame>;

  void SetUp() override {
    ASSERT_TRUE(compute({.game = PositionGame{coprime},
                         .about = {.game = "coprime"},
                         .machine = {.backend = "threads"},
                         .output = {.path = path}})
                    .complete);
  }
  VerifyReport check(const Game& game, ProofKind proof = ProofKind::kFull) {
    return verify({.table = path,
                   .game = game,
                   .proof = proof,
                   .range = {0, kLast},
                   .machine = {.backend = "threads", .threads = 1}});
  }

  static constexpr HeapSize kLast = 60;  ///< row 0 is the number 1
  TemporaryDirectory dir;
  std::filesystem::path path = dir / "own.h5";
  Game coprime = make_graph_game(Coprime{kLast + 1});
};

TEST_F(OwnGameVerifyTest, IsProvedWithItsGame) {
  for (const ProofKind proof : {ProofKind::kSamples, ProofKind::kRange, ProofKind::kFull}) {
    const VerifyReport report = check(coprime, proof);
    EXPECT_TRUE(report.complete);
    EXPECT_FALSE(report.wrong) << report.wrong->sentence;
  }
  EXPECT_EQ(check(coprime).proved, (EntryRange{0, kLast}));
}

TEST_F(OwnGameVerifyTest, AForgedValueIsFound) {
  GraphFile file = read_graph_file(path);
  const std::uint32_t number = 25;
  const auto row = file.table.find(detail::to_key(number), *coprime);
  ASSERT_TRUE(row);
  ASSERT_EQ(file.table.values[*row], 3u) << "the index of its least prime";
  file.table.values[*row] = 5;
  file.info.stats = file.table.stats();
  write_graph_file(path, file.info, file.table, nullptr, true, true);
  const VerifyReport report = check(coprime);
  ASSERT_TRUE(report.wrong);
  EXPECT_EQ(report.wrong->entry, *row);
}

TEST_F(OwnGameVerifyTest, OtherGamesAndNoneAreRefused) {
  const auto refusal = [this](const Game& game) {
    return error_of([&] { static_cast<void>(check(game)); });
  };
  const Error none = refusal(nullptr);
  EXPECT_EQ(none.code(), ErrorCode::kUsage);
  EXPECT_THAT(none.what(), HasSubstr("own.h5' is of 'coprime', which is not in the catalogue"));
  EXPECT_THAT(none.what(), HasSubstr("VerifyRequest"));
  EXPECT_EQ(refusal(make_graph_game(Coprime{kLast})).code(), ErrorCode::kCorrupt);
  EXPECT_EQ(refusal(make_graph_game(Coprime{kLast + 1}, Reduction::kNone)).code(),
            ErrorCode::kUsage);
  EXPECT_EQ(share_of_proof(path, {.number = 1, .of = 61}), (EntryRange{0, 0}))
      << "shares need no game";
}

// The name of a game of one heap, or none at all, names no game on positions of the catalogue.
TEST_F(OwnGameVerifyTest, ItsNameMayBeThatOfAnotherKindOfGame) {
  for (const char* name : {"kayles", "chomp", "", "no-such-game"}) {
    GraphFile file = read_graph_file(path);
    file.info.game = name;
    write_graph_file(path, file.info, file.table, nullptr, true, true);
    EXPECT_FALSE(check(coprime).wrong);
    EXPECT_EQ(code_of([&] { static_cast<void>(check(nullptr)); }), ErrorCode::kUsage);
  }
}

INSTANTIATE_TEST_SUITE_P(Games, GraphVerifyTest,
                         testing::Values(GraphCase{"cram:3x4", Reduction::kComponents, false},
                                         GraphCase{"cram:3x3", Reduction::kSymmetry, true},
                                         GraphCase{"cram:2x4", Reduction::kNone, false},
                                         GraphCase{"heaps:nim:4,3,2", Reduction::kSymmetry, false}),
                         [](const auto& test) { return "Game" + std::to_string(test.index); });

}  // namespace
}  // namespace grundy::verify_test
