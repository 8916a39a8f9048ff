// Sums by places: equal for equal tables in any order, different for any difference.
// SPDX-License-Identifier: MIT
#include "table/written_check.hpp"

#include <algorithm>
#include <random>

#include <gmock/gmock.h>

#include "support/errors.hpp"
#include "table/lattice_array.hpp"
#include "table/lattice_samples.hpp"

namespace grundy::store_test {
namespace {

struct WrittenCase {
  std::vector<std::uint32_t> extent;
  unsigned planes;
  bool sorted_tiles;
  bool stored_sorted;
  bool ranks;  ///< tiles are runs of ranks, not boxes
};

const WrittenCase kWrittenCases[] = {
    {{300, 70}, 1, false, false, false},  {{300, 300}, 1, true, false, false},
    {{300, 300}, 1, true, true, false},   {{40, 40}, 2, true, false, false},
    {{40, 40}, 2, true, true, true},      {{9, 11, 13}, 2, false, false, false},
    {{14, 14, 14}, 1, true, false, true}, {{6, 6, 6, 6}, 1, true, false, true}};

/// The entries of tiles in any order, summed and kept.
class Both final : public ValueSink {
 public:
  Both(const Layout& layout, bool sorted) : sums(layout, sorted), array(layout, sorted) {}
  Flow put(const Stretch& stretch) override {
    sums.put(stretch);
    return array.put(stretch);
  }

  WrittenCheck sums;
  LatticeArray array;
};

std::vector<Nimber> wide(Values values) {
  std::vector<Nimber> out;
  values.visit([&](auto run) { out.assign(run.begin(), run.end()); });
  return out;
}

class WrittenCheckTest : public testing::TestWithParam<WrittenCase> {
 protected:
  WrittenCheckTest()
      : layout(layout_of(GetParam().extent, GetParam().stored_sorted, GetParam().planes)),
        tiles(layout, GetParam().sorted_tiles) {
    const TileSource source{layout, GetParam().sorted_tiles, 100000};
    if (GetParam().ranks) {
      source.put_ranks(tiles, 100, 1);
    } else {
      source.put_boxes(tiles, 16, 1);
    }
    values = wide(tiles.array.values());
  }

  /// What the tiles differ in from entries that come in order, in blocks of some positions.
  [[nodiscard]] std::optional<WrittenCheck::Part> difference(
      const std::vector<Nimber>& entries) const {
    WrittenCheck sums(layout);
    const std::size_t block = 97 * layout.planes;
    for (std::size_t at = 0; at < entries.size(); at += block) {
      const std::span<const Nimber> part(entries);
      sums.put(Stretch{at, part.subspan(at, std::min(block, entries.size() - at)), {}});
    }
    return tiles.sums.difference(sums);
  }

  Layout layout;
  Both tiles;
  std::vector<Nimber> values;
};

TEST_P(WrittenCheckTest, DoNotDependOnTheOrderOrTheWidth) {
  EXPECT_FALSE(difference(values));
  WrittenCheck narrow(layout);
  narrow.put(Stretch{0, tiles.array.values(), {}});
  EXPECT_FALSE(narrow.difference(tiles.sums));
}

TEST_P(WrittenCheckTest, OneBitTwoValuesChangedAndTwoExchangedShowAndAreNamed) {
  std::mt19937 random(3);
  for (int i = 0; i < 60; ++i) {
    std::vector<Nimber> wrong = values;
    const std::size_t a = random() % wrong.size();
    const std::size_t b = random() % wrong.size();
    const Nimber bit = Nimber{1} << (random() % 32);
    if (i % 3 == 0) {
      wrong[a] ^= bit;
    } else if (i % 3 == 1) {
      wrong[a] += bit, wrong[b] -= bit;
    } else {
      std::swap(wrong[a], wrong[b]);
    }
    const auto found = difference(wrong);
    ASSERT_EQ(found.has_value(), wrong != values) << a << ' ' << b;
    if (!found) continue;
    const auto first = std::ranges::mismatch(wrong, values).in1 - wrong.begin();
    const std::uint64_t place = static_cast<std::uint64_t>(first) / layout.planes;
    const std::uint64_t of_axis =
        layout.sorted ? place : layout.position_at(static_cast<std::uint64_t>(first))[0];
    EXPECT_LE(found->first, of_axis);
    EXPECT_GE(found->last, of_axis);
  }
}

TEST_P(WrittenCheckTest, ValuesThatTurnedAreRefused) {
  for (const std::uint64_t number : {std::uint64_t{0}, values.size() / 3, values.size() - 1}) {
    std::vector<Nimber> wrong = values;
    wrong[number] ^= 2;
    WrittenCheck read(layout);
    read.put(Stretch{0, Values(std::span<const Nimber>(wrong)), {}});
    const Error error = testing_support::error_of([&] { tiles.sums.compare(read, "t.h5"); });
    EXPECT_EQ(error.code(), ErrorCode::kFailure);
    EXPECT_THAT(error.what(), testing::HasSubstr("do not read back as they were computed"));
  }
  WrittenCheck read(layout);
  read.put(Stretch{0, Values(std::span<const Nimber>(values)), {}});
  tiles.sums.compare(read, "t.h5");
}

INSTANTIATE_TEST_SUITE_P(Tables, WrittenCheckTest, testing::ValuesIn(kWrittenCases),
                         [](const auto& test) { return "Table" + std::to_string(test.index); });

}  // namespace
}  // namespace grundy::store_test
