/// @file
/// Censuses with one wrong row.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include <grundy/list_check.hpp>

#include "atlas/census_file.hpp"

namespace grundy::testing {

/// Writes a census with these rows; everything else is made to match.
inline void write_rows(const std::filesystem::path& path, atlas::CensusKind& census,
                       const atlas::CensusRows& rows) {
  atlas::CensusCounter counter(census);
  counter.add(rows);
  atlas::write_census_file(path, census, [&](const atlas::TakeRows& take) {
    take(rows);
    return counter.digest();
  });
}

/// Expects that a check found what is wrong with a census.
/// @param sentence a part of what it says of the row; empty: all rows are right, and proved
/// @param row how it names the row
inline void expect_wrong_row(const ListCheck& check, const std::string& sentence,
                             const std::string& row) {
  EXPECT_TRUE(check.complete);
  if (sentence.empty()) {
    EXPECT_EQ(check.wrong, "");
    EXPECT_EQ(check.proved, check.count);
  } else {
    EXPECT_NE(check.wrong.find(sentence), std::string::npos) << check.wrong;
    EXPECT_TRUE(check.wrong.starts_with(row)) << check.wrong;
  }
}

}  // namespace grundy::testing
