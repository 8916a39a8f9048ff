/// @file
/// Files of positions: written files are read, and damage never goes unnoticed.
// SPDX-License-Identifier: MIT
#include <functional>
#include <optional>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/file_kind.hpp>
#include <grundy/graph/file.hpp>
#include <grundy/table.hpp>

#include "core/digest.hpp"
#include "support/errors.hpp"
#include "table/seal.hpp"
#include "table/table_samples.hpp"

namespace grundy::store_test {
namespace {

/// A made-up table of the right form: rows with values, options, layers of 16 rows.
GraphFile sample(unsigned words, std::size_t rows, bool misere, bool adjacency, Nimber most) {
  std::mt19937_64 random(words + rows);
  GraphFile file;
  GraphTable& table = file.table;
  table.key_words = words;
  for (std::size_t row = 0; row < rows; ++row) {
    for (unsigned i = 0; i < words; ++i) table.keys.push_back(i == 0 ? row << 9 : random());
    table.values.push_back(static_cast<Nimber>(random() % (most + std::uint64_t{1})));
    if (misere) table.misere.push_back(static_cast<Nimber>(random() % 7));
    table.moves.push_back(row == 0 ? 0 : 1);
  }
  for (std::size_t end = 16; end < rows + 16; end += 16) {
    table.layers.push_back({static_cast<std::uint32_t>(3 * end), std::min(end, rows)});
  }
  if (rows > 0) table.start = {rows - 1};
  for (const Nimber value : table.values) file.outcomes.push_back(value == 0 ? 1 : 0);
  if (adjacency) {
    file.adjacency.emplace();
    for (std::size_t row = 0; row < rows; ++row) {
      if (row > 0) {
        file.adjacency->targets.push_back(row - 1);
        file.adjacency->option_end.push_back(row);
      }
      file.adjacency->position_end.push_back(row);
    }
  }
  file.info = {
      .game = "made-up:1",
      .title = "Made up",
      .rules = "none",
      .reference = "none",
      .positions = "hexadecimal",
      .reduction = Reduction::kSymmetry,
      .engine = "test",
      .kernel = "scalar",
      .stats = {.positions = rows, .terminal = 1, .p_positions = 2, .moves = 3, .max_value = most},
      .root_value = 5,
      .provenance_json = "{}"};
  file.info.stats.digest = rows_digest(table.keys, table.values, table.misere);
  return file;
}

void write(const fs::path& path, const GraphFile& file) {
  write_graph_file(path, file.info, file.table, file.adjacency ? &*file.adjacency : nullptr, false,
                   true);
}

/// What is read, or nothing if the file is refused as corrupt.
std::optional<GraphFile> try_read_graph(const fs::path& path) {
  try {
    return read_graph_file(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCorrupt) << error.what();
    EXPECT_THAT(error.what(), testing::HasSubstr(path.filename().string()));
    return std::nullopt;
  }
}

void expect_equal(const GraphFile& a, const GraphFile& b) {
  EXPECT_EQ(a.info, b.info);
  EXPECT_TRUE(a.table == b.table);
  EXPECT_EQ(a.outcomes, b.outcomes);
  EXPECT_TRUE(a.adjacency == b.adjacency);
}

TEST(GraphFile, ReadsAsItWasWritten) {
  const TemporaryDirectory dir;
  int number = 0;
  for (const std::size_t rows : {0u, 1u, 100u, 70'000u}) {
    for (const Nimber most : {7u, 300u, 70'000u}) {
      const GraphFile file = sample(rows % 3 == 1 ? 4 : 1, rows, most == 7, most > 7, most);
      const fs::path path = dir / (std::to_string(number++) + ".h5");
      write(path, file);
      EXPECT_EQ(kind_of(path), FileKind::kPositions);
      expect_equal(read_graph_file(path), file);
    }
  }
}

TEST(GraphFile, EqualTablesGiveEqualBytes) {
  const TemporaryDirectory dir;
  write(dir / "a.h5", sample(2, 500, true, true, 9));
  write(dir / "b.h5", sample(2, 500, true, true, 9));
  EXPECT_EQ(bytes_of(dir / "a.h5"), bytes_of(dir / "b.h5"));
}

TEST(GraphFile, IsNoTableOfHeapsAndTheOtherWayRound) {
  const TemporaryDirectory dir;
  write(dir / "positions.h5", sample(1, 50, false, false, 9));
  const auto code = [](const auto& read) { return testing_support::code_of(read); };
  EXPECT_EQ(code([&] { TableReader::open(dir / "positions.h5"); }), ErrorCode::kUsage);
  write_table(dir / "heaps.h5", random_values(100, 9), {});
  EXPECT_NE(kind_of(dir / "heaps.h5"), FileKind::kPositions);
  EXPECT_EQ(code([&] { read_graph_file(dir / "heaps.h5"); }), ErrorCode::kUsage);
}

TEST(GraphFile, SaysWhatItsMisereValuesMean) {
  const TemporaryDirectory dir;
  write(dir / "m.h5", sample(1, 50, true, false, 9));
  EXPECT_TRUE(try_read_graph(dir / "m.h5"));
  reseal_with(dir / "m.h5", {{"misere_convention", "something else"}});
  EXPECT_FALSE(try_read_graph(dir / "m.h5"));
}

TEST(GraphFile, IsNotReplacedUnlessAsked) {
  const TemporaryDirectory dir;
  const GraphFile file = sample(1, 50, false, false, 9);
  write(dir / "a.h5", file);
  EXPECT_THROW(write(dir / "a.h5", file), Error);
  write_graph_file(dir / "a.h5", file.info, file.table, nullptr, true, true);
}

TEST(GraphFile, RowsThatDoNotAscendAreNotWritten) {
  const TemporaryDirectory dir;
  const GraphFile good = sample(2, 50, false, false, 9);
  const auto refused = [&](const std::function<void(GraphTable&)>& change) {
    GraphFile bad = good;
    change(bad.table);
    bad.info.stats.digest = rows_digest(bad.table.keys, bad.table.values, bad.table.misere);
    try {
      write(dir / "bad.h5", bad);
    } catch (const Error& error) {
      return error.code() == ErrorCode::kFailure;
    }
    return false;
  };
  EXPECT_TRUE(refused([](GraphTable& table) { std::swap(table.keys[2], table.keys[4]); }));
  EXPECT_TRUE(refused([](GraphTable& table) {  // the second word decides, and is the same
    table.keys[4] = table.keys[2];
    table.keys[5] = table.keys[3];
  }));
  EXPECT_TRUE(refused([](GraphTable& table) { table.layers[1].potential = 1; }));
  EXPECT_TRUE(refused([](GraphTable& table) { table.layers.back().potential = kPotentialLimit; }));
  // A key may come again in another layer, where it is another row.
  EXPECT_FALSE(refused([](GraphTable& table) {
    table.keys[32] = table.keys[0];
    table.keys[33] = table.keys[1];
  }));
}

TEST(GraphFile, MemoryForItIsLimited) {
  const TemporaryDirectory dir;
  const GraphFile file = sample(1, 1000, false, true, 9);
  write(dir / "a.h5", file);
  // Keys, values, options and layers, marks, one start row; rows, options and their targets.
  const std::uint64_t bytes = 1000 * (8 + 3 * 4 + 1) + 8 + 8 * (1000 + 2 * 999);
  EXPECT_NO_THROW(static_cast<void>(read_graph_file(dir / "a.h5", bytes)));
  try {
    static_cast<void>(read_graph_file(dir / "a.h5", bytes - 1));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kFailure) << error.what();
  }
}

TEST(GraphFile, EveryFlippedBitIsReportedOrHarmless) {
  const TemporaryDirectory dir;
  const GraphFile file = sample(1, 300, true, true, 9);
  write(dir / "good.h5", file);
  const std::string bytes = bytes_of(dir / "good.h5");
  std::mt19937 random(7);
  std::size_t reported = 0, tried = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 1 + random() % 9, ++tried) {
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << random() % 8));
    write_bytes(dir / "bad.h5", flipped);
    const auto seen = try_read_graph(dir / "bad.h5");
    if (seen) {
      expect_equal(*seen, file);
    } else {
      ++reported;
    }
  }
  EXPECT_GT(reported, tried * 9 / 10);
}

TEST(GraphFile, EveryCutIsReported) {
  const TemporaryDirectory dir;
  write(dir / "good.h5", sample(1, 300, false, true, 9));
  const std::string bytes = bytes_of(dir / "good.h5");
  for (std::size_t size = 0; size < bytes.size(); size += 97) {
    write_bytes(dir / "bad.h5", bytes.substr(0, size));
    EXPECT_FALSE(try_read_graph(dir / "bad.h5").has_value()) << size;
  }
}

}  // namespace
}  // namespace grundy::store_test
