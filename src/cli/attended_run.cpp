// SPDX-License-Identifier: MIT
#include "cli/attended_run.hpp"

#include <fmt/format.h>

#include "core/text.hpp"

namespace grundy::cli {

AttendedRun::AttendedRun(const Console& console, const char* unit, CheckpointControl* control,
                         bool draws)
    : console_(console),
      unit_(unit),
      control_(control),
      bar_(console.quiet || !draws, unit, control),
      signals_(
          [this] {
            tell("stopping when what is being computed is finished; once more to stop at once");
          },
          [this] { seal(); }, [this] { tell_status(); }) {}

Hooks AttendedRun::hooks() {
  return {.stop = signals_.token(),
          .progress = &bar_,
          .narrate = [this](const std::string& sentence) { tell(sentence); },
          .control = control_};
}

void AttendedRun::tell(const std::string& sentence) {
  bar_.clear();
  console_.note(sentence);
}

void AttendedRun::seal() {
  if (control_ == nullptr) return;
  control_->request_seal();
  tell("sealing what is finished at the end of this block");
}

void AttendedRun::tell_status() {
  bar_.clear();
  const HeapSize sealed = control_ == nullptr ? 0 : control_->sealed();
  write_error_line(sealed == 0
                       ? bar_.status()
                       : fmt::format("{}; {}", bar_.status(), sealed_clause(sealed, unit_)));
}

std::string sealed_clause(std::uint64_t sealed, std::string_view unit) {
  return unit == "heaps" ? fmt::format("heaps below {} are sealed", format_count(sealed))
                         : fmt::format("{} {} are sealed", format_count(sealed), unit);
}

}  // namespace grundy::cli
