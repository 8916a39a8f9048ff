/// @file
/// The engine for dense games: positions are numbers, so values lie in a plain array.
///
/// Rows are sorted by potential with a counting sort; then every layer is valued in parallel, as in
/// the layered engine, but without a hash table. Values take one byte until one exceeds 254, then
/// two, then four: small values stay in the cache, where look-ups find them. O(moves) time.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/text.hpp"
#include "engines/graph/engines.hpp"
#include "engines/graph/evaluation.hpp"

namespace grundy::graph {
namespace {

/// The values by position, at the least width that can hold them.
class ArrayLookup {
 public:
  explicit ArrayLookup(std::uint64_t size)
      : bytes_(size), values_(std::span(std::as_const(bytes_))) {}

  /// A value of this layer is at most `most` + 1, because it is a mex of values up to `most`.
  void prepare(Nimber most) {
    if (most + 1 > reserved_value(ValueWidth::kU8) && values_.index() == 0) widen(bytes_, pairs_);
    if (most + 1 > reserved_value(ValueWidth::kU16) && values_.index() == 1) widen(pairs_, words_);
  }

  [[nodiscard]] const DenseValues& values() const noexcept { return values_; }

  void store(std::span<const std::uint64_t> keys, const Nimber* values) noexcept {
    switch (values_.index()) {
      case 0:
        return store(bytes_, keys, values);
      case 1:
        return store(pairs_, keys, values);
      default:
        return store(words_, keys, values);
    }
  }

 private:
  template <class From, class To>
  void widen(std::vector<From>& from, std::vector<To>& to) {
    to.assign(from.begin(), from.end());
    std::vector<From>().swap(from);
    values_ = std::span(std::as_const(to));
  }

  template <class T>
  static void store(std::vector<T>& all, std::span<const std::uint64_t> keys,
                    const Nimber* values) noexcept {
    for (std::size_t i = 0; i < keys.size(); ++i) all[keys[i]] = static_cast<T>(values[i]);
  }

  std::vector<std::uint8_t> bytes_;
  std::vector<std::uint16_t> pairs_;
  std::vector<std::uint32_t> words_;
  DenseValues values_;  ///< a view of the array that is in use
};

/// Sorts all positions by (potential, position), with a counting sort over runs of positions.
class RowSorter {
 public:
  explicit RowSorter(const GraphTask& task)
      : task_(task),
        size_(*task.game.dense_size()),
        runs_(std::clamp<std::uint64_t>(size_ / 4096, 1, 8 * task.executor.threads())),
        potentials_(size_),
        counts_(runs_) {}

  GraphTable sort() {
    task_.executor.parallel_for(runs_, [this](std::size_t run) { count(run); });
    GraphTable table;
    std::size_t levels = 0;
    for (const auto& counts : counts_) levels = std::max(levels, counts.size());
    std::uint64_t row = 0;
    for (std::size_t level = 0; level < levels; ++level) {
      const std::uint64_t first = row;
      for (auto& counts : counts_) {
        if (level < counts.size()) row += std::exchange(counts[level], row);
      }
      if (row > first) table.layers.push_back({static_cast<std::uint32_t>(level), row});
    }
    table.keys.resize(size_);
    task_.executor.parallel_for(runs_, [&](std::size_t run) { place(run, table.keys); });
    return table;
  }

 private:
  [[nodiscard]] std::uint64_t begin(std::size_t run) const noexcept { return size_ * run / runs_; }

  void count(std::size_t run) {
    constexpr std::uint64_t kAtOnce = 512;
    std::array<std::uint64_t, kAtOnce> keys{};
    std::vector<std::uint64_t>& counts = counts_[run];
    for (std::uint64_t first = begin(run); first < begin(run + 1); first += kAtOnce) {
      const std::size_t n = std::min(kAtOnce, begin(run + 1) - first);
      for (std::size_t i = 0; i < n; ++i) keys[i] = first + i;
      const std::span<std::uint32_t> potentials(&potentials_[first], n);
      task_.game.potentials({keys.data(), n}, potentials);
      for (const std::uint32_t potential : potentials) {
        if (potential >= counts.size()) counts.resize(potential + 1);
        ++counts[potential];
      }
    }
  }

  void place(std::size_t run, std::vector<std::uint64_t>& keys) {
    std::vector<std::uint64_t>& next = counts_[run];
    for (std::uint64_t i = begin(run); i < begin(run + 1); ++i) keys[next[potentials_[i]]++] = i;
  }

  const GraphTask& task_;
  std::uint64_t size_;
  std::uint64_t runs_;
  std::vector<std::uint32_t> potentials_;
  std::vector<std::vector<std::uint64_t>> counts_;  ///< by run and potential; later the next rows
};

class DenseEngine final : public GraphEngine {
 public:
  std::string_view name() const noexcept override { return "dense"; }
  std::string_view summary() const noexcept override {
    return "values in an array, for games whose positions are numbered";
  }
  std::string refusal(const GraphGame& game) const override {
    if (!game.dense_size()) return "the positions of this game are not numbered";
    return game.splits() ? "its positions fall into components" : "";
  }

  std::uint64_t memory_bytes(const GraphGame& /*game*/, std::uint64_t positions) const override {
    // Key, potential, value, moves, misère value. The array counts twice while it is widened.
    return positions * (8 + 4 + 4 + 4 + 4 + 4 + 2) + (std::uint64_t{64} << 20);
  }

  std::optional<GraphTable> run(const GraphTask& task) const override {
    check_task(task);
    const std::uint64_t size = *task.game.dense_size();
    if (const std::uint64_t bytes = memory_bytes(task.game, size);
        task.memory_limit && bytes > *task.memory_limit) {
      throw Error(
          ErrorCode::kFailure,
          fmt::format("{} positions need {} of memory, and {} are allowed", format_count(size),
                      format_bytes(bytes), format_bytes(*task.memory_limit)));
    }
    GraphTable table = RowSorter(task).sort();
    ArrayLookup lookup(size);
    if (!evaluate(task, table, lookup)) return std::nullopt;
    std::vector<std::uint64_t> start;
    task.game.start(start);
    std::vector<std::uint32_t> potentials(start.size());
    task.game.potentials(start, potentials);
    for (std::size_t i = 0; i < start.size(); ++i) {
      table.start.push_back(table.find({&start[i], 1}, potentials[i]).value());
    }
    return table;
  }
};

}  // namespace

const GraphEngine& dense_engine() noexcept {
  static const DenseEngine engine;
  return engine;
}

}  // namespace grundy::graph
