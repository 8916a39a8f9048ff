/// @file
/// The value of one position: by a theorem, a table or a search, which is sealed if there is an
/// output.
// SPDX-License-Identifier: MIT
#include <chrono>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/compute.hpp>

#include "core/atomic_file.hpp"
#include "core/names.hpp"
#include "core/stopwatch.hpp"
#include "core/text.hpp"
#include "session/own_engine.hpp"
#include "session/prediction.hpp"
#include "session/root_file.hpp"
#include "session/search_run.hpp"
#include "session/setup.hpp"

namespace grundy {
namespace {

/// Tells how far a search has come, and seals what it has learnt at intervals, on a thread of its
/// own.
class Attendant {
 public:
  /// @param run where it is sealed; null: it is not sealed
  /// @param memory the bytes that the search may have
  /// @param failed is asked to stop if something cannot be sealed, or a hook throws
  Attendant(SearchRun* run, const GraphSearch& search, std::uint64_t memory, const Hooks& hooks,
            std::stop_source failed, std::chrono::duration<double> interval)
      : run_(run),
        search_(search),
        memory_(memory),
        hooks_(hooks),
        failed_(std::move(failed)),
        interval_(interval),
        thread_([this](const std::stop_token& stop) { work(stop); }) {}

  /// Waits for a seal that is under way.
  /// @throws Error(kFailure) if a seal has failed, and what a hook has thrown
  void end() {
    thread_.request_stop();
    thread_.join();
    if (error_) std::rethrow_exception(error_);
  }
  /// Does nothing without a run.
  void seal() {
    if (run_ == nullptr) return;
    const std::uint64_t entries = run_->seal(search_);
    if (hooks_.control != nullptr) hooks_.control->set_sealed(entries);
  }

 private:
  void work(const std::stop_token& stop) {
    constexpr auto kLook = std::chrono::milliseconds(50);
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    try {
      for (Stopwatch since;
           !wake.wait_for(lock, stop, kLook, [&] { return stop.stop_requested(); });) {
        tell();
        const bool is_asked = hooks_.control != nullptr && hooks_.control->take_request();
        if (!is_asked && since.seconds() < interval_.count()) continue;
        seal();
        since = {};
      }
    } catch (...) {
      error_ = std::current_exception();
      failed_.request_stop();
    }
  }

  void tell() {
    if (hooks_.progress == nullptr) return;
    const std::uint64_t searched = search_.searched();
    hooks_.progress->report({.done = searched,
                             .work_done = static_cast<double>(searched),
                             .work_total = std::numeric_limits<double>::infinity(),
                             .bytes = search_.bytes(),
                             .most_bytes = memory_});
  }

  SearchRun* run_;
  const GraphSearch& search_;
  std::uint64_t memory_;
  const Hooks& hooks_;
  std::stop_source failed_;
  std::chrono::duration<double> interval_;
  std::exception_ptr error_;
  std::jthread thread_;  // last, because it uses all members above
};

/// What a theorem says of the start position. Where an engine is asked for, its table answers.
PositionTheorem theorem_for(const Request& request) {
  const PositionGame& positions = position_game(request);
  if (positions.engine != nullptr || !leaves_choice(request.machine.engine)) return {};
  std::vector<std::uint64_t> start;
  positions.game->whole_start(start);
  return positions.game->theorem(start);
}

bool says_zero(const PositionTheorem& theorem) noexcept {
  return theorem.says == PositionTheorem::Says::kZero;
}

/// The proof of a value that was computed, and what a theorem adds to it.
std::string computed_proof(const std::string& how, const PositionTheorem& theorem) {
  return theorem.says == PositionTheorem::Says::kNotZero
             ? fmt::format("{}; not 0 also {}", how, theorem.why)
             : how;
}

/// The engine whose table is made; null: the value is searched.
const GraphEngine* engine_of_table(const Request& request, std::uint64_t memory) {
  const PositionGame& positions = position_game(request);
  return positions.engine != nullptr
             ? &engine_for(positions, request.machine)
             : select_root_engine(request.machine.engine, *positions.game, memory);
}

/// Why a numbered game is searched; empty for another game.
std::string search_of_numbered(const GraphGame& game, std::uint64_t memory) {
  const auto size = game.dense_size();
  if (!size) return {};
  return fmt::format(
      "the value is searched, which may take much longer than the table of all {} "
      "positions: this needs {} of memory, and {} are available",
      format_count(*size),
      format_bytes(select_graph_engine("auto", game).memory_bytes(game, *size)),
      format_bytes(memory));
}

/// Searches, and fills in the report. Returns false if it was stopped; then everything is sealed.
/// @param run where it is sealed; null: it is not sealed
bool search(const Request& request, const Hooks& hooks, const MadeMachine& machine, SearchRun* run,
            RootReport& report) {
  const GraphGame& game = *position_game(request).game;
  std::stop_source stop;
  const std::stop_callback forward(hooks.stop, [&stop] { stop.request_stop(); });
  GraphSearch search(game, machine.memory, machine.executor.get(), machine.kernels);
  if (run != nullptr) report.recalled = run->recall(search);
  std::vector<std::uint64_t> keys;
  game.start(keys);
  Attendant attendant(run, search, machine.memory, hooks, stop, request.output.checkpoint.time);
  const auto value = search.value(keys, stop.get_token());
  attendant.end();
  if (!value) {
    attendant.seal();
    return false;
  }
  report.engine = "search";
  report.value = *value;
  report.searched = search.searched();
  report.known = search.known();
  return true;
}

}  // namespace

std::optional<RootReport> compute_root(const Request& request, const Hooks& hooks) {
  const Stopwatch time;
  const MadeMachine machine(request.machine);
  const PositionGame& positions = position_game(request);
  if (positions.misere) {
    throw Error(
        ErrorCode::kUsage,
        "the value of the start position alone is that of normal play; a table or a list of "
        "P-positions knows misère play, too");
  }
  const GraphGame& game = *positions.game;
  const Output& output = request.output;
  if (!output.path.empty()) check_target(output.path, output.overwrite);
  const GraphEngine* const engine = engine_of_table(request, machine.memory);
  RootReport report;
  std::optional<SearchRun> run;
  const PositionTheorem theorem = theorem_for(request);
  if (says_zero(theorem)) {
    report.engine = "theorem";
    report.proof = theorem.why;
  } else if (engine == nullptr) {
    if (!request.force) {
      require("memory", GraphSearch::least_bytes(game), machine.memory, "allow more memory");
    }
    const std::string why = search_of_numbered(game, machine.memory);
    if (hooks.narrate && !why.empty()) hooks.narrate(why);
    if (!output.path.empty()) run.emplace(request, game);
    if (!search(request, hooks, machine, run ? &*run : nullptr, report)) return std::nullopt;
    report.proof = computed_proof("by search", theorem);
  } else {
    const GraphTask task{.game = game,
                         .kernels = machine.kernels,
                         .executor = *machine.executor,
                         .stop = hooks.stop,
                         .progress = hooks.progress,
                         .memory_limit = machine.memory};
    const auto table = positions.engine != nullptr ? run_own(*engine, task) : engine->run(task);
    if (!table) return std::nullopt;
    report.engine = engine->name();
    report.value = table->root_value();
    report.searched = report.known = table->size();
    report.proof = computed_proof(
        fmt::format("by the table of all {} positions", format_count(table->size())), theorem);
  }
  report.seconds = time.seconds();
  report.all_seconds = report.seconds + (run ? run->seconds_before() : 0);
  report.all_searched = report.searched + (run ? run->searched_before() : 0);
  if (!output.path.empty()) write_root_file(request, report);
  if (run) run->finish();
  return report;
}

Prediction predict_root(const Request& request) {
  Prediction result = predict(request);
  if (says_zero(theorem_for(request))) {
    result.engine = "theorem";
    result.positions = result.memory_bytes = 0;
    result.positions_in_memory.reset();
  } else if (engine_of_table(request, result.memory_available) == nullptr) {
    result.engine = "search";
    result.positions.reset();  // most are skipped
    result.positions_in_memory.reset();
    result.memory_bytes.reset();
  }
  return result;
}

}  // namespace grundy
