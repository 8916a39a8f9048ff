/// @file
/// A game as the engines see it: positions are keys of a few 64-bit words, handled in runs.
///
/// make_graph_game() wraps any class that satisfies the concept of game.hpp. The only virtual calls
/// are one for every run of positions, so nothing is lost against an engine that is a template.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/graph/game.hpp>
#include <grundy/machine.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// Which positions count as one position.
enum class Reduction : std::uint8_t {
  kNone,        ///< none: every position counts
  kSymmetry,    ///< those with the same canonical position
  kComponents,  ///< the same, and a position is replaced by its canonical components if it has any
};

/// The options of a run of positions, flat: keys of positions, one behind the other.
class ExpandedOptions {
 public:
  void clear() noexcept {
    used_ = 0;
    option_end_.clear();
    position_end_.clear();
  }

  /// All keys, GraphGame::key_words() words each.
  [[nodiscard]] std::span<const std::uint64_t> keys() const noexcept {
    return {words_.data(), used_};
  }
  /// Option i consists of the keys up to option_end()[i] (counted in keys, exclusive). Empty for
  /// games that do not split: option i is key i.
  [[nodiscard]] std::span<const std::uint32_t> option_end() const noexcept { return option_end_; }
  /// Position j of the run has the options up to position_end()[j] (exclusive).
  [[nodiscard]] std::span<const std::uint32_t> position_end() const noexcept {
    return position_end_;
  }

  /// Makes room for `count` more words and returns where they go. The words count only after
  /// add_words() was called for them.
  std::uint64_t* reserve(std::size_t count) {
    if (words_.size() < used_ + count) words_.resize(2 * words_.size() + count);
    return words_.data() + used_;
  }
  void add_words(std::size_t count) noexcept { used_ += count; }
  void end_option(std::uint32_t keys) { option_end_.push_back(keys); }
  void end_position(std::uint32_t options) { position_end_.push_back(options); }
  [[nodiscard]] std::uint32_t options() const noexcept {
    return static_cast<std::uint32_t>(option_end_.size());
  }

 private:
  std::vector<std::uint64_t> words_;  ///< the first used_ of them
  std::size_t used_ = 0;
  std::vector<std::uint32_t> option_end_, position_end_;
};

/// Whether a value occurs. It is a type of its own, so that writing one cannot change a game's
/// data.
enum class ValueMark : std::uint8_t { kAbsent = 0, kPresent = 1 };

/// The values of all positions of a dense game, at their width.
using DenseValues = std::variant<std::span<const std::uint8_t>, std::span<const std::uint16_t>,
                                 std::span<const std::uint32_t>>;

/// A position as a search takes it: components, and the nim-sum of the rest of it.
struct SimplifiedPosition {
  std::uint32_t end = 0;  ///< the end of its components in the run, counted in keys
  Nimber value = 0;       ///< the nim-sum of the components whose values the game knows
};

/// A finite impartial game, reduced. Thread-safe.
class GraphGame {
 public:
  virtual ~GraphGame() = default;

  /// Words of a key: 1, 2 or 4.
  [[nodiscard]] virtual unsigned key_words() const noexcept = 0;
  /// kComponents only if the game has components.
  [[nodiscard]] virtual Reduction reduction() const noexcept = 0;
  /// Whether a position may be replaced by several components.
  [[nodiscard]] virtual bool splits() const noexcept = 0;
  /// The number of positions of a dense game; nothing if positions have to be found.
  [[nodiscard]] virtual std::optional<std::uint64_t> dense_size() const = 0;
  /// Whether the key belongs to a position. A key that comes from elsewhere than the game must pass
  /// this test before it is handed to any other member.
  [[nodiscard]] virtual bool contains(std::span<const std::uint64_t> key) const noexcept = 0;
  /// Appends the keys of the start position: one, or those of its components.
  virtual void start(std::vector<std::uint64_t>& keys) const = 0;
  /// Appends the start position as it is.
  virtual void whole_start(std::vector<std::uint64_t>& position) const = 0;
  /// Writes the potential of each of the positions `keys`. @throws Error(kFailure) if one is too
  /// large
  virtual void potentials(std::span<const std::uint64_t> keys,
                          std::span<std::uint32_t> out) const = 0;
  /// Appends the options of the positions `keys` to an expansion.
  /// @param out is empty or was filled by this function
  virtual void expand(std::span<const std::uint64_t> keys, ExpandedOptions& out) const = 0;
  /// Appends the options of the position `key` as the game lists them: whole positions, key_words()
  /// words each.
  virtual void moves(std::span<const std::uint64_t> key,
                     std::vector<std::uint64_t>& positions) const = 0;
  /// Appends the keys that stand for a position: those of its components, reduced.
  virtual void reduce(std::span<const std::uint64_t> position,
                      std::vector<std::uint64_t>& keys) const = 0;
  /// For each of a run of positions, appends the keys of components and adds an entry to `run`. The
  /// nim-sum of the values of the components and of SimplifiedPosition::value is the value of the
  /// position. Unlike the components of reduce(), these may have other options than the position.
  virtual void simplify(const KernelSet& kernels, std::span<const std::uint64_t> positions,
                        std::vector<std::uint64_t>& keys,
                        std::vector<SimplifiedPosition>& run) const = 0;
  /// How much work the component `key` is for a search.
  [[nodiscard]] virtual std::uint32_t weight(std::span<const std::uint64_t> key) const = 0;
  /// What a theorem says of the value of the position `key`.
  [[nodiscard]] virtual PositionTheorem theorem(
      std::span<const std::uint64_t> key) const noexcept = 0;
  /// Whether the game tells, by these kernels, which of its keys play alike. Only for keys of one
  /// word.
  [[nodiscard]] virtual bool tells_alike(const KernelSet& kernels) const noexcept = 0;
  /// Writes a number for each key: the same one for any two keys of which are_alike() is true.
  /// @pre tells_alike(); out.size() is the number of keys
  virtual void likeness(const KernelSet& kernels, std::span<const std::uint64_t> keys,
                        std::span<std::uint64_t> out) const noexcept = 0;
  /// True only if it is proved that two keys have the same value. @pre tells_alike()
  [[nodiscard]] virtual bool are_alike(const KernelSet& kernels, std::uint64_t a,
                                       std::uint64_t b) const noexcept = 0;
  /// For dense games: marks the values of the options of positions[i] in marks[i * stride ..] and
  /// counts them in options[i]. @pre all values are less than `stride`
  /// @throws Error(kFailure) for other games, or if an option is not a position
  virtual void mark_options(std::span<const std::uint64_t> positions, const DenseValues& values,
                            std::size_t stride, ValueMark* marks, std::uint32_t* options) const = 0;
  /// The position as people write it, or its words in hexadecimal.
  [[nodiscard]] virtual std::string text(std::span<const std::uint64_t> key) const = 0;
  /// Appends the keys of a position as people write it, reduced like those of the start position.
  /// @throws Error(kUsage) if it is not a position of the game
  virtual void parse(std::string_view text, std::vector<std::uint64_t>& keys) const = 0;
};

/// Positions of one word are simplified several at a time. `simplify_run` does what
/// GraphGame::simplify() does, or does nothing and returns false.
template <class G>
concept RunSimplifyingGame = Game<G> && std::same_as<typename G::Position, std::uint64_t> &&
    requires(const G& game, const KernelSet& kernels, std::span<const std::uint64_t> positions,
             std::vector<std::uint64_t>& keys, std::vector<SimplifiedPosition>& run) {
  { game.simplify_run(kernels, positions, keys, run) } -> std::same_as<bool>;
};

/// The members of GraphGame of these names, for positions of one word.
template <class G>
concept AlikeTellingGame = Game<G> && std::same_as<typename G::Position, std::uint64_t> &&
    requires(const G& game, const KernelSet& kernels, std::span<const std::uint64_t> keys,
             std::span<std::uint64_t> out) {
  { game.tells_alike(kernels) }
  noexcept->std::same_as<bool>;
  { game.likeness(kernels, keys, out) }
  noexcept;
  { game.are_alike(kernels, keys[0], keys[0]) }
  noexcept->std::same_as<bool>;
};

namespace detail {

/// The words that hold P: 1, 2 or 4.
template <class P>
inline constexpr unsigned kKeyWords = sizeof(P) <= 8    ? 1
                                      : sizeof(P) <= 16 ? 2
                                                        : 4;

template <class P>
using KeyOf = std::array<std::uint64_t, kKeyWords<P>>;

template <GamePosition P>
KeyOf<P> to_key(const P& position) noexcept {
  KeyOf<P> key{};
  std::memcpy(key.data(), &position, sizeof position);
  return key;
}

template <GamePosition P>
P from_key(const std::uint64_t* key) noexcept {
  P position;
  std::memcpy(&position, key, sizeof position);
  return position;
}

template <Game G>
class WrappedGame final : public GraphGame {
 public:
  using Position = typename G::Position;
  static constexpr unsigned kWords = kKeyWords<Position>;

  WrappedGame(G game, Reduction reduction)
      : game_(std::move(game)),
        reduction_(!SplittingGame<G> && reduction == Reduction::kComponents ? Reduction::kSymmetry
                                                                            : reduction) {}

  unsigned key_words() const noexcept override { return kWords; }
  Reduction reduction() const noexcept override { return reduction_; }
  bool splits() const noexcept override {
    return SplittingGame<G> && reduction_ == Reduction::kComponents;
  }
  std::optional<std::uint64_t> dense_size() const override {
    if constexpr (DenseGame<G>) {
      if (const std::uint64_t size = game_.size(); size > 0) return size;
    }
    return std::nullopt;
  }

  bool contains(std::span<const std::uint64_t> key) const noexcept override {
    const auto position = from_key<Position>(key.data());
    if (!std::ranges::equal(to_key(position), key)) return false;  // it says more than a position
    if constexpr (BoundedGame<G>) return game_.contains(position);
    return true;
  }

  void start(std::vector<std::uint64_t>& keys) const override { append(game_.start(), keys); }

  void whole_start(std::vector<std::uint64_t>& position) const override {
    for (const std::uint64_t word : to_key<Position>(game_.start())) position.push_back(word);
  }

  void potentials(std::span<const std::uint64_t> keys,
                  std::span<std::uint32_t> out) const override {
    Memory memory;
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::uint32_t potential =
          memory.potential(game_, from_key<Position>(&keys[i * kWords]));
      if (potential >= kPotentialLimit) {
        throw Error(ErrorCode::kFailure, "the position " + text(keys.subspan(i * kWords, kWords)) +
                                             " has the potential " + std::to_string(potential) +
                                             "; it must be less than 2^20");
      }
      out[i] = potential;
    }
  }

  void expand(std::span<const std::uint64_t> keys, ExpandedOptions& out) const override {
    for (std::size_t i = 0; i < keys.size(); i += kWords) {
      const auto position = from_key<Position>(&keys[i]);
      if (splits()) {
        expand_to_sums(position, out);
      } else if (reduction_ == Reduction::kNone) {
        expand_to_positions(position, out, [](const Position& p) { return p; });
      } else {
        expand_to_positions(position, out,
                            [this](const Position& p) { return game_.canonical(p); });
      }
    }
  }

  void moves(std::span<const std::uint64_t> key,
             std::vector<std::uint64_t>& positions) const override {
    std::array<std::uint64_t, kAtOnce> some;
    std::size_t count = 0;
    const auto append_them = [&] {
      positions.insert(positions.end(), some.data(), some.data() + count);
      count = 0;
    };
    game_.options(from_key<Position>(key.data()), [&](const Position& option) {
      if (count == some.size()) append_them();
      for (const std::uint64_t word : to_key(option)) some[count++] = word;
    });
    append_them();
  }

  void reduce(std::span<const std::uint64_t> position,
              std::vector<std::uint64_t>& keys) const override {
    append(from_key<Position>(position.data()), keys);
  }

  void simplify([[maybe_unused]] const KernelSet& kernels, std::span<const std::uint64_t> positions,
                std::vector<std::uint64_t>& keys,
                std::vector<SimplifiedPosition>& run) const override {
    if constexpr (RunSimplifyingGame<G>) {
      if (splits() && game_.simplify_run(kernels, positions, keys, run)) return;
    }
    const std::size_t before = keys.size();
    for (std::size_t i = 0; i < positions.size(); i += kWords) {
      const auto position = from_key<Position>(&positions[i]);
      if constexpr (SimplifyingGame<G>) {
        append(game_.simplified(position), keys);
      } else {
        append(position, keys);
      }
      run.push_back({.end = static_cast<std::uint32_t>((keys.size() - before) / kWords)});
    }
  }

  std::uint32_t weight(std::span<const std::uint64_t> key) const override {
    const auto position = from_key<Position>(key.data());
    if constexpr (WeightedGame<G>) {
      return static_cast<std::uint32_t>(game_.weight(position));
    } else {
      return static_cast<std::uint32_t>(game_.potential(position));
    }
  }

  PositionTheorem theorem(std::span<const std::uint64_t> key) const noexcept override {
    if constexpr (TheoremGame<G>) return game_.theorem(from_key<Position>(key.data()));
    return {};
  }

  bool tells_alike([[maybe_unused]] const KernelSet& kernels) const noexcept override {
    if constexpr (AlikeTellingGame<G>) return game_.tells_alike(kernels);
    return false;
  }
  void likeness([[maybe_unused]] const KernelSet& kernels,
                [[maybe_unused]] std::span<const std::uint64_t> keys,
                [[maybe_unused]] std::span<std::uint64_t> out) const noexcept override {
    if constexpr (AlikeTellingGame<G>) game_.likeness(kernels, keys, out);
  }
  bool are_alike([[maybe_unused]] const KernelSet& kernels, [[maybe_unused]] std::uint64_t a,
                 [[maybe_unused]] std::uint64_t b) const noexcept override {
    if constexpr (AlikeTellingGame<G>) return game_.are_alike(kernels, a, b);
    return false;
  }

  void mark_options(std::span<const std::uint64_t> positions, const DenseValues& values,
                    std::size_t stride, ValueMark* marks, std::uint32_t* options) const override {
    if constexpr (DenseGame<G>) {
      std::visit([&](const auto& all) { mark_all(positions, all, stride, marks, options); },
                 values);
    } else {
      throw Error(ErrorCode::kFailure, "the positions of this game are not numbered");
    }
  }

  std::string text(std::span<const std::uint64_t> key) const override {
    if constexpr (ReadableGame<G>) {
      return game_.text(from_key<Position>(key.data()));
    } else {
      constexpr std::string_view kDigits = "0123456789abcdef";
      std::string text;
      for (unsigned i = kWords; i-- > 0;) {
        for (int shift = 60; shift >= 0; shift -= 4) text += kDigits[key[i] >> shift & 15];
      }
      return text;
    }
  }

  void parse(std::string_view text, std::vector<std::uint64_t>& keys) const override {
    if constexpr (ReadableGame<G>) {
      append(game_.parse(text), keys);
    } else {
      throw Error(ErrorCode::kUsage, "positions of this game cannot be written as text");
    }
  }

 private:
  /// What a game remembers from one position to the next, if it remembers anything.
  struct NoMemory {
    static std::uint32_t potential(const G& game, const Position& p) {
      return static_cast<std::uint32_t>(game.potential(p));
    }
    template <class Visit>
    static void options(const G& game, const Position& p, const Visit& visit) {
      game.options(p, visit);
    }
  };
  template <class H>
  struct HintMemory {
    std::uint32_t potential(const H& game, const Position& p) {
      return static_cast<std::uint32_t>(game.potential(p, hint));
    }
    template <class Visit>
    void options(const H& game, const Position& p, const Visit& visit) {
      game.options(p, hint, visit);
    }
    typename H::Hint hint{};
  };
  using Memory = std::conditional_t<HintedGame<G>, HintMemory<G>, NoMemory>;

  template <class T>
  [[gnu::flatten]] void mark_all(std::span<const std::uint64_t> positions,
                                 std::span<const T> values, std::size_t stride, ValueMark* marks,
                                 std::uint32_t* options) const {
    Memory memory;
    for (const std::uint64_t position : positions) {
      std::uint32_t count = 0;
      memory.options(game_, static_cast<Position>(position), [&](const Position& option) {
        if (option >= values.size()) refuse(option);
        marks[values[option]] = ValueMark::kPresent;
        ++count;
      });
      *options++ = count;
      marks += stride;
    }
  }

  [[noreturn, gnu::cold]] void refuse(const Position& option) const {
    throw Error(ErrorCode::kFailure, "the game breaks its contract: " + text(to_key(option)) +
                                         " is an option, and not one of its positions");
  }

  /// Every option is one position. The keys are written through a pointer that stays in a register
  /// when the options of the game are inlined here, which `flatten` asks for.
  template <class Reduce>
  [[gnu::flatten]] void expand_to_positions(const Position& position, ExpandedOptions& out,
                                            const Reduce& reduce) const {
    std::uint64_t* begin = out.reserve(kAtOnce);
    std::uint64_t* at = begin;
    std::uint64_t* end = begin + kAtOnce;
    game_.options(position, [&](const Position& option) {
      if (at == end) {
        begin = at = more_room(out, static_cast<std::size_t>(at - begin));
        end = begin + kAtOnce;
      }
      const auto key = to_key<Position>(reduce(option));
      for (const std::uint64_t word : key) *at++ = word;
    });
    out.add_words(static_cast<std::size_t>(at - begin));
    out.end_position(static_cast<std::uint32_t>(out.keys().size() / kWords));
  }

  [[gnu::noinline]] static std::uint64_t* more_room(ExpandedOptions& out, std::size_t written) {
    out.add_words(written);
    return out.reserve(kAtOnce);
  }

  /// Every option is a sum of components.
  void expand_to_sums(const Position& position, ExpandedOptions& out) const {
    if constexpr (SplittingGame<G>) {
      game_.options(position, [&](const Position& option) {
        game_.components(option, [&](const Position& component) {
          const auto key = to_key<Position>(game_.canonical(component));
          std::copy(key.begin(), key.end(), out.reserve(kWords));
          out.add_words(kWords);
        });
        out.end_option(static_cast<std::uint32_t>(out.keys().size() / kWords));
      });
      out.end_position(out.options());
    }
  }

  /// Appends a position as its components, reduced.
  void append(const Position& position, std::vector<std::uint64_t>& keys) const {
    const auto add = [&](const Position& p) {
      const auto key = to_key<Position>(reduction_ == Reduction::kNone ? p : game_.canonical(p));
      for (const std::uint64_t word : key) keys.push_back(word);
    };
    if constexpr (SplittingGame<G>) {
      if (reduction_ == Reduction::kComponents) return game_.components(position, add);
    }
    add(position);
  }

  /// Room is made for this number of words at a time.
  static constexpr std::size_t kAtOnce = 64 * kWords;

  G game_;
  Reduction reduction_;
};

}  // namespace detail

/// The game as the engines and PositionGame take it.
template <Game G>
std::shared_ptr<const GraphGame> make_graph_game(G game,
                                                 Reduction reduction = Reduction::kComponents) {
  return std::make_shared<const detail::WrappedGame<G>>(std::move(game), reduction);
}

}  // namespace grundy
