// SPDX-License-Identifier: MIT
#include <algorithm>
#include <list>
#include <mutex>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>
#include <grundy/statistics.hpp>
#include <grundy/table.hpp>

#include "table/file_checks.hpp"
#include "table/table_file.hpp"

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
  [[nodiscard]] HeapSize chunk_size() const noexcept override { return file_.grid().chunk_size(); }

  void read(HeapSize begin, std::span<Nimber> out) const override {
    const HeapSize count = info().stats.count;
    if (begin > count || out.size() > count - begin) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("{0} {1} to {2} were asked for, but the table has only {0} below {3}",
                              info().layout.is_lattice() ? "entries" : "heaps", begin,
                              begin + (out.empty() ? 0 : out.size() - 1), count));
    }
    while (!out.empty()) {
      const ChunkGrid::Run run = file_.grid().run_from(begin);
      const std::size_t length = std::min<HeapSize>(out.size(), run.length);
      const ChunkCache::Chunk chunk = load(run.chunk);
      Values(chunk->data(), chunk_size(), width())
          .subspan(run.offset, length)
          .visit([&](auto from) { std::copy(from.begin(), from.end(), out.begin()); });
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

/// A file of statistics, which has the last values only.
class TailReader final : public TableReader {
 public:
  explicit TailReader(const std::filesystem::path& path)
      : path_(path), file_(read_statistics(path)) {}

  [[nodiscard]] const TableInfo& info() const noexcept override { return file_.info; }
  [[nodiscard]] ValueWidth width() const noexcept override {
    return width_for(file_.info.stats.max_value);
  }
  [[nodiscard]] HeapSize chunk_size() const noexcept override { return kTailValues; }
  void read(HeapSize begin, std::span<Nimber> out) const override {
    const std::vector<Nimber>& tail = file_.statistics.tail;
    const HeapSize count = file_.info.stats.count;
    const HeapSize first = count - tail.size();
    if (begin < first || begin > count || out.size() > count - begin) {
      refuse(ErrorCode::kUsage, path_,
             fmt::format("has statistics of all heaps, but values of heaps {} to {} only", first,
                         count - 1));
    }
    std::copy_n(tail.begin() + static_cast<std::ptrdiff_t>(begin - first), out.size(), out.begin());
  }

 private:
  std::filesystem::path path_;
  StatisticsFile file_;
};

}  // namespace

std::unique_ptr<TableReader> TableReader::open(const std::filesystem::path& path) {
  if (is_statistics_file(path)) return std::make_unique<TailReader>(path);
  return std::make_unique<Reader>(path);
}

std::uint64_t TableReader::value(HeapSize n) const {
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

Nimber TableReader::value(const LatticePoint& p, unsigned plane) const {
  const Layout& layout = info().layout;
  if (!layout.is_lattice()) {
    throw Error(ErrorCode::kUsage, "this is a table of one heap, and has no positions of several");
  }
  const std::span<const std::uint32_t> heaps(p.data(), layout.heaps);
  if (!layout.contains(p) || plane >= layout.planes) {
    const auto extent = std::span(layout.extent).first(layout.heaps);
    throw Error(ErrorCode::kUsage,
                fmt::format("the position ({}) is not in the table, whose heaps are below ({})",
                            fmt::join(heaps, ","), fmt::join(extent, ",")));
  }
  Nimber value = 0;
  read(layout.entry_of(p, plane), {&value, 1});
  return value;
}

}  // namespace grundy
