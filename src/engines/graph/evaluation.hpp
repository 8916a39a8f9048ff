/// @file
/// Values of all positions from the lowest potential up: layer by layer, each in parallel.
///
/// A task expands a run of rows, looks up the values of all their options at once (so that cache
/// misses overlap), and takes the mex for each row. It marks values in a byte map, which the
/// kernels turn into a bit set and search for its first zero. The mex of n options is at most n, so
/// larger values are not marked. If values lie in an array, the game itself marks the values of its
/// options, and the options are never written down.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/graph/engine.hpp>
#include <grundy/machine.hpp>

#include "engines/graph/workspaces.hpp"
#include "kernels/kernels.hpp"
#include "parallel/layers.hpp"

namespace grundy::graph {

/// Refuses tasks that no engine can do. @throws Error(kUsage)
inline void check_task(const GraphTask& task) {
  if (task.misere && task.game.splits()) {
    throw Error(ErrorCode::kUsage,
                "misère values of sums do not follow from those of their components; compute "
                "whole positions instead");
  }
}

/// The mex of values that are marked one by one.
class MexMarks {
 public:
  /// Starts a position with this many options.
  void begin(std::size_t options) {
    limit_ = options;
    words_ = options / 64 + 1;
    if (bits_.size() < words_) {
      bits_.resize(words_);
      marks_.resize(64 * words_);
    }
  }
  void add(Nimber value) noexcept {
    if (value <= limit_) marks_[value] = 1;
  }
  /// The mex; ends the position.
  [[nodiscard]] Nimber take(const KernelSet& kernels) noexcept {
    kernels.take_marks(marks_.data(), words_, bits_.data());
    return static_cast<Nimber>(kernels.first_zero_bit(bits_.data(), 0, words_));
  }

 private:
  std::size_t limit_ = 0, words_ = 0;
  std::vector<std::uint8_t> marks_;
  std::vector<std::uint64_t> bits_;
};

/// Computes the values of a game, one layer after another. Lookup finds the values of options:
///   void prepare(Nimber most)  // called before each layer; no value so far exceeds `most`
///   void find(std::span<const std::uint64_t> keys, Nimber* values) const
///   void store(std::span<const std::uint64_t> keys, const Nimber* values)
/// Several threads call find() and store(). Instead of find() a Lookup may have
///   const DenseValues& values() const
template <class Lookup>
class Evaluation final : public LayerPlan {
 public:
  /// @param values receives the value of each row
  /// @param moves receives the number of moves of each row, unless it is empty
  Evaluation(const GraphTask& task, const GraphTable& table, Lookup& lookup, Nimber terminal,
             std::span<Nimber> values, std::span<std::uint32_t> moves)
      : task_(task),
        table_(table),
        lookup_(lookup),
        terminal_(terminal),
        values_(values),
        moves_(moves) {}

  /// Returns false if the run was stopped.
  bool run() { return run_layers(*this, task_.executor, task_.stop) != LayerStatus::kCancelled; }

  std::uint64_t layer_count() const override { return table_.layers.size(); }
  void dependencies(std::uint64_t layer, std::vector<std::uint64_t>& out) const override {
    if (layer > 0) out.push_back(layer - 1);
  }
  std::uint64_t lookback() const override { return 1; }

  std::size_t prepare(std::uint64_t layer) override {
    lookup_.prepare(most_);
    stride_words_ = std::size_t{most_} / 64 + 1;  // marks up to most_; the mex may be one more
    begin_ = layer == 0 ? 0 : table_.layers[layer - 1].end;
    end_ = table_.layers[layer].end;
    return (end_ - begin_ + kRun - 1) / kRun;
  }

  void task(std::uint64_t /*layer*/, std::size_t index) override {
    const std::uint64_t first = begin_ + index * kRun;
    evaluate(first, std::min<std::uint64_t>(first + kRun, end_));
  }

  bool finish(std::uint64_t /*layer*/) override {
    if (task_.progress != nullptr) {
      const double share = static_cast<double>(end_) / static_cast<double>(values_.size());
      task_.progress->report({end_, values_.size(), 0.5 + 0.5 * share});
    }
    return true;
  }

 private:
  static constexpr std::uint64_t kRun = 256;

  static constexpr bool kMarks = requires(const Lookup& lookup) { lookup.values(); };

  struct Workspace {
    ExpandedOptions expansion;
    std::vector<Nimber> found;
    MexMarks marks;
    std::vector<ValueMark> rows_of_marks;
    std::vector<std::uint64_t> bits;
    std::array<std::uint32_t, kRun> counts;
  };

  void evaluate(std::uint64_t first, std::uint64_t end) {
    auto workspace = workspaces_.take();
    const auto keys =
        std::span(table_.keys).subspan(first * table_.key_words, (end - first) * table_.key_words);
    Nimber most = 0;
    if constexpr (kMarks) {
      most = take_marked(*workspace, keys, first);
    } else {
      workspace->expansion.clear();
      task_.game.expand(keys, workspace->expansion);
      most = task_.game.splits() ? take_sums(*workspace, first, end)
                                 : take_positions(*workspace, first, end);
    }
    lookup_.store(keys, &values_[first]);
    Nimber seen = most_;
    while (seen < most && !most_.compare_exchange_weak(seen, most)) {
    }
  }

  /// Computes the values of rows from marks that the game sets. Returns the largest value.
  Nimber take_marked(Workspace& workspace, std::span<const std::uint64_t> keys,
                     std::uint64_t first) {
    constexpr std::size_t kMarkBytes = 32768;  // they stay in the cache
    const std::size_t stride = 64 * stride_words_;
    const std::size_t at_once = std::clamp<std::size_t>(kMarkBytes / stride, 1, kRun);
    workspace.rows_of_marks.resize(at_once * stride);
    Nimber most = 0;
    for (std::size_t begin = 0; begin < keys.size(); begin += at_once) {
      const auto part = keys.subspan(begin, std::min(at_once, keys.size() - begin));
      ValueMark* const marks = workspace.rows_of_marks.data();
      task_.game.mark_options(part, lookup_.values(), stride, marks, workspace.counts.data());
      for (std::size_t i = 0; i < part.size(); ++i) {
        const Nimber value =
            workspace.counts[i] == 0 ? terminal_ : mex_of(&marks[i * stride], workspace.bits);
        set_row(first + begin + i, value, workspace.counts[i]);
        most = std::max(most, value);
      }
    }
    return most;
  }

  /// The mex of the marked values. Clears the marks.
  Nimber mex_of(ValueMark* marks, std::vector<std::uint64_t>& bits) const {
    bits.resize(stride_words_);
    // The standard allows to read and write any object as bytes.
    task_.kernels.take_marks(reinterpret_cast<std::uint8_t*>(marks), stride_words_, bits.data());
    return static_cast<Nimber>(task_.kernels.first_zero_bit(bits.data(), 0, stride_words_));
  }

  /// Computes the values of rows whose options are sums. Returns the largest value.
  Nimber take_sums(Workspace& workspace, std::uint64_t first, std::uint64_t end) {
    const ExpandedOptions& expansion = workspace.expansion;
    const std::vector<Nimber>& found = find_all(workspace);
    const auto option_end = expansion.option_end();
    std::uint32_t component = 0;
    return take(workspace, first, end, [&](std::uint32_t begin, std::uint32_t last) {
      for (std::uint32_t option = begin; option < last; ++option) {
        Nimber sum = 0;
        for (; component < option_end[option]; ++component) sum ^= found[component];
        workspace.marks.add(sum);
      }
    });
  }

  /// Computes the values of rows whose options are single positions. Returns the largest value.
  Nimber take_positions(Workspace& workspace, std::uint64_t first, std::uint64_t end) {
    const std::vector<Nimber>& found = find_all(workspace);
    return take(workspace, first, end, [&](std::uint32_t begin, std::uint32_t last) {
      for (std::uint32_t option = begin; option < last; ++option) {
        workspace.marks.add(found[option]);
      }
    });
  }

  const std::vector<Nimber>& find_all(Workspace& workspace) const {
    const auto keys = workspace.expansion.keys();
    workspace.found.resize(keys.size() / table_.key_words);
    lookup_.find(keys, workspace.found.data());
    return workspace.found;
  }

  /// Takes the mex of each row; mark(begin, last) marks the values of its options.
  template <class MarkOptions>
  Nimber take(Workspace& workspace, std::uint64_t first, std::uint64_t end,
              const MarkOptions& mark) {
    Nimber most = 0;
    std::uint32_t option = 0;
    for (std::uint64_t row = first; row < end; ++row) {
      const std::uint32_t last = workspace.expansion.position_end()[row - first];
      const std::uint32_t count = last - std::exchange(option, last);
      Nimber value = terminal_;
      if (count > 0) {
        workspace.marks.begin(count);
        mark(last - count, last);
        value = workspace.marks.take(task_.kernels);
      }
      set_row(row, value, count);
      most = std::max(most, value);
    }
    return most;
  }

  void set_row(std::uint64_t row, Nimber value, std::uint32_t moves) noexcept {
    values_[row] = value;
    if (!moves_.empty()) moves_[row] = moves;
  }

  const GraphTask& task_;
  const GraphTable& table_;
  Lookup& lookup_;
  Nimber terminal_;
  std::span<Nimber> values_;
  std::span<std::uint32_t> moves_;
  std::uint64_t begin_ = 0, end_ = 0;
  std::size_t stride_words_ = 1;
  std::atomic<Nimber> most_{0};
  Workspaces<Workspace> workspaces_;
};

/// Fills in values, numbers of moves and (if asked for) misère values of a table whose keys and
/// layers are set. Returns false if the run was stopped.
template <class Lookup>
bool evaluate(const GraphTask& task, GraphTable& table, Lookup& lookup) {
  const std::size_t size = table.keys.size() / table.key_words;
  table.values.resize(size);
  table.moves.resize(size);
  if (!Evaluation(task, table, lookup, 0, table.values, table.moves).run()) return false;
  if (!task.misere) return true;
  table.misere.resize(size);
  return Evaluation(task, table, lookup, 1, table.misere, {}).run();
}

}  // namespace grundy::graph
