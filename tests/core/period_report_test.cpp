// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <grundy/period_report.hpp>

namespace grundy {
namespace {

// A search of `grundy period` may end so, as well as any other run and any older file.
TEST(PeriodSentence, OfNoSearchNamesNoOtherCommand) {
  EXPECT_EQ(period_sentence({}), "none proved; it was not looked for in all heaps");
  EXPECT_EQ(period_sentence({.verified_to = 5000, .theorem = {}}), "none found in 5 000 heaps");
}

}  // namespace
}  // namespace grundy
