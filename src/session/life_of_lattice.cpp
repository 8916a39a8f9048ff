// SPDX-License-Identifier: MIT
#include "session/life_of_lattice.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/statistics.hpp>

#include "session/stages.hpp"

namespace grundy {

void LifeOfLattice::tell_of_no_seals(const std::string& why) const {
  const std::filesystem::path directory = run_directory_for(file());
  std::error_code error;
  if (std::filesystem::exists(directory / kRunRecordName, error)) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("'{}' holds a run, and {}; choose another output or remove the directory",
                    directory.string(), why));
  }
  say(fmt::format("{}: nothing is sealed before the end", why));
}

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

void LifeOfLattice::write_counted(const EntryStatistics& counted) const {
  if (file().empty()) return;
  write_lattice_statistics(file(), {.info = report_.info, .zeros = counted.zeros()},
                           request_.output.overwrite, request_.output.reproducible,
                           report_.run_directory);
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
