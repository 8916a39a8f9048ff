/// @file
/// Digests of long tables, pinned: the same for every engine, kernel set, number of threads and
/// block size, here and on any other machine.
///
/// tests/golden/digests.csv has two kinds of rows, told apart by their length. The long ones are
/// slow.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include <grundy/heap/engine.hpp>
#include <grundy/machine.hpp>

#include "core/digest.hpp"
#include "kernels/kernels.hpp"
#include "support/collect_sink.hpp"

namespace grundy {
namespace {

struct Row {
  std::string game;
  HeapSize heaps;
  std::string digest;      ///< of the table
  std::string sequential;  ///< of all values in one piece
};

void PrintTo(const Row& row, std::ostream* out) {
  *out << row.game << " to " << row.heaps;
}

constexpr HeapSize kLong = 100'000;

/// The rows of more than kLong heaps, or the others.
std::vector<Row> digest_rows(bool are_long) {
  std::ifstream file(GRUNDY_GOLDEN_DIR "/digests.csv");
  std::vector<Row> rows;
  std::string game, heaps, digest, sequential;
  std::getline(file, game);  // the header
  while (std::getline(file, game, ',') && std::getline(file, heaps, ',') &&
         std::getline(file, digest, ',') && std::getline(file, sequential)) {
    std::replace(game.begin(), game.end(), ';', ',');
    const Row row{game, std::stoull(heaps), digest, sequential.empty() ? digest : sequential};
    if ((row.heaps > kLong) == are_long) rows.push_back(row);
  }
  return rows;
}

class Digests : public testing::TestWithParam<Row> {
 protected:
  const HeapRule rule = HeapRule::parse(GetParam().game);

  void check(const HeapEngine& engine, const KernelSet& kernels, std::size_t threads,
             std::optional<HeapSize> block = {}) const {
    SCOPED_TRACE(testing::Message() << kernels.name << ", " << threads << " threads");
    const auto executor = make_executor(threads, "threads");
    testing_support::CollectSink sink;
    const HeapTask task{rule, GetParam().heaps, kernels, *executor, {}, nullptr, block};
    EXPECT_EQ(engine.run(task, sink), RunStatus::kComplete);
    ValueDigest digest;
    digest.update(std::span(sink.values()));
    EXPECT_EQ(to_hex(digest.value()), GetParam().digest);
    SequentialDigest sequential;
    sequential.update(std::span(sink.values()));
    EXPECT_EQ(to_hex(sequential.value()), GetParam().sequential);
  }
};

TEST_P(Digests, AreTheSameForEngineKernelThreadsAndBlock) {
  const KernelSet& best = available_kernels().back();
  for (const HeapEngine* engine : heap_engines()) {
    if (engine->name() == "reference" || !engine->refusal(rule).empty()) continue;
    SCOPED_TRACE(engine->name());
    check(*engine, best, 2);
    if (GetParam().heaps > kLong) continue;
    for (const KernelSet& kernels : available_kernels()) {
      check(*engine, kernels, 1);
    }
    for (const std::size_t threads : {2, 3}) {
      check(*engine, best, threads, 1000);
    }
  }
}

std::string name_of_digest(const testing::TestParamInfo<Row>& row) {
  std::string name = row.param.game;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name + "_to_" + std::to_string(row.param.heaps);
}

INSTANTIATE_TEST_SUITE_P(Games, Digests, testing::ValuesIn(digest_rows(false)), name_of_digest);
INSTANTIATE_TEST_SUITE_P(Long, Digests, testing::ValuesIn(digest_rows(true)), name_of_digest);

}  // namespace
}  // namespace grundy
