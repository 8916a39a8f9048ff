// The name of a table: only a complete file takes it, it is never taken from another file, and a
// writer that fails or is given up leaves nothing.
// SPDX-License-Identifier: MIT
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/errors.hpp"
#include "support/small_files.hpp"
#include "table/table_samples.hpp"

namespace grundy::store_test {
namespace {

using testing::HasSubstr;
using testing_support::error_of;

const std::vector<Nimber> kValues = random_values(1000, 250);

TEST(TableName, ExistingFileIsRefusedAndUntouched) {
  const TemporaryDirectory dir;
  write_bytes(dir / "t.h5", "precious");
  const Error error = error_of([&] { write_table(dir / "t.h5", kValues); });
  EXPECT_EQ(error.code(), ErrorCode::kUsage);
  EXPECT_THAT(error.what(), HasSubstr("exists"));
  EXPECT_EQ(bytes_of(dir / "t.h5"), "precious");
  EXPECT_EQ(dir.entries(), 1U);
}

TEST(TableName, FileThatAppearsMeanwhileIsRefusedAndUntouched) {
  const TemporaryDirectory dir;
  const auto executor = make_executor(2);
  const auto writer =
      TableWriter::create(dir / "t.h5", Layout::of_heaps(kValues.size()), *executor, {});
  put_all(*writer, kValues);
  write_bytes(dir / "t.h5", "precious");
  const Error error = error_of([&] { writer->finish(info_of(kValues)); });
  EXPECT_THAT(error.what(), HasSubstr("exists"));
  EXPECT_EQ(bytes_of(dir / "t.h5"), "precious");
  EXPECT_EQ(dir.entries(), 1U);
}

TEST(TableName, OverwritingReplacesOnlyAtTheEnd) {
  const TemporaryDirectory dir;
  write_bytes(dir / "t.h5", "old");
  fs::create_symlink("t.h5", dir / "link.h5");
  const auto executor = make_executor(2);
  const auto writer = TableWriter::create(dir / "link.h5", Layout::of_heaps(kValues.size()),
                                          *executor, {.overwrite = true});
  put_all(*writer, kValues);
  EXPECT_EQ(bytes_of(dir / "t.h5"), "old");
  writer->finish(info_of(kValues));
  EXPECT_EQ(read_values(*TableReader::open(dir / "t.h5")), kValues);
  EXPECT_TRUE(fs::is_symlink(dir / "link.h5"));
  EXPECT_EQ(dir.entries(), 2U);
}

TEST(TableName, PlacesThatCannotBeWritten) {
  const TemporaryDirectory dir;
  fs::create_directory(dir / "folder");
  const struct {
    fs::path path;
    std::string text;
  } cases[] = {
      {dir / "none" / "t.h5", "there is no directory"},
      {dir / "folder", "is a directory"},
      {dir.path() / "", "does not name a file"},
      {"", "does not name a file"},
      {dir / std::string(300, 'x'), "File name too long"},
      {"/proc/t.h5", "No such file or directory"},
      {"/dev/null", "exists"},
  };
  for (const auto& [path, text] : cases) {
    const Error error = error_of([&, &where = path] { write_table(where, kValues); });
    EXPECT_EQ(error.code(), ErrorCode::kUsage) << path;
    EXPECT_THAT(error.what(), HasSubstr(text)) << path;
  }
  const Error device = error_of([&] { write_table("/dev/null", kValues, {.overwrite = true}); });
  EXPECT_THAT(device.what(), HasSubstr("no regular file"));
  EXPECT_EQ(dir.entries(), 1U);
}

TEST(TableName, DirectoryWithoutPermission) {
  const TemporaryDirectory dir;
  ASSERT_EQ(chmod(dir.path().c_str(), 0555), 0);
  const bool root = geteuid() == 0;
  constexpr uid_t kNobody = 65534;
  if (root) {
    ASSERT_EQ(seteuid(kNobody), 0);
  }
  ASSERT_EQ(access(dir.path().c_str(), F_OK), 0);
  const Error error = error_of([&] { write_table(dir / "t.h5", kValues); });
  if (root) {
    ASSERT_EQ(seteuid(0), 0);
  }
  chmod(dir.path().c_str(), 0755);
  EXPECT_EQ(error.code(), ErrorCode::kUsage);
  EXPECT_THAT(error.what(), HasSubstr("Permission denied"));
  EXPECT_EQ(dir.entries(), 0U);
}

TEST(TableName, AbandonedWriterLeavesNothing) {
  const TemporaryDirectory dir;
  {
    const auto executor = make_executor(2);
    const auto writer = TableWriter::create(dir / "t.h5", Layout::of_heaps(kValues.size()),
                                            *executor, {.chunk_size = 16});
    put_all(*writer, kValues);
    EXPECT_EQ(dir.entries(), 1U);
    EXPECT_FALSE(fs::exists(dir / "t.h5"));
  }
  EXPECT_EQ(dir.entries(), 0U);
}

TEST(TableName, InfoThatDoesNotFitTheValuesIsRefused) {
  const std::vector<std::function<void(TableInfo&)>> wrongs = {
      [](TableInfo& info) { ++info.stats.count; },
      [](TableInfo& info) { info.stats.digest[3] ^= 1; },
      [](TableInfo& info) { ++info.stats.histogram[0]; },
      [](TableInfo& info) { info.stats.records.pop_back(); },
      [](TableInfo& info) { info.stats.argmax = 1000; },
      [](TableInfo& info) { info.computed = 500; },
      [](TableInfo& info) { info.period = {PeriodStatus::kCertified, 990, 11, 0, 1000, "t"}; },
      [](TableInfo& info) { info.title = std::string("a\0b", 3); },
  };
  for (std::size_t i = 0; i < wrongs.size(); ++i) {
    const TemporaryDirectory dir;
    const auto executor = make_executor(2);
    const auto writer =
        TableWriter::create(dir / "t.h5", Layout::of_heaps(kValues.size()), *executor, {});
    put_all(*writer, kValues);
    TableInfo info = info_of(kValues);
    wrongs[i](info);
    EXPECT_EQ(error_of([&] { writer->finish(info); }).code(), ErrorCode::kFailure) << i;
    EXPECT_EQ(dir.entries(), 0U) << i;
  }
}

TEST(TableName, ATableWhoseFileTurnsBeforeItIsReadBackIsNotPublished) {
  const std::vector<Nimber> values = random_values(200000, 256);
  const TableInfo info = info_of(values);
  const auto executor = make_executor(1);
  for (const bool damaged : {false, true}) {
    const TemporaryDirectory dir;
    const auto writer = TableWriter::create(dir / "t.h5", Layout::of_heaps(values.size()),
                                            *executor, {.chunk_size = 1024});
    put_all(*writer, values);
    // Most chunks are in the file by now.
    const fs::path file = dir.files().front();
    ASSERT_GT(fs::file_size(file), values.size() / 2);
    if (damaged) {
      std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
      const auto middle = static_cast<std::streamoff>(fs::file_size(file) / 2);
      stream.seekg(middle);
      const int byte = stream.get();
      stream.seekp(middle);
      stream.put(static_cast<char>(byte ^ 4));
      ASSERT_TRUE(stream.flush());
      const Error error = error_of([&] { writer->finish(info); });
      EXPECT_EQ(error.code(), ErrorCode::kFailure);
      EXPECT_THAT(error.what(), HasSubstr("does not read back as it was written"));
      EXPECT_EQ(dir.entries(), 0U);
    } else {
      writer->finish(info);
      EXPECT_TRUE(fs::exists(dir / "t.h5"));
    }
  }
}

TEST(TableName, GapsBetweenBlocksAndBadChunkSizesAreRefused) {
  const TemporaryDirectory dir;
  const auto executor = make_executor(1);
  const auto writer =
      TableWriter::create(dir / "t.h5", Layout::of_heaps(kValues.size()), *executor, {});
  const std::vector<std::uint8_t> block = {0, 1};
  writer->put({.begin = 0, .values = Values(std::span(block)), .table = {}});
  EXPECT_THROW(writer->put({.begin = 3, .values = Values(std::span(block)), .table = {}}), Error);
  const auto full = TableWriter::create(dir / "f.h5", Layout::of_heaps(3), *executor, {});
  full->put({.begin = 0, .values = Values(std::span(block)), .table = {}});
  EXPECT_THROW(full->put({.begin = 2, .values = Values(std::span(block)), .table = {}}), Error);
  const auto few = TableWriter::create(dir / "g.h5", Layout::of_heaps(3), *executor, {});
  few->put({.begin = 0, .values = Values(std::span(block)), .table = {}});
  EXPECT_THROW(few->finish(info_of({0, 1, 2})), Error) << "an entry is missing";
  for (const HeapSize chunk : {HeapSize{0}, HeapSize{3}, HeapSize{1} << 19, HeapSize{1} << 63}) {
    EXPECT_THROW(TableWriter::create(dir / "u.h5", Layout::of_heaps(kValues.size()), *executor,
                                     {.chunk_size = chunk}),
                 Error);
  }
}

/// A disk that is full at every possible point, stood in for by a limit on the size of files.
TEST(TableName, FullDiskIsOneSentenceAndLeavesNothing) {
  const std::vector<Nimber> values = random_values(40000, 60000);
  const auto write_limited = [&](const fs::path& path, rlim_t bytes) {
    const testing_support::SmallFiles small(bytes);
    std::string message;
    try {
      write_table(path, values, {.chunk_size = 1024});
    } catch (const Error& error) {
      message = error.what();
      EXPECT_NE(error.code(), ErrorCode::kCorrupt) << message;
    }
    return message;
  };

  const TemporaryDirectory dir;
  ASSERT_EQ(write_limited(dir / "whole.h5", RLIM_INFINITY), "");
  const std::uintmax_t size = fs::file_size(dir / "whole.h5");
  for (rlim_t limit = 0; limit < size; limit += 1 + size / 61) {
    const std::string message = write_limited(dir / "t.h5", limit);
    EXPECT_THAT(message, HasSubstr("t.h5")) << "limit " << limit << " of " << size;
    EXPECT_EQ(dir.entries(), 1U) << "limit " << limit << ": " << message;
  }
  for (const rlim_t missing : {1, 40, 500}) {
    EXPECT_NE(write_limited(dir / "t.h5", size - missing), "") << missing << " bytes are missing";
    EXPECT_EQ(dir.entries(), 1U);
  }
  EXPECT_EQ(write_limited(dir / "t.h5", size + 100), "") << "the same process can go on";
}

}  // namespace
}  // namespace grundy::store_test
