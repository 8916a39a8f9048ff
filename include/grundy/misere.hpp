/// @file
/// Misère play of one heap: the player who makes the last move loses.
///
/// The misère nim-value of a position is 1 if it has no options, else the mex of the misère
/// nim-values of its options. The player to move loses where it is 0. These values say nothing
/// about sums. The *genus* says more: it has the misère nim-value of the position alone, of the
/// position with one heap of two tokens beside it, with two such heaps, and so on (J. H. Conway, On
/// Numbers and Games, ch. 12; Winning Ways, ch. 13, which writes it 3^{1431}).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/heap/rule.hpp>
#include <grundy/sink.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// How a position behaves in sums. The kind follows from its options, after reversible moves were
/// removed.
enum class MisereKind : std::uint8_t {
  kTame,      ///< like a position of Nim: its genus is that of one, and all options are tame
  kRestive,   ///< not tame, all options are tame, the value in normal play is 0 or 1
  kRestless,  ///< not tame, all options are tame, the misère nim-value is 0 or 1
  kWild       ///< any other: some option is not tame
};

/// `tame`, `restive`, `restless` or `wild`.
const char* name_of(MisereKind kind) noexcept;

struct Genus {
  Nimber value = 0;  ///< Grundy value in normal play
  /// Misère nim-values of the position with 0, 1, 2, … heaps of two tokens. After the end of the
  /// list, its last two values alternate. The list is as short as this allows.
  std::vector<Nimber> misere{};

  /// The misère nim-value with any number of heaps of two tokens.
  [[nodiscard]] Nimber misere_with(std::size_t heaps_of_two) const noexcept;
  /// As Winning Ways writes it: `3^{1431}`; with commas where a value has two digits.
  [[nodiscard]] std::string text() const;
  /// The inverse of text(). @throws Error(kUsage) if it is anything else
  static Genus parse(std::string_view text);

  friend bool operator==(const Genus&, const Genus&) = default;
};

/// A heap in misère play. The player to move loses where `genus.misere[0]` is 0.
struct MisereHeap {
  Genus genus{};
  MisereKind kind = MisereKind::kTame;

  friend bool operator==(const MisereHeap&, const MisereHeap&) = default;
};

struct MisereSearch {
  /// Bytes for the positions of games that split heaps and have a heap that is not tame; unset: no
  /// limit.
  std::optional<std::uint64_t> memory{};
  std::stop_token stop{};
};

/// Why a search ended.
enum class MisereEnd : std::uint8_t {
  kComplete,
  kStopped,  ///< by `stop` or by `visit`
  kMemory    ///< the positions of the next heap need more memory than allowed
};

/// Finds the genus of heaps 0 .. last and calls `visit` with each, in their order.
///
/// As long as all heaps are tame, sums of heaps are like those of Nim, and a heap costs one step
/// for each option. From the first heap that is not tame, positions are kept in canonical form: the
/// set of the forms of their options, without reversible ones and without repetitions. The number
/// of positions may grow exponentially with the heap if the game splits heaps.
/// @throws Error(kUsage) as for_each_option()
MisereEnd find_genera(const HeapRule& rule, HeapSize last,
                      const std::function<Flow(HeapSize, const MisereHeap&)>& visit,
                      const MisereSearch& search = {});

}  // namespace grundy
