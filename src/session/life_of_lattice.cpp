// SPDX-License-Identifier: MIT
#include "session/life_of_lattice.hpp"

#include <algorithm>

#include "session/stages.hpp"

namespace grundy {

TableWriterOptions LifeOfLattice::writing(const std::filesystem::path& workplace) const {
  return {.sorted_tiles = setup_.computed.sorted,
          .overwrite = request_.output.overwrite,
          .reproducible = request_.output.reproducible,
          .workplace = workplace};
}

bool LifeOfLattice::complete(TableWriter* writer, const std::function<Flow(ValueSink&)>& replay) {
  Count count(setup_.kernels, hooks_, kMostListedPPositions);
  SinkOf counted([&](const Stretch& block) {
    Stretch stretch = block;
    const Flow flow = count.take(stretch);
    work_after(static_cast<double>(block.values.size()));
    return hooks_.stop.stop_requested() ? Flow::kStop : flow;
  });
  const Flow flow = replay(counted);
  describe(count.stats());
  if (flow == Flow::kStop) return false;
  if (writer != nullptr) writer->finish(report_.info, count.zeros());
  return true;
}

void LifeOfLattice::work_after(double work) {
  done_after_ += work;
  report_reading(std::min(1.0, done_after_ / all_after_));
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
