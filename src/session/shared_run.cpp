// SPDX-License-Identifier: MIT
#include "session/shared_run.hpp"

#include <cstdint>
#include <utility>

#include <grundy/error.hpp>

#include "session/prediction.hpp"

namespace grundy {

void Summons::tell(bool begins) {
  Team* const team = std::exchange(team_, nullptr);
  if (team == nullptr) return;
  std::uint8_t word = begins ? 1 : 0;
  team->all_and({&word, 1});
}

Summons::~Summons() {
  try {
    tell(false);
  } catch (const Error&) {  // no rank waits any more
  }
}

Report assist(const HeapSetup& setup, const Hooks& hooks) {
  Report report;
  report.threads = setup.executor->threads();
  admit_rank(setup, hooks.stop);
  std::uint8_t begins = 1;
  setup.request.team->all_and({&begins, 1});
  report.complete = begins == 0;  // rank 0 has all values, or has failed and says so
  if (report.complete) return report;
  SinkOf nobody([](const Stretch&) { return Flow::kContinue; });
  const RunStatus status =
      setup.run(setup.count, nobody, {.stop = hooks.stop}, nullptr, {}, setup.request.team);
  report.complete = status != RunStatus::kCancelled;
  return report;
}

}  // namespace grundy
