// SPDX-License-Identifier: MIT
#include "engines/heap/dense/engine.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include <grundy/error.hpp>

#include "core/value_buffer.hpp"
#include "core/value_copy.hpp"
#include "engines/heap/dense/beginning.hpp"
#include "engines/heap/dense/company.hpp"
#include "engines/heap/dense/epoch.hpp"
#include "engines/heap/dense/xor_sets.hpp"
#include "engines/heap/known_values.hpp"
#include "engines/heap/pass.hpp"
#include "engines/heap/two_heap_moves.hpp"

namespace grundy {
namespace {

/// Below this heap, epochs and blocks have sizes of their own.
constexpr HeapSize kSmall = 4096;

/// The most groups of a block; if they are large, half as many.
constexpr HeapSize kMostGroups = 16;
constexpr HeapSize kSmallGroup = kGroup / 2;

/// The number of heaps in a group. Heaps of large groups share loads. Many threads and ranks get
/// small groups, because every block of groups is settled by one thread of each rank.
HeapSize group_size(const HeapTask& task) {
  constexpr std::size_t kFewThreads = 4;
  const bool large = task.team == nullptr && task.executor.threads() <= kFewThreads;
  return large ? kGroup : kSmallGroup;
}

/// The number of heaps in a block. Threads share its groups; with two or more for each thread, none
/// waits long for the last one. One thread filters the pairs with heaps of two blocks, heap after
/// heap, so blocks are small where tables are.
HeapSize block_size(const HeapTask& task, HeapSize begin, HeapSize group) {
  if (task.block) return *task.block;
  if (begin < kSmall) return 128;
  if (task.team != nullptr) return kSharedGroups * group;
  const HeapSize groups = std::clamp<HeapSize>(2 * task.executor.threads(), 4, kMostGroups);
  return group * std::clamp<HeapSize>(begin / 32 / group, 2, groups);
}

/// An epoch ends when the table has grown by a third, so that the next epoch gets a suitable block
/// size and suitable hot taps.
EpochShape shape_from(const HeapTask& task, HeapSize begin, std::size_t bound, Nimber largest) {
  EpochShape shape;
  shape.begin = begin;
  shape.end = std::min(task.count, std::max(begin + begin / 3, kSmall));
  shape.group = group_size(task);
  shape.block = std::min(block_size(task, begin, shape.group), shape.end - begin);
  shape.bound = bound;
  shape.largest_value = largest;
  return shape;
}

}  // namespace

std::string_view DenseEngine::summary() const noexcept {
  return "every pair of heaps, in vectors and in parallel: pairs mark in short tables, a filter "
         "decides in longer ones";
}

bool DenseEngine::is_shared(const HeapRule& rule) const noexcept {
  return TwoHeapMoves::of(rule).has_value() && !rule.pass();
}

std::string DenseEngine::refusal(const HeapRule& rule) const {
  return TwoHeapMoves::of(rule) ? std::string() : xor_sets_refusal(rule);
}

std::uint64_t DenseEngine::memory_bytes(const HeapRule& rule, HeapSize count,
                                        Nimber max_value) const {
  if (!TwoHeapMoves::of(rule)) return xor_sets_memory(rule, count, max_value);
  // The table; besides it the narrower table while values are widened, the values as bytes, and the
  // scores of taps. Working space: open sets of two blocks (FarGroup), and byte maps of values.
  const ValueWidth width = width_for(max_value);
  const std::uint64_t widening = width == ValueWidth::kU8 ? 0 : byte_count(width) / 2;
  constexpr std::uint64_t kByteTable = 4;
  return count * (byte_count(width) + widening + kByteTable + sizeof(float)) +
         2 * kMostGroups * kSmallGroup * sizeof(OpenSet) * (4 + 2 * max_value / kOpenValues) +
         std::uint64_t{512} * max_value + 4 * ValueBuffer::kPadding;
}

Nimber DenseEngine::largest_value(ValueWidth width) const noexcept {
  switch (width) {
    case ValueWidth::kU8:
      return limits_.u8;
    case ValueWidth::kU16:
      return limits_.u16;
    case ValueWidth::kU32:
      break;
  }
  return ::grundy::largest_value(ValueWidth::kU32);
}

RunStatus DenseEngine::run(const HeapTask& task, ValueSink& sink) const {
  const std::optional<TwoHeapMoves> moves = TwoHeapMoves::of(task.rule);
  if (!moves) return run_xor_sets(task, sink);
  if (pass_is_ahead(task)) return run_behind_pass(*this, task, sink);
  ValueBuffer table;
  load_known_values(task, table);
  Company company(task.team, task.stop);
  company.begin_with(table);
  // What a block is, and what ranks share, the beginning does not know.
  std::optional<DenseBeginning> beginning;
  if (task.team == nullptr && !task.block && DenseBeginning::fits(*moves)) {
    beginning.emplace(task, *moves);
  }
  std::size_t bound = 64;
  while (table.size() < task.count) {
    table.reserve(task.count);
    const Nimber most = largest_value(table.width());
    const Nimber largest = largest_of(table.values());
    bound = std::max(bound, std::bit_ceil(largest + std::size_t{1}));
    EpochEnd end{};
    if (beginning && beginning->suits(table.size(), largest)) {
      end = beginning->run(table, most, sink);
    } else {
      EpochShape shape = shape_from(task, table.size(), bound, most);
      if (beginning && shape.begin < DenseBeginning::kFirst) {
        shape.end = std::min(shape.end, DenseBeginning::kFirst);
      }
      end = table.values().visit([&]<class T>(std::span<const T>) {
        return DenseEpoch<T>(task, *moves, shape, company, table, sink).run();
      });
    }
    if (end == EpochEnd::kCancelled) return RunStatus::kCancelled;
    if (end == EpochEnd::kStoppedBySink) return RunStatus::kStoppedBySink;
    if (end == EpochEnd::kReachedEnd) continue;
    // The next value reaches the bound or the limit of the width. There is no other possible cause.
    const bool wider = bound > most;
    if (wider) {
      table.promote(table.width() == ValueWidth::kU8 ? ValueWidth::kU16 : ValueWidth::kU32);
    } else {
      bound *= 2;
    }
  }
  return company.is_refused() ? RunStatus::kStoppedBySink : RunStatus::kComplete;
}

}  // namespace grundy
