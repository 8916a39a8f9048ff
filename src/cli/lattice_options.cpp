// SPDX-License-Identifier: MIT
#include "cli/lattice_options.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/heap/catalogue.hpp>
#include <grundy/lattice/catalogue.hpp>
#include <grundy/lattice/rules_file.hpp>

#include "core/text.hpp"

namespace grundy::cli {
namespace {

/// The number of sizes of a heap whose largest is `last`, or a size given as such.
std::uint32_t checked_extent(std::uint64_t extent) {
  if (extent == 0 || extent > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("--shape: {} sizes of a heap; 1 to 2^32-1 are possible", extent));
  }
  return static_cast<std::uint32_t>(extent);
}

bool names_a_rules_file(const std::string& text) {
  return text.ends_with(".toml");
}

LatticeShape parse_shape(const std::string& text) {
  LatticeShape shape{.heaps = 0, .extent = {}, .sorted = false};
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find_first_of("xX", begin), text.size());
    if (shape.heaps == kMaxLatticeHeaps) {
      throw Error(ErrorCode::kUsage, fmt::format("--shape: {} has more than {} heaps",
                                                 in_quotes(text), kMaxLatticeHeaps));
    }
    shape.extent[shape.heaps++] =
        checked_extent(count_option("--shape", text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return shape;
}

}  // namespace

bool is_lattice_game(const std::string& text) {
  if (names_a_rules_file(text)) return true;
  const auto begin = std::find_if_not(text.begin(), text.end(), [](char c) { return c == ' '; });
  const auto digits =
      std::find_if_not(begin, text.end(), [](char c) { return c >= '0' && c <= '9'; });
  const auto colon = std::find_if_not(digits, text.end(), [](char c) { return c == ' '; });
  if (digits != begin && colon != text.end() && *colon == ':') return true;
  const std::size_t bracket = std::min(text.find('('), text.size());
  const std::string name = text.substr(0, bracket);
  const auto is_it = [&](const auto& game) { return game.name == name; };
  return std::ranges::any_of(lattice_catalogue(), is_it) &&
         (bracket < text.size() || std::ranges::none_of(heap_catalogue(), is_it));
}

ResolvedLatticeGame lattice_game(const std::string& text) {
  return names_a_rules_file(text) ? read_lattice_game(text) : resolve_lattice_game(text);
}

Request make_lattice_request(const RunOptions& options, const std::string& text, bool sorted) {
  ResolvedLatticeGame game = lattice_game(options.game);
  LatticeShape shape;
  if (text.empty()) {
    const std::uint64_t last = count_option("--to", options.last);
    const std::uint64_t sizes = last == std::numeric_limits<std::uint64_t>::max() ? last : last + 1;
    shape = LatticeShape::cube(game.rule.heaps(), checked_extent(sizes));
  } else {
    shape = parse_shape(text);
  }
  shape.sorted = sorted;
  Request request{.game = LatticeGame{std::move(game.rule), shape},
                  .about = {.game = options.game,
                            .title = std::move(game.title),
                            .rules = std::move(game.rules),
                            .reference = std::move(game.reference)}};
  apply_run_options(options, request);
  return request;
}

}  // namespace grundy::cli
