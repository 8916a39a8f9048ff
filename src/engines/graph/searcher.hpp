/// @file
/// One thread of a search for the value of a position, and what the threads of a search share.
///
/// The question is always whether a component has a value n, or which value it has. README.md tells
/// how it is answered.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/graph/graph_game.hpp>

#include "engines/graph/alike_table.hpp"
#include "engines/graph/key_table.hpp"
#include "engines/graph/learnt_table.hpp"
#include "engines/graph/reached.hpp"
#include "engines/graph/search_crew.hpp"

namespace grundy::graph {

/// Thrown to end a search that was stopped, or a search whose question another thread has answered.
struct SearchStopped {};

/// A component, and what first_alike() has to know of it.
template <unsigned W>
struct Part {
  Key<W> key{};
  std::uint64_t likeness = 0;
};

/// The data that the threads of a search share.
template <unsigned W>
struct SharedSearch {
  SharedSearch(const GraphGame& searched, const KernelSet& used,
               std::optional<std::uint64_t> memory_limit)
      : game(searched),
        kernels(used),
        tells_alike(W == 1 && searched.tells_alike(used)),
        table(tells_alike && memory_limit ? *memory_limit / (kFactsForAlike + 1) * kFactsForAlike
                                          : memory_limit),
        alike(tells_alike ? table.buckets() / kFactsForAlike : 0) {}

  /// Buckets of facts for each bucket of positions that play alike, which so get a third of the
  /// memory.
  static constexpr std::uint64_t kFactsForAlike = 2;
  static_assert(W > 1 || LearntTable<W>::kBucketBytes == AlikeTable::kBucketBytes);

  const GraphGame& game;
  const KernelSet& kernels;
  const bool tells_alike;  ///< whether the game tells which positions play alike
  std::stop_token stop{};
  LearntTable<W> table;
  AlikeTable alike;  ///< no buckets if it does not
  Crew crew{};
  Signposts signposts{};
  bool has_others = false;                ///< whether there are several threads
  std::atomic<bool> is_over = false;      ///< whether a thread has found the value
  std::atomic<std::uint64_t> opened = 0;  ///< positions; a thread adds kOpened of its own at once

  /// The bytes of the tables with which a search begins.
  static std::uint64_t least_bytes(const GraphGame& game, const KernelSet& kernels) noexcept {
    const std::uint64_t facts = LearntTable<W>::least_bytes();
    return W == 1 && game.tells_alike(kernels) ? facts + facts / kFactsForAlike : facts;
  }

  /// Writes what first_alike() has to know of components, and starts to load the memory that it
  /// will read. Writes nothing if the game does not tell which play alike.
  void likeness(std::span<const std::uint64_t> keys, std::span<std::uint64_t> out) const noexcept {
    if (!tells_alike) return;
    game.likeness(kernels, keys, out);
    for (const std::uint64_t one : out) alike.prefetch(one);
  }

  /// The first component that plays like this one, as far as is known.
  Part<W> first_alike(const Part<W>& part) noexcept {
    if constexpr (W == 1) {
      if (tells_alike) {
        const std::uint64_t key = part.key[0];
        const std::uint64_t first = alike.first(part.likeness, key, [&](std::uint64_t other) {
          table.prefetch({other});
          return game.are_alike(kernels, other, key);
        });
        return {{first}, part.likeness};
      }
    }
    return part;
  }

  /// Makes room for more facts. @pre no other thread searches. @throws Error(kFailure)
  void grow() {
    table.grow();
    if (tells_alike) alike.grow(table.buckets() / kFactsForAlike);
  }
};

/// One thread of a search.
template <unsigned W>
class Searcher {
 public:
  explicit Searcher(SharedSearch<W>& shared) : shared_(shared), game_(shared.game) {}
  Searcher(const Searcher&) = delete;
  Searcher& operator=(const Searcher&) = delete;
  ~Searcher() { shared_.opened.fetch_add(opened_ % kOpened, std::memory_order_relaxed); }

  /// @throws SearchStopped, Error(kFailure)
  Nimber value(std::span<const std::uint64_t> keys) {
    Nimber sum = 0;
    for (std::size_t i = 0; i < keys.size(); i += W) {
      const Key<W> key = key_at<W>(keys.data() + i);
      std::uint32_t depth = 0;
      game_.potentials(key, {&depth, 1});
      if (depth > kMostDepth) {
        throw Error(ErrorCode::kFailure,
                    fmt::format("{} may take {} moves, and a search goes {} deep; compute the "
                                "table instead",
                                game_.text(key), depth, kMostDepth));
      }
      Part<W> part{.key = key};
      shared_.likeness(key, {&part.likeness, 1});
      sum ^= value(part, 0);
    }
    return sum;
  }

 private:
  /// The most moves of a line of play. Every move is one level of recursion.
  static constexpr std::uint32_t kMostDepth = 10'000;

  /// Numbers of options that are made at once, so that their look-ups wait together; the first
  /// number is that of the lanes of a vector. The first options answer most questions, so few
  /// options are made in vain.
  static constexpr std::size_t kFirstAtOnce = 8, kMostAtOnce = 16;

  /// A thread tells after so many positions that it has opened them.
  static constexpr std::uint64_t kOpened = 1024;

  /// Thrown to leave all levels below one whose question another thread has answered.
  struct Answered {
    std::size_t depth;
    Knowledge known;
  };

  /// One option. Its value is the xor of `others` and the values of its components.
  struct Option {
    std::uint32_t begin = 0, end = 0;  ///< components in Frame::keys
    std::uint64_t weight = 0;
    Nimber others = 0;
  };

  /// One level of recursion: a position. Its options are looked at as late as possible.
  struct Frame {
    Key<W> key{};
    std::optional<Nimber> asked;       ///< is it this value? unset: which value is it?
    std::uint64_t opened_before = 0;   ///< number of positions that had been opened before this one
    std::vector<std::uint64_t> moves;  ///< from `next` on: options that have not been looked at
    std::size_t next = 0;
    std::vector<std::uint64_t> keys;      ///< components of options
    std::vector<std::uint64_t> likeness;  ///< of each of `keys`, as soon as it is prepared
    std::vector<Option> open;          ///< options that were looked at; their values are not known
    std::vector<std::uint32_t> later;  ///< the open options that other threads search
    bool prepared = false;
    Reached reached;  ///< the values of the options that are neither in `moves` nor in `open`
  };

  /// Tells other threads that this thread searches a position.
  class Sign {
   public:
    Sign(SharedSearch<W>& shared, const Part<W>& part) : shared_(shared) {
      if (!shared.has_others) return;
      hash_ = hash_of(shared, part);
      shared.signposts.put(hash_);
    }
    Sign(const Sign&) = delete;
    Sign& operator=(const Sign&) = delete;
    ~Sign() {
      if (shared_.has_others) shared_.signposts.take_away(hash_);
    }
    /// Positions that play alike are one for other threads, too.
    static std::uint64_t hash_of(const SharedSearch<W>& shared, const Part<W>& part) noexcept {
      return shared.tells_alike ? part.likeness : hash_key<W>(part.key.data());
    }

   private:
    SharedSearch<W>& shared_;
    std::uint64_t hash_ = 0;
  };

  /// The facts about a component before its options are looked at.
  Knowledge consult(const Key<W>& key) {
    Knowledge known = recall(key);
    if (known.bits() != 0) return known;
    switch (game_.theorem(key).says) {
      case PositionTheorem::Says::kZero:
        known = Knowledge::exact(0);
        shared_.table.learn(key, known, 0);
        break;
      case PositionTheorem::Says::kNotZero:
        known.exclude(0);
        break;
      case PositionTheorem::Says::kNothing:
        break;
    }
    return known;
  }

  [[nodiscard]] Knowledge recall(const Key<W>& key) const noexcept {
    return shared_.table.recall(key);
  }

  /// Stores facts about a position. It has none of the values of its options, whatever was asked.
  void learn(const Frame& frame, Knowledge knowledge) {
    if (!knowledge.is_exact()) knowledge.exclude_all(frame.reached.below_64());
    shared_.table.learn(frame.key, knowledge, opened_ - frame.opened_before);
  }

  /// Makes a frame for the options of a position.
  Frame& open(const Key<W>& key, std::optional<Nimber> asked, std::size_t depth) {
    constexpr std::uint64_t kLook = 16;  // a look costs half as much as opening a position
    if (shared_.stop.stop_requested() || shared_.is_over.load(std::memory_order_relaxed)) {
      throw SearchStopped{};
    }
    if (shared_.table.is_full()) shared_.crew.meet([this] { shared_.grow(); });
    if (shared_.has_others && opened_ % kLook == 0) leave_if_answered(depth);
    if (depth > kMostDepth) {
      throw Error(ErrorCode::kFailure, "the game breaks its contract: play does not end");
    }
    if (depth == frames_.size()) frames_.emplace_back();
    Frame& frame = frames_[depth];
    frame.key = key;
    frame.asked = asked;
    frame.opened_before = opened_++;
    if (opened_ % kOpened == 0) shared_.opened.fetch_add(kOpened, std::memory_order_relaxed);
    frame.moves.clear();
    frame.next = 0;
    frame.keys.clear();
    frame.open.clear();
    frame.prepared = false;
    frame.reached.clear();
    game_.moves(key, frame.moves);
    return frame;
  }

  /// Leaves the levels below a level whose question another thread has answered.
  void leave_if_answered(std::size_t depth) const {
    for (std::size_t above = 0; above < depth; ++above) {
      const Frame& frame = frames_[above];
      const Knowledge known = recall(frame.key);
      if (known.is_exact() || (frame.asked && known.excludes(*frame.asked))) {
        throw Answered{above, known};
      }
    }
  }

  /// Adds the known values of components of the option to `others` and drops these components.
  /// Returns true if no component is left, so that `others` is the value of the option.
  bool settle(Frame& frame, Option& option) const noexcept {
    for (std::uint32_t i = option.begin; i < option.end;) {
      const Knowledge known = recall(component(frame, i));
      if (!known.is_exact()) {
        ++i;
        continue;
      }
      option.others ^= known.value();
      for (std::uint32_t k = i + 1; k < option.end; ++k) move_component(frame, k, k - 1);
      --option.end;
    }
    return option.begin == option.end;
  }

  static Key<W> component(const Frame& frame, std::uint32_t i) noexcept {
    return key_at<W>(&frame.keys[std::size_t{i} * W]);
  }
  /// A component that is about to be searched. @pre frame.prepared
  static Part<W> part(const Frame& frame, std::uint32_t i) noexcept {
    return {component(frame, i), frame.likeness[i]};
  }
  static void move_component(Frame& frame, std::uint32_t from, std::uint32_t to) noexcept {
    if (frame.prepared) frame.likeness[to] = frame.likeness[from];
    for (unsigned w = 0; w < W; ++w) {
      frame.keys[std::size_t{to} * W + w] = frame.keys[std::size_t{from} * W + w];
    }
  }

  /// Looks at new and open options until one of them is known to have the value n.
  bool known_option_has(Frame& frame, Nimber n) {
    drop_settled(frame, 0);
    std::size_t at_once = kFirstAtOnce;
    while (!frame.reached.contains(n) && frame.next < frame.moves.size()) {
      const std::size_t first = frame.open.size();
      const std::size_t end = std::min(frame.moves.size(), frame.next + at_once * W);
      make_options(frame, end);
      drop_settled(frame, first);
      at_once = std::min(2 * at_once, kMostAtOnce);
    }
    return frame.reached.contains(n);
  }

  /// Makes the options up to `end` in frame.moves, and starts to load the facts about them.
  void make_options(Frame& frame, std::size_t end) {
    const auto first = static_cast<std::uint32_t>(frame.keys.size() / W);
    simplified_.clear();
    game_.simplify(shared_.kernels, {&frame.moves[frame.next], end - frame.next}, frame.keys,
                   simplified_);
    frame.next = end;
    for (std::uint32_t i = first; i < frame.keys.size() / W; ++i) {
      shared_.table.prefetch(component(frame, i));
    }
    std::uint32_t begin = first;
    for (const SimplifiedPosition& option : simplified_) {
      frame.open.push_back({.begin = begin, .end = first + option.end, .others = option.value});
      begin = first + option.end;
    }
  }

  /// Drops the open options, from `first` on, whose value is known.
  void drop_settled(Frame& frame, std::size_t first) const {
    std::size_t kept = first;
    for (std::size_t i = first; i < frame.open.size(); ++i) {
      if (is_open(frame, frame.open[i])) frame.open[kept++] = frame.open[i];
    }
    frame.open.resize(kept);
  }

  /// Returns false if the value of the option is known; the value then counts as reached.
  bool is_open(Frame& frame, Option& option) const {
    if (!settle(frame, option)) return true;
    frame.reached.add(option.others);
    return false;
  }

  /// Prepares to search options, when all were looked at and none has the value that is asked for.
  /// Sorts them, light ones first. Sorts the components of each option, the heaviest last, because
  /// the value of the last one need not be found. Work grows faster than weight, so two halves are
  /// easier than the whole. Components of the other options are dropped.
  void prepare(Frame& frame) {
    if (frame.prepared) return;
    for (Option& option : frame.open) {
      std::uint32_t heaviest = option.begin, most = 0;
      for (std::uint32_t i = option.begin; i < option.end; ++i) {
        const std::uint32_t weight = game_.weight(component(frame, i));
        option.weight += std::uint64_t{weight} * weight;
        if (weight > most) heaviest = i;
        most = std::max(most, weight);
      }
      std::swap_ranges(&frame.keys[std::size_t{heaviest} * W],
                       &frame.keys[std::size_t{heaviest} * W] + W,
                       &frame.keys[std::size_t{option.end - 1} * W]);
    }
    // Options are in the order of their components, which a stable sort would keep.
    std::ranges::sort(frame.open, {},
                      [](const Option& option) { return std::pair(option.weight, option.begin); });
    std::vector<std::uint64_t>& keys = kept_keys_;
    keys.clear();
    for (Option& option : frame.open) {
      const auto begin = static_cast<std::uint32_t>(keys.size() / W);
      for (std::uint32_t i = option.begin; i < option.end; ++i) {
        for (const std::uint64_t word : component(frame, i)) keys.push_back(word);
      }
      option.begin = begin;
      option.end = static_cast<std::uint32_t>(keys.size() / W);
    }
    frame.keys.swap(keys);
    frame.likeness.resize(frame.keys.size() / W);
    shared_.likeness(frame.keys, frame.likeness);
    frame.prepared = true;
  }

  /// Whether an option has the value n.
  bool option_has(Frame& frame, Nimber n, std::size_t depth) {
    if (known_option_has(frame, n)) return true;
    prepare(frame);
    return any_open(frame, [&](Option& option) {
      for (; option.begin + 1 < option.end; ++option.begin) {
        option.others ^= value(part(frame, option.begin), depth + 1);
      }
      return has(part(frame, option.begin), n ^ option.others, depth + 1);
    });
  }

  /// Whether `look` is true for an open option. Options that other threads search come last.
  template <class F>
  bool any_open(Frame& frame, F look) {
    frame.later.clear();
    for (std::uint32_t i = 0; i < frame.open.size(); ++i) {
      if (is_searched_elsewhere(frame, frame.open[i])) {
        frame.later.push_back(i);
      } else if (look(frame.open[i])) {
        return true;
      }
    }
    return std::ranges::any_of(frame.later, [&](std::uint32_t i) { return look(frame.open[i]); });
  }

  [[nodiscard]] bool is_searched_elsewhere(const Frame& frame, const Option& option) const {
    return shared_.has_others &&
           shared_.signposts.has(Sign::hash_of(shared_, part(frame, option.begin)));
  }

  /// Whether the component has the value n.
  bool has(const Part<W>& part, Nimber n, std::size_t depth) {
    Knowledge known = consult(part.key);
    if (const auto answer = known.is(n)) return *answer;
    const Part<W> first = shared_.first_alike(part);
    if (same<W>(first.key, part.key)) return ask(part, known, n, depth);
    known.join(consult(first.key));
    const auto at_once = known.is(n);
    const bool answer = at_once ? *at_once : ask(first, known, n, depth);
    known.join(recall(first.key));
    if (answer) {
      known = Knowledge::exact(n);
    } else if (!known.is_exact()) {
      known.exclude(n);
    }
    copy(known, part.key);
    return answer;
  }

  /// Stores what was learnt of another position that plays alike, which has the effort.
  void copy(Knowledge knowledge, const Key<W>& key) noexcept {
    shared_.table.learn(key, knowledge, 1);
  }

  /// Asks the options of the component whether it has the value n.
  bool ask(const Part<W>& part, Knowledge known, Nimber n, std::size_t depth) {
    const Sign sign(shared_, part);
    try {
      return decide(known, open(part.key, n, depth), n, depth);
    } catch (const Answered& answer) {
      if (answer.depth != depth) throw;
      return answer.known.is_exact() && answer.known.value() == n;
    }
  }

  /// Whether the position of a frame has the value n.
  bool decide(Knowledge known, Frame& frame, Nimber n, std::size_t depth) {
    // If an option has the value n, the answer is no at once. Otherwise n is the value exactly if
    // every smaller number is reached.
    if (frame.moves.size() / W >= n && (n >= Knowledge::kExcludable || known.is_large())) {
      return find(known, frame, depth) == n;
    }
    if (frame.moves.size() / W < n || option_has(frame, n, depth)) {
      known.exclude(n);
      learn(frame, known);
      return false;
    }
    for (Nimber m = 0; m < n; ++m) {
      if (known.excludes(m)) continue;
      if (!option_has(frame, m, depth)) {
        learn(frame, Knowledge::exact(m));
        return false;
      }
      known.exclude(m);
    }
    learn(frame, Knowledge::exact(n));
    return true;
  }

  Nimber value(const Part<W>& part, std::size_t depth) {
    Knowledge known = consult(part.key);
    if (known.is_exact()) return known.value();
    const Part<W> first = shared_.first_alike(part);
    if (same<W>(first.key, part.key)) return find_out(part, known, depth);
    known.join(consult(first.key));
    const Nimber value = known.is_exact() ? known.value() : find_out(first, known, depth);
    copy(Knowledge::exact(value), part.key);
    return value;
  }

  /// Finds the value of the component from its options.
  Nimber find_out(const Part<W>& part, Knowledge known, std::size_t depth) {
    const Sign sign(shared_, part);
    try {
      return find(known, open(part.key, std::nullopt, depth), depth);
    } catch (const Answered& answer) {
      if (answer.depth != depth) throw;
      return answer.known.value();
    }
  }

  /// The value of the position of a frame. Numbers are excluded one by one. After a few of them it
  /// is cheaper to find the values of all options.
  Nimber find(Knowledge known, Frame& frame, std::size_t depth) {
    Nimber n = 0;
    for (;; ++n) {
      if (known.excludes(n)) continue;
      if (known.is_large()) {
        value_options(frame, depth);
        while (frame.reached.contains(n)) ++n;
        break;
      }
      if (!option_has(frame, n, depth)) break;
      known.exclude(n);
    }
    learn(frame, Knowledge::exact(n));
    return n;
  }

  /// Adds the values of all options to the reached ones.
  void value_options(Frame& frame, std::size_t depth) {
    constexpr Nimber kNone = ~Nimber{0};  // no option has this value, so all are looked at
    known_option_has(frame, kNone);
    prepare(frame);
    any_open(frame, [&](Option& option) {
      for (; option.begin < option.end; ++option.begin) {
        option.others ^= value(part(frame, option.begin), depth + 1);
      }
      frame.reached.add(option.others);
      return false;
    });
    frame.open.clear();
  }

  SharedSearch<W>& shared_;
  const GraphGame& game_;
  std::uint64_t opened_ = 0;
  std::vector<SimplifiedPosition> simplified_;  ///< options in the making
  std::vector<std::uint64_t> kept_keys_;        ///< keys in the making
  std::deque<Frame> frames_;  ///< frames never move: a level keeps its own during deeper ones
};

}  // namespace grundy::graph
