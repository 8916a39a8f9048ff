/// @file
/// The period of a subtraction set, proved from the definition: it shares nothing with the search.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <grundy/census.hpp>

namespace grundy::atlas {

/// What is wrong with a period of a set, as the end of a sentence; empty if it is right, or none is
/// claimed. Computes preperiod + 2 periods and as many heaps as the largest move, one by one.
std::string period_fault(const MoveSet& moves, const SetPeriod& found);

}  // namespace grundy::atlas
