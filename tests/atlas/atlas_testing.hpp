/// @file
/// Families for tests, and the directories of their files.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <grundy/atlas.hpp>

#include "support/files.hpp"

namespace grundy::testing_support {

inline std::vector<HeapRule> games(const std::vector<std::string>& patterns) {
  std::vector<HeapRule> all;
  for (const std::string& pattern : patterns) {
    for (const HeapRule& rule : expand_family(pattern)) all.push_back(rule);
  }
  return all;
}

/// Computes the games of some patterns.
inline AtlasReport atlas(const std::vector<std::string>& patterns, HeapSize last,
                         const std::filesystem::path& output = {}, std::size_t threads = 2) {
  AtlasRequest request;
  request.games = games(patterns);
  request.last = last;
  request.output = output;
  request.machine.threads = threads;
  return compute_atlas(request);
}

/// Games with a certified period, classes without one, and equalities that are not proved.
struct Tally {
  std::size_t certified = 0, open = 0, observed = 0;
};
inline Tally tally(const AtlasReport& report) {
  Tally tally;
  for (const AtlasClass& c : report.classes) {
    const bool proved = c.period.status == PeriodStatus::kCertified;
    (proved ? tally.certified : tally.open) += proved ? c.members.size() : 1;
    tally.observed += static_cast<std::size_t>(
        std::ranges::count(c.members, AtlasEvidence::kObserved, &AtlasMember::evidence));
  }
  return tally;
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

}  // namespace grundy::testing_support
