// Damage never goes unnoticed: a file either is reported as corrupt, or reads exactly as before.
// SPDX-License-Identifier: MIT
#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "table/content.hpp"

namespace grundy::store_test {
namespace {

class Damage : public testing::Test {
 protected:
  Damage() : values(random_values(1500, 250)) {
    write_table(good, values, {.chunk_size = 256, .reproducible = true});
    bytes = bytes_of(good);
    content = *try_read(good);
  }

  TemporaryDirectory dir;
  fs::path good = dir / "good.h5";
  fs::path bad = dir / "bad.h5";
  std::vector<Nimber> values;
  std::string bytes;
  Content content;
};

TEST_F(Damage, EveryFlippedBitIsReportedOrHarmless) {
  // One random bit of every second byte or so: some thousands of files.
  std::mt19937 random(42);
  std::size_t reported = 0;
  std::size_t tried = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 1 + random() % 3) {
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << random() % 8));
    write_bytes(bad, flipped);
    const auto seen = try_read(bad);
    ++tried;
    if (!seen) {
      ++reported;
    } else {
      ASSERT_EQ(*seen, content) << "a flip in byte " << at << " went unnoticed";
    }
  }
  RecordProperty("tried", static_cast<int>(tried));
  EXPECT_GT(tried, 500U);
  EXPECT_GT(reported, tried / 10);
}

TEST_F(Damage, EveryTruncationAndEveryAppendixIsReported) {
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    write_bytes(bad, bytes.substr(0, size));
    EXPECT_FALSE(try_read(bad)) << "cut to " << size << " bytes";
  }
  write_bytes(bad, bytes + '\0');
  EXPECT_FALSE(try_read(bad));
}

TEST_F(Damage, ZeroedPagesAreReportedOrHarmless) {
  for (std::size_t at = 0; at < bytes.size(); at += 512) {
    std::string zeroed = bytes;
    const std::size_t n = std::min<std::size_t>(512, bytes.size() - at);
    zeroed.replace(at, n, n, '\0');
    write_bytes(bad, zeroed);
    const auto seen = try_read(bad);
    EXPECT_TRUE(!seen || *seen == content) << "page at " << at;
  }
}

/// Files that are no tables at all, and what is said of them.
TEST_F(Damage, ForeignFilesGetTheRightSentence) {
  const auto message = [](const fs::path& path) -> std::string {
    try {
      static_cast<void>(TableReader::open(path));
    } catch (const Error& error) {
      return (error.code() == ErrorCode::kCorrupt ? "corrupt: " : "usage: ") +
             std::string(error.what());
    }
    return "no error";
  };
  using testing::AllOf;
  using testing::HasSubstr;
  using testing::StartsWith;
  write_bytes(bad, "");
  EXPECT_THAT(message(bad), AllOf(StartsWith("corrupt: "), HasSubstr("bad.h5' is empty")));
  write_bytes(bad, "n,grundy\n0,0\n");
  EXPECT_THAT(message(bad), AllOf(StartsWith("corrupt: "), HasSubstr("is not an HDF5 file")));
  write_bytes(bad, std::string(100000, 'x'));
  EXPECT_THAT(message(bad), AllOf(StartsWith("corrupt: "), HasSubstr("is not an HDF5 file")));
  write_bytes(bad, "\x89HDF\r\n\x1a\n");
  EXPECT_THAT(message(bad), AllOf(StartsWith("corrupt: "), HasSubstr("is cut short")));
  write_bytes(bad, bytes.substr(0, bytes.size() / 2));
  EXPECT_THAT(message(bad), AllOf(StartsWith("corrupt: "), HasSubstr("cut short")));
  EXPECT_THAT(message(dir.path()), AllOf(StartsWith("usage: "), HasSubstr("is a directory")));
  EXPECT_THAT(message(dir / "none.h5"), AllOf(StartsWith("usage: "), HasSubstr("No such file")));
  EXPECT_THAT(message("/dev/null"), AllOf(StartsWith("usage: "), HasSubstr("no regular file")));
}

}  // namespace
}  // namespace grundy::store_test
