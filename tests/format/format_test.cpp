// Files of every format version ever written are read as they were. Files of later versions are
// read if only their minor version is new.
// SPDX-License-Identifier: MIT
#include <cctype>
#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include "core/digest.hpp"
#include "support/errors.hpp"
#include "table/seal.hpp"
#include "verify/verify_testing.hpp"

namespace grundy::verify_test {
namespace {

namespace fs = std::filesystem;

const fs::path kFiles = GRUNDY_FORMAT_DIR;

struct Fixture {
  const char* file;
  const char* rule;
  HeapSize last;
  ValueWidth width;
  PeriodStatus status;
};

const Fixture kFixtures[] = {
    {"1.0-kayles.h5", "0.77", 2000, ValueWidth::kU8, PeriodStatus::kCertified},
    {"1.0-squares.h5", "S{squares}", 2500, ValueWidth::kU8, PeriodStatus::kNone},
    {"1.0-nim.h5", "0.[3]", 700, ValueWidth::kU16, PeriodStatus::kCertified},
    {"1.0-three-heaps.h5", "0.8F", 300, ValueWidth::kU8, PeriodStatus::kCandidate},
    {"1.1-grundy.h5", "4!.0", 600, ValueWidth::kU8, PeriodStatus::kNone},
    {"2.0-treblecross.h5", "0.007", 3000, ValueWidth::kU8, PeriodStatus::kNone},
};

TEST(Format, EveryFileHasItsTest) {
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(kFiles)) {
    const std::string name = entry.path().filename();
    files += entry.path().extension() == ".h5" && std::isdigit(name[0]) != 0;
  }
  EXPECT_EQ(files, std::size(kFixtures) + 3)
      << "1.1-wythoff.h5, 1.2-kayles.h5 and 3.0-wythoff.h5 have their own";
}

class FormatTest : public testing::TestWithParam<Fixture> {};

TEST_P(FormatTest, ReadsAsItWasWritten) {
  const auto& [file, notation, last, width, status] = GetParam();
  const auto table = TableReader::open(kFiles / file);
  const TableInfo& info = table->info();
  EXPECT_EQ(info.canonical, notation);
  EXPECT_EQ(info.stats.count, last + 1);
  EXPECT_EQ(table->width(), width);
  EXPECT_EQ(info.period.status, status);
  const std::vector<Nimber> values = store_test::read_values(*table);
  // Nim is its own definition; for the others the reference engine is.
  const HeapRule rule = HeapRule::parse(notation);
  const bool nim = std::string_view(notation) == "0.[3]";
  for (HeapSize n = 0; nim && n <= last; ++n) ASSERT_EQ(values[n], n);
  if (!nim) {
    EXPECT_EQ(values, reference_values(rule, last + 1));
  }
  EXPECT_EQ(info.stats, store_test::stats_of(values));
}

TEST_P(FormatTest, IsVerified) {
  const VerifyReport report =
      verify({.table = kFiles / GetParam().file, .samples = 20, .machine = {.backend = "threads"}});
  EXPECT_TRUE(report.complete);
  EXPECT_FALSE(report.wrong) << report.wrong->sentence;
}

INSTANTIATE_TEST_SUITE_P(Files, FormatTest, testing::ValuesIn(kFixtures),
                         [](const auto& test) { return "File" + std::to_string(test.index); });

TEST(Format, LatticeTableOfVersion11) {
  const auto table = TableReader::open(kFiles / "1.1-wythoff.h5");
  ASSERT_TRUE(table->info().layout.is_lattice());
  // The definition: a queen moves towards the corner.
  Nimber values[20][30];
  for (std::uint32_t x = 0; x < 20; ++x) {
    for (std::uint32_t y = 0; y < 30; ++y) {
      std::vector<bool> reached(64);
      for (std::uint32_t i = 1; i <= x; ++i) reached[values[x - i][y]] = true;
      for (std::uint32_t i = 1; i <= y; ++i) reached[values[x][y - i]] = true;
      for (std::uint32_t i = 1; i <= std::min(x, y); ++i) reached[values[x - i][y - i]] = true;
      values[x][y] = static_cast<Nimber>(std::ranges::find(reached, false) - reached.begin());
      ASSERT_EQ(table->value(LatticePoint{x, y}), values[x][y]) << x << ", " << y;
    }
  }
}

/// Changes a copy of a table as a program of another version would have written it, and seals it.
class OtherVersion : public testing::Test {
 protected:
  void change(const std::function<void(hid_t file)>& action,
              const char* original = "1.0-kayles.h5") {
    fs::copy_file(kFiles / original, copy, fs::copy_options::overwrite_existing);
    std::uint64_t offset = 0;
    {
      const hid_t file = H5Fopen(copy.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
      action(file);
      const hid_t group = H5Gopen2(file, "integrity", H5P_DEFAULT);
      const hid_t attribute = H5Aopen(group, "tail_offset", H5P_DEFAULT);
      H5Aread(attribute, H5T_NATIVE_UINT64, &offset);
      H5Aclose(attribute);
      H5Gclose(group);
      H5Fclose(file);
    }
    // The seal lies before what it covers, so that storing it does not change it.
    const std::uint64_t seal = tail_digest(copy, offset);
    const hid_t file = H5Fopen(copy.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t group = H5Gopen2(file, "integrity", H5P_DEFAULT);
    set_number(group, "tail_xxh3", seal);
    H5Gclose(group);
    H5Fclose(file);
  }
  static void set_number(hid_t object, const char* name, std::uint64_t number) {
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    ASSERT_GE(attribute, 0);
    EXPECT_GE(H5Awrite(attribute, H5T_NATIVE_UINT64, &number), 0);
    H5Aclose(attribute);
  }
  static void add_number(hid_t object, const char* name, std::uint64_t number) {
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute =
        H5Acreate2(object, name, H5T_STD_U64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_GE(attribute, 0);
    EXPECT_GE(H5Awrite(attribute, H5T_NATIVE_UINT64, &number), 0);
    H5Aclose(attribute);
    H5Sclose(space);
  }

  TemporaryDirectory dir;
  fs::path copy = dir / "copy.h5";
};

TEST_F(OtherVersion, NewerMinorVersionWithMoreInItIsRead) {
  change([](hid_t file) {
    set_number(file, "format_minor", 7);
    add_number(file, "something_new", 5);
    H5Gclose(H5Gcreate2(file, "new_group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  });
  const auto table = TableReader::open(copy);
  const auto original = TableReader::open(kFiles / "1.0-kayles.h5");
  EXPECT_EQ(table->info(), original->info());
  EXPECT_EQ(store_test::read_values(*table), store_test::read_values(*original));
}

TEST_F(OtherVersion, OtherMajorVersionIsRefusedByName) {
  change([](hid_t file) {
    set_number(file, "format_major", 3);
    set_number(file, "format_minor", 4);
  });
  const Error error = testing_support::error_of([&] { TableReader::open(copy); });
  EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
  EXPECT_THAT(error.what(), testing::HasSubstr("format 3.4; this program reads format 1 to 2"));
}

/// More entries than a section, so the digest of format 1 differs from the current kind.
TEST(Format, LongTableOfVersion12) {
  const fs::path file = kFiles / "1.2-kayles.h5";
  const auto table = TableReader::open(file);
  const TableInfo& info = table->info();
  ASSERT_EQ(info.stats.count, 2 * kDigestSection + 1);
  EXPECT_TRUE(info.sequential_digest);
  EXPECT_EQ(to_hex(info.stats.digest), "64331e0125f42e9dfaf20dc853f4f4db");
  EXPECT_FALSE(TableReader::open(kFiles / "1.0-kayles.h5")->info().sequential_digest);

  const std::vector<Nimber> values = store_test::read_values(*table);
  const std::vector<Nimber> first = reference_values(HeapRule::parse("0.77"), 155);
  for (HeapSize n = 0; n < values.size(); ++n) {
    ASSERT_EQ(values[n], n < first.size() ? first[n] : values[n - 12]) << n;
  }
  TableStats expected = store_test::stats_of(values);
  EXPECT_EQ(to_hex(expected.digest), "30ce0ba4bb7b2927eba8e8f2745d2de8");
  expected.digest = info.stats.digest;
  EXPECT_EQ(info.stats, expected);

  const VerifyReport report =
      verify({.table = file, .samples = 20, .machine = {.backend = "threads"}});
  EXPECT_TRUE(report.complete);
  EXPECT_FALSE(report.wrong) << report.wrong->sentence;
}

/// Two values in the last chunk but one are swapped, and its digest is made right. The statistics
/// stay the same, so only the digest of the table can show the fault.
TEST_F(OtherVersion, DigestOfAllValuesInOnePieceIsCompared) {
  const auto change_values = [](hid_t file) {
    constexpr hsize_t kBegin = 15 << 17;
    const hid_t dataset = H5Dopen2(file, "grundy", H5P_DEFAULT);
    const hid_t space = H5Dget_space(dataset);
    const hsize_t count = 1 << 17;
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &kBegin, nullptr, &count, nullptr);
    const hid_t memory = H5Screate_simple(1, &count, nullptr);
    std::vector<std::uint8_t> values(count);
    ASSERT_GE(H5Dread(dataset, H5T_NATIVE_UINT8, memory, space, H5P_DEFAULT, values.data()), 0);
    ASSERT_NE(values[5000], values[5001]);
    std::swap(values[5000], values[5001]);
    ASSERT_GE(H5Dwrite(dataset, H5T_NATIVE_UINT8, memory, space, H5P_DEFAULT, values.data()), 0);
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(dataset);
    const hid_t digests = H5Dopen2(file, "integrity/chunk_xxh3", H5P_DEFAULT);
    std::vector<std::uint64_t> all(17);
    ASSERT_GE(H5Dread(digests, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), 0);
    all[15] = hash64(std::as_bytes(std::span(values)));
    ASSERT_GE(H5Dwrite(digests, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), 0);
    H5Dclose(digests);
  };
  change(change_values, "1.2-kayles.h5");
  const Error error = testing_support::error_of(
      [&] { verify({.table = copy, .samples = 1, .machine = {.backend = "threads"}}); });
  EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
  EXPECT_THAT(error.what(), testing::HasSubstr("the digest of its values is"));
  EXPECT_THAT(error.what(), testing::HasSubstr("64331e0125f42e9dfaf20dc853f4f4db is recorded"));
}

TEST_F(OtherVersion, IncompleteFileIsRefused) {
  change([](hid_t file) { set_number(file, "complete", 0); });
  EXPECT_THROW(static_cast<void>(TableReader::open(copy)), Error);
}

}  // namespace
}  // namespace grundy::verify_test
