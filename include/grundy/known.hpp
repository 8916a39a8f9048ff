/// @file
/// Values that are final before an engine begins: how it takes up a run that was interrupted.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include <grundy/error.hpp>
#include <grundy/sink.hpp>
#include <grundy/stats.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// The engines that a run has found slower than their cost model says, by name: the factor.
using EngineSlowness = std::map<std::string, double, std::less<>>;

/// Values of heaps 0 .. count()-1 that are final before a run begins: those of a run that was
/// interrupted, or of a shorter table. A run that keeps no table has let values go; what it knew of
/// all heaps then stands for them.
class KnownValues {
 public:
  /// The heaps begin .. end-1, whose values are gone, and what was known of heaps below count().
  struct Gone {
    HeapSize begin = 0;
    HeapSize end = 0;
    SparseFacts facts{};
    std::span<const HeapSize> rare{};  ///< ascending, without heap 0
    Nimber largest = 0;                ///< no value is larger
  };

  /// count() is a multiple of this: engines with bit sets and residues can begin there.
  static constexpr HeapSize kUnit = 320;
  /// The next life of an interrupted run does not get its last sealed values, this many at most and
  /// less than kUnit more. It computes them again.
  static constexpr HeapSize kWindow = 4096;

  virtual ~KnownValues() = default;
  [[nodiscard]] virtual HeapSize count() const noexcept = 0;
  /// What stands for values that are gone; null if all are there.
  [[nodiscard]] virtual const Gone* gone() const noexcept { return nullptr; }
  /// The engine that was at work last; empty if it is not known. An engine that chooses among
  /// others goes on with it, unless another one is clearly cheaper.
  [[nodiscard]] virtual std::string_view engine() const noexcept { return {}; }
  /// What was learnt about engines until then.
  [[nodiscard]] virtual EngineSlowness slowness() const { return {}; }
  /// Hands the values over in blocks from heap 0 on (without a table) and leaves out those that are
  /// gone. No block has heaps on both sides of them. @throws Error(kCorrupt)
  virtual void replay(ValueSink& sink) const = 0;
};

/// Tiles that are final before a run begins: those of a run that was interrupted, in the order in
/// which the engine hands tiles over.
class KnownTiles {
 public:
  virtual ~KnownTiles() = default;
  /// The values of the next tile, which has `count` of them. Empty if they are not all known; the
  /// engine then computes from there on. Valid until the next call. @throws Error(kCorrupt)
  virtual std::span<const Nimber> next(std::uint64_t count) = 0;
};

}  // namespace grundy
