// SPDX-License-Identifier: MIT
#include "engines/heap/subtraction/all_but.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include <grundy/error.hpp>

#include "engines/heap/block_run.hpp"

namespace grundy {
namespace {

/// The elements that are distances between heaps below `count`.
std::span<const HeapSize> relevant(const SubtractionRule& rule, HeapSize count) {
  const auto end = std::lower_bound(rule.elements.begin(), rule.elements.end(), count);
  return {rule.elements.begin(), end};
}

HeapSize ring_size(std::span<const HeapSize> excluded) {
  return std::bit_ceil((excluded.empty() ? 0 : excluded.back()) + 1);
}

}  // namespace

AllButSolver::AllButSolver(const SubtractionRule& rule, HeapSize count, HeapSize block) {
  const auto excluded = relevant(rule, count);
  excluded_.assign(excluded.begin(), excluded.end());
  is_excluded_.resize(excluded.empty() ? 1 : excluded.back() + 1);
  for (const HeapSize x : excluded) is_excluded_[x] = true;
  ring_.resize(ring_size(excluded));
  ring_mask_ = ring_.size() - 1;
  scratch_.resize(std::min(block, std::max<HeapSize>(count, 1)));
}

std::uint64_t AllButSolver::memory_bytes(const SubtractionRule& rule, HeapSize count) {
  const auto excluded = relevant(rule, count);
  return ring_size(excluded) * sizeof(Heap) + excluded.size_bytes();
}

bool AllButSolver::all_blocked(HeapSize n, HeapSize distance) noexcept {
  for (;;) {
    if (distance >= is_excluded_.size() || !is_excluded_[distance]) return false;
    const HeapSize step = heap(n - distance).to_earlier;
    if (step == 0) return true;
    distance += step;
  }
}

Nimber AllButSolver::next_value(HeapSize n) {
  HeapSize best = used_;
  HeapSize from = 0;
  for (const HeapSize x : excluded_) {
    if (x > n) break;
    const Heap& candidate = heap(n - x);
    if (!candidate.latest || candidate.value >= best || !all_blocked(n, x)) continue;
    best = candidate.value;
    from = x;
  }
  if (best > largest_value(ValueWidth::kU32)) {
    throw Error(ErrorCode::kFailure, "the Grundy value of heap " + std::to_string(n) +
                                         " does not fit into 32 bits; compute fewer heaps");
  }
  remember(n, static_cast<Nimber>(best), from);
  return static_cast<Nimber>(best);
}

void AllButSolver::remember(HeapSize n, Nimber value, HeapSize from) noexcept {
  if (from == 0) {
    ++used_;
  } else {
    heap(n - from).latest = false;
  }
  heap(n) = {value, true, from};
}

void AllButSolver::adopt(HeapSize begin, HeapSize end, const ValueBuffer& table) {
  for (HeapSize n = begin; n < end; ++n) {
    const Nimber value = table.values()[n];
    const auto from = std::find_if(excluded_.begin(), excluded_.end(), [&](HeapSize x) {
      return x <= n && heap(n - x).latest && heap(n - x).value == value;
    });
    if (value < used_ && from == excluded_.end()) {
      throw Error(ErrorCode::kMismatch,
                  "heap " + std::to_string(n) + " cannot have the value that is known of it");
    }
    remember(n, value, value < used_ ? *from : 0);
  }
}

void AllButSolver::solve(HeapSize begin, ValueBuffer& table) {
  const std::span<Nimber> values(scratch_.data(), table.size() - begin);
  for (HeapSize i = 0; i < values.size(); ++i) values[i] = next_value(begin + i);
  store_values(table, begin, values);
}

}  // namespace grundy
