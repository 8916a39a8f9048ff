/// @file
/// SHA-256 against the examples of NIST, and files of sums.
// SPDX-License-Identifier: MIT
#include "release/sha256.hpp"

#include <filesystem>

#include <gmock/gmock.h>

#include "support/errors.hpp"
#include "support/files.hpp"

namespace grundy {
namespace {

using testing_support::bytes_of;
using testing_support::code_of;
using testing_support::TemporaryDirectory;
using testing_support::write_bytes;

/// FIPS 180-2, appendix B, and NIST's example of a million `a`; the last spans several blocks.
TEST(Sha256, ExamplesOfTheStandard) {
  const TemporaryDirectory directory;
  const std::pair<std::string, const char*> examples[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {std::string(1'000'000, 'a'),
       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"}};
  for (const auto& [text, sum] : examples) {
    write_bytes(directory / "file", text);
    EXPECT_EQ(sha256_of(directory / "file"), sum);
  }
  EXPECT_EQ(code_of([&] { sha256_of(directory / "none"); }), ErrorCode::kFailure);
}

TEST(Sha256, AFileOfSumsListsAllFilesButItself) {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "b");
  write_bytes(directory / "b/two", "abc");
  write_bytes(directory / ".a", "");
  write_bytes(directory / kSumsName, "old");
  const Sums sums = sums_of(directory.path());
  EXPECT_THAT(sums, ::testing::SizeIs(2));
  const std::string text = to_text(sums);
  EXPECT_EQ(text,
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  .a\n"
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b/two\n");
  write_bytes(directory / kSumsName, text);
  EXPECT_EQ(read_sums(directory.path()), sums);
}

// tests/golden/records/README.md says how these files are made.
TEST(Sha256, RecordsAreWhatTheirSumsSay) {
  int records = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(GRUNDY_GOLDEN_DIR) / "records")) {
    if (!entry.is_directory()) continue;
    EXPECT_EQ(bytes_of(entry.path() / kSumsName), to_text(sums_of(entry.path()))) << entry;
    ++records;
  }
  EXPECT_GE(records, 11);
}

TEST(Sha256, MalformedSumsAreRefused) {
  const TemporaryDirectory directory;
  EXPECT_EQ(code_of([&] { read_sums(directory.path()); }), ErrorCode::kUsage);
  const std::string sum(64, 'a');
  for (const std::string& line :
       {std::string("words"), sum, sum + "  ", sum + " a", sum.substr(1) + "  a", sum + "  ../a",
        sum + "  b/../../a", sum + "  /etc/passwd", sum + "b  a"}) {
    write_bytes(directory / kSumsName, sum + "  good\n" + line + "\n");
    EXPECT_EQ(code_of([&] { read_sums(directory.path()); }), ErrorCode::kCorrupt) << line;
  }
}

}  // namespace
}  // namespace grundy
