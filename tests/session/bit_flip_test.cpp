/// @file
/// A bit that flips between the count and the publication of a table is noticed: before the seal,
/// in sealed values, and for tiles also after the seal and on the way to the writer.
/// (memory_fault_test.cpp flips bits in a chunk, tests/table/file_test.cpp in the file.)
// SPDX-License-Identifier: MIT
#include <filesystem>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>

#include "session/run_terms.hpp"
#include "session/stages.hpp"
#include "support/collect_sink.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/shaped_games.hpp"
#include "table/written_check.hpp"

namespace grundy::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing_support::bytes_of;
using testing_support::CollectSink;
using testing_support::error_of;
using testing_support::kShapedGames;
using testing_support::ShapedGame;
using testing_support::TemporaryDirectory;
using testing_support::write_bytes;

/// The place where a bit flips: before the stage of sealing, after it, or before the stage of
/// writing.
enum class Place { kNowhere, kBeforeSeal, kAfterSeal, kBeforeWrite };

/// A stage, and a bit that flips in one value, before the stage or after it.
class FaultyStage final : public Stage {
 public:
  /// @param number of the value
  FaultyStage(Stage& stage, bool before, bool after, HeapSize number)
      : stage_(stage), before_(before), after_(after), number_(number) {}

  Flow take(Stretch& stretch) override {
    if (before_) turn(stretch);
    const Flow flow = stage_.take(stretch);
    if (after_) turn(stretch);
    return flow;
  }

 private:
  void turn(Stretch& stretch) {
    if (number_ < stretch.begin || number_ >= stretch.end()) return;
    wrong_.clear();
    stretch.values.visit([&](auto run) { wrong_.assign(run.begin(), run.end()); });
    wrong_[number_ - stretch.begin] ^= 1;
    stretch.values = Values(std::span<const Nimber>(wrong_));
  }

  Stage& stage_;
  bool before_, after_;
  HeapSize number_;
  std::vector<Nimber> wrong_;  ///< what the later stages see
};

/// The stages of sealing and of writing, of which one has the fault.
struct Faulty {
  Faulty(Stage& seal_stage, Stage& write_stage, Place place, HeapSize number)
      : seal(seal_stage, place == Place::kBeforeSeal, place == Place::kAfterSeal, number),
        write(write_stage, place == Place::kBeforeWrite, false, number) {}
  FaultyStage seal, write;
};

constexpr HeapSize kChunk = 256;  ///< values of heaps

constexpr Place kPlaces[] = {Place::kBeforeSeal, Place::kAfterSeal, Place::kBeforeWrite};

Request in_directory(Request request, const fs::path& table) {
  request.output.path = table;
  request.output.checkpoint.bytes = 20000;
  request.machine.backend = "threads";
  request.machine.threads = 1;
  request.machine.block = 16;
  return request;
}

/// A life as compute() makes it, up to the last name of the file.
/// @param number of the value that turns before the seal; none: no value turns
/// @param damage is done to the sealed segments before the table is made of them
void live_heaps(const Request& request, std::optional<HeapSize> number,
                const std::function<void(const std::vector<Segment>&)>& damage) {
  const HeapSetup setup(request);
  const NumberedHeaps game(setup.game.rule);
  SealedValues sealed(run_terms(setup), game, nullptr, {});
  SelfCheck self_check(game);
  const Hooks hooks;
  Count count(setup.kernels, hooks, 0);
  Seal seal(sealed, &self_check);
  FaultyStage faulty(seal, number.has_value(), false, number.value_or(0));
  Stages stages({.count = &count, .seal = &faulty});
  ASSERT_EQ(setup.run(setup.count, stages, hooks), RunStatus::kComplete);
  sealed.log().seal();
  damage(sealed.directory().segments());
  const auto writer =
      TableWriter::create(request.output.path, Layout::of_heaps(setup.count), *setup.executor,
                          {.chunk_size = kChunk, .workplace = sealed.path()});
  int copied = 0;
  sealed.log().replay_chunks(
      setup.count, ValueWidth::kU8, kChunk,
      [&](HeapSize begin, const SegmentReader::Encoded& chunk) {
        writer->put_chunk(begin, chunk.values_xxh3, chunk.bytes);
        ++copied;
        return Flow::kContinue;
      },
      *writer);
  EXPECT_GT(copied, 10);
  TableInfo info;
  info.game = info.canonical = info.title = setup.game.rule.canonical();
  info.stats = count.stats();
  info.layout = Layout::of_heaps(info.stats.count);
  info.computed = info.stats.count;
  info.provenance_json = "{}";
  writer->finish(info);
}

Request heaps_in(const TemporaryDirectory& directory) {
  Request request = in_directory({.game = HeapGame{.rule = HeapRule::parse("0.77"), .last = 4999}},
                                 directory / "t.h5");
  request.output.chunk = kChunk;
  request.output.checkpoint.bytes = 1000;
  return request;
}

void no_damage(const std::vector<Segment>& /*segments*/) {}

TEST(BitFlip, AHeapThatTurnsIsNotPublished) {
  for (const HeapSize number : {0, 1000, 4999}) {
    const TemporaryDirectory directory;
    const Request request = heaps_in(directory);
    const Error error = error_of([&] { live_heaps(request, number, no_damage); });
    EXPECT_EQ(error.code(), ErrorCode::kFailure);
    EXPECT_THAT(error.what(), HasSubstr("do not match the digest of the table"));
    EXPECT_FALSE(fs::exists(request.output.path));
  }
  const TemporaryDirectory directory;
  const Request request = heaps_in(directory);
  live_heaps(request, std::nullopt, no_damage);
  EXPECT_TRUE(fs::exists(request.output.path));
}

/// Chunks are copied into the table without being decoded.
TEST(BitFlip, ABitThatTurnsInASealedSegmentIsNotPublished) {
  std::mt19937 random(7);
  for (int i = 0; i < 40; ++i) {
    const TemporaryDirectory directory;
    const Request request = heaps_in(directory);
    const auto turn = [&](const std::vector<Segment>& segments) {
      const fs::path& file = segments[random() % segments.size()].path;
      std::string bytes = bytes_of(file);
      // Headers were read before.
      const std::size_t at = kSegmentHeaderSize + random() % (bytes.size() - kSegmentHeaderSize);
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
      write_bytes(file, bytes);
    };
    const Error error = error_of([&] { live_heaps(request, std::nullopt, turn); });
    EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
    EXPECT_THAT(error.what(), HasSubstr("the run can be resumed from value"));
    EXPECT_FALSE(fs::exists(request.output.path));
  }
}

class BitFlipInTiles : public ::testing::TestWithParam<ShapedGame> {
 protected:
  /// A life as compute() makes it, up to what decides on the publication.
  void live(Place place, HeapSize number) {
    const LatticeSetup setup(request_);
    const NumberedPositions game(setup.game.rule, value_order(setup));
    SealedValues sealed(run_terms(setup), game, nullptr, {});
    const auto writer =
        TableWriter::create(request_.output.path, setup.stored, *setup.executor,
                            {.sorted_tiles = setup.computed.sorted, .workplace = sealed.path()});
    WrittenCheck expected(setup.stored, setup.computed.sorted);
    HandOn sum(expected);
    Seal seal(sealed, nullptr);
    HandOn write(*writer);
    Faulty faulty(seal, write, place, number);
    Stages stages({.count = &sum, .seal = &faulty.seal, .write = &faulty.write});
    ASSERT_EQ(setup.run(setup.computed, stages, {}), RunStatus::kComplete);
    sealed.log().seal();
    all_ = sealed.directory().frontier();
    CollectSink entries;
    ASSERT_EQ(writer->read_back(entries, expected), Flow::kContinue);
  }
  [[nodiscard]] HeapSize values() {
    live(Place::kNowhere, 0);
    fs::remove_all(directory_ / "t.h5.run");
    return all_;
  }

  const TemporaryDirectory directory_;
  Request request_ =
      in_directory({.game = LatticeGame{LatticeRule::parse(GetParam().rule), GetParam().shape}},
                   directory_ / "t.h5");
  HeapSize all_ = 0;
};

TEST_P(BitFlipInTiles, APositionThatTurnsIsNotPublished) {
  const HeapSize all = values();
  for (const Place place : kPlaces) {
    for (const HeapSize number : {HeapSize{0}, all / 3, all - 1}) {
      const Error error = error_of([&] { live(place, number); });
      EXPECT_EQ(error.code(), ErrorCode::kFailure);
      EXPECT_THAT(error.what(), HasSubstr("do not read back as they were computed"));
      EXPECT_FALSE(fs::exists(request_.output.path));
      EXPECT_EQ(RunDirectory(directory_ / "t.h5.run", false).frontier(), all) << "the run is kept";
      fs::remove_all(directory_ / "t.h5.run");
    }
  }
  EXPECT_TRUE(compute(request_).complete);
}

INSTANTIATE_TEST_SUITE_P(Games, BitFlipInTiles, ::testing::ValuesIn(kShapedGames),
                         [](const auto& test) { return "Game" + std::to_string(test.index); });

}  // namespace
}  // namespace grundy::testing
