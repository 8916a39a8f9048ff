/// @file
/// The moves of a game whose outcomes are kept, between entries of its layout.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
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

  /// Calls `visit` with every option of an entry; options may repeat.
  void for_each_option(std::uint64_t entry, const std::function<void(std::uint64_t)>& visit) const;

 private:
  Layout layout_;
  std::variant<HeapRule, LatticeRule> rule_;
  std::vector<HeapSize> moves_;  ///< of a game of one heap
};

}  // namespace grundy
