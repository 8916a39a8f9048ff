/// @file
/// The share of a proof that one of several machines does.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include <grundy/atlas.hpp>
#include <grundy/error.hpp>
#include <grundy/file_kind.hpp>
#include <grundy/verify.hpp>

#include "atlas/atlas_file.hpp"
#include "atlas/open_census.hpp"
#include "run/run_directory.hpp"
#include "verify/heap/state_check.hpp"
#include "verify/proof_cost.hpp"
#include "verify/subject.hpp"

namespace grundy {

namespace {

/// What a proof of each game in the file of a family costs.
std::vector<std::uint64_t> costs_of_games(const std::filesystem::path& path) {
  atlas::AtlasReader reader(path);
  std::vector<std::uint64_t> costs;
  for (std::size_t i = 0; i < reader.classes(); ++i) {
    std::vector<Nimber> values;
    const AtlasClass c = reader.read(i, values);
    // A heap costs about as much as there are splits without a rare heap to look through.
    costs.resize(costs.size() + c.members.size(), values.size() * (1 + values.size() / 64));
  }
  return costs;
}

}  // namespace

EntryRange share_of_proof(const std::filesystem::path& path, const WorkPart& part) {
  const auto share = [&part](HeapSize count, const auto& cost_of_entry) -> EntryRange {
    if (part.of > count) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("{} entries do not make {} parts", count, part.of));
    }
    const ProofCost cost(0, count, cost_of_entry);
    return {cost.border(part.number - 1, part.of), cost.border(part.number, part.of) - 1};
  };
  if (std::filesystem::is_regular_file(path)) {
    const FileKind kind = kind_of(path);
    if (kind == FileKind::kAtlas) {
      const std::vector<std::uint64_t> costs = costs_of_games(path);
      return share(costs.size(), [&](HeapSize game) { return costs[game]; });
    }
    if (kind == FileKind::kPositions) {
      return share(stored_entries(path), [](HeapSize) { return std::uint64_t{1}; });
    }
    if (kind == FileKind::kCensus || kind == FileKind::kRuleCensus) {
      atlas::OpenCensus file(path);
      const atlas::CensusKind& census = file.kind();
      return share(census.sets().sets(),
                   [&](std::uint64_t row) { return census.cost_of_proof(census.sets().at(row)); });
    }
  }
  VerifyRequest request{.table = path};
  request.machine.threads = 1;
  const Hooks nobody;
  const Work work = make_work(request, nobody);
  if (std::filesystem::is_directory(path)) {
    if (const RunContents run = read_run(path); keeps_states(run)) {
      return share(run.segments.back().header.end(), cost_of_states(run));
    }
  }
  const auto subject = open_subject(work);
  return share(subject->info().stats.count, [&](HeapSize entry) { return subject->cost(entry); });
}

}  // namespace grundy
