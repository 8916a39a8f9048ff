// SPDX-License-Identifier: MIT
#include "cli/idle_cores.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <unistd.h>

#include "core/process.hpp"
#include "session/machine.hpp"

namespace grundy::cli {
namespace {

/// The number of cores that the job may use. The launcher is not bound itself, but a batch system
/// may have given it only a part of the machine.
std::uint64_t cores_of_job() {
  std::uint64_t cores = processors_of_machine();
  cpu_set_t launcher;
  const pid_t parent = ::getppid();  // 0: the launcher is in another container
  if (parent > 0 && ::sched_getaffinity(parent, sizeof launcher, &launcher) == 0) {
    cores = std::min(cores, static_cast<std::uint64_t>(CPU_COUNT(&launcher)));
  }
  const char* const slurm = std::getenv("SLURM_CPUS_ON_NODE");
  const std::uint64_t given = slurm != nullptr ? std::strtoull(slurm, nullptr, 10) : 0;
  return given > 0 ? std::min(cores, given) : cores;
}

/// `1 core`, `4 ranks`.
std::string counted(std::uint64_t number, const char* what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

}  // namespace

std::string RankCores::to_text() const {
  return fmt::format("{} {} {}", host, there, fmt::join(allowed, " "));
}

RankCores RankCores::parse(const std::string& text) {
  std::istringstream in(text);
  RankCores rank;
  in >> rank.host >> rank.there;
  for (std::uint64_t core = 0; in >> core;) rank.allowed.push_back(core);
  return rank;
}

std::optional<RankCores> cores_of_this_rank() {
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return std::nullopt;
  RankCores rank{.host = host_name(), .there = cores_of_job()};
  for (std::size_t core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &allowed)) rank.allowed.push_back(core);
  }
  return rank;
}

std::optional<std::string> idle_cores(std::span<const RankCores> ranks) {
  struct OnMachine {
    std::uint64_t ranks = 0, there = 0;
    std::set<std::uint64_t> allowed;
  };
  std::map<std::string, OnMachine> machines;
  for (const RankCores& rank : ranks) {
    OnMachine& machine = machines[rank.host];
    ++machine.ranks;
    machine.there = std::max(machine.there, rank.there);
    machine.allowed.insert(rank.allowed.begin(), rank.allowed.end());
  }
  std::erase_if(machines, [](const auto& machine) {
    return machine.second.allowed.size() >= machine.second.there;
  });
  if (machines.empty()) return std::nullopt;
  const auto& [host, first] = *machines.begin();
  std::string sentence =
      fmt::format("{} on {} may use {}, and it has {}", counted(first.ranks, "rank"), host,
                  counted(first.allowed.size(), "core"), first.there);
  if (machines.size() > 1) {
    sentence += fmt::format("; on {} it is alike", counted(machines.size() - 1, "other machine"));
  }
  return sentence + "; `mpirun --bind-to none` lets ranks use all";
}

std::optional<std::string> idle_cores(Team& team) {
  const auto own = cores_of_this_rank();
  const auto texts = team.gather(own ? own->to_text() : std::string());
  if (!texts) return std::nullopt;  // a rank has failed, and reports it
  std::vector<RankCores> ranks;
  for (const std::string& text : *texts) {
    if (!text.empty()) ranks.push_back(RankCores::parse(text));
  }
  return idle_cores(ranks);
}

}  // namespace grundy::cli
