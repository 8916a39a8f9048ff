/// @file
/// Families of rules of several heaps: their notation, their vectors and their rules.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>
#include <grundy/games.hpp>
#include <grundy/layout.hpp>
#include <grundy/rule_census.hpp>

#include "atlas/family_bounds.hpp"
#include "core/text.hpp"

namespace grundy {
namespace {

constexpr std::uint64_t kMostVectors = 65535;
constexpr std::string_view kExample = "2: sym (1,0)* + V{max<=3,size=2} is one";

[[noreturn]] void refuse(std::string_view text, std::string_view why) {
  throw Error(ErrorCode::kUsage, fmt::format("{} is no family of rules: {}", in_quotes(text), why));
}

/// Reads the base: a game of several heaps, or `2:` if there is none.
void read_base(std::string_view text, std::string_view base, RuleFamily& family) {
  if (!base.ends_with(':')) {
    family.base = resolve_game(base, GameKind::kLattice).lattice();
    family.heaps = family.base->heaps();
    return;
  }
  const std::uint64_t heaps = parse_count(trimmed(base.substr(0, base.size() - 1)));
  if (heaps < kMinLatticeHeaps || heaps > kMaxLatticeHeaps) {
    refuse(text, fmt::format("rules have {} to {} heaps", kMinLatticeHeaps, kMaxLatticeHeaps));
  }
  family.heaps = static_cast<unsigned>(heaps);
}

struct FamilyPlace {
  std::string_view before;  ///< the text before the family
  bool images;              ///< whether `sym` is before it as well
};

/// Moves the cursor past the next `V{` or `sym V{`. Returns nothing if there is none.
std::optional<FamilyPlace> find_family(TextCursor& text) {
  while (!text.done()) {
    const std::size_t place = text.place();
    const bool images = text.eat("sym");
    if (text.eat('v') && text.eat('{')) return FamilyPlace{text.text().substr(0, place), images};
    text.return_to(place + 1);
  }
  return std::nullopt;
}

}  // namespace

bool RuleFamily::is_meant(std::string_view text) {
  TextCursor cursor(text, Blanks::kSkip);
  return find_family(cursor).has_value();
}

RuleFamily RuleFamily::parse(std::string_view text) {
  TextCursor cursor(text, Blanks::kSkip);
  const auto place = find_family(cursor);
  if (!place) refuse(text, kExample);
  RuleFamily family;
  family.images = place->images;
  std::string_view before = trimmed(place->before);
  const FamilyBounds bounds = read_bounds(cursor, "=");
  if (bounds.largest > kMostVectors) refuse(text, "entries of vectors are at most 65535 here");
  family.largest = static_cast<std::uint32_t>(bounds.largest);
  family.size = bounds.size;
  // The base is the text without the family and without the sign before or after it.
  const bool is_first = before.ends_with(':');
  if (!is_first && !before.ends_with('+')) refuse(text, kExample);
  if (!is_first) before.remove_suffix(1);
  std::string base(before);
  if (cursor.eat('+')) {
    if (cursor.done()) cursor.unexpected("a move");
    base += fmt::format("{}{}", is_first ? "" : " + ", cursor.rest());
  } else {
    cursor.expect_end("'+' or the end of the family");
  }
  read_base(text, base, family);
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
  if (base) moves = base->written();
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
