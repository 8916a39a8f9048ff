// SPDX-License-Identifier: MIT
#include "theory/self_overlap.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace grundy {
namespace {

template <class Index>
std::vector<std::size_t> overlaps(const std::vector<int>& text, std::size_t max_shift,
                                  std::size_t cap) {
  std::vector<std::size_t> matches;
  for_each_self_overlap<Index>(
      text.size(), max_shift, cap, [&](std::size_t i) { return text[i]; },
      [&](std::size_t shift, std::size_t match) {
        EXPECT_EQ(shift, matches.size() + 1);
        matches.push_back(match);
        return false;
      });
  return matches;
}

TEST(SelfOverlap, StopsWhenTheVisitorSaysSo) {
  std::size_t visits = 0;
  for_each_self_overlap<std::uint32_t>(
      100, 100, 100, [](std::size_t) { return 0; },
      [&](std::size_t shift, std::size_t) { return ++visits, shift == 7; });
  EXPECT_EQ(visits, 7u);
}

RC_GTEST_PROP(SelfOverlap, EqualsTheDefinition, ()) {
  // Few letters and repeated words make long and nested matches.
  auto text = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 2));
  const auto copies = *rc::gen::inRange<std::size_t>(1, 5);
  const std::vector<int> word = text;
  for (std::size_t k = 1; k < copies; ++k) text.insert(text.end(), word.begin(), word.end());
  const auto max_shift = *rc::gen::inRange<std::size_t>(0, text.size() + 1);
  const auto cap = *rc::gen::inRange<std::size_t>(0, text.size() + 2);

  const auto matches = overlaps<std::uint32_t>(text, max_shift, cap);
  RC_ASSERT(overlaps<std::uint64_t>(text, max_shift, cap) == matches);
  RC_ASSERT(matches.size() == max_shift);
  for (std::size_t shift = 1; shift <= max_shift; ++shift) {
    std::size_t match = 0;
    while (match < cap && shift + match < text.size() && text[match] == text[shift + match]) {
      ++match;
    }
    RC_ASSERT(matches[shift - 1] == match);
  }
}

}  // namespace
}  // namespace grundy
