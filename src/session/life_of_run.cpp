// SPDX-License-Identifier: MIT
#include "session/life_of_run.hpp"

#include <utility>
#include <variant>

#include <fmt/format.h>

#include <grundy/file_kind.hpp>
#include <grundy/statistics.hpp>
#include <grundy/table.hpp>

#include "core/advice.hpp"
#include "core/text.hpp"
#include "table/table_of_parts.hpp"

namespace grundy {

bool LifeOfRun::keeps_run() const noexcept {
  const auto* const heaps = std::get_if<HeapGame>(&request_.game);
  return heaps != nullptr && heaps->stats_only;
}

bool LifeOfRun::open_run(RunTerms terms) {
  sealed_.emplace(std::move(terms), game_, hooks_.control, hooks_.narrate);
  if (!place_.is_scratch) report_.run_directory = sealed_->path();
  return !sealed_->finished();
}

void LifeOfRun::note_earlier_lives() {
  if (frontier() == 0) return;
  report_.resumed_at = life_.resumed_at = frontier();
  life_.begun = sealed_->directory().record()->created;
}

TableInfo LifeOfRun::described(const std::string& canonical, const std::string& moves,
                               const MadeMachine& machine) {
  const GameDescription& about = request_.about;
  TableInfo info;
  info.game = about.game;
  info.canonical = canonical;
  info.title = about.title.empty() ? canonical : about.title;
  info.description = about.moves(moves);
  info.reference = about.reference;
  info.kernel = machine.kernels.name;
  if (request_.output.reproducible) {
    info.kernel = request_.machine.kernel;  // the choice depends on the machine
  } else if (life_.resumed_at > 0) {
    info.kernel = makers(&SegmentHeader::kernel, info.kernel);
  }
  return info;
}

Hooks LifeOfRun::hooks_with_reading(const std::optional<Prediction>& needs) {
  Hooks hooks = hooks_;
  if (hooks.progress != nullptr && needs && needs->reading_seconds > 0) {
    const double share = needs->reading_seconds / (needs->seconds.value() - needs->reading_seconds);
    hooks.progress = &reading_.emplace(*hooks.progress, share);
  }
  return hooks;
}

bool LifeOfRun::report_reading(double part) {
  if (reading_) reading_->read(part);
  return reading_.has_value();
}

Report LifeOfRun::report_of_finished() {
  const FileKind kind = kind_of(file());
  if (kind == FileKind::kStatistics) {
    StatisticsFile statistics = read_statistics(file());
    report_.info = std::move(statistics.info);
    report_.statistics = std::move(statistics.statistics);
  } else if (kind == FileKind::kLatticeStatistics) {
    LatticeStatistics statistics = read_lattice_statistics(file());
    report_.info = std::move(statistics.info);
    report_.statistics.zeros = std::move(statistics.zeros);
  } else {
    report_.info = TableReader::open(file())->info();
  }
  report_.resumed_at = report_.info.stats.count;
  report_.complete = true;
  return conclude();
}

Report LifeOfRun::conclude() {
  if (report_.complete && !file().empty() && !place_.is_scratch) {
    report_.file_bytes = bytes_of_table(file());
  }
  if (sealed_ && report_.complete && !keeps_run()) {
    sealed_->finish();
  } else if (sealed_ && !place_.is_scratch) {
    if (!sealed_->finished()) {
      advised([this] {
        sealed_->log().seal();
        if (report_.complete) sealed_->note_published();
      });
    }
    report_.sealed = sealed_->directory().frontier();
  }
  report_.seconds = life_.time.seconds();
  return std::move(report_);
}

/// The error that ended a run after some values were sealed, with advice how to go on. After a
/// wrong value the advice is not to resume: the next life would build on the values that this
/// machine has sealed.
Error LifeOfRun::with_advice(const Error& error) const {
  // Stripes have no run of their own here.
  const std::string directory =
      (sealed_ ? run_directory_for(file()) : report_.run_directory).string();
  const HeapSize sealed = directory.empty() || place_.is_scratch ? 0 : hooks_.control->sealed();
  // Nobody can resume a damaged run, and its message says what to do.
  if (sealed == 0 || error.code() == ErrorCode::kCorrupt || !std::filesystem::exists(directory)) {
    return error;
  }
  const bool is_shared = request_.team != nullptr && request_.team->size() > 1;
  const std::string clause =
      fmt::format("{}; {} values{} are sealed in '{}'", error.what(), format_count(sealed),
                  is_shared ? " of this rank" : "", directory);
  if (error.code() == ErrorCode::kMismatch) {
    return {error.code(),
            fmt::format("{} and kept, but not proved: {}, best on another machine, and resume only "
                        "after that, if no value is wrong",
                        clause, kProveSealed)};
  }
  return {error.code(), fmt::format("{}, and the run {}", clause, kCanGoOn)};
}

}  // namespace grundy
