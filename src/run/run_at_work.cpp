// SPDX-License-Identifier: MIT
#include "run/run_at_work.hpp"

#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/advice.hpp"
#include "core/atomic_file.hpp"
#include "core/text.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

fs::path checked_directory(const fs::path& output) {
  check_target(output, true);
  return run_directory_for(output);
}

/// What a run computes, for a person.
std::string subject_of(const RunRecord& run) {
  if (!run.lattice) return run.rule;
  return fmt::format("{} on {}{} positions in {}", run.rule, run.lattice->shape,
                     run.lattice->sorted ? " sorted" : "", run.lattice->order);
}

/// The options that give the order of an old run, if only the order differs; else empty.
std::string how_it_was_begun(const RunRecord& old, RunRecord wanted) {
  if (!old.lattice || !wanted.lattice) return {};
  wanted.lattice->order = old.lattice->order;
  if (wanted.identity() != old.identity()) return {};
  return fmt::format(
      "it goes on with the engine {} and {}", old.engine,
      old.lattice->tile ? fmt::format("the block size {}", *old.lattice->tile) : "no block size");
}

}  // namespace

RunAtWork::RunAtWork(RunTerms terms, const NumberedGame& game,
                     const std::function<void(const std::string&)>& narrate)
    : terms_(std::move(terms)),
      game_(game),
      directory_(checked_directory(terms_.output), terms_.force, &terms_.record),
      narrate_(narrate) {
  const bool overwrite = terms_.record.overwrite;
  if (!directory_.stale_holder().empty()) {
    say(fmt::format("taking over from {}, which ended without finishing",
                    directory_.stale_holder()));
  }
  if (directory_.record()) check_record();
  if (directory_.record() && !directory_.has_record()) {
    say(
        fmt::format("run.json of '{}' was damaged or missing; what is sealed there is of this run, "
                    "and it is written anew",
                    path().string()));
  }
  const bool had_begun = directory_.record() || directory_.was_finished();
  // Where a run was to replace its file, a file that looks right may be the old one.
  const bool may_be_old = directory_.record() && directory_.record()->overwrite;
  if (had_begun && !overwrite && !may_be_old && terms_.is_the_table(terms_.output)) {
    say(fmt::format("'{}' had been finished", terms_.output.string()));
    finished_ = true;
    return;
  }
  check_target(terms_.output, overwrite);
  if (!directory_.has_record()) directory_.write_record(terms_.record);
}

void RunAtWork::note_published() {
  RunRecord record = *directory_.record();
  if (!std::exchange(record.overwrite, false)) return;
  directory_.write_record(record);
}

void RunAtWork::say(const std::string& sentence) const {
  if (narrate_) narrate_(sentence);
}

void RunAtWork::check_record() const {
  const RunRecord& record = *directory_.record();
  const auto refuse = [&](ErrorCode code, const std::string& difference,
                          const std::string& advice) {
    throw Error(code, fmt::format("'{}' holds a run {}; {}", path().string(), difference, advice));
  };
  if (record.identity() != terms_.record.identity()) {
    if (const std::string how = how_it_was_begun(record, terms_.record); !how.empty()) {
      refuse(ErrorCode::kCorrupt,
             fmt::format("whose values come in {}, not in {}", record.lattice->order,
                         terms_.record.lattice->order),
             how);
    }
    refuse(ErrorCode::kCorrupt,
           fmt::format("of {}, not of {}", subject_of(record), subject_of(terms_.record)),
           "choose another output or remove the directory");
  }
  if (record.stats_only != terms_.record.stats_only) {
    refuse(ErrorCode::kUsage,
           record.stats_only ? "that keeps statistics only" : "that makes a table",
           record.stats_only ? "compute statistics only, or choose another output"
                             : "compute a table, or choose another output");
  }
  if (terms_.count < directory_.frontier() && !directory_.segments().back().header.has_values()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("'{}' has statistics of {} and all before; those of fewer heaps need a "
                            "run of their own",
                            path().string(), game_.name(directory_.frontier() - 1)));
  }
  if (terms_.count < directory_.frontier() && record.lattice) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("'{}' holds {} values of a table of {}", path().string(),
                            directory_.frontier(), terms_.count));
  }
  if (terms_.count < directory_.frontier() && !terms_.force) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("'{}' has sealed {} and all before; a table up to {} would drop some of them "
                    "unless it is forced to",
                    path().string(), game_.name(directory_.frontier() - 1),
                    game_.name(terms_.count - 1)));
  }
  if (record.count != terms_.record.count && !terms_.change_range) {
    refuse(ErrorCode::kUsage,
           fmt::format("up to {}, not {}", game_.name(record.count - 1),
                       game_.name(terms_.record.count - 1)),
           fmt::format("choose another output or {}", kResumeToAnotherHeap));
  }
}

void RunAtWork::say_frontier() const {
  const HeapSize frontier = directory_.frontier();
  say(frontier < terms_.count
          ? fmt::format("continuing {} at {}; {} of {} values are sealed", path().string(),
                        game_.name(frontier), format_count(frontier), format_count(terms_.count))
          : fmt::format("{} holds {} values: all that is wanted is there", path().string(),
                        format_count(frontier)));
}

void RunAtWork::remove() {
  if (directory_.record()) directory_.finish();
}

}  // namespace grundy
