/// @file
/// Passes chunks through a slow transformation (compress, decompress) in worker threads, in order.
///
/// The thread that pushes also consumes, so the consumer needs no locks. Waiting cannot deadlock:
/// the thread that needs a result makes it, if no worker has begun it. A result that is begun is
/// made by a running thread, and transformations wait for nothing. So one thread is enough.
///
/// Equal inputs are transformed at most twice. A table that follows from a certified period repeats
/// the same few chunks, and finding one again (a hash, then a comparison of every byte) is several
/// hundred times faster than compressing it. An input is kept when it comes for the second time.
/// Most tables repeat nothing, and memory that is free again at once stays in the cache.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include <grundy/machine.hpp>

#include "table/chunk_codec.hpp"

namespace grundy {

class ChunkPipeline {
 public:
  /// Called from several threads at a time.
  using Transform = std::function<Bytes(const Bytes& input)>;
  /// Called by the pushing thread with every result, in the order of the inputs.
  using Consumer = std::function<void(const Bytes& output)>;

  /// @param buffers take back buffers that are no longer needed
  ChunkPipeline(Executor& executor, ChunkBuffers& buffers, Transform transform, Consumer consumer);
  /// Drops results that were not consumed.
  ~ChunkPipeline();
  ChunkPipeline(const ChunkPipeline&) = delete;
  ChunkPipeline& operator=(const ChunkPipeline&) = delete;

  /// Hands in the next chunk and consumes the results that are ready; waits while too many chunks
  /// are under way.
  /// @param hash hash64() of `input`
  /// @throws what a transformation or the consumer threw
  void push(Bytes input, std::uint64_t hash);
  /// The most bytes of inputs and results, of `chunk` bytes each, that a pipeline keeps.
  static std::uint64_t memory_bytes(std::uint64_t chunk, std::size_t threads) noexcept;

  /// Inputs that repeat after this many bytes are transformed each time.
  static std::uint64_t recalled_bytes() noexcept;

  /// Returns when everything has been consumed. @throws as push()
  void drain();

 private:
  struct Item;
  using ItemPtr = std::shared_ptr<Item>;

  [[nodiscard]] ItemPtr recall(const Bytes& input, std::uint64_t hash) const;
  /// Whether an input with this hash was among the last few thousand.
  [[nodiscard]] bool came_before(std::uint64_t hash);
  void remember(const ItemPtr& item);
  void forget_oldest();
  void consume_front();

  Executor& executor_;
  ChunkBuffers& buffers_;
  Transform transform_;
  Consumer consumer_;
  std::deque<ItemPtr> queue_;                          ///< pushed and not yet consumed
  std::unordered_map<std::uint64_t, ItemPtr> recent_;  ///< by hash of the input
  std::deque<std::uint64_t> recent_order_;             ///< keys of recent_, oldest first
  std::size_t recent_bytes_ = 0;            ///< of the inputs, and of the results that are consumed
  std::unordered_set<std::uint64_t> seen_;  ///< hashes of inputs
  /// Last, because its destructor waits for users of the members above.
  std::unique_ptr<TaskGroup> tasks_;
};

}  // namespace grundy
