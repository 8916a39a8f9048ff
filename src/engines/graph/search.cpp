// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <deque>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/graph/engine.hpp>

#include "core/text.hpp"
#include "engines/graph/key_table.hpp"

namespace grundy {
namespace {

using graph::hash_key;
using graph::Key;
using graph::key_at;
using graph::KeyTable;

/// The most moves of a line of play. Every move is a level of recursion.
constexpr std::uint32_t kMostDepth = 10'000;

/// Thrown to end a search that was stopped.
struct Stopped {};

/// What is known of a component: its value, or values that it does not have.
class Knowledge {
 public:
  static constexpr Nimber kExcludable = 30;  ///< values below this can be excluded one by one

  static constexpr int kManyExcluded = 4;  ///< values of Cram hardly exclude so many

  Knowledge() = default;
  explicit Knowledge(Nimber bits) : bits_(bits) {}
  static Knowledge exact(Nimber value) noexcept { return Knowledge(value << 1 | 1); }

  [[nodiscard]] Nimber bits() const noexcept { return bits_; }
  [[nodiscard]] bool is_exact() const noexcept { return (bits_ & 1) != 0; }
  /// @pre is_exact()
  [[nodiscard]] Nimber value() const noexcept { return bits_ >> 1; }
  /// The value is certainly not n.
  [[nodiscard]] bool excludes(Nimber n) const noexcept {
    return is_exact() ? value() != n : n < kExcludable && (bits_ >> (n + 1) & 1) != 0;
  }
  /// So many values are excluded that the value will be large.
  /// @pre !is_exact()
  [[nodiscard]] bool is_large() const noexcept { return std::popcount(bits_) >= kManyExcluded; }
  void exclude(Nimber n) noexcept {
    if (n < kExcludable) bits_ |= Nimber{2} << n;
  }

 private:
  Nimber bits_ = 0;
};

/// The values that options of a position have, as far as they are known.
class Reached {
 public:
  void clear() noexcept { words_.clear(); }
  void add(Nimber value) {
    if (value / 64 >= words_.size()) words_.resize(value / 64 + 1);
    words_[value / 64] |= std::uint64_t{1} << value % 64;
  }
  [[nodiscard]] bool contains(Nimber value) const noexcept {
    return value / 64 < words_.size() && (words_[value / 64] >> value % 64 & 1) != 0;
  }

 private:
  std::vector<std::uint64_t> words_;
};

template <unsigned W>
class Search {
 public:
  Search(const GraphGame& game, std::optional<std::uint64_t> memory_limit, std::stop_token stop)
      : game_(game), memory_limit_(memory_limit), stop_(std::move(stop)) {}

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
      sum ^= value(key, 0);
    }
    return sum;
  }

  [[nodiscard]] std::uint64_t known() const noexcept { return table_.size(); }

 private:
  /// One option: its value is `others` xor those of its components.
  struct Option {
    std::uint32_t begin = 0, end = 0;  ///< components in Frame::keys
    std::uint64_t weight = 0;
    Nimber others = 0;
  };

  /// One level of recursion: a position. Its options are looked at as late as possible.
  struct Frame {
    std::vector<std::uint64_t> moves;  ///< from `next` on: options that were not looked at yet
    std::size_t next = 0;
    std::vector<std::uint64_t> keys;  ///< components of options
    std::vector<Option> open;         ///< options that were looked at and whose value is not known
    bool sorted = false;
    Reached reached;  ///< the values of the options that are neither in `moves` nor in `open`
  };

  /// What is known of a component before its options are looked at.
  Knowledge consult(const Key<W>& key) {
    Knowledge known = recall(key);
    if (known.bits() != 0) return known;
    switch (game_.theorem(key).says) {
      case Theorem::Says::kZero:
        known = Knowledge::exact(0);
        learn(key, known);
        break;
      case Theorem::Says::kNotZero:
        known.exclude(0);
        break;
      case Theorem::Says::kNothing:
        break;
    }
    return known;
  }

  [[nodiscard]] Knowledge recall(const Key<W>& key) const noexcept {
    const auto& slot = table_.find(key, hash_key<W>(key.data()));
    return slot.known() ? Knowledge(slot.value()) : Knowledge();
  }

  void learn(const Key<W>& key, Knowledge knowledge) {
    if (const std::size_t bytes = table_.bytes_to_insert();
        memory_limit_ && bytes > *memory_limit_) {
      throw Error(ErrorCode::kFailure,
                  fmt::format("the search knows {} positions and needs {} for more; {} are allowed",
                              format_count(table_.size()), format_bytes(bytes),
                              format_bytes(*memory_limit_)));
    }
    const std::uint64_t hash = hash_key<W>(key.data());
    table_.insert(key, hash);
    table_.find(key, hash).set(knowledge.bits());
  }

  /// Makes a frame for the options of a position.
  Frame& open(const Key<W>& key, std::size_t depth) {
    if (stop_.stop_requested()) throw Stopped{};
    if (depth > kMostDepth) {
      throw Error(ErrorCode::kFailure, "the game breaks its contract: play does not end");
    }
    if (depth == frames_.size()) frames_.emplace_back();
    Frame& frame = frames_[depth];
    frame.moves.clear();
    frame.next = 0;
    frame.keys.clear();
    frame.open.clear();
    frame.sorted = false;
    frame.reached.clear();
    game_.moves(key, frame.moves);
    return frame;
  }

  /// Adds the known values of components of the option to `others` and drops these components.
  /// Returns true if none is left, so that `others` is the value of the option.
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
  static void move_component(Frame& frame, std::uint32_t from, std::uint32_t to) noexcept {
    for (unsigned w = 0; w < W; ++w) {
      frame.keys[std::size_t{to} * W + w] = frame.keys[std::size_t{from} * W + w];
    }
  }

  /// Looks at new options and at open ones until one of them is known to have the value n.
  bool known_option_has(Frame& frame, Nimber n) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < frame.open.size(); ++i) {
      if (is_open(frame, frame.open[i])) frame.open[kept++] = frame.open[i];
    }
    frame.open.resize(kept);
    while (!frame.reached.contains(n) && frame.next < frame.moves.size()) {
      Option option{.begin = static_cast<std::uint32_t>(frame.keys.size() / W)};
      game_.reduce({&frame.moves[frame.next], W}, frame.keys);
      frame.next += W;
      option.end = static_cast<std::uint32_t>(frame.keys.size() / W);
      if (is_open(frame, option)) frame.open.push_back(option);
    }
    return frame.reached.contains(n);
  }

  /// Returns false if the value of the option is known; it then counts as reached.
  bool is_open(Frame& frame, Option& option) const {
    if (!settle(frame, option)) return true;
    frame.reached.add(option.others);
    return false;
  }

  /// Sorts the options, light ones first, and the components of each, the heaviest last, because
  /// the value of the last one need not be found. Work grows faster than weight, so two halves are
  /// lighter than the whole.
  void sort(Frame& frame) const {
    if (std::exchange(frame.sorted, true)) return;
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
    std::ranges::stable_sort(frame.open, {}, &Option::weight);
  }

  /// Whether an option has the value n.
  bool option_has(Frame& frame, Nimber n, std::size_t depth) {
    if (known_option_has(frame, n)) return true;
    sort(frame);
    for (Option& option : frame.open) {
      for (; option.begin + 1 < option.end; ++option.begin) {
        option.others ^= value(component(frame, option.begin), depth + 1);
      }
      if (has(component(frame, option.begin), n ^ option.others, depth + 1)) return true;
    }
    return false;
  }

  /// Whether the component has the value n.
  bool has(const Key<W>& key, Nimber n, std::size_t depth) {
    Knowledge known = consult(key);
    if (known.is_exact()) return known.value() == n;
    if (known.excludes(n)) return false;
    Frame& frame = open(key, depth);
    // An option of value n answers at once: no. If there is none, n is the value exactly if every
    // smaller number is reached.
    if (frame.moves.size() / W >= n && (n >= Knowledge::kExcludable || known.is_large())) {
      return find(key, known, frame, depth) == n;
    }
    if (frame.moves.size() / W < n || option_has(frame, n, depth)) {
      known.exclude(n);
      learn(key, known);
      return false;
    }
    for (Nimber m = 0; m < n; ++m) {
      if (known.excludes(m)) continue;
      if (!option_has(frame, m, depth)) {
        learn(key, Knowledge::exact(m));
        return false;
      }
      known.exclude(m);
    }
    learn(key, Knowledge::exact(n));
    return true;
  }

  Nimber value(const Key<W>& key, std::size_t depth) {
    const Knowledge known = consult(key);
    return known.is_exact() ? known.value() : find(key, known, open(key, depth), depth);
  }

  /// The value of a component. Numbers are excluded one by one; after a few of them it is cheaper
  /// to find the values of all options.
  Nimber find(const Key<W>& key, Knowledge known, Frame& frame, std::size_t depth) {
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
    learn(key, Knowledge::exact(n));
    return n;
  }

  /// Adds the values of all options to those that are reached.
  void value_options(Frame& frame, std::size_t depth) {
    constexpr Nimber kNone = ~Nimber{0};  // no option has it, so all are looked at
    known_option_has(frame, kNone);
    for (Option& option : frame.open) {
      for (; option.begin < option.end; ++option.begin) {
        option.others ^= value(component(frame, option.begin), depth + 1);
      }
      frame.reached.add(option.others);
    }
    frame.open.clear();
  }

  const GraphGame& game_;
  std::optional<std::uint64_t> memory_limit_;
  std::stop_token stop_;
  KeyTable<W> table_;
  std::deque<Frame> frames_;  ///< frames never move: a level keeps its own while it searches deeper
};

}  // namespace

class GraphSearch::Impl {
 public:
  Impl(const GraphGame& game, std::optional<std::uint64_t> memory_limit,
       const std::stop_token& stop) {
    switch (game.key_words()) {
      case 1:
        search_.emplace<Search<1>>(game, memory_limit, stop);
        break;
      case 2:
        search_.emplace<Search<2>>(game, memory_limit, stop);
        break;
      default:
        search_.emplace<Search<4>>(game, memory_limit, stop);
    }
  }

  std::optional<Nimber> value(std::span<const std::uint64_t> keys) {
    return visit([&](auto& search) -> std::optional<Nimber> {
      try {
        return search.value(keys);
      } catch (const Stopped&) {
        return std::nullopt;
      }
    });
  }
  [[nodiscard]] std::uint64_t known() {
    return visit([](auto& search) { return search.known(); });
  }

 private:
  template <class F>
  auto visit(F&& call) -> decltype(call(std::declval<Search<1>&>())) {
    if (auto* const one = std::get_if<1>(&search_)) return call(*one);
    if (auto* const two = std::get_if<2>(&search_)) return call(*two);
    return call(std::get<3>(search_));
  }

  std::variant<std::monostate, Search<1>, Search<2>, Search<4>> search_;
};

GraphSearch::GraphSearch(const GraphGame& game, std::optional<std::uint64_t> memory_limit,
                         std::stop_token stop)
    : impl_(std::make_unique<Impl>(game, memory_limit, stop)) {}
GraphSearch::~GraphSearch() = default;
GraphSearch::GraphSearch(GraphSearch&&) noexcept = default;

std::optional<Nimber> GraphSearch::value(std::span<const std::uint64_t> keys) {
  return impl_->value(keys);
}

std::uint64_t GraphSearch::known() const noexcept {
  return impl_->known();
}

}  // namespace grundy
