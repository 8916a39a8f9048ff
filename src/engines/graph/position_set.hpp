/// @file
/// All positions that can be reached, found layer by layer from the highest potential down.
///
/// A layer is complete when every higher one has been expanded, because every move lowers the
/// potential. Threads expand runs of positions, sort the options by shard (the top bits of their
/// hash), and give each shard its batch under its lock. The table of a shard fits in the cache. It
/// does not matter which thread finds a position first, because the layers are sorted at the end.
///
/// Most options have been seen a moment ago, since many positions share them. So each workspace
/// keeps a small direct-mapped memory of the keys that it has handed in, and drops those keys at
/// once.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/graph/engine.hpp>
#include <grundy/machine.hpp>

#include "core/text.hpp"
#include "engines/graph/key_table.hpp"
#include "engines/graph/workspaces.hpp"
#include "parallel/layers.hpp"

namespace grundy::graph {

template <unsigned W>
class PositionSet {
 public:
  static constexpr unsigned kShardBits = 8;
  using Layers = std::map<std::uint32_t, std::vector<Key<W>>>;

  explicit PositionSet(const GraphTask& task) : task_(task), shards_(1u << kShardBits) {}

  /// Finds all positions. Returns false if the run was stopped.
  bool discover();

  /// The layers by potential, with ascending keys.
  [[nodiscard]] Layers& layers() noexcept { return layers_; }
  [[nodiscard]] std::uint64_t size() const noexcept { return found_.load(); }
  [[nodiscard]] const std::vector<Key<W>>& start() const noexcept { return start_; }

  void prefetch(std::uint64_t hash) const noexcept { shard(hash).table.prefetch(hash); }
  [[nodiscard]] auto& slot(const Key<W>& key, std::uint64_t hash) noexcept {
    return shard(hash).table.find(key, hash);
  }
  [[nodiscard]] const auto& slot(const Key<W>& key, std::uint64_t hash) const noexcept {
    return shard(hash).table.find(key, hash);
  }

  /// An upper bound of the bytes for `positions` positions, including the finished table.
  static std::uint64_t memory_bytes(std::uint64_t positions, bool misere) noexcept {
    // A shard that has just doubled is three eighths full and still holds its former slots.
    constexpr std::uint64_t kSlot = sizeof(typename KeyTable<W>::Slot);
    const std::uint64_t tables =
        positions * kSlot * 8 / 3 + shard_overhead() + positions * kSlot / 16;
    return tables + positions * row_bytes(misere);
  }

 private:
  struct alignas(64) Shard {
    std::mutex mutex;
    KeyTable<W> table;
    Layers fresh;  ///< positions that were found and not yet expanded
  };

  /// Buffers of one task.
  struct Workspace {
    static constexpr std::size_t kRecent = 1u << 12;

    Workspace() : recent(kRecent) {}

    ExpandedOptions expansion;
    std::array<std::vector<Key<W>>, 1u << kShardBits> lots;
    std::vector<Key<W>> recent;
    std::vector<std::uint64_t> fresh;
    std::vector<std::uint32_t> potentials;
  };

  class Plan;

  static constexpr std::uint64_t shard_overhead() noexcept {
    return (std::uint64_t{1} << kShardBits) * sizeof(Shard);
  }
  /// Bytes of a position in the list of its layer (which has spare room while it grows) and in the
  /// result.
  static constexpr std::uint64_t row_bytes(bool misere) noexcept {
    return 3 * sizeof(Key<W>) + 2 * sizeof(std::uint32_t) + (misere ? sizeof(Nimber) : 0);
  }

  Shard& shard(std::uint64_t hash) noexcept { return shards_[hash >> (64 - kShardBits)]; }
  const Shard& shard(std::uint64_t hash) const noexcept {
    return shards_[hash >> (64 - kShardBits)];
  }

  void expand(std::uint32_t potential, std::span<const std::uint64_t> keys);
  void hand_in(std::uint32_t above, Workspace& workspace);
  void insert(Shard& shard, std::uint32_t above, const std::vector<Key<W>>& lot,
              Workspace& workspace);
  void check_memory() const;
  /// Collects the positions of a layer that all threads found into one list.
  std::span<const Key<W>> gather(std::uint32_t potential);

  const GraphTask& task_;
  std::vector<Shard> shards_;
  Layers layers_;
  std::vector<Key<W>> start_;
  Workspaces<Workspace> workspaces_;
  std::atomic<std::uint64_t> found_{0};
  std::atomic<std::uint64_t> table_bytes_{0};
};

/// A plan whose layer i is the potential top - i.
template <unsigned W>
class PositionSet<W>::Plan final : public LayerPlan {
 public:
  Plan(PositionSet& set, std::uint32_t top) : set_(set), top_(top) {}

  std::uint64_t layer_count() const override { return std::uint64_t{top_} + 1; }
  void dependencies(std::uint64_t layer, std::vector<std::uint64_t>& out) const override {
    if (layer > 0) out.push_back(layer - 1);
  }
  std::uint64_t lookback() const override { return 1; }

  std::size_t prepare(std::uint64_t layer) override {
    keys_ = set_.gather(potential(layer));
    // There are enough tasks for all threads, and each is large enough to fill its lots.
    run_ = std::clamp<std::size_t>(keys_.size() / (8 * set_.task_.executor.threads()), 64, 1024);
    return (keys_.size() + run_ - 1) / run_;
  }
  void task(std::uint64_t layer, std::size_t index) override {
    const auto part = keys_.subspan(index * run_, std::min(run_, keys_.size() - index * run_));
    set_.expand(potential(layer), {part.data()->data(), part.size() * W});
  }
  bool finish(std::uint64_t /*layer*/) override {
    expanded_ += keys_.size();
    if (set_.task_.progress != nullptr && !keys_.empty()) {
      const std::uint64_t found = set_.size();
      // Finding the positions is about half of the work.
      set_.task_.progress->report(
          {0, found, 0.5 * static_cast<double>(expanded_) / static_cast<double>(found)});
    }
    return true;
  }

 private:
  [[nodiscard]] std::uint32_t potential(std::uint64_t layer) const noexcept {
    return top_ - static_cast<std::uint32_t>(layer);
  }

  PositionSet& set_;
  std::uint32_t top_;
  std::span<const Key<W>> keys_;
  std::size_t run_ = 1;
  std::uint64_t expanded_ = 0;
};

template <unsigned W>
bool PositionSet<W>::discover() {
  std::vector<std::uint64_t> keys;
  task_.game.start(keys);
  start_.resize(keys.size() / W);
  for (std::size_t i = 0; i < start_.size(); ++i) start_[i] = key_at<W>(&keys[i * W]);
  std::vector<std::uint32_t> potentials(start_.size());
  task_.game.potentials(keys, potentials);
  const std::uint32_t top = potentials.empty() ? 0 : std::ranges::max(potentials);
  {
    auto workspace = workspaces_.take();
    for (const Key<W>& key : start_) {
      workspace->lots[hash_key<W>(key.data()) >> (64 - kShardBits)].push_back(key);
    }
    hand_in(top + 1, *workspace);
  }
  Plan plan(*this, top);
  if (run_layers(plan, task_.executor, task_.stop) == LayerStatus::kCancelled) return false;
  std::vector<std::vector<Key<W>>*> lists;
  for (auto& [potential, list] : layers_) lists.push_back(&list);
  task_.executor.parallel_for(lists.size(), [&](std::size_t i) { std::ranges::sort(*lists[i]); });
  return true;
}

template <unsigned W>
void PositionSet<W>::expand(std::uint32_t potential, std::span<const std::uint64_t> keys) {
  auto workspace = workspaces_.take();
  ExpandedOptions& expansion = workspace->expansion;
  expansion.clear();
  task_.game.expand(keys, expansion);
  const std::span<const std::uint64_t> found = expansion.keys();
  for (std::size_t i = 0; i < found.size(); i += W) {
    const Key<W> key = key_at<W>(&found[i]);
    const std::uint64_t hash = hash_key<W>(key.data());
    // The key of all zeros is always handed in, because an unused entry of `recent` looks the same.
    Key<W>& recent = workspace->recent[hash & (Workspace::kRecent - 1)];
    if (same<W>(recent, key) && !same<W>(key, Key<W>{})) continue;
    recent = key;
    workspace->lots[hash >> (64 - kShardBits)].push_back(key);
  }
  hand_in(potential, *workspace);
}

template <unsigned W>
void PositionSet<W>::hand_in(std::uint32_t above, Workspace& workspace) {
  for (std::size_t i = 0; i < shards_.size(); ++i) {
    if (workspace.lots[i].empty()) continue;
    insert(shards_[i], above, workspace.lots[i], workspace);
    workspace.lots[i].clear();
  }
  check_memory();
}

template <unsigned W>
void PositionSet<W>::insert(Shard& shard, std::uint32_t above, const std::vector<Key<W>>& lot,
                            Workspace& workspace) {
  workspace.fresh.clear();
  const std::lock_guard lock(shard.mutex);
  const std::size_t bytes = shard.table.bytes();
  for (const Key<W>& key : lot) {
    if (shard.table.insert(key, hash_key<W>(key.data()))) {
      workspace.fresh.insert(workspace.fresh.end(), key.begin(), key.end());
    }
  }
  if (workspace.fresh.empty()) return;
  table_bytes_ += shard.table.bytes() - bytes;
  const std::size_t count = workspace.fresh.size() / W;
  found_ += count;
  workspace.potentials.resize(count);
  task_.game.potentials(workspace.fresh, workspace.potentials);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t potential = workspace.potentials[i];
    if (potential >= above) {
      throw Error(ErrorCode::kFailure,
                  fmt::format("the game breaks its contract: a move from potential {} leads to {} "
                              "of potential {}, which is not less",
                              above, task_.game.text({&workspace.fresh[i * W], W}), potential));
    }
    shard.fresh[potential].push_back(key_at<W>(&workspace.fresh[i * W]));
  }
}

template <unsigned W>
void PositionSet<W>::check_memory() const {
  if (!task_.memory_limit) return;
  const std::uint64_t found = found_;
  const std::uint64_t bytes =
      table_bytes_ + table_bytes_ / 16 + shard_overhead() + found * row_bytes(task_.misere);
  if (bytes <= *task_.memory_limit) return;
  throw Error(
      ErrorCode::kFailure,
      fmt::format("{} positions were found, which need {} of memory, and {} are allowed; "
                  "there are more",
                  format_count(found), format_bytes(bytes), format_bytes(*task_.memory_limit)));
}

template <unsigned W>
std::span<const Key<W>> PositionSet<W>::gather(std::uint32_t potential) {
  std::size_t count = 0;
  for (Shard& shard : shards_) {
    if (const auto list = shard.fresh.find(potential); list != shard.fresh.end()) {
      count += list->second.size();
    }
  }
  if (count == 0) return {};
  std::vector<Key<W>>& all = layers_[potential];
  all.reserve(count);
  for (Shard& shard : shards_) {
    if (const auto list = shard.fresh.find(potential); list != shard.fresh.end()) {
      all.insert(all.end(), list->second.begin(), list->second.end());
      shard.fresh.erase(list);
    }
  }
  return all;
}

}  // namespace grundy::graph
