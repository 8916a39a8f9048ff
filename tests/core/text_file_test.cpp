// Text files, whole and item by item.
// SPDX-License-Identifier: MIT
#include "core/text_file.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/error.hpp>

#include "support/errors.hpp"
#include "support/files.hpp"

namespace grundy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(TextFile, IsReadAsItIsOrNotAtAll) {
  const testing_support::TemporaryDirectory directory;
  const std::string bytes("a\r\n\0b", 5);
  testing_support::write_bytes((directory / "text").string(), bytes);
  testing_support::write_bytes((directory / "empty").string(), "");
  EXPECT_EQ(read_text_file(directory / "text", 5), bytes);
  EXPECT_EQ(read_text_file(directory / "empty", 0), "");
  EXPECT_EQ(read_text_file(directory / "text", 4), std::nullopt);
  EXPECT_EQ(read_text_file(directory / "none", 5), std::nullopt);
  EXPECT_EQ(read_text_file(directory / ".", 1 << 20), std::nullopt);
}

TEST(ListFile, HasOneItemALine) {
  const testing_support::TemporaryDirectory directory;
  const std::string path = (directory / "list.txt").string();
  testing_support::write_bytes(path, "\xef\xbb\xbf# head\na\n\n \t b c\t# more\r\n#\nlast");
  std::vector<std::string> items;
  for_each_item(path, [&](std::string_view item) { items.emplace_back(item); });
  EXPECT_THAT(items, ElementsAre("a", "b c", "last"));
}

TEST(ListFile, NamesTheLineOfAnError) {
  const testing_support::TemporaryDirectory directory;
  const std::string path = (directory / "list.txt").string();
  testing_support::write_bytes(path, "a\n# comment\nb\n");
  const Error error = testing_support::error_of([&] {
    for_each_item(path, [](std::string_view item) {
      if (item == "b") throw Error(ErrorCode::kCorrupt, "no b");
    });
  });
  EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
  EXPECT_THAT(error.what(), HasSubstr("list.txt:3: no b"));
  EXPECT_EQ(testing_support::error_of([&] { for_each_item(path + "x", {}); }).code(),
            ErrorCode::kUsage);
  EXPECT_THAT(testing_support::error_of([&] { for_each_item("/", {}); }).what(),
              HasSubstr("'/' is a directory, not a list"));
}

}  // namespace
}  // namespace grundy
