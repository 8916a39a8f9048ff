// SPDX-License-Identifier: MIT
#include "core/names.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace grundy {
namespace {

TEST(Names, CaseBlanksAndHyphensDoNotMatter) {
  EXPECT_EQ(folded_name("Dawson\xe2\x80\x99s Kayles"), "dawsonskayles");
  EXPECT_TRUE(same_name("POWERS_OF-2", "powers of 2"));
  EXPECT_FALSE(same_name("dense", "dens"));
}

TEST(Names, AutoAndNoNameLeaveTheChoice) {
  for (const char* name : {"", "auto", "Auto"}) EXPECT_TRUE(leaves_choice(name)) << name;
  for (const char* name : {"dense", "aut"}) EXPECT_FALSE(leaves_choice(name)) << name;
}

TEST(Names, TheNearestOneIsOffered) {
  const std::vector<std::string> names{"auto", "dense", "cpu-info"};
  EXPECT_EQ(no_such_name("engine", "Dens", names, "there are three"),
            "there is no engine 'Dens'; did you mean dense?");
  EXPECT_EQ(no_such_name("engine", "CPU_inf", names, "there are three"),
            "there is no engine 'CPU_inf'; did you mean cpu-info?");
  EXPECT_EQ(no_such_name("engine", "wavefront", names, "there are three"),
            "there is no engine 'wavefront'; there are three");
}

}  // namespace
}  // namespace grundy
