// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <deque>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/graph/engine.hpp>

#include "core/text.hpp"
#include "graph/key_table.hpp"

namespace grundy {
namespace {

using graph::hash_key;
using graph::Key;
using graph::key_at;
using graph::KeyTable;

/// Moves that a line of play may have: every one is a level of recursion.
constexpr std::uint32_t kMostDepth = 10'000;

/// Ends a search that was stopped.
struct Stopped {};

/// What is known of a component: its value, or values that it does not have.
class Knowledge {
 public:
  static constexpr Nimber kExcludable = 30;  ///< values below this can be excluded one by one

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
  void exclude(Nimber n) noexcept {
    if (n < kExcludable) bits_ |= Nimber{2} << n;
  }

 private:
  Nimber bits_ = 0;
};

template <unsigned W>
class Search {
 public:
  Search(const GraphGame& game, std::uint64_t memory_limit, std::stop_token stop)
      : game_(game), memory_limit_(memory_limit), stop_(std::move(stop)) {}

  Nimber value(std::span<const std::uint64_t> keys) {
    Nimber sum = 0;
    for (std::size_t i = 0; i < keys.size(); i += W) {
      const Key<W> key = key_at<W>(keys.data() + i);
      if (const std::uint32_t depth = potential(key); depth > kMostDepth) {
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
  /// One option: its value is `others` xor that of `last`.
  struct Option {
    std::uint32_t begin = 0, end = 0;  ///< components, the one of largest potential last
    std::uint32_t weight = 0;          ///< that potential
    bool summed = false;
    Nimber others = 0;
  };

  /// One level of recursion.
  struct Frame {
    Expansion expansion;
    std::vector<Key<W>> keys;  ///< components of all options
    std::vector<std::uint32_t> potentials;
    std::vector<Option> options;
  };

  [[nodiscard]] std::uint32_t potential(const Key<W>& key) const {
    std::uint32_t potential = 0;
    game_.potentials(key, {&potential, 1});
    return potential;
  }

  [[nodiscard]] Knowledge recall(const Key<W>& key) const noexcept {
    const auto& slot = table_.find(key, hash_key<W>(key.data()));
    return slot.known() ? Knowledge(slot.value()) : Knowledge();
  }

  void learn(const Key<W>& key, Knowledge knowledge) {
    const std::uint64_t hash = hash_key<W>(key.data());
    table_.insert(key, hash);
    table_.find(key, hash).set(knowledge.bits());
    if (memory_limit_ != 0 && table_.bytes() > memory_limit_) {
      throw Error(ErrorCode::kFailure,
                  fmt::format("the search knows {} positions, which take {}; {} are allowed",
                              format_count(table_.size()), format_bytes(table_.bytes()),
                              format_bytes(memory_limit_)));
    }
  }

  /// The options of a position, cheap ones first.
  Frame& expand(const Key<W>& key, std::size_t depth) {
    if (stop_.stop_requested()) throw Stopped{};
    if (depth > kMostDepth) {
      throw Error(ErrorCode::kFailure, "the game breaks its contract: play does not end");
    }
    if (depth == frames_.size()) frames_.emplace_back();
    Frame& frame = frames_[depth];
    Expansion& expansion = frame.expansion;
    expansion.clear();
    game_.expand(key, expansion);
    const std::span<const std::uint64_t> words = expansion.keys();
    frame.keys.clear();
    for (std::size_t i = 0; i < words.size(); i += W) frame.keys.push_back(key_at<W>(&words[i]));
    frame.potentials.resize(frame.keys.size());
    game_.potentials(words, frame.potentials);
    frame.options.clear();
    const std::uint32_t count = expansion.position_end()[0];
    std::uint32_t begin = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t end = game_.splits() ? expansion.option_end()[i] : i + 1;
      Option option{.begin = begin, .end = end};
      if (begin < end) {
        const auto largest =
            std::max_element(frame.potentials.begin() + begin, frame.potentials.begin() + end);
        option.weight = *largest;
        swap_components(frame, static_cast<std::uint32_t>(largest - frame.potentials.begin()),
                        end - 1);
      }
      frame.options.push_back(option);
      begin = end;
    }
    std::ranges::stable_sort(frame.options, {}, &Option::weight);
    return frame;
  }

  static void swap_components(Frame& frame, std::uint32_t a, std::uint32_t b) {
    std::swap(frame.potentials[a], frame.potentials[b]);
    std::swap(frame.keys[a], frame.keys[b]);
  }

  /// Whether an option that is fully known has the value n; no search.
  [[nodiscard]] bool known_option_has(const Frame& frame, Nimber n) const {
    return std::ranges::any_of(frame.options, [&](const Option& option) {
      Nimber sum = 0;
      for (std::uint32_t i = option.begin; i < option.end; ++i) {
        const Knowledge known = recall(frame.keys[i]);
        if (!known.is_exact()) return false;
        sum ^= known.value();
      }
      return sum == n;
    });
  }

  bool option_has(Frame& frame, Nimber n, std::size_t depth) {
    for (Option& option : frame.options) {
      if (!option.summed) {
        for (std::uint32_t i = option.begin; i + 1 < option.end; ++i) {
          option.others ^= value(frame.keys[i], depth + 1);
        }
        option.summed = true;
      }
      const Nimber wanted = n ^ option.others;
      if (option.begin == option.end ? wanted == 0
                                     : has(frame.keys[option.end - 1], wanted, depth + 1)) {
        return true;
      }
    }
    return false;
  }

  /// Whether the component has the value n.
  bool has(const Key<W>& key, Nimber n, std::size_t depth) {
    Knowledge known = recall(key);
    if (known.is_exact()) return known.value() == n;
    if (known.excludes(n)) return false;
    Frame& frame = expand(key, depth);
    // An option with value n would answer at once; if there is none, n is the value exactly if
    // every smaller one is reached.
    if (known_option_has(frame, n) || option_has(frame, n, depth)) {
      known.exclude(n);
      learn(key, known);
      return false;
    }
    for (Nimber m = 0; m < n; ++m) {
      if (known.excludes(m)) continue;
      if (!known_option_has(frame, m) && !option_has(frame, m, depth)) {
        learn(key, Knowledge::exact(m));
        return false;
      }
      known.exclude(m);
    }
    learn(key, Knowledge::exact(n));
    return true;
  }

  Nimber value(const Key<W>& key, std::size_t depth) {
    Knowledge known = recall(key);
    if (known.is_exact()) return known.value();
    Frame& frame = expand(key, depth);
    for (Nimber n = 0;; ++n) {
      if (known.excludes(n)) continue;
      if (!known_option_has(frame, n) && !option_has(frame, n, depth)) {
        learn(key, Knowledge::exact(n));
        return n;
      }
      known.exclude(n);
    }
  }

  const GraphGame& game_;
  std::uint64_t memory_limit_;
  std::stop_token stop_;
  KeyTable<W> table_;
  std::deque<Frame> frames_;  ///< never moved: a level keeps its frame while it searches deeper
};

}  // namespace

class GraphSearch::Impl {
 public:
  Impl(const GraphGame& game, std::uint64_t memory_limit, const std::stop_token& stop) {
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

GraphSearch::GraphSearch(const GraphGame& game, std::uint64_t memory_limit, std::stop_token stop)
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
