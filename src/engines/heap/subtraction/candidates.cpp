// SPDX-License-Identifier: MIT
#include "engines/heap/subtraction/candidates.hpp"

#include <algorithm>
#include <array>

#include "core/value_copy.hpp"
#include "engines/heap/block_run.hpp"

namespace grundy {
namespace {

constexpr HeapSize kMinBlock = 2560;
/// Longer blocks save memory traffic and leave more options inside the block.
constexpr HeapSize kMaxBlock = 81920;
/// A default block is this fraction of the heaps before it.
constexpr HeapSize kBlockShare = 16;
/// Heaps below this many blocks have too few options outside their block.
constexpr HeapSize kDirectBlocks = 8;
constexpr HeapSize kSubBlock = 8192;
/// Number of elements of S whose options are compared in one run over the block.
constexpr std::size_t kRun = 128;
/// The number of entries of a list that are kept after this many runs. A list that is cut too short
/// costs one marking of all options; an entry costs a comparison with every option.
struct Stage {
  std::size_t run;
  std::size_t length;
};
constexpr std::array<Stage, 3> kStages = {Stage{2, 28}, {6, 20}, {16, 16}};
constexpr std::size_t kGroupEntries = ResidueMarks::kListed * kListHeaps;

template <class T>
constexpr T kNone = static_cast<T>(~T{0});

/// Squares lie in three residues modulo 5, and values then occur in two residues.
HeapSize modulus_for(const SubtractionRule& rule) {
  return rule.kind == SubtractionRule::Kind::kSquares ? 5 : 1;
}

/// Rearranges the lists of 64 heaps, which lie one after another, into the layout of kListHeaps:
/// all first entries, then all second ones, and so on.
template <class T>
void transpose(T* list) {
  std::array<T, kGroupEntries> lists;
  std::copy_n(list, kGroupEntries, lists.begin());
  for (std::size_t j = 0; j < kListHeaps; ++j) {
    for (std::size_t place = 0; place < ResidueMarks::kListed; ++place) {
      list[place * kListHeaps + j] = lists[j * ResidueMarks::kListed + place];
    }
  }
}

/// The length of the lists after this many runs.
std::size_t length_after(std::size_t runs) {
  std::size_t length = ResidueMarks::kListed;
  for (const Stage& stage : kStages) {
    if (stage.run < runs) length = stage.length;
  }
  return length;
}

}  // namespace

CandidateSolver::CandidateSolver(const SubtractionRule& rule, HeapSize count,
                                 std::optional<HeapSize> block, const SubtractionKernels& kernels,
                                 Executor& executor)
    : kernels_(kernels),
      executor_(executor),
      modulus_(modulus_for(rule)),
      block_(block),
      taps_(rule.allowed_up_to(count == 0 ? 0 : count - 1)),
      marks_(taps_, modulus_, count, kMaxBlock, kernels),
      seen_(taps_.size() + 2) {
  if (!block_) return;
  block_ = std::min(round_up(std::min(*block_, kMaxBlock), kListHeaps * modulus_), kMaxBlock);
}

std::uint64_t CandidateSolver::memory_bytes(const SubtractionRule& rule, HeapSize count,
                                            std::uint64_t values) {
  const std::uint64_t lists = kMaxBlock * ResidueMarks::kListed * sizeof(Nimber);
  const std::uint64_t taps = 2 * sizeof(HeapSize) * rule.allowed_up_to(count).size();
  return lists + taps * (modulus_for(rule) + 1) +
         ResidueMarks::memory_bytes(modulus_for(rule), count, kMaxBlock, values);
}

HeapSize CandidateSolver::block(HeapSize begin) const noexcept {
  if (block_) return *block_;
  const HeapSize unit = kListHeaps * modulus_;
  return std::clamp(begin / kBlockShare / unit * unit, kMinBlock, kMaxBlock);
}

std::size_t CandidateSolver::tap_from(HeapSize s) const noexcept {
  return static_cast<std::size_t>(std::lower_bound(taps_.begin(), taps_.end(), s) - taps_.begin());
}

void CandidateSolver::in_parallel(std::size_t count,
                                  const std::function<void(std::size_t)>& body) const {
  if (executor_.threads() > 1 && count > 1) {
    executor_.parallel_for(count, body);
  } else {
    for (std::size_t i = 0; i < count; ++i) body(i);
  }
}

void CandidateSolver::solve(HeapSize begin, ValueBuffer& table) {
  for (;;) {
    const std::optional<Nimber> too_large =
        with_storage_type(table.width(), [&]<class T>(T) { return solve_block<T>(begin, table); });
    if (!too_large) return;
    make_room_for(table, *too_large);
  }
}

template <class T>
std::optional<Nimber> CandidateSolver::solve_block(HeapSize begin, ValueBuffer& table) {
  const HeapSize end = table.size();
  T* const values = table.data<T>();
  const HeapSize unit = kListHeaps * modulus_;
  const HeapSize heaps = round_up(end - begin, unit);
  marks_.start_block(begin, heaps);
  std::optional<Nimber> too_large;
  if (begin < kDirectBlocks * block(0)) {
    too_large = solve_directly(begin, end, values);
  } else {
    T* const lists = empty_lists<T>(heaps);
    list_candidates(lists);
    const std::size_t length = sieve_far(values, begin, heaps, lists);
    for (HeapSize sub = begin; sub < end && !too_large; sub += kSubBlock) {
      const HeapSize sub_heaps = std::min(kSubBlock, end - sub);
      const std::size_t groups = (sub_heaps + kListHeaps - 1) / kListHeaps;
      T* const sub_lists = lists + (sub - begin) / kListHeaps * kGroupEntries;
      if (heaps > kSubBlock) {
        in_parallel(groups, [&](std::size_t g) {
          sieve(values, sub + g * kListHeaps, kSubBlock, heaps, length,
                sub_lists + g * kGroupEntries);
        });
      }
      for (std::size_t g = 0; g < groups && !too_large; ++g) {
        const HeapSize heap = sub + g * kListHeaps;
        T* const list = sub_lists + g * kGroupEntries;
        sieve(values, heap, kListHeaps, std::min(heaps, kSubBlock), length, list);
        too_large =
            decide_group(values, heap, std::min<HeapSize>(kListHeaps, end - heap), length, list);
      }
    }
  }
  if (too_large) return too_large;
  mark(begin, std::span<const T>(values + begin, end - begin));
  return {};
}

template <class T>
T* CandidateSolver::empty_lists(HeapSize heaps) {
  const std::size_t entries = heaps * ResidueMarks::kListed;
  if (lists_.width() < kWidthOf<T>) lists_.promote(kWidthOf<T>);
  lists_.resize(entries);
  T* const lists = lists_.data<T>();
  std::fill_n(lists, entries, kNone<T>);
  return lists;
}

template <class T>
void CandidateSolver::mark(HeapSize begin, std::span<const T> values) {
  largest_ = std::max<Nimber>(largest_, *std::max_element(values.begin(), values.end()));
  marks_.make_room(largest_);
  in_parallel(modulus_, [&](std::size_t row) { marks_.add_row(row, begin, values); });
}

void CandidateSolver::adopt(HeapSize begin, HeapSize end, const ValueBuffer& table) {
  marks_.start_block(begin, round_up(end - begin, kListHeaps * modulus_));
  table.values().subspan(begin, end - begin).visit([&](auto values) { mark(begin, values); });
}

template <class T>
std::optional<Nimber> CandidateSolver::solve_directly(HeapSize begin, HeapSize end, T* values) {
  for (HeapSize n = begin; n < end; ++n) {
    const Nimber value = mex(values, n);
    if (value > largest_value(kWidthOf<T>)) return value;
    values[n] = static_cast<T>(value);
  }
  return {};
}

template <class T>
Nimber CandidateSolver::mex(const T* values, HeapSize n) {
  // The value is at most the number of options. Larger values share a place behind it.
  const std::size_t options = tap_from(n + 1);
  std::fill_n(seen_.begin(), options + 1, std::uint8_t{0});
  for (std::size_t t = 0; t < options; ++t) {
    seen_[std::min<std::size_t>(values[n - taps_[t]], options + 1)] = 1;
  }
  return static_cast<Nimber>(std::ranges::find(seen_, std::uint8_t{0}) - seen_.begin());
}

template <class T>
void CandidateSolver::list_candidates(T* lists) const {
  const std::size_t units = marks_.units();
  const std::size_t pieces = std::min(units, executor_.threads());
  in_parallel(pieces, [&](std::size_t piece) {
    marks_.list_candidates(units * piece / pieces, units * (piece + 1) / pieces, lists);
  });
}

template <class T>
std::size_t CandidateSolver::sieve_far(const T* values, HeapSize begin, HeapSize heaps,
                                       T* lists) const {
  // Each thread has one long piece, because neighbouring heaps read the same cache lines.
  const std::size_t groups = heaps / kListHeaps;
  const std::size_t pieces = std::min(groups, executor_.threads());
  const std::size_t first = tap_from(heaps);
  const std::size_t end = std::max(first, tap_from(begin + heaps));
  const std::size_t runs = (end - first + kRun - 1) / kRun;
  in_parallel(pieces, [&](std::size_t piece) {
    const std::size_t group_end = groups * (piece + 1) / pieces;
    for (std::size_t group = groups * piece / pieces; group < group_end; ++group) {
      transpose(lists + group * kGroupEntries);
    }
    for (std::size_t run = 0; run < runs; ++run) {
      const std::size_t from = first + run * kRun;
      const std::size_t length_before = length_after(run);
      const std::size_t length = length_after(run + 1);
      for (std::size_t group = groups * piece / pieces; group < group_end; ++group) {
        const HeapSize heap = begin + group * kListHeaps;
        T* const list = lists + group * kGroupEntries;
        if (length < length_before) kernels_.of<T>().compact(list, length_before, length);
        const std::size_t to = std::min(from + kRun, tap_from(heap + 1));
        if (from < to) {
          kernels_.of<T>().erase_hits(list, length, values + heap, taps_.data() + from, to - from);
        }
      }
    }
  });
  return length_after(runs);
}

template <class T>
void CandidateSolver::sieve(const T* values, HeapSize heap, HeapSize low, HeapSize high,
                            std::size_t length, T* list) const {
  const std::size_t from = tap_from(low);
  const std::size_t to = tap_from(std::min(high, heap + 1));
  if (from < to) {
    kernels_.of<T>().erase_hits(list, length, values + heap, taps_.data() + from, to - from);
  }
}

template <class T>
std::optional<Nimber> CandidateSolver::decide_group(T* values, HeapSize heap, std::size_t heaps,
                                                    std::size_t length, const T* list) {
  const std::size_t near = tap_from(kListHeaps);
  const std::size_t beyond = tap_from(heap + 1);
  std::array<T, 2 * kListHeaps> options;
  for (std::size_t j = 0; j < heaps; ++j) {
    // The sieves leave out options in the group, and options that only its later heaps have.
    const HeapSize n = heap + j;
    std::size_t size = 0;
    for (std::size_t t = 0; t < near; ++t) options[size++] = values[n - taps_[t]];
    for (std::size_t t = beyond; t < taps_.size() && taps_[t] <= n; ++t) {
      options[size++] = values[n - taps_[t]];
    }
    T value = kNone<T>;
    for (std::size_t place = 0; place < length && value == kNone<T>; ++place) {
      const T entry = list[place * kListHeaps + j];
      if (std::find(options.begin(), options.begin() + size, entry) == options.begin() + size) {
        value = entry;
      }
    }
    if (value == kNone<T>) {
      const Nimber exact = mex(values, n);
      if (exact > largest_value(kWidthOf<T>)) return exact;
      value = static_cast<T>(exact);
    }
    values[n] = value;
  }
  return {};
}

}  // namespace grundy
