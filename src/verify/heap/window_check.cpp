// SPDX-License-Identifier: MIT
#include "verify/heap/window_check.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "theory/sparse_certificate.hpp"
#include "verify/heap/pair_moves.hpp"
#include "verify/heap/value_split.hpp"

namespace grundy {
namespace {

/// The least number of heaps of a task.
constexpr HeapSize kPart = 1u << 17;

/// The moves, if a sparse space says something about them: some move splits, and none must leave
/// two equal heaps.
std::optional<PairMoves> moves_with_splits(const HeapRule& rule) {
  auto moves = PairMoves::from(rule, 0);
  if (!moves || moves->splits.empty() || !moves->halves.empty()) return std::nullopt;
  return moves;
}

/// Lowers `first` to `heap` if `heap` is smaller.
void lower(std::atomic<HeapSize>& first, HeapSize heap) {
  HeapSize seen = first.load();
  while (heap < seen && !first.compare_exchange_weak(seen, heap)) {
  }
}

class WindowCheck {
 public:
  WindowCheck(const ValuesClaim& claim, const PairMoves& moves, Executor& executor)
      : claim_(claim),
        period_(claim.period),
        claims_(period_.sparse.value()),
        moves_(moves),
        split_(moves, claims_.mask, claims_.parity),
        executor_(executor) {}

  [[nodiscard]] std::optional<WrongValue> run() const {
    if (auto wrong = check_rare_heaps()) return wrong;
    return check_depth();
  }

 private:
  [[nodiscard]] std::vector<Nimber> values(HeapSize begin, HeapSize end) const {
    std::vector<Nimber> result(end - begin);
    claim_.read(begin, result);
    return result;
  }

  /// Calls body(begin, end) in parallel for parts of the heaps from .. to - 1.
  template <class Body>
  void for_parts(HeapSize from, HeapSize to, HeapSize part, Body body) const {
    executor_.parallel_for((to - from + part - 1) / part, [&](std::size_t i) {
      const HeapSize begin = from + i * part;
      body(begin, std::min(to, begin + part));
    });
  }

  [[nodiscard]] std::optional<WrongValue> check_rare_heaps() const {
    std::atomic<std::uint64_t> rare = 0;
    std::atomic<HeapSize> last = 0;
    std::atomic<HeapSize> late = claims_.count;  // the first rare heap after the last claimed one
    for_parts(1, claims_.count, std::max(kPart, claim_.piece), [&](HeapSize begin, HeapSize end) {
      const std::vector<Nimber> part = values(begin, end);
      std::uint64_t here = 0;
      HeapSize latest = 0;
      for (HeapSize n = begin; n < end; ++n) {
        if (split_.common(n, part[n - begin])) continue;
        ++here;
        latest = n;
        if (n > claims_.last_rare) lower(late, n);
      }
      rare += here;
      HeapSize seen = last.load();
      while (seen < latest && !last.compare_exchange_weak(seen, latest)) {
      }
    });
    if (late < claims_.count) {
      return WrongValue{late, fmt::format("heap {} is rare under mask {:#x}, but the window "
                                          "certificate says that heap {} is the last",
                                          late.load(), claims_.mask, claims_.last_rare)};
    }
    if (rare != claims_.rare || last != claims_.last_rare) {
      return WrongValue{
          last,
          fmt::format("{} heaps are rare under mask {:#x}, the last of them {}, "
                      "but the window certificate says {} and {}",
                      rare.load(), claims_.mask, last.load(), claims_.rare, claims_.last_rare)};
    }
    return std::nullopt;
  }

  /// The number of values of the rare type below each value, at even and at odd heaps.
  [[nodiscard]] std::array<std::vector<Nimber>, 2> rare_types_below() const {
    std::array<std::vector<Nimber>, 2> below;
    for (HeapSize parity = 0; parity < 2; ++parity) {
      Nimber count = 0;
      for (Nimber v = 0; v <= claim_.largest; ++v) {
        below[parity].push_back(count);
        count += split_.common(parity, v) ? 0 : 1;
      }
    }
    return below;
  }

  [[nodiscard]] std::optional<WrongValue> check_depth() const {
    const HeapSize end = period_.verified_to;
    const HeapSize reach =
        claims_.depth + moves_.largest_removal();  // partners lie no further back
    const auto below = rare_types_below();
    const std::vector<Nimber> first = values(0, claims_.depth + 1);
    std::atomic<HeapSize> wrong = end;
    for_parts(end - period_.period, end, std::max({kPart, claim_.piece, reach}),
              [&](HeapSize from, HeapSize to) {
                if (from >= wrong.load(std::memory_order_relaxed)) return;
                const HeapSize begin = from - std::min(from, reach);
                const std::vector<Nimber> part = values(begin, to);
                std::vector<std::uint32_t> met(below[0].size(), 0);
                for (HeapSize n = from; n < to; ++n) {
                  const auto mark = static_cast<std::uint32_t>(n - from + 1);
                  if (reaches_all(n, part.data() - begin, first, below[n % 2], met, mark)) continue;
                  lower(wrong, n);
                  return;
                }
              });
    if (wrong == end) return std::nullopt;
    return WrongValue{wrong,
                      fmt::format("the window certificate says that splits with a heap of at "
                                  "most {} reach every rare value below that of heap {}, "
                                  "but they do not",
                                  claims_.depth, wrong.load())};
  }

  /// @param at where the value of heap 0 would be
  /// @param first the values of the first heaps
  [[nodiscard]] bool reaches_all(HeapSize n, const Nimber* at, const std::vector<Nimber>& first,
                                 const std::vector<Nimber>& below, std::vector<std::uint32_t>& met,
                                 std::uint32_t mark) const {
    const Nimber value = at[n];
    Nimber missing = below[value];
    const auto meet = [&](Nimber option) {
      if (option >= value || met[option] == mark) return;
      met[option] = mark;
      if (!split_.common(n, option)) --missing;
    };
    for (const HeapSize removed : moves_.single) {
      if (removed < n) meet(at[n - removed]);
    }
    for (const PairMoves::Split& split : moves_.splits) {
      if (split.least == 0 && split.removed < n) meet(at[n - split.removed]);
    }
    if (std::ranges::binary_search(moves_.whole, n)) meet(0);
    for (HeapSize a = 1; a <= claims_.depth && missing > 0; ++a) {
      for (const PairMoves::Split& split : moves_.splits) {
        if (a < split.end(n)) meet(first[a] ^ at[n - split.removed - a]);
      }
    }
    return missing == 0;
  }

  const ValuesClaim& claim_;
  const PeriodReport& period_;
  const SparseFacts& claims_;
  const PairMoves& moves_;
  const ValueSplit split_;
  Executor& executor_;
};

}  // namespace

bool window_certificate_applies(const HeapRule& rule, const PeriodReport& period) {
  const SparseFacts& claims = period.sparse.value();
  const auto moves = moves_with_splits(rule);
  if (!moves || (claims.parity && !moves->one_parity())) return false;
  if (claims.depth < rule.pass().value_or(0)) return false;
  return period.saltus == 0 && claims.count == period.verified_to &&
         sparse_certificate_holds(claims, moves->largest_removal(), period.preperiod, period.period,
                                  period.verified_to);
}

std::optional<WrongValue> check_window_certificate(const ValuesClaim& claim, const HeapRule& rule,
                                                   Executor& executor) {
  const PairMoves moves = moves_with_splits(rule).value();
  return WindowCheck(claim, moves, executor).run();
}

}  // namespace grundy
