// SPDX-License-Identifier: MIT
#include "games/graph/turning.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/text.hpp"
#include "core/text_cursor.hpp"

namespace grundy::graph {

TurningCoins::TurningCoins(Kind kind, std::string_view heads, bool split)
    : kind_(kind), split_(split), start_(parse(heads)) {}

std::string TurningCoins::text(const Position& p) const {
  std::string text;
  for_each_head(p, [&](unsigned place) {
    if (!text.empty()) text += ',';
    text += kind_ == Kind::kCorners ? fmt::format("{}.{}", place / kColumns, place % kColumns)
                                    : std::to_string(place + 1);
  });
  return text.empty() ? "-" : text;
}

TurningCoins::Position TurningCoins::parse(std::string_view text) const {
  Position p{};
  if (text == "-") return p;
  const unsigned places = split_ ? kMostPlaces : kMostWholePlaces;
  const auto refuse = [&](std::string_view head) {
    const bool plane = kind_ == Kind::kCorners;
    throw Error(
        ErrorCode::kUsage,
        fmt::format("{} is not a place for a coin; {}, and each place occurs once", in_quotes(head),
                    plane && split_ ? "write x.y with x and y from 0 to 15"
                    : plane         ? "write 0.y, or 1.y with y up to 3, for whole positions"
                                    : fmt::format("places are 1 to {}", places)));
  };
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view head = trimmed(text.substr(begin, end - begin));
    begin = end + 1;
    std::uint64_t place = 0;
    if (kind_ == Kind::kCorners) {
      const auto dot = std::min(head.find('.'), head.size());
      if (dot == head.size()) refuse(head);
      const std::uint64_t x = parse_count(trimmed(head.substr(0, dot)));
      const std::uint64_t y = parse_count(trimmed(head.substr(dot + 1)));
      if (x >= kMostPlaces / kColumns || y >= kColumns) refuse(head);
      place = x * kColumns + y;
    } else {
      place = parse_count(head) - 1;  // 0 wraps and is refused as too large
    }
    if (place >= places || (p[place / 64] >> place % 64 & 1) != 0) refuse(head);
    p = turned(p, static_cast<unsigned>(place));
  }
  return p;
}

}  // namespace grundy::graph
