// SPDX-License-Identifier: MIT
#include "verify/work.hpp"

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/text.hpp"
#include "session/machine.hpp"

namespace grundy {

void Work::check_memory(std::uint64_t needs) const {
  if (!memory || needs <= *memory) return;
  throw Error(ErrorCode::kFailure,
              fmt::format("this proof needs {} of memory, and {} are available; prove a range that "
                          "ends earlier or add --force",
                          format_bytes(needs), format_bytes(*memory)));
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
