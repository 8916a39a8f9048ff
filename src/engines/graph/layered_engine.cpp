/// @file
/// The engine for any game: finds the positions from the top down, then their values from the
/// bottom up.
///
/// Positions live in a sharded hash table (position_set.hpp), and values are written into its slots
/// (evaluation.hpp). Every option is made twice: once to find it, and once to look up its value.
/// Keeping the options would cost several times the memory. Takes O(moves) time, and 60 to 80 bytes
/// for a position with a key of one word.
// SPDX-License-Identifier: MIT
#include <limits>

#include "engines/graph/engines.hpp"
#include "engines/graph/evaluation.hpp"
#include "engines/graph/position_set.hpp"

namespace grundy::graph {
namespace {

/// Looks options up in a set of positions.
template <unsigned W>
class SlotLookup {
 public:
  SlotLookup(const GraphGame& game, PositionSet<W>& set) : game_(game), set_(set) {}

  void prepare(Nimber most) {
    if (most >= largest_value(ValueWidth::kU32)) {
      throw Error(ErrorCode::kFailure, "a Grundy value exceeds 32 bits");
    }
  }

  void find(std::span<const std::uint64_t> keys, Nimber* values) const {
    constexpr std::size_t kAhead = 16;  // number of look-ups that wait for memory at the same time
    const std::size_t count = keys.size() / W;
    std::array<std::uint64_t, kAhead> hashes{};
    const auto fetch = [&](std::size_t i) {
      if (i >= count) return;
      hashes[i % kAhead] = hash_key<W>(&keys[i * W]);
      set_.prefetch(hashes[i % kAhead]);
    };
    for (std::size_t i = 0; i < kAhead; ++i) fetch(i);
    for (std::size_t i = 0; i < count; ++i) {
      const Key<W> key = key_at<W>(&keys[i * W]);
      const auto& slot = set_.slot(key, hashes[i % kAhead]);
      if (!slot.known()) refuse(key);
      values[i] = slot.value();
      fetch(i + kAhead);
    }
  }

  void store(std::span<const std::uint64_t> keys, const Nimber* values) {
    for (std::size_t i = 0; i * W < keys.size(); ++i) {
      const Key<W> key = key_at<W>(&keys[i * W]);
      set_.slot(key, hash_key<W>(key.data())).set(values[i]);
    }
  }

 private:
  [[noreturn]] void refuse(const Key<W>& key) const {
    throw Error(ErrorCode::kFailure,
                fmt::format("the game breaks its contract: {} is an option of a position whose "
                            "potential is not higher, or its options change from call to call",
                            game_.text(key)));
  }

  const GraphGame& game_;
  PositionSet<W>& set_;
};

/// Makes a table whose rows are the positions that were found.
template <unsigned W>
GraphTable make_rows(PositionSet<W>& set) {
  GraphTable table;
  table.key_words = W;
  table.keys.reserve(set.size() * W);
  for (auto& [potential, keys] : set.layers()) {
    for (const Key<W>& key : keys) table.keys.insert(table.keys.end(), key.begin(), key.end());
    table.layers.push_back({potential, table.keys.size() / W});
    std::vector<Key<W>>().swap(keys);
  }
  return table;
}

template <unsigned W>
std::optional<GraphTable> run_with(const GraphTask& task) {
  PositionSet<W> set(task);
  if (!set.discover()) return std::nullopt;
  GraphTable table = make_rows(set);
  SlotLookup<W> lookup(task.game, set);
  if (!evaluate(task, table, lookup)) return std::nullopt;
  for (const Key<W>& key : set.start()) {
    std::uint32_t potential = 0;
    task.game.potentials(key, {&potential, 1});
    table.start.push_back(table.find(key, potential).value());
  }
  return table;
}

class LayeredEngine final : public GraphEngine {
 public:
  std::string_view name() const noexcept override { return "layered"; }
  std::string_view summary() const noexcept override {
    return "finds positions layer by layer in a hash table, then values them from below";
  }
  std::string refusal(const GraphGame& /*game*/) const override { return {}; }

  std::uint64_t memory_bytes(const GraphGame& game, std::uint64_t positions) const override {
    switch (game.key_words()) {
      case 1:
        return PositionSet<1>::memory_bytes(positions, true);
      case 2:
        return PositionSet<2>::memory_bytes(positions, true);
      default:
        return PositionSet<4>::memory_bytes(positions, true);
    }
  }

  std::optional<GraphTable> run(const GraphTask& task) const override {
    check_task(task);
    switch (task.game.key_words()) {
      case 1:
        return run_with<1>(task);
      case 2:
        return run_with<2>(task);
      default:
        return run_with<4>(task);
    }
  }
};

}  // namespace

const GraphEngine& layered_engine() noexcept {
  static const LayeredEngine engine;
  return engine;
}

}  // namespace grundy::graph
