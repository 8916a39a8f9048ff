// Lists in text files.
// SPDX-License-Identifier: MIT
#include "core/list_file.hpp"

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

TEST(ListFile, HasOneItemALine) {
  const testing_support::TemporaryDirectory directory;
  const std::string path = (directory / "list.txt").string();
  testing_support::write_bytes(path, "# head\na\n\n \t b c\t# more\r\n#\nlast");
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
}

}  // namespace
}  // namespace grundy
