// SPDX-License-Identifier: MIT
#include "session/base_of_run.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/file_kind.hpp>
#include <grundy/statistics.hpp>

#include "core/advice.hpp"
#include "session/run_state.hpp"
#include "table/table_file.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

void expect_game(const TableInfo& info, const HeapSetup& setup, const fs::path& base) {
  const std::string& rule = setup.game.rule.canonical();
  if (info.canonical == rule) return;
  throw Error(ErrorCode::kCorrupt,
              fmt::format("'{}' is of {}, not of {}", base.string(), info.canonical, rule));
}

void put_table(SegmentLog& log, const TableFile& table, const std::string& state,
               Executor& executor, const std::stop_token& stop) {
  const HeapSize end = table.info().computed;
  const bool copies = log.takes_chunks(table.chunk_size(), table.width());
  table.scan(executor, [&](const StoredChunk& chunk) {
    if (stop.stop_requested()) return Flow::kStop;
    const HeapSize rest = end - chunk.begin;
    if (copies && rest > table.chunk_size()) {
      log.put_chunk(chunk.begin, {table.chunk_size(), chunk.xxh3, chunk.encoded}, table.width());
      return Flow::kContinue;
    }
    const Values values = chunk.values.subspan(0, std::min(rest, chunk.values.size()));
    const bool last = rest == values.size();
    const bool is_state = last && !state.empty();
    log.put({chunk.begin, values, {}}, is_state,
            is_state ? [&state] { return state; } : SegmentLog::StateText());
    return last ? Flow::kStop : Flow::kContinue;
  });
}

/// The state in a file of statistics, which stands alone.
RunState state_in(const StatisticsFile& file, const HeapSetup& setup, const fs::path& base) {
  const TableInfo& info = file.info;
  const auto refuse = [&base](ErrorCode code, const std::string& why) {
    throw Error(code, fmt::format("'{}' {}", base.string(), why));
  };
  if (!setup.game.stats_only) {
    refuse(ErrorCode::kUsage, "has statistics without values, of which no table can be made");
  }
  if (!setup.takes_states()) {
    refuse(ErrorCode::kUsage, fmt::format("keeps no values that the engine '{}' could go on from; "
                                          "take the engine sparse",
                                          setup.engine.name()));
  }
  if (info.period.status == PeriodStatus::kCertified) {
    refuse(ErrorCode::kUsage, fmt::format("has a proved period, which {}", kPeriodTells));
  }
  if (file.extension_state.empty()) {
    refuse(ErrorCode::kUsage, "tells no state that a run could go on from; compute it anew");
  }
  RunState state = parse_run_state(file.extension_state, info.stats.count);
  if (state.stats != info.stats || state.newest_values.size() == 0) {
    refuse(ErrorCode::kCorrupt, "has a state of other heaps than it is of, or without values");
  }
  return state;
}

/// Puts such a state into the log: as a segment of the first values and a state of the newest ones,
/// or, if it has all values, as segments of values.
void put_state(SegmentLog& log, RunState state) {
  const NewestValues first = std::exchange(state.first_values, {});
  const NewestValues newest = std::exchange(state.newest_values, {});
  const HeapSize end = state.stats.count;
  const auto text = [&state] { return to_text(state); };
  log.put({0, first.view(), {}});
  if (first.size() + newest.size() == end) {
    log.put({first.size(), newest.view(), {}}, true, text);
  } else {
    log.put_state(first.size(), end, newest.view(), true, text);
  }
}

}  // namespace

void begin_with(SealedValues& sealed, const HeapSetup& setup, const fs::path& base,
                const std::stop_token& stop) {
  if (kind_of(base) == FileKind::kStatistics) {
    const StatisticsFile file = read_statistics(base);
    expect_game(file.info, setup, base);
    const RunState state = state_in(file, setup, base);
    sealed.begin_with(file.info.engine, file.info.kernel,
                      [&](SegmentLog& log) { put_state(log, state); });
  } else {
    const TableFile table(base);
    expect_game(table.info(), setup, base);
    const std::string state = setup.lets_values_go() ? table.extension_state() : std::string();
    sealed.begin_with(table.info().engine, table.info().kernel, [&](SegmentLog& log) {
      put_table(log, table, state, *setup.executor, stop);
    });
  }
}

}  // namespace grundy
