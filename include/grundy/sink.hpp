/// @file
/// The only thing an engine knows about what happens to its values.
///
/// An engine hands over its values in stretches: blocks of heaps in ascending order, or tiles of a
/// lattice in an order in which every option of a position comes before it or in the same tile.
/// The values of a run are numbered in that order, without gaps. Values in a stretch are final.
/// Sinks are called by one thread at a time.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>

#include <grundy/error.hpp>
#include <grundy/stats.hpp>
#include <grundy/types.hpp>

namespace grundy {

struct Tile;  // lattice/tile.hpp

/// Finished values with consecutive numbers in the order of a run.
struct Stretch {
  /// The number of the first value; in a game of one heap, the size of the first heap.
  HeapSize begin = 0;
  Values values;  ///< valid only during the call
  /// Every value from heap 0 to the end of this stretch, where the engine keeps them; else empty.
  /// Of games of one heap only.
  Values table;
  /// What the engine `sparse` knows of the game by now; null from other engines.
  const SparseFacts* sparse = nullptr;
  /// The rare heaps below the end of the stretch, ascending, without heap 0; only with `sparse`.
  std::span<const HeapSize> rare{};
  /// Where the values stand in the table of a lattice game. Null: the number of a value is that of
  /// its entry in a Layout (grundy/layout.hpp): from an engine, in that of the shape that it was
  /// asked for (LatticeTask::shape); to a hook, in that of the table.
  const Tile* tile = nullptr;
  /// Where the engine has let values go: the newest values up to the end of this stretch, as far
  /// back as later heaps may look. Empty while the engine keeps all values; only with `sparse`.
  Values newest{};
  Values first{};  ///< the values of the first heaps, which the engine keeps too

  [[nodiscard]] HeapSize end() const noexcept { return begin + values.size(); }
  /// The same stretch without its values before number `n`; no values are left if it ends there.
  [[nodiscard]] Stretch from(HeapSize n) const noexcept {
    Stretch later = *this;
    later.begin = std::clamp(n, begin, end());
    later.values = values.subspan(later.begin - begin);
    return later;
  }
  /// The same stretch as if it ended before number `n`; no values are left if it begins there.
  [[nodiscard]] Stretch to(HeapSize n) const noexcept {
    Stretch earlier = *this;
    const HeapSize left_out = end() - std::clamp(n, begin, end());
    for (Values* const seen : {&earlier.values, &earlier.table, &earlier.newest}) {
      *seen = seen->subspan(0, seen->size() - std::min<HeapSize>(seen->size(), left_out));
    }
    return earlier;
  }
};

/// What the engine should do after a stretch.
enum class Flow { kContinue, kStop };

/// How a run ended.
enum class RunStatus { kComplete, kStoppedBySink, kCancelled };

/// Receives finished values.
class ValueSink {
 public:
  virtual ~ValueSink() = default;

  /// Takes one stretch. Returning kStop ends the engine's run without an error: the sink needs no
  /// more values (a period has been certified, say).
  /// @throws Error if the values cannot be taken; the engine stops and passes the error on.
  virtual Flow put(const Stretch& block) = 0;
};

/// A sink that calls a function with every stretch. A function without a result takes all
/// stretches.
template <class Function>
class SinkOf final : public ValueSink {
 public:
  explicit SinkOf(Function function) : function_(std::move(function)) {}

  Flow put(const Stretch& block) override {
    if constexpr (std::is_void_v<std::invoke_result_t<Function&, const Stretch&>>) {
      function_(block);
      return Flow::kContinue;
    } else {
      return function_(block);
    }
  }

 private:
  Function function_;
};

}  // namespace grundy
