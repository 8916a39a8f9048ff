// Sums by places: equal for equal tables in any order, different for any difference.
// SPDX-License-Identifier: MIT
#include "table/written_check.hpp"

#include <algorithm>
#include <random>

#include <gmock/gmock.h>

#include <grundy/lattice/engine.hpp>
#include <grundy/machine.hpp>

#include "support/errors.hpp"
#include "table/lattice_array.hpp"

namespace grundy::store_test {
namespace {

struct WrittenCase {
  const char* rule;
  LatticePoint extent;
  bool computed_sorted;
  bool stored_sorted;
};

const WrittenCase kWrittenCases[] = {{"2: (1,0)* + (1,2)", {300, 70}, false, false},
                                     {"2: sym (1,0)* + (1,1)*", {300, 300}, true, false},
                                     {"2: sym (1,0)* + (1,1)*", {300, 300}, true, true},
                                     {"2: sym (1,0)* + pass", {40, 40}, true, false},
                                     {"2: sym (1,0)* + pass", {40, 40}, true, true},
                                     {"3: (1,0,0)* + (0,1,1)* + pass", {9, 11, 13}, false, false},
                                     {"3: sym (1,0,0)* + box(1,2,3)", {14, 14, 14}, true, false},
                                     {"4: sym (1,0,0,0)*", {6, 6, 6, 6}, true, false}};

/// The entries as an engine hands them over, summed and kept.
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
  WrittenCheckTest() : rule(LatticeRule::parse(GetParam().rule)) {
    computed = {
        .heaps = rule.heaps(), .extent = GetParam().extent, .sorted = GetParam().stored_sorted};
    layout = Layout::of(computed, rule.planes());
    computed.sorted = GetParam().computed_sorted;
    tiles.emplace(layout, computed.sorted);
    const auto executor = make_executor(1, "threads");
    select_lattice_engine("auto", rule, computed)
        .run({.rule = rule,
              .shape = computed,
              .kernels = select_kernels("auto"),
              .executor = *executor,
              .tile = 16},
             *tiles);
    values = wide(tiles->array.values());
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
    return tiles->sums.difference(sums);
  }

  LatticeRule rule;
  LatticeShape computed;
  Layout layout;
  std::optional<Both> tiles;
  std::vector<Nimber> values;
};

TEST_P(WrittenCheckTest, DoNotDependOnTheOrderOrTheWidth) {
  EXPECT_FALSE(difference(values));
  WrittenCheck narrow(layout);
  narrow.put(Stretch{0, tiles->array.values(), {}});
  EXPECT_FALSE(narrow.difference(tiles->sums));
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
    const Error error = testing_support::error_of([&] { tiles->sums.compare(read, "t.h5"); });
    EXPECT_EQ(error.code(), ErrorCode::kFailure);
    EXPECT_THAT(error.what(), testing::HasSubstr("do not read back as they were computed"));
  }
  WrittenCheck read(layout);
  read.put(Stretch{0, Values(std::span<const Nimber>(values)), {}});
  tiles->sums.compare(read, "t.h5");
}

INSTANTIATE_TEST_SUITE_P(Tables, WrittenCheckTest, testing::ValuesIn(kWrittenCases),
                         [](const auto& test) { return "Table" + std::to_string(test.index); });

}  // namespace
}  // namespace grundy::store_test
