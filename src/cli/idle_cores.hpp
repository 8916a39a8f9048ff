/// @file
/// Finds out whether the ranks of a team leave cores of their machines idle. Launchers of MPI bind
/// a rank to one core, or a few, unless they are told otherwise.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <grundy/team.hpp>

namespace grundy::cli {

/// The cores that a rank may use.
struct RankCores {
  std::string host;
  /// The number of cores of the machine that this job may use.
  std::uint64_t there = 0;
  std::vector<std::uint64_t> allowed{};  ///< the numbers of the cores that this rank may use

  [[nodiscard]] std::string to_text() const;
  /// @pre it is from to_text()
  static RankCores parse(const std::string& text);
};

/// The cores of the calling process; unset if the system does not tell.
std::optional<RankCores> cores_of_this_rank();

/// A sentence if on some machine the ranks together may not use all cores.
std::optional<std::string> idle_cores(std::span<const RankCores> ranks);

/// Gathers the cores of all ranks; every rank has to call it. Only rank 0 gets the sentence.
std::optional<std::string> idle_cores(Team& team);

}  // namespace grundy::cli
