/// @file
/// The proof of a sequence that is partly periodic and partly arithmetic periodic, for codes that
/// leave at most two heaps: G(n + p) = G(n) + s(n mod p), where some s are 0 and others are not.
/// Octal games with a pass have such sequences (Horrocks and Nowakowski 2003, of whose paper the
/// abstract was at hand; the theorem and its proof are our own: README.md, "Mixed saltus").
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <grundy/heap/rule.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// G(n + period) = G(n) + saltus[n % period] for all n >= preperiod.
struct MixedPattern {
  HeapSize preperiod = 0;
  HeapSize period = 0;
  std::vector<Nimber> saltus;  ///< by the residue of the heap modulo the period; not all equal
  HeapSize size = 0;           ///< the number of values that show the pattern, and prove it
  bool proved = false;         ///< for all heaps; else it was seen

  friend bool operator==(const MixedPattern&, const MixedPattern&) = default;
};

/// The least pattern of this kind that the first values of a game show in at least three periods
/// and in the second half of them; nothing if there is none. Looks at 2^13 values at most.
[[nodiscard]] std::optional<MixedPattern> find_mixed_pattern(const HeapRule& rule,
                                                             std::span<const Nimber> values);

/// The pattern in words: `16 each 24 heaps at n = 3, 7, ... modulo 24`.
[[nodiscard]] std::string to_words(const MixedPattern& pattern);

}  // namespace grundy
