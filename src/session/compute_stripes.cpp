// SPDX-License-Identifier: MIT
#include <array>
#include <cstring>
#include <deque>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/team.hpp>

#include "core/advice.hpp"
#include "core/atomic_file.hpp"
#include "core/descriptor.hpp"
#include "core/stopwatch.hpp"
#include "core/temporary_name.hpp"
#include "core/text.hpp"
#include "session/compute_kinds.hpp"
#include "session/entry_statistics.hpp"
#include "session/file_cost.hpp"
#include "session/life_of_lattice.hpp"
#include "session/prediction.hpp"
#include "session/sealed_stripes.hpp"
#include "session/setup.hpp"
#include "session/stages.hpp"
#include "table/table_of_parts.hpp"
#include "table/table_writer.hpp"
#include "table/written_check.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

/// A rank's life in a table of two heaps, which all ranks compute as a pipeline of stripes. With an
/// output, each rank seals its stripes. When all values are sealed, rank 0 makes the file from
/// them, or each rank makes a part of the table from each of its stripes.
///
/// While the engine runs, options of a position may be with other ranks. So the random values of
/// the check are computed again only when all values are sealed, on their way into the file.
class RankLife final : LifeOfLattice {
 public:
  RankLife(const LatticeSetup& setup, const Hooks& hooks, const NumberedStripes& game)
      : LifeOfLattice(setup, hooks, game),
        game_(game),
        positions_(setup.game.rule, value_order(setup)),
        team_(*setup.request.team) {}

  /// The report of a rank other than 0 says only whether the run is complete.
  Report run() {
    report_.threads = setup_.executor->threads();
    describe({});
    const bool makes_table = !setup_.game.stats_only;
    if (!makes_table) check_file_of_statistics();
    if (makes_table && is_there()) {
      if (is_first()) {
        remove_stripes();
        return report_of_finished();
      }
      report_.complete = true;
      return std::move(report_);
    }
    const auto needs = admit(setup_, hooks_.stop);
    // A rank that needs too much memory ends all before another one makes its directories.
    static_cast<void>(said_by_all(true));
    if (is_first()) tell(needs, hooks_);
    with_reading_ = hooks_with_reading(needs);
    if (makes_table) {
      advised([this] { make_file(); });
    } else {
      count_values();
    }
    return is_first() ? conclude() : std::move(report_);
  }

 private:
  /// What it takes to write a sealed value into a file and to read it back, and to write it, if to
  /// read it back takes 1.
  static constexpr double kFile = 1 / kReadingOfTiles, kWriting = kFile - 1;

  [[nodiscard]] double values_of(std::size_t stripe) const {
    return static_cast<double>(game_.begin(stripe + 1) - game_.begin(stripe));
  }
  [[nodiscard]] bool is_first() const noexcept { return team_.rank() == 0; }

  /// Tells all ranks what rank 0 says.
  [[nodiscard]] bool said_by_first(bool word) { return said_by_all(!is_first() || word); }

  /// Where a table in parts is made: among the stripes, where only files of this run stand. So a
  /// part that is there belongs to this run.
  [[nodiscard]] fs::path staged() const {
    return stripes_directory_for(file()) / file().filename();
  }

  /// Rank 0 gets the bytes of all ranks.
  std::vector<std::string> gather(std::string bytes) {
    auto all = team_.gather(std::move(bytes));
    if (!all) throw Error(ErrorCode::kFailure, "a rank has left the others");
    return std::move(*all);
  }

  /// Whether all ranks say `true`.
  [[nodiscard]] bool said_by_all(bool word) {
    std::uint8_t byte = word ? 1 : 0;
    team_.all_and({&byte, 1});
    return byte == 1;
  }

  RunStatus compute_stripes(const std::vector<LatticeStripe>& stripes) {
    const Stopwatch time;
    const RunStatus status = setup_.run_stripes(stripes, with_reading_);
    report_.engine_seconds = time.seconds();
    return status;
  }

  /// Rank 0 alone writes statistics.
  void check_file_of_statistics() const {
    if (file().empty() || !is_first()) return;
    check_target(file(), request_.output.overwrite);
    tell_of_no_seals("ranks keep no states of statistics");
  }

  /// Rank 0 adds up what all ranks have counted.
  void count_values() {
    EntryStatistics counted(setup_.kernels, setup_.stored, setup_.computed.sorted, kMilestoneZeros);
    std::vector<LatticeStripe> stripes;
    for (const std::size_t i : setup_.own_stripes()) {
      stripes.push_back({setup_.stripes.borders[i], setup_.stripes.borders[i + 1], &counted});
    }
    report_.complete = said_by_all(compute_stripes(stripes) == RunStatus::kComplete);
    const auto all = gather(is_first() ? std::string() : counted.to_bytes());
    for (std::size_t rank = 1; rank < all.size(); ++rank) counted.add(all[rank]);
    if (!is_first()) return;
    report_counted(counted);
    if (report_.complete) write_counted(counted);
  }

  /// Refuses a directory for stripes that holds anything else, because it goes with them.
  void check_stripes_directory() const {
    for (const auto& entry : fs::directory_iterator(stripes_directory_for(file()))) {
      const fs::path& path = entry.path();
      const bool is_staged = path == parts_directory(staged()) ||
                             path.filename().string().starts_with(file().filename().string());
      if (is_staged || path.extension() == ".run") continue;
      throw Error(ErrorCode::kUsage,
                  fmt::format("'{}' is nothing that a run has left, and would go with what it has; "
                              "move it or choose another name for the table",
                              path.string()));
    }
  }

  /// Whether another process made the file from the stripes, and died before it removed them.
  [[nodiscard]] bool is_there() {
    std::error_code error;
    const bool had_begun = fs::is_directory(stripes_directory_for(file()), error);
    if (had_begun) check_stripes_directory();
    if (is_first() && had_begun && fs::exists(staged(), error)) publish_parts();
    const RunTerms terms = run_terms(setup_);
    bool is_table = is_first() && had_begun && !request_.output.overwrite &&
                    !stripes_may_replace(setup_) && terms.is_the_table(file());
    if (is_first() && fs::is_directory(run_directory_for(file()), error)) {
      of_one_.emplace(terms, positions_, nullptr, hooks_.narrate);
      is_table |= of_one_->finished();
      if (is_table) of_one_->finish();
    }
    if (said_by_first(is_table)) return true;
    check_target(file(), request_.output.overwrite);
    if (setup_.request.output.in_parts) check_place_of_parts(file(), request_.output.overwrite);
    return false;
  }

  void make_file() {
    const fs::path directory = stripes_directory_for(file());
    std::error_code error, ignored;
    fs::create_directory(directory, error);  // one of the ranks does it
    if (!fs::is_directory(directory, ignored)) {
      throw Error(ErrorCode::kUsage, fmt::format("cannot make the directory '{}': {}",
                                                 directory.string(), error.message()));
    }
    sync_directory(directory_of(directory));
    report_.run_directory = directory;
    const std::vector<std::size_t> own = setup_.own_stripes();
    std::deque<WrittenCheck> expected;  // one for each stripe
    std::vector<ValueSink*> sums;
    for (std::size_t i = 0; i < own.size(); ++i) {
      sums.push_back(&expected.emplace_back(setup_.stored, setup_.computed.sorted));
    }
    RunContents of_one;
    if (said_by_first(of_one_.has_value())) of_one = read_run(run_directory_for(file()));
    stripes_.emplace(setup_, own, *hooks_.control, of_one.record ? &*of_one.record : nullptr);
    const bool has_all = stripes_->take_over(of_one.segments, hooks_.stop);
    note_sealed_before(stripes_->frontier());
    if (said_by_all(has_all) && of_one_) of_one_->finish();
    bool is_complete = compute_stripes(stripes_->stripes(sums)) == RunStatus::kComplete;
    stripes_->seal();
    report_.sealed = sum_of(stripes_->sealed());
    // From here on no rank works in its directories.
    stripes_.reset();
    report_.complete = said_by_all(is_complete);
    if (!report_.complete) return;
    if (setup_.request.output.in_parts) {
      all_after_ = 0;
      for (const std::size_t stripe : own) all_after_ += kFile * values_of(stripe);
      for (std::size_t i = 0; i < own.size() && is_complete; ++i) {
        is_complete = write_part(own[i], expected[i]);
      }
      report_.complete = said_by_all(is_complete);
      if (is_first() && report_.complete) write_master();
      return;
    }
    for (std::size_t i = 1; i < own.size(); ++i) expected[0].add(expected[i].to_bytes());
    const auto others = gather(is_first() ? std::string() : expected[0].to_bytes());
    if (!is_first()) return;
    for (std::size_t rank = 1; rank < others.size(); ++rank) expected[0].add(others[rank]);
    all_after_ = kFile * static_cast<double>(report_.wanted);
    report_.complete = write(expected[0]);
    if (report_.complete) remove_stripes();
  }

  /// False if the run was stopped.
  bool write_part(std::size_t stripe, const WrittenCheck& expected) {
    const TablePart part = part_of_stripe(setup_, stripe);
    if (find_part(staged(), setup_.stored, part)) {
      work_after(kFile * values_of(stripe));
      return true;
    }
    const auto writer =
        create_part_writer(staged(), setup_.stored, part, *setup_.executor, writing({}));
    return write_stripe(stripe, *writer) == Flow::kContinue && complete(*writer, expected);
  }

  /// Makes the table from the sealed values; false if the run was stopped.
  bool write(const WrittenCheck& expected) {
    const auto writer = TableWriter::create(file(), setup_.stored, *setup_.executor,
                                            writing(report_.run_directory));
    for (std::size_t i = 0; i < setup_.stripes.count(); ++i) {
      if (write_stripe(i, *writer) == Flow::kStop) return false;
    }
    return complete(*writer, expected);
  }

  bool complete(TableWriter& writer, const WrittenCheck& expected) {
    return LifeOfLattice::complete(
        &writer, [&](ValueSink& census) { return writer.read_back(census, expected); });
  }

  /// Hands the sealed values of a stripe through the stages that were left out when the values
  /// came.
  Flow write_stripe(std::size_t stripe, TableWriter& writer) {
    if (!sealed_values_) sealed_values_ = sealed_values(setup_, game_);
    Check check(self_check_, 0, [this](const Stretch&) -> Check::Opener {
      return [this] { return sealed_values_; };
    });
    HandOn write(writer);
    Stages stages({.check = &check, .write = &write});
    SinkOf stoppable([&](const Stretch& stretch) {
      const Flow flow = stages.put(stretch);
      work_after(kWriting * static_cast<double>(stretch.values.size()));
      return hooks_.stop.stop_requested() ? Flow::kStop : flow;
    });
    try {
      return replay_stripe(setup_, game_, stripe, stoppable);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kMismatch) throw;
      throw Error(error.code(), fmt::format("{}; remove '{}', which holds it", error.what(),
                                            report_.run_directory.string()));
    }
  }

  void write_master() {
    describe({});
    report_.info = make_table_of_parts(
        staged(), report_.info,
        {.overwrite = true, .reproducible = setup_.request.output.reproducible});
    publish_parts();
    remove_stripes();
  }

  /// Moves the finished parts and their master to their places.
  void publish_parts() {
    check_target(file(), request_.output.overwrite);
    if (fs::exists(parts_directory(staged()))) {
      move_parts(staged(), file(), request_.output.overwrite);
      // After a power cut a master must not stand there without its parts.
      sync_directory(directory_of(file()));
    }
    fs::rename(staged(), file());
    sync_directory(directory_of(file()));
  }

  [[nodiscard]] std::uint64_t sum_of(std::uint64_t own) {
    std::uint64_t sum = 0;
    for (const std::string& bytes :
         gather(std::string(reinterpret_cast<const char*>(&own), sizeof own))) {
      std::uint64_t count = 0;
      std::memcpy(&count, bytes.data(), sizeof count);
      sum += count;
    }
    return sum;
  }

  /// Collects what rank 0 knows of earlier lives.
  void note_sealed_before(std::uint64_t own) {
    const std::uint64_t all = sum_of(own);
    if (!is_first() || all == 0) return;
    earlier_ = read_stripes(report_.run_directory);
    report_.resumed_at = life_.resumed_at = all;
    life_.begun = earlier_.record->created;
    say(fmt::format("continuing {}; {} values are sealed", report_.run_directory.string(),
                    format_count(all)));
  }

  [[nodiscard]] std::string makers(std::string SegmentHeader::*name,
                                   const std::string& current) override {
    return grundy::makers(earlier_.segments, name, current);
  }

  void rescue() noexcept override {
    if (stripes_) stripes_->rescue();
  }

  /// Removes the stripes. Renames the directory first, so that nobody resumes a part of them.
  void remove_stripes() const {
    const fs::path directory = stripes_directory_for(file());
    fs::path leaving = directory;
    leaving += ".tmp";
    std::error_code ignored;
    fs::remove_all(leaving, ignored);
    fs::rename(directory, leaving, ignored);
    fs::remove_all(leaving, ignored);
  }

  const NumberedStripes& game_;
  Hooks with_reading_;                  ///< progress leaves room for the time after the last value
  const NumberedPositions positions_;   ///< in the order in which one process seals them
  std::optional<SealedValues> of_one_;  ///< what one process has sealed, on rank 0
  std::optional<SealedStripes> stripes_;  ///< while values are sealed
  Team& team_;
  StripesContents earlier_;  ///< what earlier lives have sealed, on rank 0
  ValueOf sealed_values_;    ///< set when all values are sealed
};

}  // namespace

Report compute_stripes(const Request& request, const Hooks& hooks) {
  const LatticeSetup setup(request);
  const NumberedStripes game(setup);
  return RankLife(setup, hooks, game).run();
}

}  // namespace grundy
