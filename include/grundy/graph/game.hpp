/// @file
/// What a class must offer to be a game: any finite impartial game, written in some thirty lines.
///
/// - `Position`: a small value: trivially copyable, no padding, at most 32 bytes, `==`
/// - `start()`: the position from which everything else is found
/// - `potential(p)`: a number below 2^20 that every move makes smaller, so that play ends
/// - `options(p, visit)`: calls `visit(q)` once for every move
/// - `canonical(p)`: one representative of all positions that play like p, or p itself
///
/// Optional members:
/// - `components(p, visit)`: independent parts of p; p is their sum
/// - `size()`: positions are the numbers below it, all of them; see below
/// - `Hint`, `potential(p, hint)`, `options(p, hint, visit)`: as without a hint, but faster if the
///   hint was last used with a position close to p
/// - `contains(p)`, noexcept: whether p is a position, for any value of its type; without it every
///   value is one. A key from a file is tested before it is used
/// - `weight(p)`: how much work p is for a search, which tries light options first, and equally
///   light ones in the order of options(); without it the potential counts
/// - `theorem(p)`, noexcept: what a theorem says of the value of p; a search asks it first
/// - `simplified(p)`, noexcept: a position with the value of p that is easier to value; a search
///   takes it in place of p. It may have other options than p
/// - `simplify_run(kernels, positions, keys, run)`: the same for several positions at a time, with
///   their components and the values that are known (graph_game.hpp)
/// - `tells_alike()`, `likeness(...)`, `are_alike(...)`: which positions play alike though
///   canonical() does not bring them together (graph_game.hpp)
/// - `text(p)`, `parse(t)`: positions as people write them
///
/// The contract, which check_game() tests on samples:
/// - every option has a smaller potential, and so has each component of it, where there are any;
/// - `canonical` is a projection (`canonical(canonical(p)) == canonical(p)`) and does not raise the
///   potential; the options of p and of canonical(p) are the same up to canonical forms;
/// - a position plays like the sum of its components; none of them has a larger potential than the
///   position or falls into further components. Parts without a move may be left out;
/// - positions that play alike by are_alike() have the same value and the same likeness;
/// - members may be called from several threads at a time and change nothing.
///
/// A game with `size()` is *dense*: positions are unsigned integers, each below size() counts, and
/// canonical(p) is p. It needs no search for positions and no hash table. A size of 0 says that the
/// game is not dense after all.
// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace grundy {

/// Largest size of a position in bytes.
inline constexpr std::size_t kMostPositionBytes = 32;

/// Potentials are below this.
inline constexpr std::uint32_t kPotentialLimit = 1u << 20;

/// What a theorem says of the value of a position, without a look at its options.
struct PositionTheorem {
  enum class Says : std::uint8_t { kNothing, kZero, kNotZero };
  Says says = Says::kNothing;
  std::string_view why{};  ///< the reason, as a clause
};

/// Positions are compared and hashed byte by byte.
template <class P>
concept GamePosition = std::is_trivially_copyable_v<P> &&
                       std::has_unique_object_representations_v<P> && std::equality_comparable<P> &&
                       sizeof(P) <= kMostPositionBytes;

namespace detail {

/// A visitor that does nothing, for the concepts.
template <class P>
struct IgnorePosition {
  void operator()(const P& /*position*/) const noexcept {}
};

}  // namespace detail

/// See the head of this file.
template <class G>
concept Game = GamePosition<typename G::Position> &&
    requires(const G& game, const typename G::Position& p,
             const detail::IgnorePosition<typename G::Position>& visit) {
  { game.start() } -> std::convertible_to<typename G::Position>;
  { game.potential(p) } -> std::convertible_to<std::uint32_t>;
  { game.canonical(p) } -> std::convertible_to<typename G::Position>;
  game.options(p, visit);
};

/// Positions fall into independent components.
template <class G>
concept SplittingGame = Game<G> &&
    requires(const G& game, const typename G::Position& p,
             const detail::IgnorePosition<typename G::Position>& visit) {
  game.components(p, visit);
};

/// The positions are the numbers below size().
template <class G>
concept DenseGame = Game<G> && std::unsigned_integral<typename G::Position> &&
    requires(const G& game) {
  { game.size() } -> std::convertible_to<std::uint64_t>;
};

/// A position is unpacked faster if one close to it was just unpacked.
template <class G>
concept HintedGame = Game<G> && std::default_initializable<typename G::Hint> &&
    requires(const G& game, const typename G::Position& p, typename G::Hint& hint,
             const detail::IgnorePosition<typename G::Position>& visit) {
  { game.potential(p, hint) } -> std::convertible_to<std::uint32_t>;
  game.options(p, hint, visit);
};

/// Positions can be told from other values of their type.
template <class G>
concept BoundedGame = Game<G> && requires(const G& game, const typename G::Position& p) {
  { game.contains(p) }
  noexcept->std::convertible_to<bool>;
};

/// Searches know how much work a position is.
template <class G>
concept WeightedGame = Game<G> && requires(const G& game, const typename G::Position& p) {
  { game.weight(p) } -> std::convertible_to<std::uint32_t>;
};

/// Theorems say something of the values of some positions.
template <class G>
concept TheoremGame = Game<G> && requires(const G& game, const typename G::Position& p) {
  { game.theorem(p) }
  noexcept->std::same_as<PositionTheorem>;
};

/// Positions can be replaced by others of their value.
template <class G>
concept SimplifyingGame = Game<G> && requires(const G& game, const typename G::Position& p) {
  { game.simplified(p) }
  noexcept->std::convertible_to<typename G::Position>;
};

/// Positions can be written and read.
template <class G>
concept ReadableGame = Game<G> &&
    requires(const G& game, const typename G::Position& p, std::string_view text) {
  { game.text(p) } -> std::convertible_to<std::string>;
  { game.parse(text) } -> std::convertible_to<typename G::Position>;
};

}  // namespace grundy
