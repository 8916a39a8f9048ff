/// @file
/// The proof of a sequence that is partly periodic and partly arithmetically periodic, for codes
/// that leave at most two heaps: G(n + p) = G(n) + s(n mod p), where some s are 0 and others are
/// not. Octal games with a pass have such sequences (Horrocks and Nowakowski 2003, of whose paper
/// the abstract was at hand; the theorem and its proof are our own: README.md, "Mixed saltus").
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include <grundy/heap/rule.hpp>
#include <grundy/period_report.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// Patterns are looked for in no more values than this: the time of a proof is quadratic in them.
inline constexpr HeapSize kMostMixedValues = HeapSize{1} << 13;

/// The least pattern of this kind that the first values of a game show in at least three periods
/// and in the second half of them; nothing if there is none, or if `stop` came first. Looks at
/// kMostMixedValues values at most.
[[nodiscard]] std::optional<MixedPattern> find_mixed_pattern(const HeapRule& rule,
                                                             std::span<const Nimber> values,
                                                             const std::stop_token& stop = {});

/// The pattern in words: `period 24 from heap 8 on, with the saltus 16 at n = 3, 7, 11, 15, 19, 23
/// (modulo 24), and 0 elsewhere`. Of many residues the first ones, and how many more there are.
[[nodiscard]] std::string to_words(const MixedPattern& pattern);

}  // namespace grundy
