// SPDX-License-Identifier: MIT
#include "cli/lattice_options.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/text.hpp"

namespace grundy::cli {
namespace {

/// Checks an extent: a size that was given, or the largest heap plus one.
std::uint32_t checked_extent(std::uint64_t extent) {
  if (extent == 0 || extent > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("--shape: a heap has 1 to 2^32-1 sizes, not {}", extent));
  }
  return static_cast<std::uint32_t>(extent);
}

}  // namespace

LatticeShape shape_option(const std::string& text) {
  constexpr std::string_view kTimes = "\u00d7";
  LatticeShape shape{.heaps = 0, .extent = {}, .sorted = false};
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t sign = text.find(kTimes, begin);
    const std::size_t end = std::min({text.find_first_of("xX", begin), sign, text.size()});
    if (shape.heaps == kMaxLatticeHeaps) {
      throw Error(ErrorCode::kUsage, fmt::format("--shape: {} has more than {} heaps",
                                                 in_quotes(text), kMaxLatticeHeaps));
    }
    if (end == begin && !text.empty()) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("--shape: a size is missing in {}", in_quotes(text)));
    }
    shape.extent[shape.heaps++] =
        checked_extent(count_option("--shape", text.substr(begin, end - begin)));
    begin = end + (end == sign ? kTimes.size() : 1);
  }
  return shape;
}

Request make_lattice_request(const AnyGame& game, const RunOptions& options,
                             const std::string& text, bool sorted, bool misere) {
  LatticeShape shape;
  if (text.empty()) {
    const std::uint64_t last = count_option("--to", options.last);
    const std::uint64_t sizes = last == std::numeric_limits<std::uint64_t>::max() ? last : last + 1;
    shape = LatticeShape::cube(game.lattice().heaps(), checked_extent(sizes));
  } else {
    shape = shape_option(text);
  }
  shape.sorted = sorted;
  const AnyGame played = misere ? in_misere_play(game) : game;
  Request request{.game = LatticeGame{played.lattice(), shape},
                  .about = GameDescription::of(played, misere ? played.notation : options.game)};
  apply_run_options(options, request);
  return request;
}

}  // namespace grundy::cli
