/// @file
/// The share of a proof that one of several machines does.
// SPDX-License-Identifier: MIT
#include <filesystem>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/verify.hpp>

#include "run/run_directory.hpp"
#include "verify/heap/state_check.hpp"
#include "verify/proof_cost.hpp"
#include "verify/subject.hpp"

namespace grundy {

EntryRange share_of_proof(const std::filesystem::path& path, const WorkPart& part) {
  VerifyRequest request{.table = path};
  request.machine.threads = 1;
  const Hooks nobody;
  const Work work = make_work(request, nobody);
  const auto share = [&part](HeapSize count, const auto& cost_of_entry) -> EntryRange {
    if (part.of > count) {
      throw Error(ErrorCode::kUsage, fmt::format("{} values do not make {} parts", count, part.of));
    }
    const ProofCost cost(0, count, cost_of_entry);
    return {cost.border(part.number - 1, part.of), cost.border(part.number, part.of) - 1};
  };
  if (std::filesystem::is_directory(path)) {
    if (const RunContents run = read_run(path); keeps_states(run)) {
      return share(run.segments.back().header.end(), cost_of_states(run));
    }
  }
  const auto subject = open_subject(work);
  return share(subject->info().stats.count, [&](HeapSize entry) { return subject->cost(entry); });
}

}  // namespace grundy
