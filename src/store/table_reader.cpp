// SPDX-License-Identifier: MIT
#include <algorithm>
#include <list>
#include <mutex>
#include <unordered_map>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/table.hpp>

#include "store/table_file.hpp"

namespace grundy {
namespace {

/// Decoded chunks that were used last. Threads that miss decode side by side; two that miss the
/// same chunk both decode it, which costs time and nothing else.
class ChunkCache {
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

 private:
  static constexpr std::size_t kCapacity = std::size_t{64} << 20;

  struct Entry {
    std::uint64_t index;
    Chunk chunk;
  };
  std::mutex mutex_;
  std::list<Entry> order_;  ///< most recently used first
  std::unordered_map<std::uint64_t, std::list<Entry>::iterator> entries_;
  std::size_t bytes_ = 0;
};

class Reader final : public TableReader {
 public:
  explicit Reader(const std::filesystem::path& path) : file_(path) {}

  [[nodiscard]] const TableInfo& info() const noexcept override { return file_.info(); }
  [[nodiscard]] ValueWidth width() const noexcept override { return file_.width(); }
  [[nodiscard]] HeapSize chunk_size() const noexcept override { return file_.chunk_size(); }

  void read(HeapSize begin, std::span<Nimber> out) const override {
    const HeapSize count = info().stats.count;
    if (begin > count || out.size() > count - begin) {
      throw Error(
          ErrorCode::kUsage,
          fmt::format("heaps {} to {} were asked for, but the table has only heaps below {}", begin,
                      begin + (out.empty() ? 0 : out.size() - 1), count));
    }
    while (!out.empty()) {
      const std::uint64_t index = begin / chunk_size();
      const HeapSize offset = begin % chunk_size();
      const std::size_t length = std::min<HeapSize>(out.size(), chunk_size() - offset);
      const ChunkCache::Chunk chunk = load(index);
      Values(chunk->data(), chunk_size(), width()).subspan(offset, length).visit([&](auto values) {
        std::copy(values.begin(), values.end(), out.begin());
      });
      begin += length;
      out = out.subspan(length);
    }
  }

 private:
  [[nodiscard]] ChunkCache::Chunk load(std::uint64_t index) const {
    if (ChunkCache::Chunk chunk = cache_.find(index)) return chunk;
    const auto chunk = std::make_shared<const Bytes>(file_.decode(file_.read_encoded(index)));
    file_.verify(index, *chunk);
    cache_.insert(index, chunk);
    return chunk;
  }

  TableFile file_;
  mutable ChunkCache cache_;
};

}  // namespace

std::unique_ptr<TableReader> TableReader::open(const std::filesystem::path& path) {
  return std::make_unique<Reader>(path);
}

Nimber TableReader::value(HeapSize n) const {
  const TableInfo& table = info();
  const bool extended = n >= table.stats.count;
  if (extended && table.period.status != PeriodStatus::kCertified) {
    throw Error(ErrorCode::kUsage,
                fmt::format("the table has only heaps below {} and no certified period; heap {} "
                            "cannot be known from it",
                            table.stats.count, n));
  }
  Nimber value = 0;
  read(extended ? periodic_heap(table.period, n) : n, {&value, 1});
  return extended ? periodic_value(table.period, value, n) : value;
}

}  // namespace grundy
