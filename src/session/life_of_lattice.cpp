// SPDX-License-Identifier: MIT
#include "session/life_of_lattice.hpp"

#include "session/stages.hpp"

namespace grundy {

TableWriterOptions LifeOfLattice::writing(const std::filesystem::path& workplace) const {
  return {.sorted_tiles = setup_.computed.sorted,
          .overwrite = request_.output.overwrite,
          .reproducible = request_.output.reproducible,
          .workplace = workplace};
}

void ReadingProgress::report(const Progress& progress) {
  engine_ = progress;
  read(0);
}

void ReadingProgress::read(double part) {
  Progress whole = engine_;
  whole.work_done += part * share_ * engine_.work_total;
  whole.work_total *= 1 + share_;
  sink_.report(whole);
}

Hooks LifeOfLattice::hooks_with_reading(const std::optional<Prediction>& needs) {
  Hooks hooks = hooks_;
  if (hooks.progress != nullptr && needs && needs->reading_seconds > 0) {
    const double share = needs->reading_seconds / (needs->seconds.value() - needs->reading_seconds);
    hooks.progress = &reading_.emplace(*hooks.progress, share);
  }
  return hooks;
}

bool LifeOfLattice::complete(TableWriter* writer, const std::function<Flow(ValueSink&)>& replay) {
  Count count(setup_.kernels, hooks_, kMostListedPPositions);
  SinkOf counted([&](const Stretch& block) {
    Stretch stretch = block;
    const Flow flow = count.take(stretch);
    if (reading_) {
      reading_->read(static_cast<double>(block.end()) /
                     static_cast<double>(setup_.stored.entries()));
    }
    return hooks_.stop.stop_requested() ? Flow::kStop : flow;
  });
  const Flow flow = replay(counted);
  describe(count.stats());
  if (flow == Flow::kStop) return false;
  if (writer != nullptr) writer->finish(report_.info, count.zeros());
  return true;
}

void LifeOfLattice::report_counted(const EntryStatistics& counted) {
  describe(counted.stats());
  report_.statistics.zeros = counted.zeros();
}

void LifeOfLattice::describe(const TableStats& stats) {
  TableInfo& info = report_.info;
  info = described(setup_.game.rule.canonical(), setup_.game.rule.describe(), setup_);
  info.layout = setup_.stored;
  info.stats = stats;
  info.computed = stats.count;
  info.engine = setup_.engine.name();
  if (life_.resumed_at > 0) info.engine = makers(&SegmentHeader::engine, info.engine);
  info.provenance_json = provenance();
}

}  // namespace grundy
