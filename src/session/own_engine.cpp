// SPDX-License-Identifier: MIT
#include "session/own_engine.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/layout.hpp>

#include "engines/lattice/value_order.hpp"
#include "table/chunk_grid.hpp"
#include "table/layout_text.hpp"
#include "table/tile_scatter.hpp"

namespace grundy {
namespace {

[[noreturn]] void refuse(std::string_view engine, const std::string& deed) {
  throw Error(ErrorCode::kFailure, fmt::format("the engine '{}' {}", engine, deed));
}

/// Passes stretches on, once they are checked.
class CheckedStretches : public ValueSink {
 public:
  /// @param known the run may begin behind this number of values
  CheckedStretches(std::string_view engine, std::stop_token stop, HeapSize known, ValueSink& sink)
      : engine_(engine), stop_(std::move(stop)), known_(known), sink_(sink) {}

  Flow put(const Stretch& stretch) final {
    if (stretch.values.empty()) return flow_;
    if (next_ == 0 && stretch.begin == known_) next_ = known_;
    if (stretch.begin != next_) {
      refuse(engine_, fmt::format("handed over values from number {} on where number {} is due",
                                  stretch.begin, next_));
    }
    const Stretch good = checked(stretch);
    next_ = stretch.end();
    if (flow_ == Flow::kContinue) flow_ = sink_.put(good);
    return flow_;
  }

  /// Checks the end of a run of `count` values, of which `handed` were handed over.
  RunStatus ended(RunStatus status, std::uint64_t handed, std::uint64_t count) const {
    const bool says_all = status == RunStatus::kComplete;
    const bool stopped = flow_ == Flow::kStop || stop_.stop_requested();
    if (handed < count && (says_all || !stopped)) {
      refuse(engine_, fmt::format("{} after {} of {} values",
                                  says_all ? "says that its run is complete" : "stopped by itself",
                                  handed, count));
    }
    return status;
  }

 protected:
  [[nodiscard]] std::string_view engine() const noexcept { return engine_; }
  /// The number of the next value.
  [[nodiscard]] HeapSize next() const noexcept { return next_; }
  /// What of a stretch is passed on. @throws Error(kFailure) if it must not be
  virtual Stretch checked(const Stretch& stretch) = 0;

 private:
  std::string_view engine_;
  std::stop_token stop_;
  HeapSize known_;
  ValueSink& sink_;
  HeapSize next_ = 0;
  Flow flow_ = Flow::kContinue;
};

class CheckedBlocks final : public CheckedStretches {
 public:
  CheckedBlocks(const HeapEngine& engine, const HeapTask& task, ValueSink& sink)
      : CheckedStretches(engine.name(), task.stop, task.known != nullptr ? task.known->count() : 0,
                         sink),
        task_(task) {}

  RunStatus ended(RunStatus status) const {
    return CheckedStretches::ended(status, next(), task_.count);
  }

 private:
  Stretch checked(const Stretch& block) override {
    const HeapSize last = block.end() - 1;
    if (last >= task_.count) {
      refuse(engine(), fmt::format("handed over heaps up to {}, and the last that was asked for is "
                                   "heap {}",
                                   last, task_.count - 1));
    }
    const bool needs_table = task_.keep_table || !block.table.empty();
    if (needs_table && block.table.size() != block.end()) {
      refuse(engine(),
             fmt::format("handed over heaps {} to {} with a table of {} values in place of {}",
                         block.begin, last, block.table.size(), block.end()));
    }
    Stretch good = block;
    // Only a sparse space says how far back later heaps may look.
    if (block.sparse == nullptr) good.newest = good.first = {};
    return good;
  }

  const HeapTask& task_;
};

/// Takes every entry of a shape once.
class EntriesOnce final : public EntrySink {
 public:
  EntriesOnce(std::string_view engine, const Layout& layout)
      : engine_(engine), layout_(layout), array_(array_extent(layout), array_extent(layout)) {}

  /// Takes a line of a tile. Its entries follow each other: along the last heap of a box, or along
  /// the ranks.
  void put(ChunkGrid::Axes at, unsigned /*axis*/, Values values) override {
    const std::uint64_t begin = array_.entry_at(at);
    std::uint64_t end = begin + values.size();
    auto behind = lines_.lower_bound(begin);
    const auto before = behind == lines_.begin() ? lines_.end() : std::prev(behind);
    if (before != lines_.end() && before->second > begin) repeats(begin);
    if (behind != lines_.end() && behind->first < end) repeats(behind->first);
    count_ += values.size();
    if (behind != lines_.end() && behind->first == end) {
      end = behind->second;
      behind = lines_.erase(behind);
    }
    if (before != lines_.end() && before->second == begin) {
      before->second = end;
    } else {
      lines_.emplace_hint(behind, begin, end);
    }
  }
  /// The number of entries that have come.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

 private:
  [[noreturn]] void repeats(std::uint64_t entry) const {
    refuse(engine_, fmt::format("handed over the value of {} twice",
                                position_name(layout_, layout_.position_at(entry),
                                              layout_.plane_of(entry))));
  }

  std::string_view engine_;
  Layout layout_;
  ChunkGrid array_;
  std::map<std::uint64_t, std::uint64_t> lines_;  ///< what has come: from an entry up to another
  std::uint64_t count_ = 0;
};

class CheckedTiles final : public CheckedStretches {
 public:
  CheckedTiles(const LatticeEngine& engine, const LatticeTask& task, ValueSink& sink)
      : CheckedStretches(engine.name(), task.stop, 0, sink),
        layout_(Layout::of(task.shape, task.rule.planes())),
        entries_(engine.name(), layout_),
        scatter_(layout_, layout_.sorted, entries_) {}

  RunStatus ended(RunStatus status) const {
    return CheckedStretches::ended(status, entries_.count(), layout_.entries());
  }

 private:
  Stretch checked(const Stretch& stretch) override {
    if (!fits(stretch)) {
      refuse(engine(), fmt::format("handed over {} values from number {} on that do not fit the "
                                   "shape it was asked for ({})",
                                   stretch.values.size(), stretch.begin, shape_text(layout_)));
    }
    scatter_.put(stretch);
    return stretch;
  }

  /// Whether the place of a stretch is in the shape, and has as many positions.
  [[nodiscard]] bool fits(const Stretch& stretch) const {
    const Tile* const tile = stretch.tile;
    if (stretch.values.size() % layout_.planes != 0) return false;
    const std::uint64_t places = stretch.values.size() / layout_.planes;
    if (tile == nullptr || tile->first_rank) {
      if (tile != nullptr && !layout_.sorted) return false;
      const std::uint64_t first =
          tile == nullptr ? stretch.begin / layout_.planes : *tile->first_rank;
      return first <= layout_.positions() && places <= layout_.positions() - first;
    }
    std::uint64_t box = 1;
    for (unsigned i = 0; i < layout_.heaps; ++i) {
      if (tile->origin[i] + std::uint64_t{tile->extent[i]} > layout_.extent[i]) return false;
      box *= tile->extent[i];
    }
    return box == places;
  }

  Layout layout_;
  EntriesOnce entries_;
  TileScatter scatter_;
};

/// Why a table cannot be one of the game, as a clause; empty if nothing speaks against it.
std::string fault_of(const GraphTable& table, const GraphTask& task) {
  const unsigned words = task.game.key_words();
  if (table.key_words != words) {
    return fmt::format("keys have {} words in place of {}", table.key_words, words);
  }
  const std::uint64_t rows = table.size();
  if (table.keys.size() != rows * words || table.moves.size() != rows ||
      table.misere.size() != (task.misere ? rows : 0)) {
    return "not every row has a key, a value and a number of moves";
  }
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < table.layers.size(); ++i) {
    const GraphLayer& layer = table.layers[i];
    const bool ascends = i == 0 || table.layers[i - 1].potential < layer.potential;
    if (!ascends || layer.end <= begin || layer.end > rows) {
      return "its layers do not follow each other by potential";
    }
    for (std::uint64_t row = begin + 1; row < layer.end; ++row) {
      if (!std::ranges::lexicographical_compare(table.key(row - 1), table.key(row))) {
        return fmt::format("the key of row {} does not come behind that of the row before it", row);
      }
    }
    begin = layer.end;
  }
  if (begin != rows) return fmt::format("its layers have {} of {} rows", begin, rows);
  std::vector<std::uint64_t> keys;
  task.game.start(keys);
  std::vector<std::uint64_t> start;
  for (std::size_t i = 0; i < keys.size(); i += words) {
    const auto key = std::span<const std::uint64_t>(keys).subspan(i, words);
    std::uint32_t potential = 0;
    task.game.potentials(key, {&potential, 1});
    const auto row = table.find(key, potential);
    if (!row) return "it lacks the start position";
    start.push_back(*row);
  }
  return std::ranges::is_permutation(start, table.start) ? "" : "its start is not that of the game";
}

}  // namespace

RunStatus run_own(const HeapEngine& engine, const HeapTask& task, ValueSink& sink) {
  CheckedBlocks blocks(engine, task, sink);
  return blocks.ended(engine.run(task, blocks));
}

RunStatus run_own(const LatticeEngine& engine, const LatticeTask& task, ValueSink& sink) {
  CheckedTiles tiles(engine, task, sink);
  return tiles.ended(engine.run(task, tiles));
}

std::optional<GraphTable> run_own(const GraphEngine& engine, const GraphTask& task) {
  std::optional<GraphTable> table = engine.run(task);
  if (!table) {
    if (!task.stop.stop_requested()) refuse(engine.name(), "gave no table");
    return table;
  }
  if (const std::string fault = fault_of(*table, task); !fault.empty()) {
    refuse(engine.name(), "gave a table that is not one of the game: " + fault);
  }
  return table;
}

}  // namespace grundy
