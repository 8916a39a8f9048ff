// SPDX-License-Identifier: MIT
#include "engines/lattice/set_plan.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include <grundy/lattice/rank.hpp>

namespace grundy {
namespace {

using Heaps = std::vector<unsigned>;  // in ascending order

/// The heaps in a mask.
Heaps heaps_in(std::uint32_t mask) {
  Heaps heaps;
  for (; mask != 0; mask &= mask - 1) heaps.push_back(std::countr_zero(mask));
  return heaps;
}

class Planner {
 public:
  Planner(const LatticeRule& rule, const LatticeShape& shape, std::uint32_t window)
      : moves_(rule.moves()), d_(shape.heaps), all_((1u << d_) - 1), sorted_(shape.sorted) {
    plan_.heaps = d_;
    plan_.sorted = sorted_;
    plan_.extent = shape.extent;
    plan_.window = window;
  }

  SetPlan make() {
    plan_.position.base = 0;
    number(plan_.position, heaps_in(all_));
    for (const LatticeRay& ray : moves_.rays) add_ray(ray);
    for (const LatticeBand& band : moves_.bands) add_band(band);
    for (const LatticeBox& box : moves_.boxes) add_box(box);
    for (const LatticeFamily family : moves_.families) {
      if (family == LatticeFamily::kChomp) add_chomp();
      if (family == LatticeFamily::kEnds) add_ends();
    }
    std::ranges::sort(plan_.vectors);
    plan_.vectors.erase(std::unique(plan_.vectors.begin(), plan_.vectors.end()),
                        plan_.vectors.end());
    return std::move(plan_);
  }

 private:
  // ---- numbers

  template <class Term>
  void add(SetNumber& to, unsigned heap, Term&& term) const {
    auto& part = to.part[heap];
    part.resize(plan_.extent[heap]);
    for (std::uint64_t y = 0; y < part.size(); ++y) part[y] += term(y);
  }

  /// Adds a numbering of the sizes of `heaps`, `stride` apart: ranks if the table is sorted,
  /// row-major otherwise. Returns the number of numbers. The sizes of the heap `raised` count as
  /// one more.
  std::uint64_t number(SetNumber& to, const Heaps& heaps, std::uint64_t stride = 1,
                       unsigned raised = SetCondition::kNone) const {
    if (sorted_) {
      auto left = static_cast<unsigned>(heaps.size());
      const std::uint64_t count = sorted_count(left, plan_.extent[0] + 1ull);
      for (const unsigned heap : heaps) {
        add(to, heap, [&](std::uint64_t y) {
          return stride * sorted_count(left, y + (heap == raised ? 1 : 0));
        });
        --left;
      }
      return count;
    }
    std::uint64_t count = 1;
    for (auto heap = heaps.rbegin(); heap != heaps.rend(); ++heap) {
      add(to, *heap, [&](std::uint64_t y) { return stride * count * y; });
      count *= plan_.extent[*heap];
    }
    return count;
  }

  /// Numbers the sets of the slabs in the window; every slab has `stride` sets.
  std::uint64_t number_window(SetNumber& to, std::uint64_t stride) {
    add(to, 0, [&](std::uint64_t y) { return y % plan_.window * stride; });
    plan_.windows.push_back({plan_.sets, stride});
    return plan_.window * stride;
  }

  /// Numbers the lines of direction `step`. Let c be the heap of the largest entry. A line is
  /// identified by y[c] mod step[c], by y[i] - step[i] floor(y[c] / step[c]) for the other heaps i,
  /// and by the sizes of the heaps with entry 0. Returns the number of lines. If `local`, y[0] is
  /// left out, and the lines are those of one slab.
  std::uint64_t number_lines(SetNumber& to, const LatticePoint& step, bool local) const {
    Heaps order(d_);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](unsigned i, unsigned j) { return step[i] > step[j]; });
    const unsigned c = order.front();
    const std::uint64_t unit = step[c];
    Heaps still;
    std::uint64_t stride = 1;
    for (unsigned k = d_ - 1; k > 0; --k) {
      const unsigned i = order[k];
      if (step[i] == 0) {
        if (i > 0 || !local) still.insert(still.begin(), i);
        continue;
      }
      const std::uint64_t offset = step[i] * ((plan_.extent[c] - 1) / unit);
      // If entries are equal and heaps are sorted, the heap of the first of these entries is the
      // largest.
      const std::uint64_t most =
          sorted_ && step[i] == unit ? unit - 1 : std::uint64_t{plan_.extent[i]} - 1;
      add(to, i, [&](std::uint64_t y) { return stride * y; });
      add(to, c, [&](std::uint64_t y) { return stride * (offset - step[i] * (y / unit)); });
      // An odd number, because caches perform badly with strides that are powers of two.
      stride *= (offset + most + 1) | 1;
    }
    add(to, c, [&](std::uint64_t y) { return stride * (y % unit); });
    stride *= std::min<std::uint64_t>(unit, plan_.extent[c]);
    return stride * number(to, still, stride);
  }

  /// Takes the next `count` numbers of sets for `to`.
  void allocate(SetNumber& to, std::uint64_t count) {
    to.base = plan_.sets;
    plan_.sets += count;
  }

  /// The access that finds the set of p - e_heap for p.
  static SetAccess shifted(SetAccess access, unsigned heap) {
    auto& part = access.number.part[heap];
    if (!part.empty()) {
      std::shift_right(part.begin(), part.end(), 1);
      part.front() = 0;
    }
    access.when.nonempty |= static_cast<std::uint8_t>(1u << heap);
    return access;
  }

  // ---- primitives

  /// Calls `take` with an access to the lines of direction `step`. In a sorted table, calls it once
  /// for every permutation if `step` descends, and not at all otherwise.
  template <class Take>
  void for_lines(LatticePoint step, Take&& take) {
    const auto end = step.begin() + d_;
    if (sorted_ && !std::is_sorted(step.begin(), end, std::greater<>())) return;
    const bool local = !sorted_ && step[0] == 0;
    bool first = true;
    const std::uint64_t base = plan_.sets;
    do {
      SetAccess access;
      std::uint64_t count = number_lines(access.number, step, local);
      if (local) count = number_window(access.number, count);
      if (first) plan_.sets += count;
      first = false;
      access.number.base = base;
      take(std::move(access), step);
    } while (sorted_ && std::prev_permutation(step.begin(), end));
  }

  void add_ray(const LatticeRay& ray) {
    if (ray.multiples.empty()) {
      for_lines(ray.step, [&](SetAccess access, const LatticePoint&) {
        plan_.marked.push_back(std::move(access));
      });
    }
    const std::uint64_t most = std::ranges::max(ray.step);
    for (const std::uint64_t t : ray.multiples) {
      if (t * most >= *std::max_element(plan_.extent.begin(), plan_.extent.begin() + d_)) break;
      LatticePoint v{};
      for (unsigned i = 0; i < d_; ++i) v[i] = static_cast<std::uint32_t>(t * ray.step[i]);
      plan_.vectors.push_back(v);
    }
  }

  void add_band(const LatticeBand& band) {
    if (sorted_ && (band.first != 0 || band.second != 1)) return;
    LatticePoint both{};
    both[band.first] = both[band.second] = 1;
    for_lines(both, [&](SetAccess access, const LatticePoint& step) {
      SetGather gather{std::move(access), {}};
      Heaps pair;
      for (unsigned i = 0; i < d_; ++i) {
        if (step[i] > 0) pair.push_back(i);
      }
      gather.set.when.nonempty = static_cast<std::uint8_t>(1u << pair[0] | 1u << pair[1]);
      for (std::uint32_t e = 0; e < band.width; ++e) {
        LatticePoint s = step;
        for (const unsigned i : pair) {
          s = step;
          s[i] += e;
          if (s[i] < plan_.extent[i]) gather.steps.push_back(s);
          if (e == 0) break;
        }
        if (e > plan_.extent[pair[0]] && e > plan_.extent[pair[1]]) break;
      }
      plan_.gathers.push_back(std::move(gather));
    });
  }

  void add_box(const LatticeBox& box) {
    const auto taken = static_cast<unsigned>(std::popcount(box.heaps));
    if (taken == 1) {
      LatticeRay ray;
      ray.step[std::countr_zero(box.heaps)] = 1;
      return add_ray(ray);
    }
    if (!sorted_) return add_plain_box(box.heaps);
    if (box.heaps == (1u << taken) - 1) add_sorted_boxes(taken);
  }

  /// The access to S in the present slab, or in the slab before it if `before`.
  SetAccess slab_set(SetNumber number, std::uint64_t count, bool before) const {
    add(number, 0, [&](std::uint64_t y) { return (y + (before ? 1 : 0)) % 2 * count; });
    SetAccess access{std::move(number), {}};
    if (before) access.when.nonempty = 1;
    return access;
  }

  static SetAccess shifted_all(SetAccess access, const Heaps& heaps) {
    for (const unsigned i : heaps) access = shifted(std::move(access), i);
    return access;
  }

  void add_plain_box(std::uint32_t mask) {
    const bool deep = (mask & 1) != 0;  // the box reaches into the slab before
    const Heaps inner = heaps_in(mask & ~1u);
    SetNumber number_of;
    const std::uint64_t count = number(number_of, heaps_in(all_ & ~1u));
    allocate(number_of, deep ? 2 * count : count);
    const SetAccess now = deep ? slab_set(number_of, count, false) : SetAccess{number_of, {}};
    SetUpdate update{now, {}};
    for (const unsigned i : inner) update.from.push_back(shifted(now, i));
    if (deep) update.from.push_back(slab_set(number_of, count, true));
    plan_.read.push_back(shifted_all(deep ? update.from.back() : now, inner));
    plan_.updates.push_back(std::move(update));
  }

  /// Adds all boxes of `taken` heaps. A set is identified by two lists of sizes: F, of the heaps
  /// that are not reduced, and B, of the heaps that are. If y[0] is in B, the set belongs to one of
  /// two slabs and is numbered by F and the rest of B. Otherwise y[0] is in F and is left out of
  /// the number.
  void add_sorted_boxes(unsigned taken) {
    SetNumber flat;
    const auto number_flat = [&](std::uint32_t mask) {
      SetNumber n;
      n.base = flat.base;
      const std::uint64_t count = number(n, heaps_in(mask));
      return std::pair(n, count * number(n, heaps_in(all_ & ~mask & ~1u), count));
    };
    if (taken < d_) allocate(flat, number_flat(((1u << taken) - 1) << 1).second);
    for (std::uint32_t mask = 2; mask <= all_; mask += 2) {
      if (std::popcount(mask) != static_cast<int>(taken)) continue;
      const Heaps heaps = heaps_in(mask);
      const SetAccess now{number_flat(mask).first, {}};
      plan_.read.push_back(shifted_all(now, heaps));
      plan_.updates.push_back({now, smaller(now, heaps, 0)});
    }
    SetNumber deep;
    const auto number_deep = [&](std::uint32_t mask) {
      SetNumber n;
      n.base = deep.base;
      const std::uint64_t count = number(n, heaps_in(mask & ~1u));
      return std::pair(n, count * number(n, heaps_in(all_ & ~mask), count));
    };
    const std::uint64_t count = number_deep((1u << taken) - 1).second;
    allocate(deep, 2 * count);
    for (std::uint32_t mask = 1; mask <= all_; mask += 2) {
      if (std::popcount(mask) != static_cast<int>(taken)) continue;
      add_deep_box(mask, number_deep(mask).first, count, number_flat);
    }
  }

  template <class NumberFlat>
  void add_deep_box(std::uint32_t mask, const SetNumber& number_of, std::uint64_t count,
                    NumberFlat&& number_flat) {
    const Heaps heaps = heaps_in(mask);
    SetAccess now = slab_set(number_of, count, false);
    SetAccess before = slab_set(number_of, count, true);
    SetUpdate update{now, smaller(now, heaps, 1)};
    before.when.above = 0;
    before.when.below = static_cast<std::uint8_t>(heaps[1]);
    update.from.push_back(before);
    before.when.above = before.when.below = SetCondition::kNone;
    const std::uint32_t outside = all_ & ~mask;
    if (outside != 0) {
      // If the largest heap of F equals y[0], this set is also that of a box without y[0]. The next
      // slab cannot see that box, so the set is copied.
      const auto first = static_cast<std::uint8_t>(std::countr_zero(outside));
      before.when.above = update.into.when.above = 0;
      before.when.below = update.into.when.below = first;
      SetUpdate copy{now, {{number_flat((mask & ~1u) | 1u << first).first, {}}}};
      copy.into.when.equal_last = first;
      plan_.updates.push_back(std::move(copy));
    }
    plan_.updates.push_back(std::move(update));
    plan_.read.push_back(shifted_all(before, Heaps(heaps.begin() + 1, heaps.end())));
  }

  /// The sets S(p - e_i) for the heaps i from index `from` on. Of equal heaps only the last one is
  /// reduced, so that the heaps stay sorted.
  static std::vector<SetAccess> smaller(const SetAccess& now, const Heaps& heaps,
                                        std::size_t from) {
    std::vector<SetAccess> out;
    for (std::size_t k = from; k < heaps.size(); ++k) {
      out.push_back(shifted(now, heaps[k]));
      if (k + 1 == heaps.size()) break;
      out.back().when.above = static_cast<std::uint8_t>(heaps[k]);
      out.back().when.below = static_cast<std::uint8_t>(heaps[k + 1]);
    }
    return out;
  }

  void add_chomp() {
    for (unsigned i = 0; i < d_; ++i) {
      for (unsigned k = i; k < d_; ++k) {
        // The rows that identify the set; for i < k also the number of squares of row k.
        const std::uint32_t chain = (1u << k) - (1u << i);
        const std::uint32_t fixed = all_ & ~chain & ~(i == k ? 1u << i : 0);
        const auto access = [&](unsigned raised) {
          SetAccess out;
          out.number.base = plan_.sets;
          const std::uint64_t count =
              number(out.number, heaps_in(fixed & (i > 0 ? ~1u : ~0u)), 1, raised);
          if (i > 0) {
            add(out.number, 0, [&](std::uint64_t y) { return y % plan_.window * count; });
          }
          return std::pair(out, count);
        };
        auto [now, count] = access(SetCondition::kNone);
        if (i == k) {
          now.when.some_token = true;
          plan_.marked.push_back(now);
        } else {
          plan_.read.push_back(now);
          SetUpdate update{access(k).first, {now}};
          SetCondition& when = update.into.when;
          when.some_token = true;
          when.equal_first = static_cast<std::uint8_t>(i);
          when.equal_last = static_cast<std::uint8_t>(k);
          if (i > 0) {
            when.above = static_cast<std::uint8_t>(i - 1);
            when.below = static_cast<std::uint8_t>(i);
          }
          plan_.updates.push_back(std::move(update));
        }
        if (i > 0) plan_.windows.push_back({plan_.sets, count});
        plan_.sets += i > 0 ? plan_.window * count : count;
      }
    }
  }

  void add_ends() {
    for (unsigned heap = 0; heap < d_; ++heap) {
      LatticePoint step{};
      step[heap] = 1;
      const std::uint32_t before = (1u << heap) - 1;
      const std::uint32_t behind = all_ & ~before & ~(1u << heap);
      for (const std::uint32_t empty : {before, behind}) {
        for_lines(step, [&](SetAccess access, const LatticePoint&) {
          access.when.empty = static_cast<std::uint8_t>(empty);
          plan_.marked.push_back(std::move(access));
        });
      }
    }
  }

  const LatticeMoves& moves_;
  const unsigned d_;
  const std::uint32_t all_;
  const bool sorted_;
  SetPlan plan_;
};

}  // namespace

bool SetCondition::holds(const LatticePoint& y) const noexcept {
  for (unsigned i = 0; (empty | nonempty) >> i != 0; ++i) {
    if ((empty >> i & 1) != 0 && y[i] > 0) return false;
    if ((nonempty >> i & 1) != 0 && y[i] == 0) return false;
  }
  if (above != kNone && y[above] <= y[below]) return false;
  for (unsigned i = equal_first; i < equal_last; ++i) {
    if (y[i] != y[i + 1]) return false;
  }
  return !some_token || std::ranges::any_of(y, [](auto heap) { return heap > 0; });
}

std::uint32_t SetPlan::reach() const noexcept {
  std::uint32_t most = 0;
  for (const LatticePoint& v : vectors) most = std::max(most, std::ranges::max(v));
  for (const SetGather& gather : gathers) {
    for (const LatticePoint& s : gather.steps) most = std::max(most, std::ranges::max(s));
  }
  return most;
}

SetPlan make_set_plan(const LatticeRule& rule, const LatticeShape& shape, std::uint32_t window) {
  return Planner(rule, shape, window).make();
}

}  // namespace grundy
