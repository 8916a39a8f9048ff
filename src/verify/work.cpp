// SPDX-License-Identifier: MIT
#include "verify/work.hpp"

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/advice.hpp"
#include "core/digest.hpp"
#include "core/text.hpp"
#include "session/agreement.hpp"
#include "session/machine.hpp"

namespace grundy {

void Work::check_memory(std::uint64_t needs) const {
  if (!memory || needs <= *memory) return;
  throw Error(ErrorCode::kFailure,
              fmt::format("this proof needs {} of memory, and {} are available; prove a range that "
                          "ends earlier or {}",
                          format_bytes(needs), format_bytes(*memory), kTryAnyway));
}

bool Work::agree_on_table(const TableInfo& info, const Digest128& digest,
                          HeapSize periodic_from) const {
  const std::string period =
      periodic_from < info.stats.count
          ? fmt::format(", heaps from {} on by their period", format_count(periodic_from))
          : std::string();
  return agree_unless_stopped(
      request.team,
      {.work = {fmt::format("verify from {} to {}", request.range.first, request.range.last)},
       .table = fmt::format("{} values of {} with the digest {}{}", format_count(info.stats.count),
                            info.canonical, to_hex(digest), period)});
}

Work make_work(const VerifyRequest& request, const Hooks& hooks) {
  const Machine& machine = request.machine;
  std::optional<std::uint64_t> memory;
  const std::uint64_t ranks = request.team != nullptr ? request.team->ranks_here() : 1;
  if (!request.force) memory = machine.memory ? *machine.memory : memory_available() / ranks;
  return {request, hooks, select_kernels(machine.kernel),
          make_executor(machine.threads, machine.backend), memory};
}

}  // namespace grundy
