/// @file
/// What the ranks of a team say to each other before they work together. Ranks may have been
/// started with different commands, by different versions, or on file systems of their own; then
/// the result of all would be wrong, or some would wait for ever.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <grundy/request.hpp>
#include <grundy/team.hpp>

namespace grundy {

/// What a rank is going to do.
struct Intent {
  /// The command, and all of the request on which the common work depends, phrase by phrase.
  std::vector<std::string> work;
  /// The table that the rank has read: rule, number of values and digest. Empty: none.
  std::string table{};
  /// The file beside which all ranks read and write. Empty: they do not.
  std::filesystem::path output{};
};

/// Waits until all ranks have said what they intend, and compares it, with the versions of the
/// program. The sentence of an error names the first rank that differs from rank 0.
/// @param team null: this rank is alone, and agrees
/// @throws Error, on every rank: kMismatch if they have read different tables; kUsage if they were
///   started with different commands or versions, or do not share the directory of the output;
///   kFailure if no file can be made there; kUsage, too, if a rank has left before
void agree(Team* team, const Intent& intent);

/// Does the same in the middle of the work, where a rank that has left was stopped; then it returns
/// false.
[[nodiscard]] bool agree_unless_stopped(Team* team, const Intent& intent);

/// What is said of compute(). @pre the game has heaps
Intent intent_of(const Request& request);

}  // namespace grundy
