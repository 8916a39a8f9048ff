// SPDX-License-Identifier: MIT
#include "games/graph/chomp.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>

#include "core/text.hpp"
#include "games/graph/numbering.hpp"
#include "games/graph/small_graph.hpp"

namespace grundy::graph {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::kUsage, what);
}

}  // namespace

Chomp::Chomp(const std::vector<std::uint64_t>& rows) {
  if (rows.empty() || rows.size() > kMostRows || std::ranges::max(rows) > kMostColumns) {
    refuse(
        fmt::format("a board of Chomp has up to {} rows and {} columns", kMostRows, kMostColumns));
  }
  height_ = static_cast<unsigned>(rows.size());
  width_ = static_cast<std::uint32_t>(std::ranges::max(rows));
  const std::uint64_t shapes = MultisetNumbers::count(height_, width_);
  if (shapes > kMostNumbered) refuse("the board has more than 2^40 shapes");
  count_ = shapes - 1;
  numbers_ = MultisetNumbers(height_, width_);
  sums_.resize((std::size_t{width_} + 1) * (kMostRows + 1));
  for (std::uint32_t length = 0; length <= width_; ++length) {
    std::uint64_t* const column = &sums_[std::size_t{length} * (kMostRows + 1)];
    for (unsigned i = 0; i < height_; ++i) {
      column[i + 1] = column[i] + numbers_.term(i, length);
    }
  }
  start_ = number(checked(rows));
}

Chomp::Rows Chomp::checked(const std::vector<std::uint64_t>& from_top) const {
  if (from_top.empty() || from_top.size() > height_ || from_top[0] < 1 || from_top[0] > width_ ||
      !std::ranges::is_sorted(from_top, std::ranges::greater())) {
    refuse(
        fmt::format("the rows {} are no shape: at most {} row lengths from the top, not "
                    "ascending, the first from 1 to {}",
                    fmt::join(from_top, ","), height_, width_));
  }
  Rows x{};
  for (std::size_t i = 0; i < from_top.size(); ++i) {
    x[height_ - 1 - i] = static_cast<std::uint32_t>(from_top[i]);
  }
  return x;
}

std::string Chomp::text(Position p) const {
  const Rows x = rows(p);
  std::string text;
  for (unsigned i = height_; i-- > 0 && x[i] > 0;) {
    text += (text.empty() ? "" : ",") + std::to_string(x[i]);
  }
  return text;
}

Chomp::Position Chomp::parse(std::string_view text) const {
  return number(checked(parse_counts(text)));
}

}  // namespace grundy::graph
