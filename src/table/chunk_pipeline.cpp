// SPDX-License-Identifier: MIT
#include "table/chunk_pipeline.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <utility>

namespace grundy {
namespace {

/// The bytes of inputs and results that are kept for comparison: 512 chunks of the usual 128 KiB.
/// They cover every period up to 512 and many longer ones: the number of values in a chunk is a
/// power of two, so a period p gives at most as many different chunks as the odd part of p.
constexpr std::size_t kRecentBytes = std::size_t{72} << 20;

/// The most hashes of chunks that have come once: many times the number of chunks that are kept.
constexpr std::size_t kMostSeen = 8192;

/// Chunks under way for each thread: enough to keep all threads busy while the producer works. The
/// second number is the least number of chunks under way: the threads may have other work, and the
/// producer must not wait for it.
constexpr std::size_t kInFlightPerThread = 4;
constexpr std::size_t kInFlight = 32;

constexpr std::size_t most_in_flight(std::size_t threads) noexcept {
  return std::max(kInFlight, kInFlightPerThread * threads);
}

}  // namespace

/// One input and, when it is done, its result. The thread that moves the state from kNew to kTaken
/// does the work.
struct ChunkPipeline::Item {
  enum State : int { kNew, kTaken, kDone };

  Item(Bytes bytes, std::uint64_t h) : input(std::move(bytes)), hash(h) {}

  /// Makes the result unless another thread has begun it.
  void run(const Transform& transform) {
    int expected = kNew;
    if (!state.compare_exchange_strong(expected, kTaken)) return;
    try {
      output = transform(input);
    } catch (...) {
      error = std::current_exception();
    }
    state.store(kDone, std::memory_order_release);
    state.notify_all();
  }

  [[nodiscard]] bool done() const noexcept {
    return state.load(std::memory_order_acquire) == kDone;
  }

  Bytes input;
  const std::uint64_t hash;
  Bytes output;
  std::size_t kept = 0;  ///< the bytes that it counts while it is kept for comparison
  std::exception_ptr error;
  std::atomic<int> state{kNew};
};

ChunkPipeline::ChunkPipeline(Executor& executor, ChunkBuffers& buffers, Transform transform,
                             Consumer consumer)
    : executor_(executor),
      buffers_(buffers),
      transform_(std::move(transform)),
      consumer_(std::move(consumer)),
      tasks_(executor.make_group()) {}

ChunkPipeline::~ChunkPipeline() {
  // No thread will begin the inputs that are left.
  for (const ItemPtr& item : queue_) {
    int expected = Item::kNew;
    item->state.compare_exchange_strong(expected, Item::kTaken);
  }
}

void ChunkPipeline::push(Bytes input, std::uint64_t hash) {
  ItemPtr item = recall(input, hash);
  if (item == nullptr) {
    item = std::make_shared<Item>(std::move(input), hash);
    if (came_before(hash)) remember(item);
    // A single thread does the work when it consumes. Tasks would only pile up.
    if (executor_.threads() > 1) {
      // A task that comes too late must not keep the chunk in memory.
      tasks_->spawn([this, weak = std::weak_ptr(item)] {
        if (const ItemPtr live = weak.lock()) live->run(transform_);
      });
    }
  }
  queue_.push_back(std::move(item));
  while (!queue_.empty() && queue_.front()->done()) consume_front();
  while (queue_.size() > most_in_flight(executor_.threads())) consume_front();
}

std::uint64_t ChunkPipeline::memory_bytes(std::uint64_t chunk, std::size_t threads) noexcept {
  return kRecentBytes + 2 * most_in_flight(threads) * chunk;  // inputs and results
}

std::uint64_t ChunkPipeline::recalled_bytes() noexcept {
  return kRecentBytes;
}

void ChunkPipeline::drain() {
  while (!queue_.empty()) consume_front();
}

void ChunkPipeline::consume_front() {
  const ItemPtr item = std::move(queue_.front());
  queue_.pop_front();
  item->run(transform_);
  // While another thread makes this result, this thread makes the next ones.
  for (auto next = queue_.begin(); next != queue_.end() && !item->done(); ++next) {
    (*next)->run(transform_);
  }
  item->state.wait(Item::kTaken, std::memory_order_acquire);
  if (item->error) std::rethrow_exception(item->error);
  consumer_(item->output);
  if (item.use_count() == 1) {
    buffers_.give_back(std::move(item->input));
    buffers_.give_back(std::move(item->output));
  } else if (item->kept == item->input.size()) {  // the result was not yet counted
    item->kept += item->output.size();
    recent_bytes_ += item->output.size();
    forget_oldest();
  }
}

bool ChunkPipeline::came_before(std::uint64_t hash) {
  if (seen_.size() == kMostSeen) seen_.clear();
  return !seen_.insert(hash).second;
}

ChunkPipeline::ItemPtr ChunkPipeline::recall(const Bytes& input, std::uint64_t hash) const {
  const auto found = recent_.find(hash);
  if (found == recent_.end()) return nullptr;
  const Bytes& known = found->second->input;
  // memcmp(), because == of two vectors of bytes is a slow loop.
  const bool same =
      known.size() == input.size() && std::memcmp(known.data(), input.data(), input.size()) == 0;
  return same ? found->second : nullptr;
}

void ChunkPipeline::remember(const ItemPtr& item) {
  // If two inputs have the same hash, the older one stays. That is correct, and never happens.
  if (!recent_.emplace(item->hash, item).second) return;
  recent_order_.push_back(item->hash);
  item->kept = item->input.size();
  recent_bytes_ += item->kept;
  forget_oldest();
}

void ChunkPipeline::forget_oldest() {
  while (recent_bytes_ > kRecentBytes) {
    const auto oldest = recent_.find(recent_order_.front());
    recent_bytes_ -= std::exchange(oldest->second->kept, 0);
    recent_.erase(oldest);
    recent_order_.pop_front();
  }
}

}  // namespace grundy
