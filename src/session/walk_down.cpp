/// @file
/// The walk goes from the highest potential down. Every move lowers the potential, so a layer is
/// complete when all higher layers are done. Each layer is taken in runs of positions, on all
/// threads. Most options of a run belong to several of its positions, and neighbouring runs have
/// them too. So a run sorts its options and hands on each option once, and a layer drops its
/// duplicates before it is taken.
// SPDX-License-Identifier: MIT
#include "session/walk_down.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <iterator>
#include <map>
#include <mutex>
#include <span>
#include <utility>

#include "engines/graph/key_table.hpp"

namespace grundy {
namespace {

/// The positions that one task expands, and the number of tasks between two looks at the result.
constexpr std::size_t kPositionsOfRun = 2048, kRunsAtOnce = 64;

/// Positions of a layer as they are found.
template <unsigned W>
class FoundLayer {
 public:
  using Key = graph::Key<W>;

  void add(std::span<const Key> keys) {
    keys_.insert(keys_.end(), keys.begin(), keys.end());
    // This bounds the room for duplicate keys, and the work for them.
    if (keys_.size() > 2 * in_order_ + kLeast) put_in_order();
  }
  /// All keys in order, each once.
  std::vector<Key> take() {
    put_in_order();
    return std::move(keys_);
  }

 private:
  static constexpr std::size_t kLeast = std::size_t{1} << 16;

  void put_in_order() {
    const auto middle = keys_.begin() + static_cast<std::ptrdiff_t>(in_order_);
    std::sort(middle, keys_.end());
    std::inplace_merge(keys_.begin(), middle, keys_.end());
    keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
    in_order_ = keys_.size();
  }

  std::vector<Key> keys_;
  std::size_t in_order_ = 0;  ///< the number of first keys that are in order
};

template <unsigned W>
class WalkDown {
 public:
  WalkDown(const PPositions& file, const GraphGame& game) : file_(file), game_(game) {
    std::vector<std::uint64_t> start;
    game.start(start);
    std::uint32_t potential = 0;
    game.potentials(start, {&potential, 1});
    const Key key = graph::key_at<W>(start.data());
    open_[potential].add({&key, 1});
  }

  WalkReport run(Executor& executor, const std::stop_token& stop,
                 const std::function<void(std::uint64_t)>& told) {
    constexpr std::size_t kAtOnce = kPositionsOfRun * kRunsAtOnce;
    while (!open_.empty()) {
      const auto highest = std::prev(open_.end());
      const std::uint32_t potential = highest->first;
      const std::vector<Key> layer = highest->second.take();
      open_.erase(highest);
      for (std::size_t i = 0; i < layer.size(); i += kAtOnce) {
        const std::size_t count = std::min(kAtOnce, layer.size() - i);
        prove(std::span(layer).subspan(i, count), potential, executor, stop);
        if (report_.wrong || stop.stop_requested()) return report_;
        told(report_.proved);
      }
    }
    return report_;
  }

 private:
  using Key = graph::Key<W>;

  struct Run {
    std::size_t proved = 0, listed = 0;
  };
  struct Option {
    std::uint32_t potential;
    Key key;
    auto operator<=>(const Option&) const = default;
  };

  /// Proves positions of one layer, and notes the first position that is wrong.
  void prove(std::span<const Key> keys, std::uint32_t potential, Executor& executor,
             const std::stop_token& stop) {
    std::vector<Run> runs((keys.size() + kPositionsOfRun - 1) / kPositionsOfRun);
    const auto keys_of = [&](std::size_t i) {
      const std::size_t first = i * kPositionsOfRun;
      return keys.subspan(first, std::min(kPositionsOfRun, keys.size() - first));
    };
    executor.parallel_for(runs.size(), [&](std::size_t i) {
      if (!stop.stop_requested()) runs[i] = prove_run(keys_of(i), potential);
    });
    if (stop.stop_requested()) return;
    for (std::size_t i = 0; i < runs.size() && !report_.wrong; ++i) {
      report_.proved += runs[i].proved;
      report_.listed += runs[i].listed;
      if (runs[i].proved == keys_of(i).size()) continue;
      const Key& wrong = keys_of(i)[runs[i].proved];
      report_.wrong.emplace(wrong.begin(), wrong.end());
    }
  }

  /// Proves positions until one is wrong, and hands on their options.
  Run prove_run(std::span<const Key> keys, std::uint32_t potential) {
    ExpandedOptions expansion;
    game_.expand({keys.data()->data(), keys.size() * W}, expansion);
    const std::span<const std::uint64_t> words = expansion.keys();
    std::vector<std::uint32_t> potentials(words.size() / W);
    game_.potentials(words, potentials);
    Run run;
    for (std::size_t first = 0; run.proved < keys.size(); ++run.proved) {
      const std::size_t end = expansion.position_end()[run.proved];
      bool is_won = file_.misere && first == end;
      for (std::size_t i = first; i < end && !is_won; ++i) {
        is_won = is_listed(words.subspan(i * W, W), potentials[i]);
      }
      const bool listed = is_listed(keys[run.proved], potential);
      if (listed == is_won) break;
      if (listed) ++run.listed;
      first = end;
    }
    std::vector<Option> options(potentials.size());
    for (std::size_t i = 0; i < options.size(); ++i) {
      options[i] = {potentials[i], graph::key_at<W>(&words[i * W])};
    }
    std::sort(options.begin(), options.end());
    options.erase(std::unique(options.begin(), options.end()), options.end());
    hand_on(options);
    return run;
  }

  [[nodiscard]] bool is_listed(std::span<const std::uint64_t> key, std::uint32_t potential) const {
    return file_.list.find(key, potential).has_value();
  }

  /// Hands on the options, which are in order.
  void hand_on(std::span<const Option> options) {
    std::vector<Key> keys;
    for (std::size_t first = 0; first < options.size();) {
      const std::uint32_t potential = options[first].potential;
      keys.clear();
      for (; first < options.size() && options[first].potential == potential; ++first) {
        keys.push_back(options[first].key);
      }
      const std::lock_guard lock(mutex_);
      open_[potential].add(keys);
    }
  }

  const PPositions& file_;
  const GraphGame& game_;
  std::mutex mutex_;
  /// Positions that are found and not yet proved, by potential.
  std::map<std::uint32_t, FoundLayer<W>> open_;
  WalkReport report_;
};

}  // namespace

WalkReport walk_down(const PPositions& list, const GraphGame& game, Executor& executor,
                     const std::stop_token& stop, const std::function<void(std::uint64_t)>& told) {
  switch (game.key_words()) {
    case 1:
      return WalkDown<1>(list, game).run(executor, stop, told);
    case 2:
      return WalkDown<2>(list, game).run(executor, stop, told);
    default:
      return WalkDown<4>(list, game).run(executor, stop, told);
  }
}

}  // namespace grundy
