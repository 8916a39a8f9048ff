// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/atlas.hpp>
#include <grundy/error.hpp>
#include <grundy/machine.hpp>

#include "atlas/atlas_file.hpp"
#include "atlas/classes.hpp"
#include "atlas/family_directory.hpp"
#include "atlas/game_run.hpp"
#include "atlas/literature_search.hpp"
#include "core/atomic_file.hpp"
#include "core/digest.hpp"
#include "core/shared_progress.hpp"
#include "core/stopwatch.hpp"
#include "core/text.hpp"
#include "dist/listening.hpp"
#include "dist/team_stop.hpp"
#include "kernels/kernels.hpp"
#include "session/agreement.hpp"
#include "session/machine.hpp"
#include "session/prediction.hpp"
#include "session/setup.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;
using namespace atlas;

/// The computation of one family.
class FamilyRun {
 public:
  FamilyRun(const AtlasRequest& request, std::stop_token stop, ProgressSink* progress)
      : request_(request),
        stop_(std::move(stop)),
        kernels_(select_kernels(request.machine.kernel)),
        executor_(make_executor(request.machine.threads, request.machine.backend)),
        progress_(progress),
        directory_(request.output),
        games_(ordered_games(request.games)),
        units_(units_by_standard_form(games_)),
        screen_bytes_(units_.size() * screen_values()) {}

  [[nodiscard]] const std::vector<atlas::Game>& games() const noexcept { return games_; }
  [[nodiscard]] const std::vector<Unit>& units() const noexcept { return units_; }
  [[nodiscard]] const fs::path& directory() const noexcept { return directory_.path(); }
  [[nodiscard]] const KernelSet& kernels() const noexcept { return kernels_; }
  [[nodiscard]] LiteratureSearch literature() const { return {kernels_, *executor_}; }

  /// @throws Error(kFailure) if the values of the screen certainly exceed the memory
  void require_memory_for_screen() const {
    require("memory", screen_bytes_, memory_limit(), "choose fewer games or allow more memory");
  }

  /// Computes every unit as far as the screen goes, in parallel over units. Returns false if
  /// stopped.
  bool screen() {
    const HeapSize count = screen_values();
    // Until the screen is over, any game may be one of the longest.
    const Piece longest{further(), static_cast<double>(further()) * static_cast<double>(further())};
    const HeapSize own = own_pieces(units_.size());
    screened_ = {units_.size() * count,
                 static_cast<double>(units_.size() * count) * static_cast<double>(count)};
    progress_.expect({screened_.values + own * longest.values,
                      screened_.work + static_cast<double>(own) * longest.work});
    std::atomic<bool> stopped = false;
    executor_->parallel_for(units_.size(), [&](std::size_t u) {
      if (stop_.stop_requested()) stopped = true;
      if (stopped) return;
      // A game this short is one task: its engine runs on this thread alone.
      const auto alone = make_executor(1, "threads");
      auto result = run_game(task_of(units_[u], count, *alone, static_cast<double>(count)));
      if (result) {
        units_[u].result = std::move(*result);
      } else {
        stopped = true;
      }
    });
    if (stopped) return false;
    screen_bytes_ = 0;
    for (const Unit& unit : units_) screen_bytes_ += unit.result.values.bytes();
    join_redundant(games_, units_);
    return true;
  }

  /// The units whose period is not proved yet; those that probably take longest come first. The
  /// order depends only on the values of the screen, so all parts and ranks have the same order.
  [[nodiscard]] std::vector<std::size_t> open_units() const {
    std::vector<std::size_t> open;
    for (std::size_t u = 0; u < units_.size(); ++u) {
      if (!units_[u].result.certified()) open.push_back(u);
    }
    std::ranges::stable_sort(open, std::greater{},
                             [this](std::size_t u) { return rare_heaps(units_[u]); });
    return open;
  }

  /// Takes the results of other parts or ranks.
  /// @throws Error(kFailure) if a game is missing, as finished_game() if a table cannot be taken;
  /// of one that was made for another request, Error(kUsage)
  void merge(const std::vector<std::size_t>& open) {
    if (request_.merge) expect(open);
    std::vector<std::string> missing;
    for (const std::size_t u : open) {
      if (!units_[u].result.file.empty()) continue;  // this process has finished it
      std::optional<GameResult> result = wanted_game(whole_task_of(units_[u]));
      if (result) {
        take(units_[u], std::move(*result));
        if (request_.merge) progress_.advance(pieces_[u]);
      } else {
        missing.push_back(code_of(units_[u]));
      }
    }
    if (missing.empty()) return;
    constexpr std::size_t kNamed = 5;
    const std::string more = missing.size() > kNamed ? ", .." : "";
    const std::size_t number = missing.size();
    missing.resize(std::min(number, kNamed));
    throw Error(
        ErrorCode::kFailure,
        fmt::format("{} of {} games have no table in {}: {}{}; the parts that have them are "
                    "not finished",
                    number, open.size(), in_quotes(directory_.path().string()),
                    fmt::join(missing, ", "), more));
  }

  /// Removes the tables that wait for the file of the family, which is there now. Returns false if
  /// their directory stays, because it holds anything else.
  [[nodiscard]] bool clear(const std::vector<std::size_t>& open) const {
    std::vector<std::string> codes;
    for (const std::size_t u : open) codes.push_back(code_of(units_[u]));
    return directory_.remove(codes);
  }

  /// What the run will need. Nothing if this was stopped. @param screen_seconds time that the
  /// screen took
  [[nodiscard]] std::optional<AtlasPrediction> foretell(const std::vector<std::size_t>& open,
                                                        double screen_seconds) const {
    // Those at the head of the list take longest; each trial is for its neighbours, too.
    constexpr HeapSize kTrials = 24;
    const HeapSize own = own_pieces(open.size()), tried = std::min(own, kTrials);
    AtlasPrediction result{.games = games_.size(),
                           .differing = units_.size(),
                           .open = open.size(),
                           .own = own,
                           .tried = tried,
                           .screen_seconds = screen_seconds,
                           .needs = {}};
    Prediction& needs = result.needs;
    needs.kernel = kernels_.name;
    needs.threads = executor_->threads();
    needs.memory_bytes = memory_needed(own_at_a_time(open.size()));
    needs.memory_available = memory_limit();
    if (request_.team != nullptr) {
      needs.traffic_bytes = request_.team->bytes_of_dealing(open.size());
    }
    double least = 0, most = 0;
    bool known = true;
    for (HeapSize t = 0; t < tried && known; ++t) {
      if (stop_.stop_requested()) return std::nullopt;
      const HeapSize begin = own * t / tried, end = own * (t + 1) / tried;
      const Prediction one = predict(trial_of(units_[open[piece((begin + end) / 2)]]));
      const auto share = static_cast<double>(end - begin);
      const double limit = request_.seconds.value_or(std::numeric_limits<double>::infinity());
      known = one.seconds || one.seconds_most;
      least += share * std::min(limit, one.seconds ? *one.seconds : one.seconds_least.value_or(0));
      most += share * std::min(limit, one.seconds ? *one.seconds : one.seconds_most.value_or(0));
      needs.engine = one.engine;
    }
    if (!known) return result;
    const double ranks = request_.team != nullptr ? static_cast<double>(request_.team->size()) : 1;
    const double hands = ranks * static_cast<double>(needs.threads);
    // Every part and rank computes the screen itself.
    if (most <= 2 * least) {
      needs.seconds = screen_seconds + std::sqrt(least * most) / hands;
    } else {
      needs.seconds_least = screen_seconds + least / hands;
      needs.seconds_most = screen_seconds + most / hands;
    }
    return result;
  }

  /// Computes the open units of this process to the end, in parallel over units and inside each
  /// unit, and waits for the team. Returns their number; nothing if it was stopped, or if a rank
  /// has left.
  std::optional<HeapSize> finish(const std::vector<std::size_t>& open) {
    require("memory", memory_needed(own_at_a_time(open.size())), memory_limit(),
            request_.output.empty()
                ? "write a file, so that values go to disk, or allow more memory"
                : "allow more memory");
    directory_.make();
    expect(open);
    const Listening listening(request_.team,
                              [&](std::uint64_t i) { progress_.advance(pieces_[open[i]]); });
    std::atomic<bool> stopped = false;
    std::atomic<HeapSize> dealt = 0, finished = 0;
    const auto next = [&](std::optional<std::uint64_t> done) -> std::uint64_t {
      if (request_.team != nullptr) return request_.team->next(done);
      const HeapSize n = dealt++;
      return piece(n);
    };
    const auto group = executor_->make_group();
    for (std::size_t thread = 0; thread < executor_->threads(); ++thread) {
      group->spawn([&] {
        try {
          for (std::uint64_t i = next({}); i < open.size(); i = next(i)) {
            // A loop with one call keeps this game together: a thread that waits for parts of the
            // game never begins another game meanwhile.
            executor_->parallel_for(1, [&](std::size_t) {
              if (!stop_.stop_requested() && extend(open[i])) {
                ++finished;
              } else {
                stopped = true;
              }
            });
            if (stopped) return;
          }
        } catch (...) {
          stopped = true;  // the other threads need not find all other games
          throw;
        }
      });
    }
    group->wait();
    if (stopped) return std::nullopt;
    // Rank 0 listens until the other ranks have finished.
    if (request_.team != nullptr && !request_.team->gather({})) return std::nullopt;
    return finished.load();
  }

 private:
  /// The number of rare heaps, with which the cost of a game grows. Without a sparse space all
  /// heaps count.
  [[nodiscard]] static std::uint64_t rare_heaps(const Unit& unit) noexcept {
    return unit.result.sparse ? unit.result.sparse->rare : unit.result.count;
  }

  /// The cost of a value: as many look-ups as there are rare heaps.
  [[nodiscard]] double cost_of_value(const Unit& unit) const noexcept {
    return static_cast<double>(unit.result.sparse ? unit.result.sparse->rare : further());
  }
  /// Notes that the screen is over and that the open units are left: those of this process, or of
  /// its team.
  void expect(const std::vector<std::size_t>& open) {
    pieces_.resize(units_.size());
    for (const std::size_t u : open) {
      pieces_[u] = {further(), static_cast<double>(further()) * cost_of_value(units_[u])};
    }
    std::vector<Piece> expected = {screened_};
    for (std::size_t n = 0; n < own_pieces(open.size()); ++n) {
      expected.push_back(pieces_[open[piece(n)]]);
    }
    progress_.expect(whole_of(expected));
  }

  /// The number of values of a game that is computed to the end after the screen.
  [[nodiscard]] HeapSize further() const noexcept {
    return request_.last > kAtlasScreen ? request_.last + 1 : 0;
  }

  [[nodiscard]] GameTask task_of(const Unit& unit, HeapSize count, Executor& executor,
                                 double cost_of_value) {
    return {.rule = games_[unit.games.front().game].rule,
            .count = count,
            .engine = request_.machine.engine,
            .kernels = kernels_,
            .executor = executor,
            .stop = stop_,
            .advance = [this, cost_of_value](HeapSize values) {
              progress_.advance({values, static_cast<double>(values) * cost_of_value});
            }};
  }

  /// The number of values of a game in the screen.
  [[nodiscard]] HeapSize screen_values() const noexcept {
    return std::min(request_.last, kAtlasScreen) + 1;
  }

  /// Bytes for the screen and this many open games. Tables stay in memory unless there is a file
  /// for them. Two bytes for each value are enough for all but a few games.
  [[nodiscard]] std::uint64_t memory_needed(HeapSize open) const {
    const HeapSize tables =
        request_.output.empty() ? open : std::min<HeapSize>(open, executor_->threads());
    const double needed = 2 * static_cast<double>(tables) * static_cast<double>(request_.last);
    return process_bytes(request_.team) + screen_bytes_ +
           static_cast<std::uint64_t>(std::min(needed, 1e18));
  }

  /// The most bytes that this process may use.
  [[nodiscard]] std::uint64_t memory_limit() const {
    const std::uint64_t ranks = request_.team != nullptr ? request_.team->ranks_here() : 1;
    return request_.machine.memory ? *request_.machine.memory : memory_available() / ranks;
  }

  /// How many of the units this process computes to the end, together with its team if it has one.
  [[nodiscard]] HeapSize own_pieces(HeapSize units) const noexcept {
    return request_.part ? request_.part->among(units) : units;
  }

  /// The index among the open units of the n-th one of this process.
  [[nodiscard]] HeapSize piece(HeapSize n) const noexcept {
    return request_.part ? request_.part->piece(n) : n;
  }

  /// How many of the open units come to one process.
  [[nodiscard]] HeapSize own_at_a_time(HeapSize open) const noexcept {
    return request_.team != nullptr ? open / request_.team->size() + 1 : own_pieces(open);
  }

  [[nodiscard]] Request trial_of(const Unit& unit) const {
    Request request{
        .game = HeapGame{.rule = games_[unit.games.front().game].rule, .last = request_.last}};
    request.machine = request_.machine;
    request.machine.threads = 1;
    return request;
  }

  [[nodiscard]] GameTask whole_task_of(const Unit& unit) {
    GameTask task = task_of(unit, request_.last + 1, *executor_, cost_of_value(unit));
    task.end_early = true;
    if (request_.seconds) task.limit = std::chrono::duration<double>(*request_.seconds);
    task.file = directory_.table_of(code_of(unit));
    return task;
  }

  [[nodiscard]] const std::string& code_of(const Unit& unit) const {
    return games_[unit.games.front().game].code;
  }

  /// The result that another process has left, and that must be right if it is there.
  static std::optional<GameResult> wanted_game(const GameTask& task) {
    try {
      return finished_game(task);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kMismatch) throw;
      throw Error(ErrorCode::kUsage, error.what());
    }
  }

  /// The result that an earlier run has left. What cannot be taken is computed anew.
  static std::optional<GameResult> usable_game(const GameTask& task) {
    try {
      return finished_game(task);
    } catch (const Error& error) {
      const bool computes_anew =
          error.code() == ErrorCode::kMismatch || error.code() == ErrorCode::kCorrupt;
      if (!computes_anew) throw;
      return std::nullopt;
    }
  }

  bool extend(std::size_t u) {
    Unit& unit = units_[u];
    const GameTask task = whole_task_of(unit);
    std::optional<GameResult> result = usable_game(task);
    if (result) {
      progress_.advance(pieces_[u]);
    } else {
      result = run_game(task);
      if (result) task.advance(task.count - result->count);
    }
    if (!result) return false;
    take(unit, std::move(*result));
    return true;
  }

  static void take(Unit& unit, GameResult result) {
    const double seconds = unit.result.seconds + result.seconds;
    // A very short time limit may end a game before the last heap of the screen.
    if (result.count > unit.result.count) unit.result = std::move(result);
    unit.result.seconds = seconds;
  }

  const AtlasRequest& request_;
  std::stop_token stop_;
  const KernelSet& kernels_;
  std::unique_ptr<Executor> executor_;
  SharedProgress progress_;
  Piece screened_;             ///< all that the screen computes
  std::vector<Piece> pieces_;  ///< by unit: what is left of an open one after the screen
  FamilyDirectory directory_;
  std::vector<atlas::Game> games_;
  std::vector<Unit> units_;
  std::uint64_t screen_bytes_;  ///< of its values; before it, the least
};

/// What the literature says of a class. Only members that are proved equal count.
void look_up_literature(const std::vector<atlas::Game>& games, const std::vector<Unit>& units,
                        const UnitClass& members, LiteratureSearch& literature, AtlasClass& c) {
  for (const UnitClass::Entry& entry : members.units) {
    if (entry.evidence == AtlasEvidence::kObserved) continue;
    const KnownGame* const known = literature.find(games, units[entry.unit]);
    if (known == nullptr) continue;
    const bool solved = known->period != 0;
    c.literature = solved ? LiteratureStatus::kSolved : LiteratureStatus::kUnsolved;
    const std::string grows =
        known->saltus > 0 ? fmt::format(", saltus {}", known->saltus) : std::string();
    c.reference = solved ? fmt::format("{}: period {}{} from heap {} on; {}", known->code,
                                       known->period, grows, known->preperiod, known->reference)
                         : fmt::format("{}: {}", known->code, known->reference);
    return;
  }
}

/// The class of some units in the form of the report.
AtlasClass report_class(const std::vector<atlas::Game>& games, const std::vector<Unit>& units,
                        const UnitClass& members, const KernelSet& kernels,
                        LiteratureSearch& literature) {
  const Unit& first = units[members.units.front().unit];
  const atlas::Game& game = games[first.games.front().game];
  AtlasClass c;
  c.code = game.code;
  if (game.form) c.standard_form = notation(game.form->code);
  c.engine = first.result.engine;
  c.period = first.result.period;
  c.stats = stats_of(first.result.load().view(), kernels);
  c.last_zero = first.result.last_zero;
  c.sparse = first.result.sparse;
  for (const UnitClass::Entry& entry : members.units) {
    const Unit& unit = units[entry.unit];
    const bool stands = entry.evidence == AtlasEvidence::kItself;
    const HeapSize lead = lead_of(unit.result.load().view());
    const auto& form = games[unit.games.front().game].form;
    for (const Unit::Entry& g : unit.games) {
      // Members of one unit are shifts of each other, by their standard forms.
      const HeapSize own = form ? lead + games[g.game].form->shift - form->shift : lead;
      c.members.push_back(
          {games[g.game].code, own, stands ? g.evidence : entry.evidence, entry.compared});
    }
    c.seconds += unit.result.seconds;
  }
  look_up_literature(games, units, members, literature, c);
  return c;
}

void check_request(const AtlasRequest& request) {
  if (request.games.empty()) throw Error(ErrorCode::kUsage, "the family has no games");
  if (request.last >= kMaxCount) {
    throw Error(ErrorCode::kUsage,
                fmt::format("heap {} is too large for a table; the limit is 2^48-1", request.last));
  }
  if (request.seconds && !(*request.seconds >= 0)) {
    throw Error(ErrorCode::kUsage, "the time for each game is less than 0 seconds");
  }
  const bool shares = request.part || request.merge || request.team != nullptr;
  if (shares && request.output.empty()) {
    throw Error(ErrorCode::kUsage,
                "parts and ranks need an output, beside which they leave their tables");
  }
  if (request.team != nullptr && request.part) {
    throw Error(ErrorCode::kUsage, "ranks share all games, and no part of them");
  }
  if (request.team != nullptr && request.merge) {
    throw Error(ErrorCode::kUsage, "one rank merges what parts have left");
  }
  if (request.part && request.merge) {
    throw Error(ErrorCode::kUsage, "parts are computed first and merged then");
  }
  if (request.part && (request.part->number < 1 || request.part->number > request.part->of)) {
    throw Error(ErrorCode::kUsage,
                fmt::format("there is no part {} of {}", request.part->number, request.part->of));
  }
  // Refuse a name that cannot be written before the work is done.
  const bool writes = request.team == nullptr || request.team->rank() == 0;
  if (writes && !request.output.empty()) const AtomicFile name(request.output, request.overwrite);
}

Intent intent_of(const AtlasRequest& request) {
  ByteHash games;
  for (const HeapRule& rule : request.games) {
    const std::string line = rule.canonical() + '\n';
    games.update(std::as_bytes(std::span(line)));
  }
  return {.work = {fmt::format("atlas of {} games from {} on, digest {:016x}", request.games.size(),
                               request.games.front().canonical(), games.value()),
                   fmt::format("heaps 0 to {}", request.last),
                   request.seconds ? fmt::format("{} s a game", *request.seconds)
                                   : std::string("no limit of time"),
                   fmt::format("engine {}", request.machine.engine),
                   fmt::format("output {}{}", request.output.string(),
                               request.overwrite ? ", written over" : "")},
          .output = request.output};
}

}  // namespace

std::optional<AtlasPrediction> predict_atlas(const AtlasRequest& request, const Hooks& hooks) {
  check_request(request);
  FamilyRun family(request, hooks.stop, hooks.progress);
  const Stopwatch time;
  if (!family.screen()) return std::nullopt;
  const double screen_seconds = time.seconds();
  return family.foretell(
      request.last > kAtlasScreen ? family.open_units() : std::vector<std::size_t>(),
      screen_seconds);
}

AtlasReport compute_atlas(const AtlasRequest& request, const Hooks& hooks) {
  const Stopwatch time;
  check_request(request);
  Team* const team = request.team;
  const bool is_first = team != nullptr && team->rank() == 0;
  if (team != nullptr) agree(team, intent_of(request));
  const TeamStop stop(team, hooks.stop);
  FamilyRun family(request, stop.token(), hooks.progress);
  AtlasReport report;
  report.last = request.last;
  report.games = family.games().size();
  const auto end = [&] {
    report.seconds = time.seconds();
    return std::move(report);
  };
  family.require_memory_for_screen();
  if (!family.screen()) return end();
  std::vector<std::size_t> open;
  if (request.last > kAtlasScreen) {
    open = family.open_units();
    report.open = open.size();
    if (hooks.narrate) {
      hooks.narrate(fmt::format(
          "{} of {} games that differ by their rules have no proved period after "
          "heap {}; {}",
          open.size(), family.units().size(), kAtlasScreen,
          request.merge ? "their tables are joined"
          : request.part
              ? fmt::format("{} of them are computed further", request.part->among(open.size()))
          : team != nullptr ? fmt::format("{} ranks compute them further", team->size())
                            : "they are computed further"));
    }
    if (!request.merge) {
      const auto finished = family.finish(open);
      if (!finished) return end();
      report.finished = *finished;
    }
    if (request.merge || is_first) family.merge(open);
  }
  if (request.part || (team != nullptr && !is_first)) {
    report.complete = true;
    return end();
  }
  const std::vector<Unit>& units = family.units();
  const std::vector<UnitClass> classes = classify(units);
  LiteratureSearch literature = family.literature();
  for (const UnitClass& c : classes) {
    report.classes.push_back(report_class(family.games(), units, c, family.kernels(), literature));
  }
  report.complete = true;
  if (!request.output.empty()) {
    write_atlas_file(
        request.output, report,
        [&](std::size_t c) { return units[classes[c].units.front().unit].result.load(); },
        request.overwrite);
    report.file_bytes = fs::file_size(request.output);
    if (!family.clear(open) && hooks.narrate) {
      hooks.narrate(fmt::format("'{}' stays, because it holds files that are not of this family",
                                family.directory().string()));
    }
  }
  return end();
}

}  // namespace grundy
