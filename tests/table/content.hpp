/// @file
/// The readable contents of a damaged file.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <gmock/gmock.h>

#include <grundy/error.hpp>

#include "table/table_samples.hpp"

namespace grundy::store_test {

/// Everything a reader can learn from a file.
struct Content {
  TableInfo info;
  std::vector<Nimber> values;
  bool operator==(const Content&) const = default;
};

/// Nothing if the file is refused, which it must be as corrupt and by its name.
inline std::optional<Content> try_read(const fs::path& path) {
  try {
    const auto reader = TableReader::open(path);
    return Content{reader->info(), read_values(*reader)};
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCorrupt) << error.what();
    EXPECT_THAT(error.what(), testing::HasSubstr(path.filename().string()));
    return std::nullopt;
  }
}

}  // namespace grundy::store_test
