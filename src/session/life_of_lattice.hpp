/// @file
/// A life of a game of several heaps, of one process (compute_lattice.cpp) or of a rank
/// (compute_stripes.cpp). The file is made from tiles, which do not come in its order. It is
/// counted in its order when it is read back.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <grundy/compute.hpp>
#include <grundy/sink.hpp>

#include "session/entry_statistics.hpp"
#include "session/life_of_run.hpp"
#include "session/setup.hpp"
#include "table/table_writer.hpp"

namespace grundy {

class LifeOfLattice : public LifeOfRun {
 protected:
  /// The setup, the hooks and the game must outlive this.
  LifeOfLattice(const LatticeSetup& setup, const Hooks& hooks, const NumberedGame& game)
      : LifeOfRun(setup.request, hooks, game),
        all_after_(static_cast<double>(setup.stored.entries())),
        setup_(setup) {
    report_.wanted = Layout::of(setup.computed, setup.stored.planes).entries();
  }

  /// Says that nothing is sealed, and why. @throws Error(kUsage) if there is a run
  void tell_of_no_seals(const std::string& why) const;
  /// How to write the file, under a temporary name in `workplace`.
  [[nodiscard]] TableWriterOptions writing(const std::filesystem::path& workplace) const;
  /// Counts the entries that `replay` hands over in the order of the table, and completes the file,
  /// if there is one. Returns false if it was stopped.
  bool complete(TableWriter* writer, const std::function<Flow(ValueSink&)>& replay);
  /// Reports what was counted without a table.
  void report_counted(const EntryStatistics& counted);
  /// Writes the file of what was counted, which is reported, if there is one.
  void write_counted(const EntryStatistics& counted) const;
  /// Describes the table, which has these statistics, in the report.
  void describe(const TableStats& stats);
  /// Reports work after the last value. To read an entry back, which complete() does, counts 1.
  void work_after(double work);

  double all_after_;  ///< the work after the last value: all entries are read back

  const LatticeSetup& setup_;

 private:
  double done_after_ = 0;
};

}  // namespace grundy
