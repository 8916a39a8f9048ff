// SPDX-License-Identifier: MIT
#include "table/values_of_files.hpp"

#include <algorithm>
#include <list>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace grundy {

/// The decoded chunks that were used last. Threads that miss chunks decode side by side. Two
/// threads that miss the same chunk both decode it, which only costs time.
class ValuesOfFiles::ChunkCache {
 public:
  using Chunk = std::shared_ptr<const Bytes>;

  [[nodiscard]] Chunk find(std::uint64_t index) {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(index);
    if (found == entries_.end()) return nullptr;
    order_.splice(order_.begin(), order_, found->second);
    return order_.front().chunk;
  }

  void insert(std::uint64_t index, const Chunk& chunk) {
    const std::lock_guard lock(mutex_);
    if (entries_.contains(index)) return;
    order_.push_front({index, chunk});
    entries_.emplace(index, order_.begin());
    bytes_ += chunk->size();
    while (bytes_ > kCapacity && order_.size() > 1) {
      bytes_ -= order_.back().chunk->size();
      entries_.erase(order_.back().index);
      order_.pop_back();
    }
  }

  static constexpr std::size_t kCapacity = std::size_t{64} << 20;

 private:
  struct Entry {
    std::uint64_t index;
    Chunk chunk;
  };
  std::mutex mutex_;
  std::list<Entry> order_;  ///< most recently used first
  std::unordered_map<std::uint64_t, std::list<Entry>::iterator> entries_;
  std::size_t bytes_ = 0;
};

std::uint64_t ValuesOfFiles::memory_bytes(std::uint64_t values) noexcept {
  return std::min<std::uint64_t>(ChunkCache::kCapacity, values);
}

ValuesOfFiles::ValuesOfFiles(Files files)
    : files_(std::move(files)), cache_(std::make_unique<ChunkCache>()) {
  HeapSize entries = 0;
  std::uint64_t chunks = 0;
  for (const auto& file : files_) {
    begins_.push_back(entries);
    first_chunks_.push_back(chunks);
    entries += file->info().stats.count;
    chunks += file->chunk_count();
  }
  begins_.push_back(entries);
}

ValuesOfFiles::~ValuesOfFiles() = default;

void ValuesOfFiles::read(HeapSize begin, std::span<Nimber> out) const {
  while (!out.empty()) {
    const auto behind = std::ranges::upper_bound(begins_, begin);
    const auto number = static_cast<std::size_t>(behind - begins_.begin() - 1);
    const TableFile& file = *files_[number];
    const ChunkGrid::Run run = file.grid().run_from(begin - begins_[number]);
    const std::uint64_t index = first_chunks_[number] + run.chunk;
    ChunkCache::Chunk chunk = cache_->find(index);
    if (!chunk) {
      chunk = std::make_shared<const Bytes>(file.decode(file.read_encoded(run.chunk)));
      file.verify(run.chunk, *chunk);
      cache_->insert(index, chunk);
    }
    const std::size_t length = std::min<HeapSize>(out.size(), run.length);
    Values(chunk->data(), file.chunk_size(), file.width())
        .subspan(run.offset, length)
        .visit([&](auto from) { std::copy(from.begin(), from.end(), out.begin()); });
    begin += length;
    out = out.subspan(length);
  }
}

}  // namespace grundy
