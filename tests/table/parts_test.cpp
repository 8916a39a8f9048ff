// Tables in parts: whatever the parts, the table is the one that a single file holds; and a part
// that is missing, exchanged or damaged is refused, never read.
//
// SPDX-License-Identifier: MIT
#include <functional>
#include <numeric>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "table/parts_samples.hpp"

namespace grundy::store_test {
namespace {

using testing::HasSubstr;

/// The error that a call ends with, which it must.
Error error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was refused";
  return {ErrorCode::kFailure, ""};
}

struct PartedShape {
  std::vector<std::uint32_t> extent;
  bool sorted = false;
  unsigned planes = 1;
};

class TableInParts : public testing::TestWithParam<PartedShape> {
 protected:
  [[nodiscard]] static Layout layout() {
    return layout_of(GetParam().extent, GetParam().sorted, GetParam().planes);
  }
};

TEST_P(TableInParts, IsTheTableOfOneFile) {
  std::vector<std::uint64_t> numbers = {1, 2, 3, 7};
  if (GRUNDY_SANITIZED) numbers = {3};  // a sanitizer sees the same in all
  for (const std::uint64_t parts : numbers) {
    const TemporaryDirectory dir;
    const PartedSource source{layout(), cut(layout(), parts)};
    const std::vector<Nimber> expected = source.values();
    const TableInfo made = source.write(dir / "t.h5");
    const TableInfo whole = write_whole(dir / "whole.h5", layout(), expected);
    ASSERT_EQ(made, whole) << parts;

    const auto reader = TableReader::open(dir / "t.h5");
    EXPECT_EQ(reader->info(), whole);
    EXPECT_EQ(reader->width(), TableReader::open(dir / "whole.h5")->width());
    ASSERT_TRUE(read_values(*reader) == expected);
    for (std::uint64_t entry = 0; entry < expected.size(); entry += 1009) {
      const auto plane = static_cast<unsigned>(entry % layout().planes);
      ASSERT_EQ(reader->value(layout().position_at(entry), plane), expected[entry]);
    }
    EXPECT_EQ(open_master(dir / "t.h5").p_positions, zeros_of(expected));

    {
      const fs::path merged = dir / "merged.h5";
      const auto executor = make_executor(1 + parts % 3);
      EXPECT_EQ(merge_table(dir / "t.h5", merged, *executor, {.reproducible = true}, {}, nullptr),
                whole);
      EXPECT_TRUE(bytes_of(merged) == bytes_of(dir / "whole.h5")) << parts;
    }
  }
}

// All have more than a section of 2^20 entries, and borders of parts within sections.
INSTANTIATE_TEST_SUITE_P(Shapes, TableInParts,
                         testing::Values(PartedShape{{1100, 1000}}, PartedShape{{1500, 1500}, true},
                                         PartedShape{{800, 700}, false, 2},
                                         PartedShape{{1100, 1100}, true, 2},
                                         PartedShape{{70, 150, 110}},
                                         PartedShape{{190, 190, 190}, true}));

TEST(TableInPartsFile, ATableOfSmallPartsHasTheRightDigest) {
  // 3 sections of 2^20 entries, of which parts have none, one or some as a whole.
  const TemporaryDirectory dir;
  const Layout layout = layout_of({3 << 8, 1 << 12}, false);
  for (const auto& borders : std::vector<std::vector<std::uint64_t>>{
           {0, 1, 768}, {0, 256, 512, 768}, {0, 255, 257, 767, 768}, {0, 100, 200, 300, 768}}) {
    PartedSource source{layout, {}};
    for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
      source.cuts.push_back({i, borders.size() - 1, borders[i], borders[i + 1]});
    }
    const fs::path table = dir / (std::to_string(borders[1]) + ".h5");
    for (const TablePart& part : source.cuts) {
      const auto executor = make_executor(2);
      const auto writer = create_part_writer(table, layout, part, *executor, {});
      const std::vector<Nimber> values = source.values(part);
      writer->put({.begin = part.begin(layout), .values = Values(std::span(values)), .table = {}});
      writer->finish(lattice_info(layout, values));
    }
    const TableInfo info = make_table_of_parts(table, lattice_info(layout, {}), {});
    EXPECT_EQ(info.stats, stats_of(source.values()));
  }
}

TEST(TableInPartsFile, RecordsThatNoPartListsAreFound) {
  // The second part has more records than a file lists; the first ones are none of the table.
  constexpr std::uint32_t kRow = 1u << 21;
  const TemporaryDirectory dir;
  const Layout layout = layout_of({2, kRow}, false);
  TableStats all;
  for (std::uint64_t row = 0; row < 2; ++row) {
    std::vector<Nimber> values(kRow, 5);
    values.back() = 600'000;
    if (row == 1) std::iota(values.begin(), values.end(), Nimber{0});
    for (std::uint64_t i = 0; i < kRow; ++i) {
      if (row + i > 0 && values[i] <= all.max_value) continue;
      all.max_value = values[i];
      all.argmax = row * kRow + i;
      all.records.push_back({all.argmax, values[i]});
    }
    TableInfo info = lattice_info(layout, values);
    if (info.stats.records.size() > TableStats::kRecordLimit) {
      info.stats.records.resize(TableStats::kRecordLimit);
      info.stats.records_complete = false;
    }
    const auto executor = make_executor(2);
    const auto writer =
        create_part_writer(dir / "t.h5", layout, {row, 2, row, row + 1}, *executor, {});
    writer->put({.begin = row * kRow, .values = Values(std::span(values)), .table = {}});
    writer->finish(info);
  }
  ASSERT_GT(all.records.size(), TableStats::kRecordLimit);
  all.records.resize(TableStats::kRecordLimit);
  const TableStats found = make_table_of_parts(dir / "t.h5", lattice_info(layout, {}), {}).stats;
  EXPECT_TRUE(found.records == all.records);
  EXPECT_FALSE(found.records_complete);
  EXPECT_EQ(found.max_value, all.max_value);
  EXPECT_EQ(found.argmax, all.argmax);
}

/// A table in three parts, and what is done to it.
class DamagedTableInParts : public testing::Test {
 protected:
  void SetUp() override {
    expected_ = source_.values();
    source_.write(table());
    ASSERT_TRUE(read_values(*TableReader::open(table())) == expected_);
  }
  [[nodiscard]] fs::path table() const { return dir_ / "t.h5"; }
  [[nodiscard]] fs::path part(std::uint64_t number) const { return part_path(table(), number); }
  /// Refused as corrupt, with a sentence that names what is wrong.
  void expect_refused(const fs::path& named) const {
    const Error error = error_of([&] { read_values(*TableReader::open(table())); });
    EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
    EXPECT_THAT(error.what(), HasSubstr(named.filename().string()));
  }

  TemporaryDirectory dir_;
  const Layout layout_ = layout_of({40, 50, 30}, false);
  const PartedSource source_{layout_, cut(layout_, 3)};
  std::vector<Nimber> expected_;
};

TEST_F(DamagedTableInParts, AMissingPartIsRefused) {
  for (std::uint64_t number = 0; number < 3; ++number) {
    fs::rename(part(number), dir_ / "away");
    expect_refused(part(number));
    fs::create_directory(part(number));
    expect_refused(part(number));
    fs::remove(part(number));
    fs::rename(dir_ / "away", part(number));
    EXPECT_NO_THROW(TableReader::open(table()));
  }
  fs::rename(parts_directory(table()), dir_ / "away");
  expect_refused(part(0));
}

TEST_F(DamagedTableInParts, ExchangedPartsAreRefused) {
  for (const auto& [a, b] : {std::pair{0, 1}, {1, 2}, {0, 2}}) {
    const auto exchange = [&, a = part(a), b = part(b)] {
      fs::rename(a, dir_ / "away");
      fs::rename(b, a);
      fs::rename(dir_ / "away", b);
    };
    exchange();
    expect_refused(part(a));
    exchange();
    EXPECT_NO_THROW(TableReader::open(table()));
  }
}

TEST_F(DamagedTableInParts, APartOfAnotherTableIsRefused) {
  // The same part with other values.
  const PartedSource other{layout_, source_.cuts, 1};
  other.write(dir_ / "other.h5");
  for (std::uint64_t number = 0; number < 3; ++number) {
    const std::string good = bytes_of(part(number));
    fs::copy_file(part_path(dir_ / "other.h5", number), part(number),
                  fs::copy_options::overwrite_existing);
    expect_refused(part(number));
    write_bytes(part(number), good);
  }
  EXPECT_NO_THROW(TableReader::open(table()));
}

TEST_F(DamagedTableInParts, ATruncatedPartIsRefused) {
  for (std::uint64_t number = 0; number < 3; ++number) {
    const std::string good = bytes_of(part(number));
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{7}, std::size_t{47}, good.size() / 2, good.size() - 1}) {
      write_bytes(part(number), good.substr(0, size));
      expect_refused(part(number));
    }
    write_bytes(part(number), good);
  }
  EXPECT_NO_THROW(TableReader::open(table()));
}

TEST_F(DamagedTableInParts, EveryDamagedByteIsFoundOrHarmless) {
  std::mt19937 random(5);
  int refused = 0;
  for (const fs::path& file : {table(), part(0), part(1), part(2)}) {
    const std::string good = bytes_of(file);
    for (int i = 0; i < 100; ++i) {
      std::string bad = good;
      bad[random() % bad.size()] ^= static_cast<char>(1u << random() % 8);
      write_bytes(file, bad);
      try {
        ASSERT_TRUE(read_values(*TableReader::open(table())) == expected_);
      } catch (const Error& error) {
        ++refused;
        EXPECT_EQ(error.code(), ErrorCode::kCorrupt) << error.what();
      }
    }
    write_bytes(file, good);
  }
  EXPECT_GT(refused, 350);
}

TEST_F(DamagedTableInParts, MovesWithItsParts) {
  fs::create_directory(dir_ / "far");
  fs::rename(table(), dir_ / "far" / "u.h5");
  EXPECT_EQ(error_of([&] { TableReader::open(dir_ / "far" / "u.h5"); }).code(),
            ErrorCode::kCorrupt);
  fs::rename(parts_directory(table()), dir_ / "far" / "t.parts");
  EXPECT_TRUE(read_values(*TableReader::open(dir_ / "far" / "u.h5")) == expected_);
  fs::create_symlink(dir_ / "far" / "u.h5", dir_ / "link.h5");
  EXPECT_TRUE(read_values(*TableReader::open(dir_ / "link.h5")) == expected_);
}

TEST_F(DamagedTableInParts, APartIsNoTable) {
  const Error error = error_of([&] { TableReader::open(part(1)); });
  EXPECT_EQ(error.code(), ErrorCode::kUsage);
  EXPECT_THAT(error.what(), HasSubstr("is one part of a table"));
  EXPECT_THROW(open_master(part(1)), Error);
}

TEST_F(DamagedTableInParts, NothingIsOverwritten) {
  const std::string before = bytes_of(table());
  const auto executor = make_executor(1);
  const TableInfo about = lattice_info(layout_, {});
  EXPECT_EQ(error_of([&] { make_table_of_parts(table(), about, {}); }).code(), ErrorCode::kUsage);
  EXPECT_EQ(error_of([&] { merge_table(table(), part(0), *executor, {}, {}, nullptr); }).code(),
            ErrorCode::kUsage);
  EXPECT_EQ(error_of([&] {
              create_part_writer(table(), layout_, source_.cuts[0], *executor, {});
            }).code(),
            ErrorCode::kUsage);
  EXPECT_EQ(bytes_of(table()), before);
  make_table_of_parts(table(), about, {.overwrite = true, .reproducible = true});
  EXPECT_EQ(bytes_of(table()), before);
  // A master over itself would leave its readers without values.
  EXPECT_TRUE(merge_table(table(), table(), *executor, {.overwrite = true}, {}, nullptr));
  EXPECT_TRUE(read_values(*TableReader::open(table())) == expected_);
}

TEST_F(DamagedTableInParts, AStoppedMergeLeavesNothing) {
  std::stop_source stop;
  stop.request_stop();
  const auto executor = make_executor(1);
  EXPECT_EQ(merge_table(table(), dir_ / "m.h5", *executor, {}, stop.get_token(), nullptr),
            std::nullopt);
  EXPECT_EQ(dir_.entries(), 2U);
}

TEST(TableInPartsFile, FinishedPartsAreFound) {
  const TemporaryDirectory dir;
  const Layout layout = layout_of({30, 30}, true);
  const PartedSource source{layout, cut(layout, 3)};
  const fs::path table = dir / "t.h5";
  EXPECT_EQ(find_part(table, layout, source.cuts[1]), std::nullopt);
  source.write(table, source.cuts[1]);
  const auto found = find_part(table, layout, source.cuts[1]);
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, lattice_info(layout, source.values(source.cuts[1])));
  EXPECT_EQ(find_part(table, layout, source.cuts[0]), std::nullopt);
  TablePart other = source.cuts[1];
  ++other.end_slab;
  EXPECT_EQ(error_of([&] { find_part(table, layout, other); }).code(), ErrorCode::kUsage);
  EXPECT_EQ(error_of([&] {
              find_part(table, layout_of({31, 31}, true), source.cuts[1]);
            }).code(),
            ErrorCode::kUsage);
  const std::string good = bytes_of(part_path(table, 1));
  write_bytes(part_path(table, 1), good.substr(0, good.size() - 1));
  EXPECT_EQ(error_of([&] { find_part(table, layout, source.cuts[1]); }).code(),
            ErrorCode::kCorrupt);

  const auto make = [&] { make_table_of_parts(table, lattice_info(layout, {}), {}); };
  const Error missing = error_of(make);
  EXPECT_EQ(missing.code(), ErrorCode::kUsage);
  EXPECT_THAT(missing.what(), HasSubstr("part-0000.h5"));
  source.write(table, source.cuts[0]);
  source.write(table, source.cuts[2]);
  EXPECT_EQ(error_of(make).code(), ErrorCode::kCorrupt);
  write_bytes(part_path(table, 1), good);
  TableInfo about = lattice_info(layout, {});
  about.canonical = "2: another game";
  EXPECT_EQ(error_of([&] { make_table_of_parts(table, about, {}); }).code(), ErrorCode::kCorrupt);
  EXPECT_FALSE(fs::exists(table));
  make();
  EXPECT_TRUE(is_table_of_parts(table));
}

TEST(TableInPartsFile, PartsOfDifferentCutsMakeNoTable) {
  const TemporaryDirectory dir;
  const Layout layout = layout_of({30, 30}, false);
  const PartedSource source{layout, {{0, 2, 0, 10}, {1, 2, 11, 30}}};
  for (const TablePart& part : source.cuts) source.write(dir / "gap.h5", part);
  const auto make = [&] { make_table_of_parts(dir / "gap.h5", lattice_info(layout, {}), {}); };
  EXPECT_EQ(error_of(make).code(), ErrorCode::kCorrupt);
  fs::remove(part_path(dir / "gap.h5", 1));
  source.write(dir / "gap.h5", {1, 2, 10, 29});
  EXPECT_EQ(error_of(make).code(), ErrorCode::kCorrupt);
  EXPECT_FALSE(fs::exists(dir / "gap.h5"));
}

TEST(TableInPartsFile, WritersRefuseWhatIsOfNoPart) {
  const TemporaryDirectory dir;
  const auto executor = make_executor(1);
  const Layout layout = layout_of({30, 30}, false);
  const auto refused = [&](const Layout& of, const TablePart& part, bool sorted_tiles) {
    const Error error = error_of([&] {
      create_part_writer(dir / "t.h5", of, part, *executor, {.sorted_tiles = sorted_tiles});
    });
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return std::string(error.what());
  };
  EXPECT_THAT(refused(layout, {0, 2, 0, 15}, true), HasSubstr("sorted"));
  EXPECT_THAT(refused(layout, {2, 2, 0, 15}, false), HasSubstr("number 2"));
  EXPECT_THAT(refused(layout, {0, 2, 15, 31}, false), HasSubstr("30 slabs"));
  EXPECT_THAT(refused(layout, {0, 2, 15, 15}, false), HasSubstr("no part"));
  EXPECT_THAT(refused(layout, {0, 1000, 0, 1}, false), HasSubstr("512"));
  EXPECT_THAT(refused(Layout::of_heaps(100), {0, 1, 0, 100}, false), HasSubstr("several heaps"));

  const TileSource source{layout, false, 200};
  for (const Slabs slabs : {Slabs{0, 30}, Slabs{9, 20}, Slabs{20, 25}}) {
    const auto writer = create_part_writer(dir / "t.h5", layout, {1, 3, 10, 20}, *executor, {});
    const Error error = error_of([&] { source.put_boxes(*writer, 8, 1, slabs); });
    EXPECT_EQ(error.code(), ErrorCode::kFailure);
  }
  const auto writer = create_part_writer(dir / "t.h5", layout, {1, 3, 10, 20}, *executor, {});
  const std::vector<std::uint8_t> row(30);
  const auto put_row = [&](std::uint64_t x) {
    writer->put({.begin = 30 * x, .values = Values(std::span(row)), .table = {}});
  };
  put_row(10);
  EXPECT_THROW(put_row(12), Error);
  EXPECT_TRUE(fs::is_empty(parts_directory(dir / "t.h5")));
}

}  // namespace
}  // namespace grundy::store_test
