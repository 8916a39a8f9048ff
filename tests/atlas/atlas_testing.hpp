/// @file
/// Families for tests, and where their files go.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <grundy/atlas.hpp>

#include "support/files.hpp"

namespace grundy::testing {

inline std::vector<HeapRule> games(const std::vector<std::string>& patterns) {
  std::vector<HeapRule> all;
  for (const std::string& pattern : patterns) {
    for (const HeapRule& rule : expand_family(pattern)) all.push_back(rule);
  }
  return all;
}

/// A directory of this test that is empty when the test begins.
inline std::filesystem::path fresh_directory() {
  const auto* const info = ::testing::UnitTest::GetInstance()->current_test_info();
  const auto path = std::filesystem::path(::testing::TempDir()) /
                    (std::string("grundy-") + info->test_suite_name() + "-" + info->name());
  std::filesystem::remove_all(path);
  std::filesystem::create_directories(path);
  return path;
}

/// The class that a game is in; null if there is none.
inline const AtlasClass* class_of(const AtlasReport& report, const std::string& code) {
  for (const AtlasClass& c : report.classes) {
    for (const AtlasMember& member : c.members) {
      if (member.code == code) return &c;
    }
  }
  return nullptr;
}

}  // namespace grundy::testing
