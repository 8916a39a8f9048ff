/// @file
/// Parts of a fast phase by themselves: the stages of a round, the exclusion and the witnesses of
/// one block.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <grundy/machine.hpp>

#include "engines/heap/known_values.hpp"
#include "engines/heap/sparse/bit_rows.hpp"
#include "engines/heap/sparse/code_reader.hpp"
#include "engines/heap/sparse/exclusion.hpp"
#include "engines/heap/sparse/learned_plans.hpp"
#include "engines/heap/sparse/learned_taps.hpp"
#include "engines/heap/sparse/phase_stages.hpp"
#include "engines/heap/sparse/split.hpp"
#include "engines/heap/sparse/split_marks.hpp"
#include "engines/heap/sparse/table.hpp"
#include "engines/heap/sparse/taps.hpp"
#include "engines/heap/sparse/witness.hpp"
#include "engines/heap/sparse_testing.hpp"
#include "kernels/kernels.hpp"

namespace grundy::sparse {
namespace {

using testing_support::Learning;

// Over many slides: kept entries are there, new ones are filled, and pointers stay valid in
// between.
TEST(SlidingWindow, KeepsTheNewestAndFillsWhatComesIntoReach) {
  constexpr HeapIndex kKeep = 100, kRoom = 16;
  constexpr std::uint16_t kFill = 7;
  SlidingWindow<std::uint16_t> window(-30, kKeep, kRoom, kFill);
  for (HeapIndex n = -30; n < -30 + kRoom; ++n) ASSERT_EQ(*window.at(n), kFill);
  unsigned slides = 0;
  for (HeapIndex end = -30; end < 2000; end += 8) {
    const std::uint16_t* const before = window.at(end);
    window.advance(end);
    slides += window.at(end) == before ? 0 : 1;
    for (HeapIndex n = std::max(HeapIndex{-30}, end - kKeep); n < end; ++n) {
      ASSERT_EQ(*window.at(n), static_cast<std::uint16_t>(n)) << end;
    }
    for (HeapIndex n = end; n < end + 8; ++n) *window.at(n) = static_cast<std::uint16_t>(n);
  }
  EXPECT_GT(slides, 10U);
  window.forget(1990);
  EXPECT_EQ(*window.at(1989), 1989);
  for (HeapIndex n = 1990; n < 1992 + kRoom; ++n) EXPECT_EQ(*window.at(n), kFill) << n;
}

TEST(Round, RunsEveryTaskOfEveryStageOnce) {
  for (const std::size_t threads : {1, 4}) {
    const auto executor = make_executor(threads);
    std::vector<std::vector<std::atomic<int>>> runs;
    for (const std::size_t tasks : {1, 0, 5, 0, 3}) runs.emplace_back(tasks);
    Round round;
    for (std::size_t s = 0; s < runs.size(); ++s) {
      auto& stage = runs[s];
      StageQueue& queue = s < 3 ? round.finding : round.proving;
      queue.add(stage.size(), [&stage](std::size_t i) { ++stage.at(i); });
    }
    round.run(*executor);
    for (const auto& stage : runs) {
      for (const auto& count : stage) EXPECT_EQ(count, 1);
    }
    Round().run(*executor);  // no stage, no task
  }
}

// A made-up table: a few rare heaps at the beginning, and a late one. The middle is not read.
TEST(CodeReader, WritesThePartnersOfAllTapsInTime) {
  constexpr HeapSize kSize = 800'000, kLate = 700'000;
  const auto value_of = [](HeapSize n) {
    const bool rare = n % 300 < 2 && n < 9000;
    return static_cast<Nimber>(n == kLate ? 2 : n % 128 * 2 + (rare ? 0 : 1));
  };
  std::vector<Nimber> values(kSize);
  for (HeapSize n = 0; n < kSize; ++n) values[n] = value_of(n);
  const HeldValues known{Values(std::span<const Nimber>(values))};
  const HeapRule rule = HeapRule::parse("4!.0");
  const KernelSet& kernels = available_kernels().front();
  const auto executor = make_executor(2);
  const HeapTask task{
      .rule = rule, .count = kSize, .kernels = kernels, .executor = *executor, .known = &known};
  const PhaseShape shape{.block = 256, .lookback = 4096, .code_limit = 128};
  for (const KernelSet& set : available_kernels()) {
    SparseTable table{splitting_moves(rule).value(), kernels};
    table.load(task);
    const Split split = make_split(table.moves(), 1, false);
    table.set_split(split);
    ASSERT_EQ(table.rare().back(), kLate);
    const auto code_of = [&](HeapSize n) {
      const Nimber value = value_of(n);
      return split.is_common(value, n) ? split.squeeze(value) : Nimber{kNoCode<std::uint8_t>};
    };
    CodeReader<std::uint8_t> reader(table, shape, set.codes, *executor);
    SlidingWindow<std::uint8_t> codes(kSize, reader.reach(), 2 * shape.block, 0);
    constexpr HeapSize kMiddle = 500'101;
    const auto expect_partners = [&](HeapSize begin) {
      const auto first = static_cast<HeapIndex>(begin);
      codes.advance(first);
      reader.read_below(first + static_cast<HeapIndex>(shape.block), codes);
      for (const Tap& tap : all_taps(table)) {
        for (HeapSize n = begin; n < begin + shape.block; n += 17) {
          const HeapSize partner = n - tap.offset;
          if (partner >= table.size()) continue;  // the phase itself writes its code
          ASSERT_EQ(*codes.at(static_cast<HeapIndex>(partner)), code_of(partner))
              << "heap " << n << " less " << tap.offset;
        }
      }
    };
    expect_partners(kSize);
    EXPECT_EQ(*codes.at(kMiddle), 0) << "nothing has been written there";
    // A phase decides 40 blocks and a half; the next one begins 70 heaps later. Then all blocks.
    HeapSize begin = kSize;
    for (; begin < kSize + 40 * shape.block; begin += shape.block) {
      expect_partners(begin);
      for (HeapSize n = begin; n < begin + shape.block; ++n)
        *codes.at(static_cast<HeapIndex>(n)) = static_cast<std::uint8_t>(code_of(n));
    }
    const HeapSize ended = begin - shape.block / 2;
    table.reserve(ended + 70);
    with_storage_type(table.buffer().width(), [&]<class V>(V) {
      for (HeapSize n = kSize; n < ended + 70; ++n)
        table.buffer().data<V>()[table.window().index(n)] = static_cast<V>(value_of(n));
    });
    table.extend_to(ended + 70);
    reader.go_on(static_cast<HeapIndex>(ended));
    codes.forget(static_cast<HeapIndex>(ended));
    for (begin = ended + 70; begin < kSize + kLate; begin += shape.block) expect_partners(begin);
  }
}

// A search begins where the value was found last, and yet the depths do not depend on it.
TEST(SparseTable, NotesTheSameDepthWhateverWasFoundBefore) {
  const KernelSet& kernels = available_kernels().back();
  const auto moves = splitting_moves(HeapRule::parse("0.776")).value();
  HeapSize depths[2] = {};
  for (const bool up : {false, true}) {
    SparseTable table{moves, kernels};
    while (table.size() < 4096) table.append();
    table.set_split(choose_split(moves, table.values()).split);
    while (table.size() < 12'000) table.append();
    for (HeapSize i = 0; i < 400; ++i) {
      const HeapSize n = table.size() - (up ? 400 - i : 1 + i);
      for (Nimber v = 0; v < table.window()[n]; ++v) {
        const Nimber value = up ? v : table.window()[n] - 1 - v;
        ASSERT_EQ(table.find(n, value), SparseTable::Search::kFound);
      }
    }
    table.append();  // takes the depth
    depths[up ? 1 : 0] = table.depth();
  }
  EXPECT_GT(depths[0], 0u);
  EXPECT_EQ(depths[0], depths[1]);
}

// What was found for heaps that come to nothing, as those behind a fault of a phase, does not
// count.
TEST(SparseTable, OnlyFinalHeapsCountForTheDepth) {
  const auto moves = splitting_moves(HeapRule::parse("0.106")).value();
  SparseTable table{moves, available_kernels().back()};
  while (table.size() < 500) table.append();
  table.set_split(choose_split(moves, table.values()).split);
  while (table.size() < 4096) table.append();
  const HeapSize n = table.size(), depth = table.depth();
  table.reserve(n + 1);
  const auto find_all = [&] {
    for (Nimber value = 0; value < table.value_limit(); ++value) (void)table.find(n, value);
  };
  find_all();
  table.extend_to(n);
  EXPECT_EQ(table.depth(), depth);
  find_all();
  table.append();
  EXPECT_GT(table.depth(), depth);
}

/// The codes of heaps n, n + 1, ... by the definition, with taps and codes that are known.
template <class T>
std::vector<T> codes_by_taps(const SparseTable& table, HeapSize n, std::size_t heaps) {
  std::vector<T> codes;
  const std::vector<Tap> taps = all_taps(table);
  const auto code_at = [&](HeapSize m) -> Nimber {
    if (m >= n) return codes[m - n];
    const Nimber value = table.window()[m];
    return table.split().is_common(value, m) ? table.split().squeeze(value) : kNoCode<T>;
  };
  for (std::size_t i = 0; i < heaps; ++i) {
    std::vector<bool> reached(std::size_t{1} << 16, false);
    for (const Tap& tap : taps) reached[code_at(n + i - tap.offset) ^ tap.code] = true;
    codes.push_back(static_cast<T>(std::ranges::find(reached, false) - reached.begin()));
  }
  return codes;
}

/// The first block of a fast phase.
template <class T>
struct FirstBlock {
  explicit FirstBlock(HeapSize heaps = 256, std::string_view rule = "0.167") : of(heaps, rule) {}

  /// A window with the codes that the block looks back to.
  SlidingWindow<T> codes() {
    CodeReader<T> reader(of.table, of.shape, available_kernels().front().codes, *executor);
    SlidingWindow<T> codes(begin, reader.reach(), of.shape.block, kNoCode<T>);
    reader.read_below(begin + block, codes);
    return codes;
  }

  Learning of;
  const std::unique_ptr<Executor> executor = make_executor(1);
  const HeapIndex begin = static_cast<HeapIndex>(of.table.size());
  const HeapIndex block = static_cast<HeapIndex>(of.shape.block);
  const std::vector<T> expected = codes_by_taps<T>(of.table, of.table.size(), of.shape.block);
};
template <class T>
class PhaseTest : public testing::Test {};
using CodeTypes = testing::Types<std::uint8_t, std::uint16_t>;
TYPED_TEST_SUITE(PhaseTest, CodeTypes);

/// Finds the codes of the block, with some heaps that have codes already, as where a phase begins
/// within a block, and up to several caps.
template <class T>
void expect_exact(Exclusion<T>& exclusion, const FirstBlock<T>& first, SlidingWindow<T>& codes,
                  Executor& executor) {
  const HeapRange block{first.begin, first.begin + first.block};
  const Nimber most = std::ranges::max(first.expected);
  for (const std::ptrdiff_t known : {77, 64, 5, 0}) {
    for (const Nimber cap : {first.of.shape.code_limit, most, most / 2 + 1}) {
      const auto open = first.expected.begin() + known;
      const auto end =
          std::find_if(open, first.expected.end(), [&](T code) { return code >= cap; });
      std::copy(first.expected.begin(), open, codes.at(first.begin));
      std::fill(codes.at(first.begin + known), codes.at(block.end), kNoCode<T>);
      exclusion.begin(block, first.begin + known, cap);
      executor.parallel_for(exclusion.threads(), [&](std::size_t) { exclusion.run(); });
      ASSERT_EQ(exclusion.end() - first.begin, end - first.expected.begin()) << known << " " << cap;
      EXPECT_TRUE(std::equal(first.expected.begin(), end, codes.at(first.begin)))
          << known << " heaps are known, codes below " << cap;
    }
  }
}

template <class T>
void expect_exact_planes(std::string_view rule) {
  FirstBlock<T> first(256, rule);
  const Learning& game = first.of;
  LearnedTaps learned;
  learned.update_rare(game.table, game.shape, game.shape.code_limit, sizeof(T), *first.executor);
  const LaggedSplits marking(game.table.moves().splits);
  const std::vector<Tap> from_64 = TapParts(rare_taps(game.table, marking.splits), 64).from;
  ASSERT_TRUE(std::ranges::is_sorted(from_64, {}, by_place));
  ASSERT_TRUE(std::ranges::includes(from_64, learned.of_rare(sizeof(T)), {}, by_place, by_place));
  // Of these, the first two leave three threads to work.
  std::vector<std::vector<Tap>> choices{{}, TapParts(from_64, 192).from, from_64};
  choices.push_back(learned.of_rare(sizeof(T)));
  choices.emplace_back();
  for (std::size_t i = 0; i < from_64.size(); i += 5) choices.back().push_back(from_64[i]);
  const auto executor = make_executor(3);
  for (const KernelSet& set : available_kernels()) {
    for (std::size_t choice = 0; choice < choices.size(); ++choice) {
      for (const Nimber common : {Nimber{8}, game.shape.code_limit}) {
        for (const std::size_t threads : {1, 3}) {
          SCOPED_TRACE(std::string(rule) + ", " + std::string(set.name) + ", choice " +
                       std::to_string(choice) + ", codes below " + std::to_string(common) +
                       " have planes, " + std::to_string(threads) + " threads");
          SlidingWindow<T> codes = first.codes();
          const auto exclusion = make_plane_exclusion(game.table, game.shape, set, choices[choice],
                                                      common, codes, threads);
          if (choice < 2) {
            EXPECT_EQ(exclusion->threads(), threads);
          }
          expect_exact(*exclusion, first, codes, *executor);
        }
      }
    }
  }
}

// With one split, with several that remove a few tokens more, or many.
TYPED_TEST(PhaseTest, PlaneExclusionIsExactWhicheverTapsMark) {
  for (const std::string_view rule : {"0.104", "0.167", "0.644", "0.74000000000000004"})
    expect_exact_planes<TypeParam>(rule);
  // Its codes take two bytes.
  if (sizeof(TypeParam) > 1) expect_exact_planes<TypeParam>("0.740000000000000004");
}

TEST(LaggedSplits, StandForThoseThatRemoveAFewTokensMore) {
  const std::vector<SplitMove> near{{1, true}, {3, false}, {17, false}};
  EXPECT_EQ(LaggedSplits(near).splits.size(), 1U);
  EXPECT_EQ(LaggedSplits(near).lags, (std::vector<HeapSize>{0, 2, 16}));
  const std::vector<SplitMove> apart{{1, false}, {18, false}};
  EXPECT_EQ(LaggedSplits(apart).splits.size(), 2U);
  EXPECT_FALSE(LaggedSplits(apart).are_shared());
  EXPECT_TRUE(LaggedSplits({}).splits.empty());
  const SplitMarks<std::uint8_t> marks(available_kernels().front().taps.of<std::uint8_t>(),
                                       {{1, false}, {3, false}}, {{5, 3}, {7, 1}});
  const std::vector<Tap> all = marks.marked();
  const std::vector<Tap> expected{{5, 3}, {7, 1}, {7, 3}, {9, 1}};
  EXPECT_TRUE(std::ranges::equal(all, expected, {}, by_place, by_place));
}

// The planes are those that the taps of all splits mark, one by one.
TYPED_TEST(PhaseTest, SplitsShareMarks) {
  using T = TypeParam;
  std::mt19937 random(5);
  constexpr std::size_t kReach = 400, kHeaps = 192, kCount = 12;
  for (const std::vector<SplitMove>& splits : {std::vector<SplitMove>{{2, false}},
                                               {{0, false}, {1, false}},
                                               {{1, false}, {2, false}, {4, true}},
                                               {{0, false}, {16, false}}}) {
    std::vector<T> codes(kReach + kHeaps);
    for (T& code : codes) code = static_cast<T>(random() % 120);
    std::vector<Tap> taps(30);
    for (Tap& tap : taps) tap = {64 + random() % 300, static_cast<Nimber>(random() % 120)};
    std::ranges::sort(taps, {}, by_place);
    const TypedTapKernels<T>& kernels = available_kernels().front().taps.of<T>();
    const SplitMarks<T> marks(kernels, splits, taps);
    const TapList all(marks.marked());
    std::vector<std::uint8_t> expected(kHeaps * kCount), planes(kHeaps * kCount);
    const T* const first = codes.data() + kReach;
    for (std::size_t i = 0; i < kHeaps; i += 64)
      kernels.mark_planes(first + i, all.view(), &expected[i * kCount], kCount);
    marks.mark_all(first, kHeaps, planes.data(), 64 * kCount, kCount);
    EXPECT_EQ(planes, expected) << splits.size() << " splits";
    EXPECT_EQ(marks.have_lags(), splits.size() > 1);
  }
}

// Each code has two rows. What they leave open for a block is counted one by one.
TYPED_TEST(PhaseTest, RowsCoverHeapsUnderEverySplit) {
  using T = TypeParam;
  for (const std::string_view rule : {"0.104", "0.167", "0.644", "0.74000000000000004"}) {
    FirstBlock<T> first(256, rule);
    const Learning& game = first.of;
    SlidingWindow<T> codes = first.codes();
    std::ranges::copy(first.expected, codes.at(first.begin));
    const HeapSize offsets[] = {70, 131};
    const Nimber keys[] = {1, 2};
    std::vector<RowPlan> plans;
    for (Nimber code = 0; code < game.shape.code_limit; ++code) {
      plans.emplace_back(
          std::vector<RowPlan::Source>{{code ^ keys[0], offsets[0]}, {code ^ keys[1], offsets[1]}},
          BitRows::stride_of(game.shape.lookback, 2 * game.shape.block));
    }
    std::uint64_t open = 0;
    const LaggedSplits lagged(game.table.moves().splits);
    for (HeapSize j = 0; j < game.shape.block; ++j) {
      for (Nimber code = 0; code < 2; ++code) {
        bool covered = false;
        for (const HeapSize lag : lagged.lags) {
          for (std::size_t row = 0; row < 2 && lag <= j; ++row) {
            covered |= *codes.at(first.begin + static_cast<HeapIndex>(j) -
                                 static_cast<HeapIndex>(offsets[row] + lag)) == (code ^ keys[row]);
          }
        }
        if (!covered) ++open;
      }
    }
    const std::vector<T> limits(game.shape.block, 2);  // codes 0 and 1 are looked for
    for (const KernelSet& set : available_kernels()) {
      const auto witness = make_row_witness(game.table, game.shape, set, plans, codes, first.begin);
      witness->publish(first.begin, game.shape.block);
      witness->check(first.begin, limits.data(), game.shape.block, 0, 1);
      EXPECT_EQ(witness->take_open(), open) << rule << ", " << set.name;
    }
  }
}

// The block has three turns, the last one of 64 heaps.
TEST(WordExclusion, IsExactInTurns) {
  using T = std::uint8_t;
  FirstBlock<T> first(8192 + 64);
  const Learning& game = first.of;
  ASSERT_TRUE(words_pay(game.table, game.shape.code_limit));
  for (const KernelSet& set : available_kernels()) {
    for (const std::size_t threads : {1, 2}) {
      SCOPED_TRACE(std::string(set.name) + ", threads " + std::to_string(threads));
      const auto executor = make_executor(threads);
      SlidingWindow<T> codes = first.codes();
      const auto exclusion = make_word_exclusion(game.table, game.shape, set, codes, threads);
      EXPECT_EQ(exclusion->threads(), threads);
      expect_exact(*exclusion, first, codes, *executor);
    }
  }
}

// Whichever rows or pairs were learned: heaps reach the rare values below their own, and a limit is
// found that is too high for a heap.
template <class T>
void expect_witnesses(std::string_view rule) {
  SCOPED_TRACE(rule);
  FirstBlock<T> first(256, rule);
  Learning& game = first.of;
  game.shape.code_limit *= 2;  // no heap reaches the upper half
  ASSERT_LE(game.shape.code_limit, kNoCode<T>);
  SlidingWindow<T> codes = first.codes();
  std::ranges::copy(first.expected, codes.at(first.begin));
  const CodeTables tables(game.table.split(), game.shape.code_limit);
  std::vector<T> limits(game.shape.block);
  game.table.reserve(static_cast<HeapSize>(first.begin + first.block));
  with_storage_type(game.table.buffer().width(), [&]<class V>(V) {
    tables.write_values(game.kernels.codes, first.begin, codes.at(first.begin), game.shape.block,
                        game.table.buffer().template data<V>() + first.begin);
  });
  tables.write_limits(game.kernels.codes, first.begin, codes.at(first.begin), game.shape.block,
                      limits.data());
  // The least code of the rare type that no option of a heap has.
  const auto least_missing = [&](HeapIndex n) {
    const auto heap = static_cast<HeapSize>(n);
    Nimber code = 0;
    while (game.table.find(heap, game.table.split().expand(code, false, heap)) ==
           SparseTable::Search::kFound) {
      ++code;
    }
    return code;
  };
  LearnedPlans plans;
  plans.update<T>(game.table, game.shape, game.kernels, *first.executor);
  LearnedTaps learned;
  learned.update_pairs(game.table, game.shape, *first.executor);
  const std::vector<Tap> all_pairs =
      pair_taps(game.table, LaggedSplits(game.table.moves().splits).splits,
                witness_reach(game.table, game.shape), 1);
  for (const KernelSet& set : available_kernels()) {
    std::vector<std::unique_ptr<Witness<T>>> witnesses;
    const std::vector<RowPlan> nothing(game.shape.code_limit);
    witnesses.push_back(
        make_row_witness(game.table, game.shape, set, plans.witness(), codes, first.begin));
    witnesses.push_back(make_row_witness(game.table, game.shape, set, nothing, codes, first.begin));
    if constexpr (sizeof(T) > 1) {
      for (const Nimber common : {Nimber{8}, game.shape.code_limit}) {
        for (const std::vector<Tap>& pairs : {learned.of_pairs(), all_pairs, {}}) {
          witnesses.push_back(
              make_plane_witness(game.table, game.shape, set, pairs, common, codes, first.begin));
        }
      }
    }
    // Only rows can be stale.
    EXPECT_TRUE(witnesses.front()->take_open());
    EXPECT_EQ(witnesses.back()->take_open().has_value(), sizeof(T) == 1);
    for (const auto& witness : witnesses) {
      witness->publish(first.begin, game.shape.block);
      const auto check = [&](const std::vector<T>& bounds, std::size_t shares) {
        HeapIndex end = first.begin + first.block;
        for (std::size_t share = 0; share < shares; ++share) {
          end = std::min(
              end, witness->check(first.begin, bounds.data(), game.shape.block, share, shares));
        }
        return end;
      };
      for (const std::size_t shares : {1, 2, 3}) {
        EXPECT_EQ(check(limits, shares), first.begin + first.block) << set.name;
      }
      for (std::size_t bad = 0; bad < game.shape.block; bad += bad % 64 < 18 ? 1 : 15) {
        std::vector<T> bounds = limits;
        const auto n = first.begin + static_cast<HeapIndex>(bad);
        bounds[bad] = static_cast<T>(least_missing(n) + 1);
        ASSERT_GT(bounds[bad], limits[bad]);
        for (const std::size_t shares : {1, 2, 3})
          EXPECT_EQ(check(bounds, shares), n) << set.name << ", heap " << n;
      }
    }
  }
}

TYPED_TEST(PhaseTest, WitnessesAreFoundAndTheFirstMissingOne) {
  for (const std::string_view rule : {"0.104", "0.167", "0.644", "0.74000000000000004"})
    expect_witnesses<TypeParam>(rule);
}

}  // namespace
}  // namespace grundy::sparse
