// SPDX-License-Identifier: MIT
#include "table/export.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "support/errors.hpp"
#include "support/files.hpp"
#include "table/bfile_checker.hpp"

namespace grundy::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty;
using testing_support::bytes_of;
using testing_support::code_of;
using testing_support::TemporaryDirectory;

/// A table in memory, with chunks of seven values so that exports cross many.
class MemoryTable final : public TableReader {
 public:
  MemoryTable(std::vector<Nimber> values, ValueWidth width)
      : values_(std::move(values)), width_(width) {
    info_.layout = Layout::of_heaps(values_.size());
    info_.stats.count = values_.size();
  }
  const TableInfo& info() const noexcept override { return info_; }
  ValueWidth width() const noexcept override { return width_; }
  HeapSize chunk_size() const noexcept override { return 7; }
  void read(HeapSize begin, std::span<Nimber> out) const override {
    std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(begin), out.size(), out.begin());
  }

 private:
  std::vector<Nimber> values_;
  ValueWidth width_;
  TableInfo info_;
};

class ExportTest : public ::testing::Test {
 protected:
  fs::path target() const { return directory_ / "out"; }
  std::string content() const { return bytes_of(target()); }
  std::string exported(const TableReader& table, ExportFormat format,
                       const ExportOptions& options = {}) {
    ByteOutput out = ByteOutput::file(target(), true);
    export_table(table, format, options, out);
    out.commit();
    return content();
  }
  std::vector<fs::path> files() const { return directory_.files(); }

  TemporaryDirectory directory_;
};

std::vector<Nimber> sample(std::size_t count, Nimber step) {
  std::vector<Nimber> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<Nimber>(i) * step;
  return values;
}

TEST_F(ExportTest, BFileKeepsTheGrammar) {
  const MemoryTable table(sample(100, 2), ValueWidth::kU8);
  const std::string text = exported(table, ExportFormat::kBFile);
  EXPECT_EQ(bfile_fault(text, 0), std::nullopt);
  EXPECT_TRUE(text.starts_with("0 0\n1 2\n"));
  EXPECT_TRUE(text.ends_with("99 198\n"));
  for (const std::int64_t offset : {-50, -1, 1, 1000}) {
    EXPECT_EQ(bfile_fault(exported(table, ExportFormat::kBFile, {.offset = offset}), offset),
              std::nullopt);
  }
}

TEST(BFileChecker, SeesEveryFault) {
  for (const char* bad : {"0 1", "0  1\n", "0 1 \n", " 0 1\n", "0\t1\n", "1 1\n", "0 1\r\n",
                          "0 1\n\n", "0 -1\n", "0 01\n", "00 1\n", "0 1\n2 1\n",
                          "\xef\xbb\xbf"
                          "0 1\n"}) {
    EXPECT_NE(bfile_fault(bad, 0), std::nullopt) << bad;
  }
}

TEST_F(ExportTest, TermsLimit) {
  const MemoryTable table(sample(20, 1), ValueWidth::kU8);
  EXPECT_EQ(exported(table, ExportFormat::kBFile, {.terms = 2}), "0 0\n1 1\n");
  EXPECT_EQ(exported(table, ExportFormat::kBFile, {.terms = 0}), "");
  EXPECT_EQ(code_of([&] { exported(table, ExportFormat::kBFile, {.terms = 21}); }),
            ErrorCode::kUsage);
}

TEST_F(ExportTest, CsvHasAHeader) {
  const MemoryTable table(sample(3, 70000), ValueWidth::kU32);
  EXPECT_EQ(exported(table, ExportFormat::kCsv), "n,grundy\n0,0\n1,70000\n2,140000\n");
}

TEST_F(ExportTest, ListsTheHeapsOfAValue) {
  const MemoryTable table({0, 1, 0, 2, 1, 0, 3, 0, 1, 2, 0}, ValueWidth::kU8);
  EXPECT_EQ(exported(table, ExportFormat::kCsv, {.value = 0}), "n\n0\n2\n5\n7\n10\n");
  EXPECT_EQ(exported(table, ExportFormat::kCsv, {.value = 9}), "n\n");
  EXPECT_EQ(exported(table, ExportFormat::kBFile, {.value = 1}), "0 1\n1 4\n2 8\n");
  const std::string text = exported(table, ExportFormat::kBFile, {.offset = 1, .value = 0});
  EXPECT_EQ(text, "1 0\n2 2\n3 5\n4 7\n5 10\n");
  EXPECT_EQ(bfile_fault(text, 1), std::nullopt);
  const ExportOptions wrong[] = {
      {.offset = 1, .value = 0}, {.terms = 2, .value = 0}, {.value = 0, .differences = true}};
  for (const ExportOptions& options : wrong) {
    EXPECT_EQ(code_of([&] { exported(table, ExportFormat::kCsv, options); }), ErrorCode::kUsage);
  }
  EXPECT_EQ(code_of([&] { exported(table, ExportFormat::kNpy, {.value = 0}); }), ErrorCode::kUsage);
}

TEST_F(ExportTest, NpyHeaderIsAligned) {
  for (const ValueWidth width : {ValueWidth::kU8, ValueWidth::kU16, ValueWidth::kU32}) {
    for (const std::size_t count : {1u, 9u, 10u, 99u, 100u, 12345u}) {
      const MemoryTable table(sample(count, 0), width);
      const std::string bytes = exported(table, ExportFormat::kNpy);
      const std::size_t header = 10 + static_cast<unsigned char>(bytes[8]);
      EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\0", 8));
      EXPECT_EQ(header % 64, 0u);
      EXPECT_EQ(bytes[header - 1], '\n');
      EXPECT_EQ(bytes.size(), header + count * byte_count(width));
    }
  }
}

TEST_F(ExportTest, NpyValuesAreLittleEndian) {
  const MemoryTable table({0x0102, 0x0304}, ValueWidth::kU16);
  EXPECT_TRUE(exported(table, ExportFormat::kNpy).ends_with("\x02\x01\x04\x03"));
}

TEST_F(ExportTest, AnUncommittedFileLeavesNothing) {
  {
    ByteOutput out = ByteOutput::file(target(), false);
    out.write("half of it");
    out.flush();
    EXPECT_FALSE(fs::exists(target()));
  }
  EXPECT_THAT(files(), IsEmpty());
}

TEST_F(ExportTest, NothingIsReplacedUnasked) {
  std::ofstream(target()) << "precious";
  EXPECT_EQ(code_of([&] { ByteOutput::file(target(), false); }), ErrorCode::kUsage);
  EXPECT_EQ(content(), "precious");
}

TEST_F(ExportTest, ATargetThatAppearsMeanwhileIsKept) {
  {
    ByteOutput out = ByteOutput::file(target(), false);
    out.write("new");
    std::ofstream(target()) << "precious";
    EXPECT_EQ(code_of([&] { out.commit(); }), ErrorCode::kUsage);
  }
  EXPECT_EQ(content(), "precious");
  EXPECT_EQ(files().size(), 1u);
}

/// A table of Kayles with its period, as far as an export needs it.
class KaylesTable final : public TableReader {
 public:
  KaylesTable() {
    info_.canonical = "0.77";
    info_.layout = Layout::of_heaps(kValues.size());
    info_.stats.count = kValues.size();
    info_.stats.max_value = 4;
    info_.stats.argmax = 7;
    info_.stats.histogram = {2, 3, 2, 2, 3};
    info_.period = {PeriodStatus::kCertified, 71, 12, 0, 167, "Guy and Smith 1956"};
  }
  const TableInfo& info() const noexcept override { return info_; }
  ValueWidth width() const noexcept override { return ValueWidth::kU8; }
  HeapSize chunk_size() const noexcept override { return 5; }
  void read(HeapSize begin, std::span<Nimber> out) const override {
    std::copy_n(kValues.begin() + static_cast<std::ptrdiff_t>(begin), out.size(), out.begin());
  }

 private:
  static constexpr std::array<Nimber, 12> kValues{0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 0, 4};
  TableInfo info_;
};

TEST_F(ExportTest, BFileWithANumberSaysWhatIsKnown) {
  const std::string text = exported(KaylesTable(), ExportFormat::kBFile, {.anumber = "A002186"});
  EXPECT_THAT(text, ::testing::StartsWith("# A002186: Grundy values of 0.77\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("\n# Proved: period 12 from heap 71 on\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("\n0 0\n1 1\n2 2\n"));
  // Comments come first; what follows them is a b-file.
  const auto body = text.find("\n0 0\n") + 1;
  EXPECT_EQ(text.find('#', body), std::string::npos);
  EXPECT_EQ(text.substr(body), exported(KaylesTable(), ExportFormat::kBFile));
  EXPECT_TRUE(std::ranges::all_of(text, [](unsigned char c) { return c < 128; }));
}

TEST_F(ExportTest, ANumbersAreChecked) {
  for (const char* a : {"A1", "002186", "A00218x", "B002186"}) {
    EXPECT_THROW(exported(KaylesTable(), ExportFormat::kBFile, {.anumber = a}), Error) << a;
  }
  EXPECT_THROW(exported(KaylesTable(), ExportFormat::kCsv, {.anumber = "A002186"}), Error);
}

TEST_F(ExportTest, HistogramLeavesHeapZeroOut) {
  EXPECT_EQ(exported(KaylesTable(), ExportFormat::kHistogram), "0 1\n1 3\n2 2\n3 2\n4 3\n");
  EXPECT_THROW(exported(KaylesTable(), ExportFormat::kHistogram, {.offset = 1}), Error);
}

}  // namespace
}  // namespace grundy::testing
