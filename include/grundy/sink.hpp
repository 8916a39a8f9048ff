/// @file
/// The only thing an engine knows about what happens to its values.
///
/// An engine hands over finished blocks in topological order; for heap games that is ascending heap
/// size without gaps. Values in a block are final. Sinks are called by one thread at a time.
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <grundy/stats.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// A finished run of values of a heap game: heaps `begin` to `begin + values.size() - 1`.
struct Block {
  HeapSize begin = 0;
  Values values;  ///< valid only during the call
  /// Every value from heap 0 to the end of this block, where the engine keeps them; else empty.
  Values table;
  /// What the engine `sparse` knows of the game by now; null from other engines.
  const SparseFacts* sparse = nullptr;
  /// The rare heaps below the end of the block, ascending, without heap 0; only with `sparse`.
  std::span<const HeapSize> rare{};
};

/// What the engine should do after a block.
enum class Flow { kContinue, kStop };

/// How a run ended.
enum class RunStatus { kComplete, kStoppedBySink, kCancelled };

/// Receives finished blocks.
class BlockSink {
 public:
  virtual ~BlockSink() = default;

  /// Takes one block. Returning kStop ends the engine's run without an error: the sink needs no
  /// more values (a period has been certified, say).
  /// @throws Error if the block cannot be taken; the engine stops and passes the error on.
  virtual Flow put(const Block& block) = 0;
};

}  // namespace grundy
