/// @file
/// Creators as people type them.
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <grundy/release.hpp>

#include "support/errors.hpp"

namespace grundy {
namespace {

using testing_support::code_of;

TEST(ReleaseCreator, PeopleAndOrganisations) {
  EXPECT_EQ(parse_creator("Lovelace, Ada"), (ReleaseCreator{.family = "Lovelace", .given = "Ada"}));
  EXPECT_EQ(parse_creator("  The  Club "), (ReleaseCreator{.organisation = "The  Club"}));
  EXPECT_EQ(parse_creator("Lovelace, Ada").name(), "Lovelace, Ada");
  EXPECT_EQ(parse_creator("The Club").name(), "The Club");
}

/// The ORCIDs are examples of support.orcid.org; the check digit of the second one is X.
TEST(ReleaseCreator, FieldsComeInAnyOrder) {
  const ReleaseCreator ada{.family = "Lovelace",
                           .given = "Ada",
                           .orcid = "0000-0002-1825-0097",
                           .email = "ada@example.org",
                           .affiliation = "Analytical Society"};
  EXPECT_EQ(parse_creator("Lovelace, Ada; 0000-0002-1825-0097; ada@example.org;Analytical Society"),
            ada);
  EXPECT_EQ(parse_creator("Lovelace,Ada;Analytical Society ;; ada@example.org; "
                          "https://orcid.org/0000-0002-1825-0097;"),
            ada);
  EXPECT_EQ(parse_creator("The Club; 0000-0002-1694-233X; a@b").orcid, "0000-0002-1694-233X");
}

TEST(ReleaseCreator, WhatIsNoCreatorIsRefused) {
  for (const char* text : {"", " ", ";a@b", "Lovelace,", ", Ada", "The Club; Analytical Society",
                           "Lovelace, Ada; 0000-0002-1825-0098", "Lovelace, Ada; a@b; c@d",
                           "Lovelace, Ada; one; another", "Lovelace, A\nda", "Lovelace, \xff"}) {
    EXPECT_EQ(code_of([&] { parse_creator(text); }), ErrorCode::kUsage) << text;
  }
}

}  // namespace
}  // namespace grundy
