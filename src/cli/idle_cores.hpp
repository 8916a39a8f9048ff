/// @file
/// Whether the ranks of a team leave cores of their machines idle. Launchers of MPI bind a rank to
/// a core, or to a few, unless they are told otherwise.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <grundy/team.hpp>

namespace grundy::cli {

/// What a rank may use.
struct RankCores {
  std::string host;
  std::uint64_t there = 0;               ///< cores of the machine that this job may use
  std::vector<std::uint64_t> allowed{};  ///< the numbers of those that this rank may use

  [[nodiscard]] std::string to_text() const;
  /// @pre it is from to_text()
  static RankCores parse(const std::string& text);
};

/// Of the calling process; unset if the system does not tell.
std::optional<RankCores> cores_of_this_rank();

/// A sentence if the ranks of some machine may not use all of its cores together.
std::optional<std::string> idle_cores(std::span<const RankCores> ranks);

/// Brings together what all ranks may use; each has to call it. The sentence is rank 0's.
std::optional<std::string> idle_cores(Team& team);

}  // namespace grundy::cli
