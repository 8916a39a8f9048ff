/// @file
/// The moves of a game with known outcomes, between entries of its layout.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include <grundy/heap/rule.hpp>
#include <grundy/lattice/rule.hpp>
#include <grundy/outcomes.hpp>

namespace grundy {

class OutcomeMoves {
 public:
  /// @throws Error(kUsage) if the rule does not fit the layout
  explicit OutcomeMoves(const OutcomesInfo& info);

  /// Whether is_wanted() holds for some option of an entry. Options are asked one by one, perhaps
  /// more than once, until it holds.
  [[nodiscard]] bool any_option(std::uint64_t entry,
                                const std::function<bool(std::uint64_t)>& is_wanted) const;
  /// Whether some option of an entry is listed. @param listed ascending
  [[nodiscard]] bool reaches(std::uint64_t entry, std::span<const std::uint64_t> listed) const;
  /// Whether the player to move wins though there is no option: in misère play.
  [[nodiscard]] bool wins_without_option(std::uint64_t entry) const;

 private:
  Layout layout_;
  bool misere_;
  std::variant<HeapRule, LatticeRule> rule_;
  std::vector<HeapSize> moves_;  ///< of a subtraction game but AllBut; empty for other rules
  std::optional<SubtractionRule> all_but_;
};

}  // namespace grundy
