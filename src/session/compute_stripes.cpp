// SPDX-License-Identifier: MIT
#include <array>
#include <cstring>
#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/team.hpp>

#include "core/atomic_file.hpp"
#include "core/descriptor.hpp"
#include "core/stopwatch.hpp"
#include "core/text.hpp"
#include "session/compute_kinds.hpp"
#include "session/entry_statistics.hpp"
#include "session/life_of_run.hpp"
#include "session/prediction.hpp"
#include "session/run_terms.hpp"
#include "session/sealed_stripes.hpp"
#include "session/setup.hpp"
#include "session/stages.hpp"
#include "table/table_of_parts.hpp"
#include "table/table_writer.hpp"
#include "table/written_check.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

/// A rank's part in a table of two heaps, which all ranks compute as a pipeline of stripes. With an
/// output each seals its stripes; when all values are there, rank 0 makes the file of them, or each
/// rank a part of the table of each of its stripes.
class SharedTable {
 public:
  SharedTable(const LatticeSetup& setup, const Hooks& hooks)
      : setup_(setup), hooks_(hooks), team_(*setup.request.team) {}

  Report run() {
    report_.threads = setup_.executor->threads();
    describe({});
    if (!file().empty() && is_there()) return report_of_finished();
    const auto needs = admit(setup_, hooks_.stop);
    if (is_first()) tell(needs, hooks_);
    if (file().empty()) {
      count_values();
    } else {
      make_file();
    }
    report_.seconds = life_.time.seconds();
    return std::move(report_);
  }

 private:
  [[nodiscard]] bool is_first() const noexcept { return team_.rank() == 0; }
  [[nodiscard]] const fs::path& file() const noexcept { return setup_.request.output.path; }
  [[nodiscard]] bool may_overwrite() const noexcept {
    return setup_.request.output.overwrite || setup_.request.force;
  }

  /// What rank 0 says, to all.
  [[nodiscard]] bool said_by_first(bool word) { return said_by_all(!is_first() || word); }

  /// Where a table in parts is made: among the stripes, where nothing stands that is not ours. So a
  /// part that is there is one of this run.
  [[nodiscard]] fs::path staged() const {
    return stripes_directory_for(file()) / file().filename();
  }

  /// Rank 0 gets what all ranks give.
  std::vector<std::string> gather(std::string bytes) {
    auto all = team_.gather(std::move(bytes));
    if (!all) throw Error(ErrorCode::kFailure, "a rank has left the others");
    return std::move(*all);
  }

  /// Whether all say so.
  [[nodiscard]] bool said_by_all(bool word) {
    std::uint8_t byte = word ? 1 : 0;
    team_.all_and({&byte, 1});
    return byte == 1;
  }

  RunStatus compute_stripes(const std::vector<LatticeStripe>& stripes) {
    const Stopwatch time;
    const RunStatus status = setup_.run_stripes(stripes, hooks_);
    report_.engine_seconds = time.seconds();
    return status;
  }

  /// Rank 0 adds up what all have counted.
  void count_values() {
    EntryStatistics counted(setup_.kernels, setup_.stored, setup_.computed.sorted, kMilestoneZeros);
    std::vector<LatticeStripe> stripes;
    for (const std::size_t i : setup_.own_stripes()) {
      stripes.push_back({setup_.stripes.borders[i], setup_.stripes.borders[i + 1], &counted});
    }
    report_.complete = said_by_all(compute_stripes(stripes) == RunStatus::kComplete);
    const auto all = gather(is_first() ? std::string() : counted.to_bytes());
    for (std::size_t rank = 1; rank < all.size(); ++rank) counted.add(all[rank]);
    describe(counted.stats());
    report_.statistics.zeros = counted.zeros();
  }

  /// Another process has made the file from the stripes and died before it could remove them.
  [[nodiscard]] bool is_there() {
    std::error_code error;
    const bool had_begun = fs::exists(stripes_directory_for(file()), error);
    if (is_first() && had_begun && fs::exists(staged(), error)) publish_parts();
    const bool is_table =
        is_first() && had_begun && !may_overwrite() && run_terms(setup_).is_the_table(file());
    if (said_by_first(is_table)) return true;
    check_target(file(), may_overwrite());
    if (setup_.request.output.in_parts && !may_overwrite() &&
        fs::exists(parts_directory(file()), error)) {
      throw Error(
          ErrorCode::kUsage,
          fmt::format("'{}' exists, the directory for the parts of the table; choose another name "
                      "or allow it to be replaced (--force)",
                      parts_directory(file()).string()));
    }
    return false;
  }

  Report report_of_finished() {
    report_.complete = true;
    if (!is_first()) return std::move(report_);
    remove_stripes();
    report_.info = TableReader::open(file())->info();
    report_.resumed_at = report_.info.stats.count;
    note_bytes();
    return std::move(report_);
  }

  void make_file() {
    const fs::path directory = stripes_directory_for(file());
    std::error_code error;
    fs::create_directory(directory, error);  // one of the ranks does
    if (!fs::is_directory(directory, error)) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("cannot make the directory '{}'", directory.string()));
    }
    report_.run_directory = directory;
    const std::vector<std::size_t> own = setup_.own_stripes();
    std::deque<WrittenCheck> expected;  // of each stripe
    std::vector<ValueSink*> sinks;
    for (std::size_t i = 0; i < own.size(); ++i) {
      sinks.push_back(&expected.emplace_back(setup_.stored, setup_.computed.sorted));
    }
    bool is_complete = false;
    {
      SealedStripes sealed(setup_, own);
      note_earlier_lives(sealed.frontier());
      is_complete = compute_stripes(sealed.stripes(sinks)) == RunStatus::kComplete;
      sealed.seal();
      note_sealed(sealed.sealed());
    }
    // From here on no rank works in its directories.
    report_.complete = said_by_all(is_complete);
    if (!report_.complete) return;
    if (setup_.request.output.in_parts) {
      for (std::size_t i = 0; i < own.size() && is_complete; ++i) {
        is_complete = write_part(own[i], expected[i]);
      }
      report_.complete = said_by_all(is_complete);
      if (is_first() && report_.complete) write_master();
      return;
    }
    for (std::size_t i = 1; i < own.size(); ++i) expected[0].add(expected[i].to_bytes());
    const auto sums = gather(is_first() ? std::string() : expected[0].to_bytes());
    if (!is_first()) return;
    for (std::size_t rank = 1; rank < sums.size(); ++rank) expected[0].add(sums[rank]);
    write(expected[0]);
  }

  /// False if the run was stopped.
  bool write_part(std::size_t stripe, const WrittenCheck& expected) {
    const TablePart part = part_of_stripe(setup_, stripe);
    if (find_part(staged(), setup_.stored, part)) return true;
    const auto writer = create_part_writer(staged(), setup_.stored, part, *setup_.executor,
                                           {.sorted_tiles = setup_.computed.sorted,
                                            .reproducible = setup_.request.output.reproducible});
    SinkOf stoppable([&](const Stretch& stretch) {
      writer->put(stretch);
      return hooks_.stop.stop_requested() ? Flow::kStop : Flow::kContinue;
    });
    if (replay_stripe(setup_, stripe, stoppable) == Flow::kStop) return false;
    const auto count = read_back(*writer, expected);
    if (!count) return false;
    describe(count->stats());
    writer->finish(report_.info, count->zeros());
    return true;
  }

  void write_master() {
    describe({});
    report_.info = make_table_of_parts(
        staged(), report_.info,
        {.overwrite = true, .reproducible = setup_.request.output.reproducible});
    publish_parts();
    note_bytes();
    remove_stripes();
  }

  /// Gives the parts and their master, which are all made, their places.
  void publish_parts() {
    const fs::path parts = parts_directory(file());
    check_target(file(), may_overwrite());
    if (fs::exists(parts_directory(staged()))) {
      if (may_overwrite()) fs::remove_all(parts);
      fs::rename(parts_directory(staged()), parts);
    }
    fs::rename(staged(), file());
    sync_directory(directory_of(file()));
  }

  void note_bytes() {
    report_.file_bytes = fs::file_size(file());
    if (!is_table_of_parts(file())) return;
    for (const fs::path& part : files_of_parts(file())) report_.file_bytes += fs::file_size(part);
  }

  /// What is in a file that is about to be finished; nothing if the run was stopped.
  std::optional<Count> read_back(TableWriter& writer, const WrittenCheck& expected) {
    std::optional<Count> count(std::in_place, setup_.kernels, hooks_, kMostListedPPositions);
    SinkOf counted([&](const Stretch& block) {
      Stretch stretch = block;
      const Flow flow = count->take(stretch);
      return hooks_.stop.stop_requested() ? Flow::kStop : flow;
    });
    if (writer.read_back(counted, expected) == Flow::kStop) count.reset();
    return count;
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

  void note_earlier_lives(std::uint64_t own) {
    life_.resumed_at = sum_of(own);
    if (!is_first() || life_.resumed_at == 0) return;
    report_.resumed_at = life_.resumed_at;
    if (hooks_.narrate) {
      hooks_.narrate(fmt::format("continuing {}; {} values are sealed",
                                 report_.run_directory.string(), format_count(life_.resumed_at)));
    }
  }
  void note_sealed(std::uint64_t own) { report_.sealed = sum_of(own); }

  /// Makes the table of what is sealed, counts it in its order, and removes the stripes.
  void write(const WrittenCheck& expected) {
    const auto writer = TableWriter::create(file(), setup_.stored, *setup_.executor,
                                            {.sorted_tiles = setup_.computed.sorted,
                                             .overwrite = may_overwrite(),
                                             .reproducible = setup_.request.output.reproducible,
                                             .workplace = report_.run_directory});
    SinkOf stoppable([&](const Stretch& stretch) {
      writer->put(stretch);
      return hooks_.stop.stop_requested() ? Flow::kStop : Flow::kContinue;
    });
    for (std::size_t i = 0; i < setup_.stripes.count(); ++i) {
      report_.complete = replay_stripe(setup_, i, stoppable) == Flow::kContinue;
      if (!report_.complete) return;
    }
    const auto count = read_back(*writer, expected);
    report_.complete = count.has_value();
    if (!report_.complete) return;
    describe(count->stats());
    writer->finish(report_.info, count->zeros());
    note_bytes();
    remove_stripes();
  }

  /// Under another name first, so that nobody takes up what is left of stripes.
  void remove_stripes() const {
    const fs::path directory = stripes_directory_for(file());
    fs::path leaving = directory;
    leaving += ".tmp";
    std::error_code ignored;
    fs::remove_all(leaving, ignored);
    fs::rename(directory, leaving, ignored);
    fs::remove_all(leaving, ignored);
  }

  void describe(const TableStats& stats) {
    const Request& request = setup_.request;
    const LatticeRule& rule = setup_.game.rule;
    TableInfo& info = report_.info;
    info = told_of(request.about, rule.canonical(), rule.describe());
    info.layout = setup_.stored;
    info.stats = stats;
    info.computed = stats.count;
    info.engine = setup_.engine.name();
    info.kernel =
        request.output.reproducible ? request.machine.kernel : std::string(setup_.kernels.name);
    info.provenance_json = provenance_json(request.output.command_line, request.output.reproducible,
                                           report_.threads, life_);
  }

  const LatticeSetup& setup_;
  const Hooks& hooks_;
  Team& team_;
  Life life_;
  Report report_;
};

}  // namespace

Report compute_stripes(const Request& request, const Hooks& hooks) {
  const LatticeSetup setup(request);
  return SharedTable(setup, hooks).run();
}

}  // namespace grundy
