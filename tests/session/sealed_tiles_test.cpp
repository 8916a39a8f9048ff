/// @file
/// A value that changes after it was read from a segment and before it is stored is noticed, and
/// the run is kept.
// SPDX-License-Identifier: MIT
#include <filesystem>

#include <gmock/gmock.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>

#include "session/run_terms.hpp"
#include "session/stages.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/shaped_games.hpp"
#include "table/lattice_array.hpp"

namespace grundy::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing_support::error_of;
using testing_support::kShapedGames;
using testing_support::ShapedGame;
using testing_support::TemporaryDirectory;

/// Turns a bit of one value of the tiles that pass.
class TurnsABit final : public ValueSink {
 public:
  /// @param number of the value; no value has 2^63
  TurnsABit(ValueSink& next, std::uint64_t number) : next_(next), number_(number) {}

  Flow put(const Stretch& stretch) override {
    const std::uint64_t begin = count_;
    count_ += stretch.values.size();
    if (number_ < begin || number_ >= count_) return next_.put(stretch);
    std::vector<Nimber> wrong(stretch.values.size());
    for (std::size_t i = 0; i < wrong.size(); ++i) wrong[i] = stretch.values[i];
    wrong[number_ - begin] ^= 2;
    Stretch changed = stretch;
    changed.values = Values(std::span<const Nimber>(wrong));
    return next_.put(changed);
  }

 private:
  ValueSink& next_;
  std::uint64_t number_;
  std::uint64_t count_ = 0;
};

constexpr std::uint64_t kNone = std::uint64_t{1} << 63;

class SealedTilesTest : public ::testing::TestWithParam<ShapedGame> {
 protected:
  SealedTilesTest()
      : request_{.game = LatticeGame{LatticeRule::parse(GetParam().rule), GetParam().shape}} {
    request_.output.path = place_ / "t.h5";
    request_.machine.backend = "threads";
    request_.machine.block = 16;
    request_.output.checkpoint.bytes = 1000;
  }

  /// A life up to the seal, with a bit that turns in what the engine hands over.
  void live(std::uint64_t in_engine) {
    const LatticeSetup setup(request_);
    const NumberedPositions game(setup.game.rule, value_order(setup));
    SealedValues sealed(run_terms(setup), game, nullptr, {});
    Seal seal(sealed, nullptr);
    LatticeArray table(setup.stored, setup.computed.sorted);
    HandOn write(table);
    Stages stages({.seal = &seal, .write = &write});
    TurnsABit engine(stages, in_engine);
    ASSERT_EQ(setup.run(setup.computed, engine, {}, sealed.frontier() > 0 ? &sealed : nullptr),
              RunStatus::kComplete);
    sealed.log().seal();
  }
  [[nodiscard]] std::uint64_t values() const {
    return RunDirectory(place_ / "t.h5.run", false).frontier();
  }

  const TemporaryDirectory place_;
  Request request_;
};

TEST_P(SealedTilesTest, ASealedValueThatTurnsInTheNextLifeIsNotPublished) {
  live(kNone);
  const std::uint64_t all = values();
  const Error error = error_of([&] { live(1); });
  EXPECT_EQ(error.code(), ErrorCode::kMismatch);
  EXPECT_THAT(error.what(), HasSubstr("have changed in the memory"));
  EXPECT_THAT(error.what(), HasSubstr("seg-0000000000.gseg"));
  EXPECT_EQ(values(), all);
  EXPECT_TRUE(compute(request_).complete);
}

INSTANTIATE_TEST_SUITE_P(Games, SealedTilesTest, ::testing::ValuesIn(kShapedGames),
                         [](const auto& test) { return "Game" + std::to_string(test.index); });

}  // namespace
}  // namespace grundy::testing
