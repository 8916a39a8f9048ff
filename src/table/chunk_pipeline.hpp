/// @file
/// Chunks through a slow transformation (compress, decompress) in worker threads, results in order.
///
/// The thread that pushes also consumes, so the consumer needs no locks. Waiting cannot deadlock. A
/// result that no worker has begun is made by the thread that needs it. A result that is begun is
/// made by a running thread, and transformations wait for nothing. So one thread is enough.
///
/// Equal inputs are transformed twice at most: a table that follows from a certified period repeats
/// the same few chunks, and finding one again (a hash, then every byte compared) is several hundred
/// times faster than compressing it. An input is kept when it comes for the second time. Most
/// tables repeat nothing, and memory that is free again at once stays in the cache.
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

  /// @param buffers get back what nobody needs any more
  ChunkPipeline(Executor& executor, ChunkBuffers& buffers, Transform transform, Consumer consumer);
  /// Drops what was not consumed.
  ~ChunkPipeline();
  ChunkPipeline(const ChunkPipeline&) = delete;
  ChunkPipeline& operator=(const ChunkPipeline&) = delete;

  /// Hands in the next chunk and consumes what is ready; waits while too many are under way.
  /// @param hash hash64() of `input`
  /// @throws what a transformation or the consumer threw
  void push(Bytes input, std::uint64_t hash);
  /// Bytes of inputs and results that a pipeline keeps at most, of `chunk` bytes each.
  static std::uint64_t memory_bytes(std::uint64_t chunk, std::size_t threads) noexcept;

  /// Returns when everything has been consumed. @throws as push()
  void drain();

 private:
  struct Item;
  using ItemPtr = std::shared_ptr<Item>;

  [[nodiscard]] ItemPtr recall(const Bytes& input, std::uint64_t hash) const;
  /// Whether an input of this hash has come, of the last few thousand.
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
  std::size_t recent_bytes_ = 0;            ///< of their inputs, and of results that are consumed
  std::unordered_set<std::uint64_t> seen_;  ///< hashes of inputs
  std::unique_ptr<TaskGroup> tasks_;        ///< last: its destructor waits for users of the rest
};

}  // namespace grundy
