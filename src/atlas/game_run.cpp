// SPDX-License-Identifier: MIT
#include "atlas/game_run.hpp"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/heap/engine.hpp>
#include <grundy/table.hpp>

#include "core/stopwatch.hpp"
#include "core/value_copy.hpp"
#include "session/period_search.hpp"
#include "session/provenance.hpp"
#include "session/table_statistics.hpp"
#include "session/window_proof.hpp"
#include "table/table_writer.hpp"
#include "theory/stats_collector.hpp"

namespace grundy::atlas {
namespace {

TableInfo table_info(const GameTask& task, const GameResult& result, TableStats stats) {
  TableInfo info;
  info.game = info.title = info.canonical = task.rule.canonical();
  info.description = task.rule.describe();
  info.layout = Layout::of_heaps(stats.count);
  info.period = result.period;
  info.computed = stats.count;
  info.stats = std::move(stats);
  info.engine = result.engine;
  info.kernel = "";
  info.provenance_json = provenance_json({}, true, 1, {});
  return info;
}

/// The sink of one game: finds its period and, if wanted, writes its table.
class GameSink final : public ValueSink {
 public:
  GameSink(const GameTask& task, GameResult& result)
      : task_(task), result_(result), search_(task.rule, task.count) {}

  Flow put(const Stretch& block) override {
    if (task_.advance) task_.advance(block.values.size());
    const HeapSize end = block.begin + block.values.size();
    const bool certified = task_.end_early && search_.observe(block);
    const bool late = task_.limit && time_.seconds() >= task_.limit->count();
    if (end < task_.count && !certified && !late) return Flow::kContinue;
    conclude(block.table);
    return Flow::kStop;
  }

 private:
  /// Called while all values are still in memory, for the last time.
  void conclude(Values table) {
    result_.period = task_.end_early ? search_.report() : period_of_table(task_.rule, table);
    result_.count = table.size();
    result_.last_zero = last_zero_of(table);
    result_.sparse = sparse_facts(task_.rule, table);
    if (task_.file.empty()) {
      result_.values = KeptValues(table);
    } else {
      write(table);
    }
  }

  void write(Values table) {
    const auto writer =
        TableWriter::create(task_.file, Layout::of_heaps(table.size()), task_.executor,
                            {.overwrite = true, .reproducible = true});
    writer->put(Stretch{.begin = 0, .values = table, .table = {}});
    writer->finish(table_info(task_, result_, stats_of(table, task_.kernels)));
    result_.file = task_.file;
  }

  const GameTask& task_;
  GameResult& result_;
  PeriodSearch search_;
  Stopwatch time_;
};

}  // namespace

KeptValues::KeptValues(Values values, ValueWidth width)
    : bytes_(values.size() * byte_count(width)), width_(width) {
  copy_to_width(values, width, bytes_.data());
}

HeapSize last_zero_of(Values values) {
  return values.visit([](auto table) {
    HeapSize n = table.size();
    while (n > 0 && table[n - 1] != 0) --n;
    return n == 0 ? n : n - 1;
  });
}

TableStats stats_of(Values values, const KernelSet& kernels) {
  StatsCollector stats(kernels);
  stats.put(Stretch{.begin = 0, .values = values, .table = {}});
  return stats.stats();
}

KeptValues GameResult::load() const {
  if (file.empty()) return values;
  const auto table = TableReader::open(file);
  std::vector<Nimber> read(table->info().stats.count);
  table->read(0, read);
  return {std::span<const Nimber>(read), table->width()};
}

std::optional<GameResult> run_game(const GameTask& task) {
  const Stopwatch time;
  const HeapEngine& engine = select_heap_engine(task.engine, task.rule, task.count);
  GameResult result;
  result.engine = engine.name();
  GameSink sink(task, result);
  const HeapTask heaps{.rule = task.rule,
                       .count = task.count,
                       .kernels = task.kernels,
                       .executor = task.executor,
                       .stop = task.stop};
  if (engine.run(heaps, sink) == RunStatus::kCancelled) return std::nullopt;
  result.seconds = time.seconds();
  return result;
}

std::optional<GameResult> finished_game(const GameTask& task) {
  if (task.file.empty() || !std::filesystem::exists(task.file)) return std::nullopt;
  const auto refuse = [&task](ErrorCode code, const std::string& why) {
    return Error(code, fmt::format("'{}' {}", task.file.string(), why));
  };
  GameResult result;
  result.file = task.file;
  const TableInfo info = TableReader::open(task.file)->info();
  result.period = info.period;
  result.count = info.stats.count;
  if (info.canonical != task.rule.canonical()) {
    throw refuse(ErrorCode::kCorrupt, fmt::format("is a table of {}, and one of {} is wanted",
                                                  info.canonical, task.rule.canonical()));
  }
  const bool whole = result.count == task.count ||
                     (result.count < task.count && (result.certified() || task.limit.has_value()));
  if (!whole) {
    throw refuse(
        ErrorCode::kMismatch,
        fmt::format("ends with heap {}, and heap {} is wanted: it was made for another last heap",
                    result.count - 1, task.count - 1));
  }
  // A class has the current kind of digest.
  if (info.sequential_digest) {
    throw refuse(ErrorCode::kMismatch, "has the digest of an older version of this program");
  }
  result.engine = info.engine;
  const KeptValues values = result.load();
  result.last_zero = last_zero_of(values.view());
  result.sparse = sparse_facts(task.rule, values.view());
  return result;
}

}  // namespace grundy::atlas
