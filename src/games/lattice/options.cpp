// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include <grundy/lattice/options.hpp>

namespace grundy {
namespace {

using Visit = std::function<void(const LatticePoint&)>;

/// The largest t for which p - t * step has no negative heap.
std::uint32_t largest_multiple(const LatticePoint& p, const LatticePoint& step) noexcept {
  std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  for (unsigned i = 0; i < kMaxLatticeHeaps; ++i) {
    if (step[i] > 0) most = std::min(most, p[i] / step[i]);
  }
  return most;
}

void ray_options(const LatticeRay& ray, const LatticePoint& p, const Visit& visit) {
  const auto take = [&](std::uint32_t t) {
    LatticePoint q = p;
    for (unsigned i = 0; i < kMaxLatticeHeaps; ++i) q[i] -= t * ray.step[i];
    visit(q);
  };
  const std::uint32_t most = largest_multiple(p, ray.step);
  if (ray.multiples.empty()) {
    for (std::uint32_t t = 1; t <= most; ++t) take(t);
  }
  for (const std::uint32_t t : ray.multiples) {
    if (t > most) break;
    take(t);
  }
}

void band_options(const LatticeBand& band, const LatticePoint& p, const Visit& visit) {
  LatticePoint q = p;
  for (std::uint32_t k = 1; k <= p[band.first]; ++k) {
    q[band.first] = p[band.first] - k;
    const std::uint32_t least = k < band.width ? 1 : k - band.width + 1;
    for (std::uint32_t l = least; l <= p[band.second] && (l < k || l - k < band.width); ++l) {
      q[band.second] = p[band.second] - l;
      visit(q);
    }
  }
}

/// Visits every way to reduce all heaps of `left`; the other heaps are as in q.
void box_options(std::uint32_t left, const LatticePoint& p, LatticePoint q, const Visit& visit) {
  if (left == 0) return visit(q);
  const auto heap = static_cast<unsigned>(std::countr_zero(left));
  for (q[heap] = 0; q[heap] < p[heap]; ++q[heap]) box_options(left & (left - 1), p, q, visit);
}

/// The size of the heaps in `mask` if they are all equal and not empty; 0 otherwise.
std::uint32_t common_size(std::uint32_t mask, const LatticePoint& p) noexcept {
  const std::uint32_t size = p[static_cast<unsigned>(std::countr_zero(mask))];
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    if (p[static_cast<unsigned>(std::countr_zero(left))] != size) return 0;
  }
  return size;
}

/// Cuts some heaps of one size, and every smaller heap with them.
void chomp_options(unsigned heaps, const LatticePoint& p, const Visit& visit) {
  for (std::uint32_t cut = 1; cut < 1u << heaps; ++cut) {
    const std::uint32_t size = common_size(cut, p);
    for (std::uint32_t j = 0; j < size; ++j) {
      LatticePoint q = p;
      for (unsigned i = 0; i < heaps; ++i) {
        if (p[i] < size || (cut >> i & 1) != 0) q[i] = std::min(q[i], j);
      }
      if (q != LatticePoint{}) visit(q);
    }
  }
}

/// Reduces a heap that is not the smaller one; if both are equal, each of them.
void euclid_options(bool to_zero, const LatticePoint& p, const Visit& visit) {
  for (unsigned larger = 0; larger < 2; ++larger) {
    const std::uint32_t step = p[1 - larger];
    if (step == 0 || p[larger] < step) continue;
    LatticePoint q = p;
    while (to_zero ? q[larger] >= step : q[larger] > step) {
      q[larger] -= step;
      visit(q);
    }
  }
}

void end_options(unsigned heaps, const LatticePoint& p, const Visit& visit) {
  unsigned first = 0;
  while (first < heaps && p[first] == 0) ++first;
  if (first == heaps) return;
  unsigned last = heaps - 1;
  while (p[last] == 0) --last;
  box_options(1u << first, p, p, visit);
  if (last != first) box_options(1u << last, p, p, visit);
}

/// Visits the amounts for the heaps from `heap` on whose nim-sum with `sum` is zero.
void balanced_options(unsigned heaps, unsigned heap, std::uint32_t sum, const LatticePoint& p,
                      LatticePoint q, const Visit& visit) {
  if (heap == heaps - 1) {
    if (sum > p[heap]) return;
    q[heap] = p[heap] - sum;
    if (q != p) visit(q);
    return;
  }
  for (std::uint32_t take = 0; take <= p[heap]; ++take) {
    q[heap] = p[heap] - take;
    balanced_options(heaps, heap + 1, sum ^ take, p, q, visit);
  }
}

void family_options(LatticeFamily family, unsigned heaps, const LatticePoint& p,
                    const Visit& visit) {
  switch (family) {
    case LatticeFamily::kChomp:
      return chomp_options(heaps, p, visit);
    case LatticeFamily::kEuclid:
    case LatticeFamily::kEuclidToZero:
      return euclid_options(family == LatticeFamily::kEuclidToZero, p, visit);
    case LatticeFamily::kEnds:
      return end_options(heaps, p, visit);
    case LatticeFamily::kBalanced:
      return balanced_options(heaps, 0, 0, p, p, visit);
  }
}

}  // namespace

void for_each_option(const LatticeRule& rule, const LatticePoint& p, const Visit& visit) {
  const LatticeMoves& moves = rule.moves();
  for (const LatticeRay& ray : moves.rays) ray_options(ray, p, visit);
  for (const LatticeBand& band : moves.bands) band_options(band, p, visit);
  for (const LatticeBox& box : moves.boxes) box_options(box.heaps, p, p, visit);
  for (const LatticeFamily family : moves.families) family_options(family, moves.heaps, p, visit);
}

void for_each_option(const LatticeRule& rule, const LatticePoint& p, unsigned plane,
                     const std::function<void(const LatticePoint&, unsigned)>& visit) {
  bool terminal = true;
  for_each_option(rule, p, [&](const LatticePoint& option) {
    terminal = false;
    visit(option, plane);
  });
  if (plane > 0 && !terminal) visit(p, 0);
}

bool is_terminal(const LatticeRule& rule, const LatticePoint& p) {
  const LatticeMoves& moves = rule.moves();
  const auto takes = [&p](const LatticeRay& ray) {
    return largest_multiple(p, ray.step) >= (ray.multiples.empty() ? 1 : ray.multiples.front());
  };
  if (std::ranges::any_of(moves.rays, takes)) return false;
  bool terminal = true;
  const Visit see = [&terminal](const LatticePoint&) { terminal = false; };
  for (const LatticeBand& band : moves.bands) {
    terminal = terminal && (p[band.first] == 0 || p[band.second] == 0);
  }
  for (const LatticeBox& box : moves.boxes) {
    std::uint32_t left = box.heaps;
    while (left != 0 && p[static_cast<unsigned>(std::countr_zero(left))] > 0) left &= left - 1;
    terminal = terminal && left != 0;
  }
  for (const LatticeFamily family : moves.families) {
    if (terminal) family_options(family, moves.heaps, p, see);
  }
  return terminal;
}

double option_bound(const LatticeRule& rule, const LatticePoint& p) noexcept {
  const LatticeMoves& moves = rule.moves();
  double tokens = 0;
  for (const std::uint32_t heap : p) tokens += heap;
  double bound = 0;
  for (const LatticeRay& ray : moves.rays) {
    const std::size_t most = largest_multiple(p, ray.step);
    bound +=
        static_cast<double>(ray.multiples.empty() ? most : std::min(most, ray.multiples.size()));
  }
  for (const LatticeBand& band : moves.bands) {
    bound += p[band.first] * std::min(2.0 * band.width - 1, 1.0 * p[band.second]);
  }
  for (const LatticeBox& box : moves.boxes) {
    double ways = 1;
    for (unsigned i = 0; i < moves.heaps; ++i) ways *= (box.heaps >> i & 1) != 0 ? p[i] : 1.0;
    bound += ways;
  }
  for (const LatticeFamily family : moves.families) {
    double ways = tokens;
    if (family == LatticeFamily::kChomp) {  // `cut` in chomp_options()
      ways = 0;
      for (std::uint32_t cut = 1; cut < 1u << moves.heaps; ++cut) ways += common_size(cut, p);
    }
    if (family == LatticeFamily::kBalanced) {  // the last amount follows from the others
      ways = 1;
      for (unsigned i = 0; i + 1 < moves.heaps; ++i) ways *= p[i] + 1.0;
    }
    bound += ways;
  }
  return bound;
}

}  // namespace grundy
