/// @file
/// A census of rules of several heaps: a base rule with every set of vectors of a family, one row
/// for each set.
///
/// A rule of the family has the moves of the base and a set of vectors. A vector takes tokens from
/// all heaps at once, the number in its entry from each heap. For example,
/// `2: (1,0)* + (0,1)* + V{max<=3,size=2}` is Nim with two heaps and two vectors more, each with
/// entries 0 to 3. Without moves before it, `2: V{max<=3,size=2}` is the family of vector
/// subtraction games. `sym V{..}` adds each vector with its images under permutations of the heaps.
///
/// Vectors are numbered from 1 on: by their largest entry, then lexicographically; with `sym` only
/// those with ascending entries have a number. The sets of vectors stand in colexicographic order
/// of their numbers, as those of SetFamily do. So the row of a rule does not depend on the largest
/// entry, and a smaller family is a prefix of a larger one.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <grundy/census.hpp>
#include <grundy/error.hpp>
#include <grundy/hooks.hpp>
#include <grundy/lattice/rule.hpp>
#include <grundy/lattice/tile.hpp>
#include <grundy/machine.hpp>
#include <grundy/stats.hpp>

namespace grundy {

/// The rules of a base and `size` vectors.
struct RuleFamily {
  unsigned heaps = 2;
  std::optional<LatticeRule> base{};  ///< unset: vectors are the only moves
  std::uint32_t largest = 0;          ///< the largest entry of a vector
  HeapSize size = 0;                  ///< vectors of a set, 1 to 8
  bool images = false;                ///< `sym`

  /// Whether a text means a family of rules, not a family of sets: it has `V{`.
  static bool is_meant(std::string_view text);
  /// Reads `2: sym (1,0)* + V{max<=3,size=2}` or `wythoff + sym V{max<=3,size=2}`: a game of
  /// several heaps (grundy/games.hpp), and one family of vectors, the bounds in either order.
  /// @throws Error(kUsage)
  static RuleFamily parse(std::string_view text);
  /// In the notation of lattice/rule.hpp; parse(text()) == *this.
  [[nodiscard]] std::string text() const;
  /// The vectors; vector number i is at i - 1. @throws Error(kUsage) if there are more than 65535,
  /// or the base has another number of heaps or a pass
  [[nodiscard]] std::vector<LatticePoint> vectors() const;
  /// The rule with the vectors whose numbers are in `set`.
  [[nodiscard]] LatticeRule rule(const std::vector<LatticePoint>& vectors,
                                 const MoveSet& set) const;

  /// The terms that vectors of the family add to the notation of the base: `sym (1,2) + sym (2,3)`.
  [[nodiscard]] std::string terms(const std::vector<LatticePoint>& vectors) const;

  friend bool operator==(const RuleFamily&, const RuleFamily&) = default;
};

/// What a census says of a rule, from its values in a shape. Positions are counted from 0 on in the
/// order of a table (grundy/layout.hpp).
struct RuleFacts {
  std::uint32_t p_positions = 0;  ///< positions of value 0
  std::uint32_t max_value = 0;    ///< the largest value
  /// The first position whose value is not that of the base; the number of positions if there is
  /// none. A base without moves has the value 0 everywhere.
  std::uint32_t first_difference = 0;
  /// The first position that is a P-position of either the rule or the base, but not of both; the
  /// number of positions if there is none.
  std::uint32_t first_p_difference = 0;
  bool is_nim_p = false;      ///< the P-positions are those of Nim
  bool is_wythoff_p = false;  ///< they are those of Wythoff's game; false unless heaps are two
  Digest128 digest{};         ///< of the table of these values (grundy/stats.hpp)

  friend bool operator==(const RuleFacts&, const RuleFacts&) = default;
};

struct RuleCensusRequest {
  RuleFamily family{};
  LatticeShape shape{};            ///< at most 2^24 positions, and not sorted
  std::filesystem::path output{};  ///< HDF5 file; empty: none
  Machine machine{};               ///< threads, back end, engine and kernel
  bool overwrite = false;          ///< replace an existing file
};

/// A rule, by its vectors, and its facts.
struct RuleRow {
  std::vector<LatticePoint> vectors{};
  RuleFacts found{};
};

/// What the rules with one last vector, or all rules, have in common.
struct RuleCounts {
  std::uint64_t rules = 0;
  std::uint64_t same_values = 0;  ///< rules with the values of the base
  std::uint64_t same_p = 0;       ///< rules with the P-positions of the base
  std::uint64_t nim_p = 0;        ///< RuleFacts::is_nim_p
  std::uint64_t wythoff_p = 0;    ///< RuleFacts::is_wythoff_p
  RuleRow most{};                 ///< the first rule with the most P-positions
  RuleRow fewest{};               ///< the first rule with the fewest
  RuleRow highest{};              ///< the first rule with the largest value

  /// Adds one more rule. @param positions the number of positions of the shape
  void add(const RuleRow& row, std::uint32_t positions);
};

struct RuleCensusReport {
  RuleFamily family{};
  LatticeShape shape{};
  bool complete = false;  ///< false: it was stopped, and nothing was written
  RuleCounts all{};
  /// Entry i: the rules whose vector with the largest number has the number family.size + i.
  std::vector<RuleCounts> by_last{};
  /// XXH3-128 of the facts of every row, in the order of RuleFacts, as 32-bit little-endian
  /// integers. A digest is 16 of these, one for each byte.
  Digest128 digest{};
  double seconds = 0;
  std::uint64_t file_bytes = 0;

  /// A table of by_last, as CSV with a head.
  [[nodiscard]] std::string csv() const;
};

/// Computes every rule of a family, each on one thread. Memory: two tables of the shape for each
/// thread, and that of the base. It uses the hooks `stop` and `progress`.
/// @throws Error(kUsage) for an invalid family or shape; kFailure if the file cannot be written
RuleCensusReport compute_rule_census(const RuleCensusRequest& request, const Hooks& hooks = {});

/// What a census says, counted from its rows anew. @throws Error(kCorrupt)
RuleCensusReport read_rule_census(const std::filesystem::path& path);

}  // namespace grundy
