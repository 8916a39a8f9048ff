// SPDX-License-Identifier: MIT
#include "session/reading_progress.hpp"

namespace grundy {

void ReadingProgress::report(const Progress& progress) {
  // The work of earlier lives took no time of this one. An engine that changes its cost model
  // begins anew.
  if (!begun_ || progress.work_done < engine_.work_done) begun_ = progress.work_done;
  engine_ = progress;
  read(0);
}

void ReadingProgress::read(double part) {
  Progress whole = engine_;
  const double reading = share_ * (engine_.work_total - begun_.value_or(0));
  whole.work_done += part * reading;
  whole.work_total += reading;
  sink_.report(whole);
}

}  // namespace grundy
