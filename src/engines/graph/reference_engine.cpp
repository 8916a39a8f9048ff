/// @file
/// The definition, executed depth-first, one position at a time. The mex is found by looking for
/// the least missing number. For tests and for `--engine reference`.
// SPDX-License-Identifier: MIT
#include <map>
#include <set>

#include <grundy/error.hpp>

#include "engines/graph/engines.hpp"
#include "engines/graph/evaluation.hpp"

namespace grundy::graph {
namespace {

using Words = std::vector<std::uint64_t>;

/// The facts about a position.
struct Entry {
  std::uint32_t moves = 0;
  Nimber normal = 0, misere = 0;
};

/// The positions in the order of the rows, with values from the bottom up. A position is expanded
/// after all positions of a higher potential, so its own potential is the largest that is left.
class Walk {
 public:
  explicit Walk(const GraphTask& task) : task_(task) {}

  std::optional<GraphTable> run() {
    Words start;
    task_.game.start(start);
    const auto first = keys_of(start);
    for (const Words& key : first) rows_[{potential(key), key}];
    for (auto row = rows_.end(); row != rows_.begin();) {
      if (task_.stop.stop_requested()) return std::nullopt;
      --row;
      for (const auto& option : options(row->first.second)) {
        for (const Words& key : option) {
          const std::uint32_t below = potential(key);
          if (below >= row->first.first) {
            throw Error(ErrorCode::kFailure, "the game breaks its contract: a move to " +
                                                 task_.game.text(key) +
                                                 " does not lower the potential");
          }
          rows_[{below, key}];
        }
      }
    }
    for (auto& [row, entry] : rows_) value(row.second, entry);
    return table(first);
  }

 private:
  using Row = std::pair<std::uint32_t, Words>;

  [[nodiscard]] std::vector<Words> keys_of(std::span<const std::uint64_t> words) const {
    const std::size_t size = task_.game.key_words();
    std::vector<Words> keys;
    for (std::size_t i = 0; i < words.size(); i += size) {
      keys.emplace_back(words.begin() + i, words.begin() + i + size);
    }
    return keys;
  }

  [[nodiscard]] std::uint32_t potential(const Words& key) const {
    std::uint32_t potential = 0;
    task_.game.potentials(key, {&potential, 1});
    return potential;
  }

  /// The options of a position, each as the list of its components.
  [[nodiscard]] std::vector<std::vector<Words>> options(const Words& key) const {
    ExpandedOptions expansion;
    task_.game.expand(key, expansion);
    const std::size_t size = task_.game.key_words();
    std::vector<std::vector<Words>> options;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < expansion.position_end()[0]; ++i) {
      const std::size_t end = task_.game.splits() ? expansion.option_end()[i] : i + 1;
      options.push_back(keys_of(expansion.keys().subspan(begin * size, (end - begin) * size)));
      begin = end;
    }
    return options;
  }

  void value(const Words& key, Entry& entry) {
    std::set<Nimber> normal, misere;
    const auto all = options(key);
    for (const auto& option : all) {
      Nimber sum = 0, misere_sum = 0;
      for (const Words& component : option) {
        const Entry& known = rows_.at({potential(component), component});
        sum ^= known.normal;
        misere_sum ^= known.misere;
      }
      normal.insert(sum);
      misere.insert(misere_sum);
    }
    const auto mex = [](const std::set<Nimber>& values) {
      Nimber least = 0;
      while (values.contains(least)) ++least;
      return least;
    };
    entry = {static_cast<std::uint32_t>(all.size()), mex(normal),
             all.empty() ? Nimber{1} : mex(misere)};
  }

  [[nodiscard]] GraphTable table(const std::vector<Words>& start) const {
    GraphTable table;
    table.key_words = task_.game.key_words();
    for (const auto& [row, entry] : rows_) {
      if (table.layers.empty() || table.layers.back().potential != row.first) {
        table.layers.push_back({row.first, 0});
      }
      ++(table.layers.back().end = table.values.size());
      table.keys.insert(table.keys.end(), row.second.begin(), row.second.end());
      table.values.push_back(entry.normal);
      if (task_.misere) table.misere.push_back(entry.misere);
      table.moves.push_back(entry.moves);
    }
    for (const Words& key : start) {
      table.start.push_back(table.find(key, potential(key)).value());
    }
    return table;
  }

  const GraphTask& task_;
  std::map<Row, Entry> rows_;
};

class ReferenceEngine final : public GraphEngine {
 public:
  std::string_view name() const noexcept override { return "reference"; }
  std::string_view summary() const noexcept override {
    return "the definition in a tree of positions: slow, for comparison";
  }
  std::string refusal(const GraphGame& /*game*/) const override { return {}; }
  std::uint64_t memory_bytes(const GraphGame& game, std::uint64_t positions) const override {
    return positions * (160 + 16 * std::uint64_t{game.key_words()});
  }
  std::optional<GraphTable> run(const GraphTask& task) const override {
    check_task(task);
    return Walk(task).run();
  }
};

}  // namespace

const GraphEngine& reference_engine() noexcept {
  static const ReferenceEngine engine;
  return engine;
}

}  // namespace grundy::graph
