/// @file
/// Families of rules of several heaps: their notation, their vectors and their rules.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>
#include <grundy/games.hpp>
#include <grundy/layout.hpp>
#include <grundy/rule_census.hpp>

#include "core/text.hpp"

namespace grundy {
namespace {

constexpr std::uint64_t kMostVectors = 65535;
constexpr std::string_view kBlanks = " \t";

[[noreturn]] void refuse(std::string_view text, std::string_view why) {
  throw Error(ErrorCode::kUsage, fmt::format("{} is no family of rules: {}", in_quotes(text), why));
}

std::string_view without_blanks(std::string_view text) noexcept {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

/// The number that a bound `max<=m` or `size=k` gives.
std::uint64_t bound(std::string_view part) {
  return parse_count(without_blanks(part.substr(part.find('=') + 1)));
}

/// Reads what stands between the braces of V{..}.
void read_bounds(std::string_view text, std::string_view bounds, RuleFamily& family) {
  bool has_largest = false, has_size = false;
  for (std::string_view rest = bounds; !rest.empty();) {
    const std::string_view part = without_blanks(rest.substr(0, rest.find(',')));
    rest.remove_prefix(
        std::min(rest.size(), rest.find(',') + 1 == 0 ? rest.size() : rest.find(',') + 1));
    if (part.starts_with("max<=") && !std::exchange(has_largest, true)) {
      const std::uint64_t largest = bound(part);
      if (largest > kMostVectors) refuse(text, "entries of vectors are at most 65535 here");
      family.largest = static_cast<std::uint32_t>(largest);
    } else if (part.starts_with("size=") && !std::exchange(has_size, true)) {
      family.size = bound(part);
    } else {
      refuse(text, fmt::format("{} is neither max<=m nor size=k", in_quotes(part)));
    }
  }
  if (!has_largest || !has_size) refuse(text, "V{max<=3,size=2} has both bounds");
}

/// Reads the base: a game of several heaps, or `2:` if there is none.
void read_base(std::string_view text, std::string_view base, RuleFamily& family) {
  if (!base.ends_with(':')) {
    family.base = resolve_game(base, GameKind::kLattice).lattice();
    family.heaps = family.base->heaps();
    return;
  }
  const std::uint64_t heaps = parse_count(without_blanks(base.substr(0, base.size() - 1)));
  if (heaps < kMinLatticeHeaps || heaps > kMaxLatticeHeaps) {
    refuse(text, fmt::format("rules have {} to {} heaps", kMinLatticeHeaps, kMaxLatticeHeaps));
  }
  family.heaps = static_cast<unsigned>(heaps);
}

}  // namespace

RuleFamily RuleFamily::parse(std::string_view text) {
  constexpr std::string_view kExample = "2: sym (1,0)* + V{max<=3,size=2} is one";
  const std::size_t begin = text.find("V{");
  const std::size_t end = text.find('}', begin == text.npos ? 0 : begin);
  if (begin == text.npos || end == text.npos) refuse(text, kExample);
  // What is left without the family and the sign before or behind it is the base.
  std::string_view before = without_blanks(text.substr(0, begin));
  const std::string_view behind = without_blanks(text.substr(end + 1));
  RuleFamily family;
  if (before.ends_with("sym")) {
    family.images = true;
    before = without_blanks(before.substr(0, before.size() - 3));
  }
  const bool is_first = before.ends_with(':');
  if (!is_first && !before.ends_with('+')) refuse(text, kExample);
  if (!behind.empty() && !behind.starts_with('+')) refuse(text, kExample);
  if (!is_first) before = without_blanks(before.substr(0, before.size() - 1));
  const std::string_view more = behind.empty() ? behind : behind.substr(1);
  if (!behind.empty() && without_blanks(more).empty()) refuse(text, kExample);
  read_base(text, fmt::format("{}{}{}", before, is_first || more.empty() ? "" : " +", more),
            family);
  read_bounds(text, text.substr(begin + 2, end - begin - 2), family);
  const SetFamily sets{family.vectors().size(), family.size};
  if (const std::string why = sets.refusal(); !why.empty()) refuse(text, why);
  return family;
}

std::string RuleFamily::text() const {
  return fmt::format("{}{}V{{max<={},size={}}}",
                     base ? base->canonical() + " + " : fmt::format("{}: ", heaps),
                     images ? "sym " : "", largest, size);
}

std::string RuleFamily::terms(const std::vector<LatticePoint>& vectors) const {
  std::string text;
  for (const LatticePoint& v : vectors) {
    text += fmt::format("{}{}({})", text.empty() ? "" : " + ", images ? "sym " : "",
                        fmt::join(v.begin(), v.begin() + heaps, ","));
  }
  return text;
}

std::vector<LatticePoint> RuleFamily::vectors() const {
  if (base && base->heaps() != heaps) {
    throw Error(ErrorCode::kUsage, "the base of a family of rules has another number of heaps");
  }
  if (base && base->moves().pass) {
    throw Error(ErrorCode::kUsage, "a census has no rules with a pass");
  }
  std::uint64_t points = 1;
  for (unsigned i = 0; i < heaps; ++i) {
    points *= std::uint64_t{largest} + 1;
    if (points > kMostVectors + 1) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("{} has more than {} vectors", text(), kMostVectors));
    }
  }
  const Layout cube = Layout::of(LatticeShape::cube(heaps, largest + 1), 1);
  std::vector<LatticePoint> vectors;
  LatticePoint point{};
  for (std::uint64_t i = 1; i < points; ++i) {
    cube.step(point);
    if (!images || std::is_sorted(point.begin(), point.begin() + heaps)) vectors.push_back(point);
  }
  std::ranges::stable_sort(vectors, {}, [](const LatticePoint& p) { return std::ranges::max(p); });
  return vectors;
}

LatticeRule RuleFamily::rule(const std::vector<LatticePoint>& vectors, const MoveSet& set) const {
  LatticeMoves moves;
  if (base) moves = base->moves();
  moves.heaps = heaps;
  for (const HeapSize number : set) {
    LatticePoint image = vectors[number - 1];
    do {
      moves.rays.push_back({image, {1}});
    } while (images && std::next_permutation(image.begin(), image.begin() + heaps));
  }
  return LatticeRule(std::move(moves));
}

}  // namespace grundy
