/// @file
/// Canonical form, symmetry, notation and words of a lattice rule.
///
/// Rays, bands and boxes fall into *orbits*: moves that a permutation of the heaps maps to each
/// other. A complete orbit is written once, with `sym`. The rule is symmetric if all orbits are
/// complete.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/binomial.hpp>
#include <grundy/error.hpp>
#include <grundy/lattice/rule.hpp>

#include "games/lattice/notation.hpp"

namespace grundy {
namespace {

[[noreturn]] void refuse(const std::string& reason) {
  throw Error(ErrorCode::kUsage, reason);
}

std::span<const std::uint32_t> used(const LatticePoint& step, unsigned heaps) {
  return std::span(step).first(heaps);
}

/// The numbers of the heaps in `mask`: "1 and 3".
std::string heap_list(std::uint32_t mask) {
  std::string out;
  for (unsigned left = std::popcount(mask), i = 0; left > 0; ++i) {
    if ((mask >> i & 1) == 0) continue;
    out += fmt::format("{}{}", i + 1, left > 2 ? ", " : left == 2 ? " and " : "");
    --left;
  }
  return out;
}

/// Whether the multiples are 1 .. n without a gap.
bool is_initial(const std::vector<std::uint32_t>& multiples) {
  return !multiples.empty() && multiples.back() == multiples.size();
}

/// Moves that permutations of the heaps map to each other.
struct Orbit {
  std::string notation;              ///< of the representative
  std::string words;                 ///< the moves of the whole orbit, if it is complete
  std::uint64_t size = 0;            ///< number of members of the complete orbit
  std::vector<std::string> members;  ///< notations of the members that the rule has
  std::vector<std::string> member_words;

  [[nodiscard]] bool complete() const noexcept { return members.size() == size; }
};

std::string notation_of(const LatticeRay& ray, unsigned heaps) {
  std::string out = fmt::format("({})", fmt::join(used(ray.step, heaps), ","));
  if (ray.multiples.empty()) return out + "*";
  if (ray.multiples.size() == 1 && ray.multiples.front() == 1) return out;
  if (is_initial(ray.multiples)) return fmt::format("{}*1..{}", out, ray.multiples.back());
  return fmt::format("{}*{{{}}}", out, fmt::join(ray.multiples, ","));
}

/// @param from the heaps, such as "heaps 1 and 3" or "any 2 heaps"
std::string words_of(const LatticeRay& ray, unsigned heaps, const std::string& from) {
  const auto step = used(ray.step, heaps);
  const auto taken = static_cast<unsigned>(heaps - std::ranges::count(step, 0u));
  const bool equal =
      std::ranges::all_of(step, [&](auto v) { return v == 0 || v == std::ranges::max(step); });
  const std::uint32_t unit = std::ranges::max(step);
  const std::string each = taken > 1 ? " from each of " : " from ";
  if (equal && ray.multiples.empty()) {
    return fmt::format("take {}{}{}{}", taken > 1 ? "the same number of tokens, " : "",
                       unit == 1
                           ? (taken > 1 ? "any," : "any number of tokens")
                           : fmt::format("any multiple of {}{}", unit, taken > 1 ? "," : " tokens"),
                       each, from);
  }
  if (equal) {
    std::vector<std::uint64_t> amounts;
    for (const std::uint64_t t : ray.multiples) amounts.push_back(t * unit);
    const std::string list = unit == 1 && is_initial(ray.multiples) && amounts.size() > 2
                                 ? fmt::format("1 to {}", amounts.back())
                                 : fmt::format("{}", fmt::join(amounts, " or "));
    return fmt::format("take {} token{}{}{}{}", list, amounts.back() == 1 ? "" : "s",
                       amounts.size() > 1 && taken > 1 ? ", the same number," : "", each, from);
  }
  std::string times = "t times ";
  std::string range = ", t >= 1";
  if (!ray.multiples.empty()) range = fmt::format(", t = {}", fmt::join(ray.multiples, " or "));
  if (ray.multiples.size() == 1 && ray.multiples.front() == 1) times = range = "";
  return fmt::format("take {}({}) tokens from {}{}", times, fmt::join(step, ", "), from, range);
}

/// The element of `orbits` with the representative `key`; it is made if it is new.
Orbit& orbit_of(std::vector<Orbit>& orbits, const std::string& key) {
  const auto found = std::ranges::find(orbits, key, &Orbit::notation);
  if (found != orbits.end()) return *found;
  orbits.push_back({.notation = key, .words = {}, .size = 0, .members = {}, .member_words = {}});
  return orbits.back();
}

std::vector<Orbit> orbits_of(const LatticeMoves& moves) {
  const unsigned d = moves.heaps;
  std::vector<Orbit> orbits;
  for (const LatticeRay& ray : moves.rays) {
    LatticeRay key = ray;
    std::sort(key.step.rbegin(), key.step.rend());
    std::uint32_t support = 0;
    for (unsigned i = 0; i < d; ++i) support |= (ray.step[i] > 0 ? 1u : 0u) << i;
    const auto taken = static_cast<unsigned>(std::popcount(support));
    const bool plain = std::ranges::all_of(used(key.step, d),
                                           [&](auto v) { return v == 0 || v == key.step.front(); });
    Orbit& orbit = orbit_of(orbits, notation_of(key, d));
    if (orbit.size == 0) {
      LatticePoint image = key.step;
      do {
        ++orbit.size;
      } while (std::prev_permutation(image.begin(), image.begin() + d));
      const std::string from = !plain       ? "the heaps, in any order"
                               : taken == 1 ? "one heap"
                               : taken == d ? fmt::format("the {} heaps", d)
                                            : fmt::format("any {} heaps", taken);
      orbit.words = words_of(key, d, from);
    }
    orbit.members.push_back(notation_of(ray, d));
    orbit.member_words.push_back(
        words_of(ray, d,
                 plain ? fmt::format("heap{} {}", taken > 1 ? "s" : "", heap_list(support))
                       : fmt::format("heaps {}", heap_list((1u << d) - 1))));
  }
  for (const LatticeBand& band : moves.bands) {
    const auto words = [&](const std::string& pair) {
      return fmt::format(
          "take k >= 1 tokens from one and l >= 1 from the other of {}, |k - l| < {}", pair,
          band.width);
    };
    Orbit& orbit = orbit_of(orbits, fmt::format("band(1,2;{})", band.width));
    orbit.size = binomial(d, 2);
    orbit.words = words(d == 2 ? "the heaps" : "any two heaps");
    orbit.members.push_back(
        fmt::format("band({},{};{})", band.first + 1, band.second + 1, band.width));
    orbit.member_words.push_back(
        words(fmt::format("heaps {} and {}", band.first + 1, band.second + 1)));
  }
  for (const LatticeBox& box : moves.boxes) {
    const auto taken = static_cast<unsigned>(std::popcount(box.heaps));
    const auto text = [](std::uint32_t mask) {
      std::vector<int> numbers;
      for (int i = 0; mask >> i != 0; ++i) {
        if (mask >> i & 1) numbers.push_back(i + 1);
      }
      return fmt::format("box({})", fmt::join(numbers, ","));
    };
    Orbit& orbit = orbit_of(orbits, text((1u << taken) - 1));
    orbit.size = binomial(d, taken);
    const auto words = [&](const std::string& heaps) {
      return fmt::format("reduce {}{} by any number of tokens", heaps, taken > 1 ? ", each" : "");
    };
    orbit.words = words(taken == 1   ? "one heap"
                        : taken == d ? "all heaps"
                                     : fmt::format("any {} heaps", taken));
    orbit.members.push_back(text(box.heaps));
    orbit.member_words.push_back(
        words(fmt::format("heap{} {}", taken > 1 ? "s" : "", heap_list(box.heaps))));
  }
  return orbits;
}

template <class T>
void sort_unique(std::vector<T>& items) {
  std::ranges::sort(items);
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

/// Makes one ray for every step: `any multiple` absorbs sets of multiples, and sets are united.
void join_rays(std::vector<LatticeRay>& rays) {
  std::vector<LatticeRay> joined;
  std::ranges::sort(rays);
  for (LatticeRay& ray : rays) {
    if (joined.empty() || joined.back().step != ray.step) {
      joined.push_back(std::move(ray));
    } else if (!joined.back().multiples.empty()) {  // rays of any multiple come first
      auto& all = joined.back().multiples;
      all.insert(all.end(), ray.multiples.begin(), ray.multiples.end());
      sort_unique(all);
    }
  }
  rays = std::move(joined);
}

/// The same moves; those that take as many tokens from one heap as from another are rays.
LatticeMoves in_rays(LatticeMoves moves) {
  const auto add_ray = [&](unsigned first, unsigned second) {
    LatticeRay ray;
    ray.step[first] = ray.step[second] = 1;
    moves.rays.push_back(ray);
  };
  for (const LatticeBand& band : moves.bands) {
    if (band.width == 1) add_ray(band.first, band.second);
  }
  std::erase_if(moves.bands, [](const LatticeBand& band) { return band.width == 1; });
  if (moves.heaps == 2 && std::erase(moves.families, LatticeFamily::kBalanced) > 0) add_ray(0, 1);
  join_rays(moves.rays);
  return moves;
}

void check(const LatticeMoves& moves) {
  const unsigned d = moves.heaps;
  if (d < kMinLatticeHeaps || d > kMaxLatticeHeaps) {
    refuse(fmt::format("a lattice game has {} to {} heaps, not {}", kMinLatticeHeaps,
                       kMaxLatticeHeaps, d));
  }
  const std::size_t primitives =
      moves.rays.size() + moves.bands.size() + moves.boxes.size() + moves.families.size();
  if (primitives == 0) refuse("the rule has no moves; Nim with 2 heaps is 2: sym (1,0)*");
  if (primitives > kMaxPrimitives) {
    refuse(fmt::format("the rule has {} primitives; at most {} are allowed", primitives,
                       kMaxPrimitives));
  }
  for (const LatticeRay& ray : moves.rays) {
    const std::string text = notation_of(ray, d);
    const std::span<const std::uint32_t> step(ray.step);
    if (std::ranges::any_of(step.subspan(d), [](auto v) { return v != 0; })) {
      refuse(
          fmt::format("the step ({}) has more entries than the {} heaps", fmt::join(step, ","), d));
    }
    if (std::ranges::all_of(step, [](auto v) { return v == 0; })) {
      refuse("the move " + text + " takes nothing; every move must take a token");
    }
    if (std::ranges::find(ray.multiples, 0u) != ray.multiples.end()) {
      refuse("the move " + text + " takes nothing for the multiple 0; multiples start at 1");
    }
  }
  for (const LatticeBand& band : moves.bands) {
    if (band.first >= band.second || band.second >= d) {
      refuse(fmt::format("a band joins two different heaps of 1 to {}", d));
    }
    if (band.width == 0) refuse("a band of width 0 has no moves; the least width is 1");
  }
  for (const LatticeBox& box : moves.boxes) {
    if (box.heaps == 0 || box.heaps >> d != 0) {
      refuse(fmt::format("a box needs at least one heap, and only heaps 1 to {}", d));
    }
  }
  for (const LatticeFamily family : moves.families) {
    if (d != 2 && (family == LatticeFamily::kEuclid || family == LatticeFamily::kEuclidToZero)) {
      refuse(fmt::format("Euclid's moves need 2 heaps, not {}", d));
    }
  }
}

}  // namespace

LatticeRule::LatticeRule(LatticeMoves moves) : written_(std::move(moves)) {
  for (LatticeRay& ray : written_.rays) sort_unique(ray.multiples);
  check(written_);
  // With two heaps, each heap is the first or the last one that is not empty.
  if (written_.heaps == 2 && std::erase(written_.families, LatticeFamily::kEnds) > 0) {
    written_.rays.push_back({.step = {1, 0}, .multiples = {}});
    written_.rays.push_back({.step = {0, 1}, .multiples = {}});
  }
  join_rays(written_.rays);
  for (const LatticeRay& ray : written_.rays) {
    if (ray.multiples.size() > kMaxMultiples) {
      refuse(fmt::format("a step has {} multiples; at most {} are allowed", ray.multiples.size(),
                         kMaxMultiples));
    }
  }
  sort_unique(written_.bands);
  sort_unique(written_.boxes);
  sort_unique(written_.families);
  moves_ = in_rays(written_);
  symmetric_ = std::ranges::all_of(orbits_of(moves_), &Orbit::complete) &&
               std::ranges::find(moves_.families, LatticeFamily::kEnds) == moves_.families.end();
}

std::string LatticeRule::canonical() const {
  std::vector<std::string> terms;
  for (const Orbit& orbit : orbits_of(written_)) {
    if (orbit.complete() && orbit.size > 1) {
      terms.push_back("sym " + orbit.notation);
    } else {
      terms.insert(terms.end(), orbit.members.begin(), orbit.members.end());
    }
  }
  for (const LatticeFamily family : written_.families) terms.emplace_back(named(family).word);
  if (written_.pass) terms.emplace_back(kPassWord);
  if (written_.misere) terms.emplace_back(kMisereWord);
  return fmt::format("{}: {}", written_.heaps, fmt::join(terms, " + "));
}

std::string LatticeRule::describe() const {
  std::vector<std::string> moves;
  for (const Orbit& orbit : orbits_of(written_)) {
    if (orbit.complete()) {
      moves.push_back(orbit.words);
    } else {
      moves.insert(moves.end(), orbit.member_words.begin(), orbit.member_words.end());
    }
  }
  for (const LatticeFamily family : written_.families) moves.emplace_back(named(family).words);
  std::string text =
      fmt::format("Position: {} heaps. A move: {}.", written_.heaps, fmt::join(moves, "; or "));
  if (written_.pass) {
    text += " Once in the game, from a position that has another move, a player may pass.";
  }
  return text + (written_.misere ? " The player who cannot move wins (misère play)."
                                 : " The player who cannot move loses.");
}

bool names_misere_play(std::string_view canonical) noexcept {
  return canonical.ends_with(kMisereWord);
}

}  // namespace grundy
