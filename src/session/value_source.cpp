// SPDX-License-Identifier: MIT
#include "session/value_source.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/games.hpp>

#include "core/advice.hpp"
#include "core/value_collector.hpp"
#include "table/file_checks.hpp"
#include "table/file_kind.hpp"

namespace grundy {
namespace {

/// Counts values into a histogram that grows as needed.
class Histogram {
 public:
  void add(std::uint64_t value, std::uint64_t heaps = 1) {
    if (heaps == 0) return;
    if (value >= TableStats::kHistogramLimit) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("heaps of value {} cannot be counted; the largest value is {}", value,
                              TableStats::kHistogramLimit - 1));
    }
    if (value >= counts_.size()) counts_.resize(value + 1);
    counts_[value] += heaps;
  }
  [[nodiscard]] std::vector<std::uint64_t> take() { return std::move(counts_); }

 private:
  std::vector<std::uint64_t> counts_;
};

/// Adds the values of the listed heaps among first .. last and returns the first heap after them.
HeapSize add_listed(const std::vector<Nimber>& listed, HeapSize first, HeapSize last,
                    Histogram& histogram) {
  for (; first <= last && first < listed.size(); ++first) histogram.add(listed[first]);
  return first;
}

/// Adds the values of heaps first .. last; a game without a saltus has each value as often as its
/// residue occurs. Returns false if `stop` came first, here and below.
bool add_periodic(const GameValues& game, HeapSize first, HeapSize last, Histogram& histogram,
                  const std::stop_token& stop) {
  const HeapSize period = game.period.period;
  for (HeapSize i = 0; i < period && i <= last - first; ++i) {
    if (stop.stop_requested()) return false;
    const HeapSize occurrences = (last - first - i) / period + 1;
    if (game.period.saltus == 0) {
      histogram.add(game.value(first + i), occurrences);
    } else {
      for (HeapSize k = 0; k < occurrences; ++k) {
        histogram.add(game.value(first + i + k * period));
      }
    }
  }
  return true;
}

/// Adds the values of heaps first .. last of a table, chunk by chunk.
bool add_stored(const TableReader& table, HeapSize first, HeapSize last, Histogram& histogram,
                const std::stop_token& stop) {
  std::vector<Nimber> values;
  while (first <= last) {
    if (stop.stop_requested()) return false;
    values.resize(std::min(table.chunk_size(), last - first + 1));
    table.read(first, values);
    for (const Nimber value : values) histogram.add(value);
    first += values.size();
  }
  return true;
}

}  // namespace

std::shared_ptr<const TableReader> open_heap_table(const std::filesystem::path& path) {
  const FileKind kind = kind_of(path);
  std::string_view what = format_of(kind).what;
  if (kind == FileKind::kTable || kind == FileKind::kStatistics || kind == FileKind::kMaster) {
    std::shared_ptr<const TableReader> table = TableReader::open(path);
    if (!table->info().layout.is_lattice()) return table;
    what = "a table of several heaps";
  }
  refuse(ErrorCode::kUsage, path,
         fmt::format("is {}, and this needs a table or statistics of one heap; {}", what,
                     kAskWhatItHolds));
}

bool names_a_table(const std::string& text) {
  const std::filesystem::path path(text);
  return path.extension() == ".h5" ||
         (std::filesystem::is_regular_file(path) && path.extension() != ".toml");
}

ValueSource ValueSource::open(const std::string& text) {
  if (names_a_table(text)) return ValueSource(open_heap_table(text));
  return ValueSource(resolve_game(text));
}

ValueSource::ValueSource(std::shared_ptr<const TableReader> table)
    : table_(std::move(table)),
      name_(table_->info().title),
      rule_(HeapRule::parse(table_->info().canonical)) {}

ValueSource::ValueSource(const AnyGame& game) : name_(game.title), rule_(game.heap()) {}

std::optional<HeapSize> ValueSource::last() const {
  if (table_ == nullptr) return std::nullopt;
  return table_->info().stats.count - 1;
}

std::optional<GameValues> ValueSource::values(HeapSize largest, const Hooks& hooks) const {
  return table_ != nullptr ? from_table(largest) : computed(largest, hooks);
}

GameValues ValueSource::from_table(HeapSize largest) const {
  const TableInfo& info = table_->info();
  if (largest >= info.stats.count) static_cast<void>(table_->value(largest));
  GameValues game{.name = name_, .rule = rule_, .first = {}, .period = info.period};
  HeapSize listed = largest < kMostListed ? largest + 1 : kMostListed;
  if (info.period.status == PeriodStatus::kCertified) {
    const HeapSize pattern = info.period.preperiod + info.period.period;
    if (pattern <= kMostListed) listed = std::max(std::min(listed, info.stats.count), pattern);
  }
  game.first.resize(std::min(listed, info.stats.count));
  table_->read(0, game.first);
  game.beyond = [table = table_](HeapSize n) { return table->value(n); };
  return game;
}

std::optional<GameValues> ValueSource::computed(HeapSize largest, const Hooks& hooks) const {
  HeapGame game{.rule = rule_, .last = largest};
  std::optional<PeriodReport> period;
  if (largest >= kMostListed) {
    game.last = kSearched - 1;
    const Report search =
        search_period({.game = game}, {.stop = hooks.stop, .progress = hooks.progress});
    if (!search.complete) return std::nullopt;
    period = search.info.period;
    if (period->status != PeriodStatus::kCertified) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("heap {} of {} is beyond {}, and no period is certified in the first "
                              "{} heaps; a table that reaches so far can be named instead",
                              largest, name_, kMostListed - 1, kSearched));
    }
    game.last = period->preperiod + period->period - 1;
  }
  ValueCollector collected;
  const Report report =
      compute({.game = game},
              {.stop = hooks.stop,
               .progress = hooks.progress,
               .values = [&collected](const Stretch& block) { return collected.put(block); }});
  if (!report.complete) return std::nullopt;
  return GameValues{.name = name_,
                    .rule = rule_,
                    .first = std::move(collected.values),
                    .period = period.value_or(report.info.period)};
}

std::optional<std::vector<std::uint64_t>> ValueSource::histogram(HeapSize first, HeapSize last,
                                                                 const Hooks& hooks) const {
  Histogram histogram;
  HeapSize listed = first;  // the first heap that is not counted yet
  if (const auto stored = this->last(); stored && first <= *stored) {
    if (!add_stored(*table_, first, std::min(last, *stored), histogram, hooks.stop)) {
      return std::nullopt;
    }
    listed = *stored + 1;
  }
  if (listed <= last) {
    const std::optional<GameValues> game = values(last, hooks);
    if (!game) return std::nullopt;
    listed = add_listed(game->first, listed, last, histogram);
    if (listed <= last && !add_periodic(*game, listed, last, histogram, hooks.stop)) {
      return std::nullopt;
    }
  }
  return histogram.take();
}

}  // namespace grundy
