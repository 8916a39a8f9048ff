// SPDX-License-Identifier: MIT
#include "session/run_terms.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <optional>
#include <set>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/statistics.hpp>
#include <grundy/table.hpp>
#include <grundy/version.hpp>

#include "core/text.hpp"
#include "core/text_cursor.hpp"
#include "engines/heap/digit_moves.hpp"
#include "run/run_directory.hpp"
#include "session/sealed_stripes.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

/// The most options of a position of several heaps that are listed. A box of two heaps alone has as
/// many options as the position has cells below it.
constexpr double kMostListedOptions = 1u << 20;

std::string text_of(const LatticeShape& shape) {
  return fmt::format("{}",
                     fmt::join(shape.extent.begin(), shape.extent.begin() + shape.heaps, "x"));
}

/// The inverse, for a shape of a record. @throws Error(kCorrupt) if it is no shape
LatticeShape shape_of(const LatticeRecord& record) {
  LatticeShape shape{.heaps = 0, .extent = {}, .sorted = record.sorted};
  const auto refuse = [&record] {
    throw Error(ErrorCode::kCorrupt, in_quotes(record.shape) + " is no shape of a table");
  };
  std::vector<std::uint64_t> sizes;
  try {
    sizes = parse_sizes(record.shape);
  } catch (const Error&) {
    refuse();
  }
  for (const std::uint64_t size : sizes) {
    const auto extent = static_cast<std::uint32_t>(size);
    if (extent == 0 || extent != size || shape.heaps == kMaxLatticeHeaps) refuse();
    shape.extent[shape.heaps++] = extent;
  }
  return shape;
}

/// The record of a run, without what depends on the kind of its game.
RunRecord record_of(const Request& request) {
  RunRecord record;
  record.game = request.about.game;
  record.title = request.about.title;
  record.engine = request.machine.engine;
  record.kernel = request.machine.kernel;
  record.overwrite = request.output.overwrite;
  record.reproducible = request.output.reproducible;
  record.checkpoint = request.output.checkpoint;
  record.version = GRUNDY_VERSION;
  record.created = utc_now();
  return record;
}

RunTerms terms_of(const Request& request, const MadeMachine& machine, std::string_view engine) {
  RunTerms terms;
  terms.output = request.output.path;
  terms.record = record_of(request);
  terms.force = request.force;
  terms.change_range = request.output.change_range;
  terms.checkpoint = request.output.checkpoint;
  terms.engine = engine;
  terms.kernel = machine.kernels.name;
  terms.executor = machine.executor.get();
  return terms;
}

/// Whether the file is there and `is_it`; what cannot be read is something else.
template <class Test>
bool is_file(const fs::path& file, Test is_it) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return false;
  try {
    return is_it();
  } catch (const Error&) {
    return false;
  }
}

/// What the file says, if it has statistics of that rule.
std::optional<TableInfo> statistics_of(const fs::path& file, const std::string& rule) {
  std::optional<TableInfo> info;
  const bool is_it = is_file(file, [&] {
    info = read_statistics(file).info;
    return info->canonical == rule;
  });
  return is_it ? info : std::nullopt;
}

HeapGame heap_game(const RunRecord& record, const fs::path& directory) {
  const auto refuse = [&directory](const std::string& what) {
    throw Error(ErrorCode::kCorrupt, fmt::format("'{}' does not describe a run of one heap: {}",
                                                 directory.string(), what));
  };
  if (const auto clause = size_refusal(record.count - 1, record.chunk); !clause.empty()) {
    refuse(clause);
  }
  try {
    return {.rule = HeapRule::parse(record.rule),
            .last = record.count - 1,
            .at_period = record.extend          ? AtPeriod::kExtend
                         : record.end_at_period ? AtPeriod::kEnd
                                                : AtPeriod::kCompute,
            .stats_only = record.stats_only};
  } catch (const Error& bad) {
    refuse(fmt::format("{} is no rule: {}", in_quotes(record.rule), bad.what()));
    throw;
  }
}

}  // namespace

NumberedHeaps::NumberedHeaps(const HeapRule& rule) : rule_(rule) {
  if (rule.take_break() == nullptr) return;
  for (const Digit& digit : rule.take_break()->digits) {
    const DigitMoves moves(digit);
    if (moves.beyond && *moves.beyond != SplitConstraint::kAllEqual) most_heaps_ = 0;
    if (most_heaps_ > 0) most_heaps_ = std::max(most_heaps_, moves.explicit_heaps);
  }
}

double NumberedHeaps::option_bound(HeapSize n) const {
  const auto size = static_cast<double>(std::max<HeapSize>(n, 1));
  if (most_heaps_ == 0) {  // the partitions of n, by Hardy and Ramanujan, 1918
    return std::exp(std::numbers::pi * std::sqrt(2 * size / 3)) / (4 * std::numbers::sqrt3 * size);
  }
  // n tokens make about n^(k-1) / (k! (k-1)!) sets of k heaps.
  double bound = static_cast<double>(std::min(n, most_small_));
  for (unsigned heaps = 3; heaps <= most_heaps_; ++heaps) {
    bound *= std::max(1.0, size / (heaps * (heaps - 1.0)));
  }
  // Where digits repeat, there are moves of every size.
  const bool repeats = rule_.take_break() != nullptr && rule_.take_break()->period > 0;
  return repeats ? bound * size : bound;
}

std::string NumberedHeaps::name(HeapSize n) const {
  return fmt::format("heap {}", n);
}

bool NumberedHeaps::for_each_option_value(HeapSize n, const ValueOf& value_of,
                                          const std::function<Flow(Nimber)>& visit) const {
  if (rule_.pass() == n) {
    // To pass leads to the mex of all other options.
    std::set<Nimber> others;
    for_each_option(rule_, n, [&](const HeapMove& move) {
      Nimber sum = 0;
      for (const HeapSize heap : move.left) sum ^= value_of(heap);
      others.insert(sum);
      return Flow::kContinue;
    });
    Nimber mex = 0;
    while (others.contains(mex)) ++mex;
    others.insert(mex);
    static_cast<void>(
        std::ranges::find_if(others, [&](Nimber option) { return visit(option) == Flow::kStop; }));
    return true;
  }
  for_each_option(
      rule_, n,
      [&](const HeapMove& move) {
        Nimber sum = 0;
        for (const HeapSize heap : move.left) sum ^= value_of(heap);
        return visit(sum);
      },
      most_small_);
  return true;
}

std::string NumberedPositions::name(HeapSize n) const {
  return fmt::format("position {}", position_name(order_, n));
}

double NumberedPositions::option_bound(HeapSize n) const {
  return grundy::option_bound(rule_, order_, n);
}

void NumberedPositions::for_each_option(HeapSize n,
                                        const std::function<void(std::uint64_t)>& visit) const {
  grundy::for_each_option(rule_, order_, n, visit);
}

bool NumberedLattice::for_each_option_value(HeapSize n, const ValueOf& value_of,
                                            const std::function<Flow(Nimber)>& visit) const {
  if (option_bound(n) > kMostListedOptions) return false;
  std::vector<std::uint64_t> options;
  for_each_option(n, [&](std::uint64_t option) { options.push_back(option); });
  std::ranges::sort(options);
  options.erase(std::unique(options.begin(), options.end()), options.end());
  for (const std::uint64_t option : options) {
    if (visit(value_of(option)) == Flow::kStop) break;
  }
  return true;
}

ValueOrder value_order(const LatticeSetup& setup) {
  return {Layout::of(setup.computed, setup.stored.planes), setup.tile_order()};
}

RunTerms run_terms(const HeapSetup& setup) {
  RunTerms terms = terms_of(setup.request, setup, setup.engine.name());
  terms.record.rule = setup.game.rule.canonical();
  terms.record.count = setup.count;
  terms.record.chunk = setup.request.output.chunk;
  terms.record.extend = setup.game.at_period == AtPeriod::kExtend;
  terms.record.end_at_period = setup.game.at_period == AtPeriod::kEnd;
  terms.record.stats_only = setup.game.stats_only;
  terms.count = setup.count;
  if (setup.game.stats_only) {
    const bool ends = setup.game.at_period == AtPeriod::kEnd;
    const auto is_wanted = [count = setup.count, ends](const TableInfo& info) {
      const bool proved = info.period.status == PeriodStatus::kCertified;
      return info.stats.count == count || (ends && proved && info.stats.count < count);
    };
    // A run that goes farther replaces the file that it has written before.
    if (const auto info = statistics_of(terms.output, terms.record.rule)) {
      terms.record.overwrite |= info->stats.count < setup.count && !is_wanted(*info);
    }
    terms.is_the_table = [rule = terms.record.rule, is_wanted](const fs::path& file) {
      const auto info = statistics_of(file, rule);
      return info && is_wanted(*info);
    };
    return terms;
  }
  terms.is_the_table = [rule = terms.record.rule, count = setup.count](const fs::path& file) {
    return is_file(file, [&] {
      const TableInfo info = TableReader::open(file)->info();
      return info.canonical == rule && info.stats.count == count;
    });
  };
  return terms;
}

RunTerms run_terms(const LatticeSetup& setup) {
  RunTerms terms = terms_of(setup.request, setup, setup.engine.name());
  const GameDescription& about = setup.request.about;
  terms.record.rule = setup.game.rule.canonical();
  terms.record.count = setup.stored.entries();
  terms.record.engine = setup.engine.name();  // another engine may have another order
  terms.record.lattice = {.shape = text_of(setup.game.shape),
                          .sorted = setup.game.shape.sorted,
                          .order = setup.tile_order(),
                          .tile = setup.tile,
                          .rules = about.rules,
                          .reference = about.reference,
                          .in_parts = setup.request.output.in_parts};
  terms.record.stats_only = setup.game.stats_only;
  terms.count = value_order(setup).count();
  terms.is_the_table = [rule = terms.record.rule, layout = setup.stored,
                        counts = setup.game.stats_only](const fs::path& file) {
    return is_file(file, [&] {
      const TableInfo info =
          counts ? read_lattice_statistics(file).info : TableReader::open(file)->info();
      return info.canonical == rule && info.layout == layout;
    });
  };
  return terms;
}

LatticeRule lattice_rule(const RunRecord& record) {
  try {
    return LatticeRule::parse(record.rule);
  } catch (const Error& error) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("{} is no rule of a run: {}", in_quotes(record.rule), error.what()));
  }
}

Layout table_layout(const RunRecord& record) {
  const LatticeShape shape = shape_of(*record.lattice);
  const LatticeRule rule = lattice_rule(record);
  const bool sortable =
      rule.symmetric() && shape == LatticeShape::cube(shape.heaps, shape.extent[0], true);
  const Layout layout = Layout::of(shape, rule.planes());
  if (rule.heaps() != shape.heaps || (shape.sorted && !sortable) || !layout.is_countable()) {
    throw Error(ErrorCode::kCorrupt, fmt::format("{} is no shape of a table of {}",
                                                 in_quotes(record.lattice->shape), record.rule));
  }
  if (record.count != layout.entries()) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("a run says that a table of shape {} has {} entries; it has {}",
                            record.lattice->shape, record.count, layout.entries()));
  }
  return layout;
}

ValueOrder order_of(const RunRecord& record) {
  Layout layout = table_layout(record);
  layout = Layout::of(computed_shape(lattice_rule(record), layout.shape()), layout.planes);
  return {layout, record.lattice->order};
}

Request request_of_run(const fs::path& directory) {
  refuse_stripe(directory);
  const bool is_shared = is_of_stripes(directory);
  const fs::path file = is_shared ? output_of_stripes(directory) : output_of(directory);
  std::error_code error;
  if (!fs::is_directory(directory, error)) {
    throw Error(ErrorCode::kUsage,
                fmt::format("there is no directory '{}'{}", directory.string(),
                            fs::exists(file, error)
                                ? fmt::format(", but '{}' is there: perhaps the run is finished",
                                              file.string())
                                : ""));
  }
  const std::optional<RunRecord> sealed =
      is_shared ? read_stripes(directory).record : read_run(directory).record;
  if (!sealed) {
    throw Error(ErrorCode::kUsage,
                fmt::format("'{}' holds nothing to resume; begin anew", directory.string()));
  }
  const RunRecord& record = *sealed;
  const auto game = [&]() -> decltype(Request::game) {
    if (!record.lattice) return heap_game(record, directory);
    return LatticeGame{.rule = lattice_rule(record),
                       .shape = table_layout(record).shape(),
                       .stats_only = record.stats_only};
  };
  Request request{.game = game(), .about = {.game = record.game, .title = record.title}};
  request.machine.engine = record.engine;
  request.machine.kernel = record.kernel;
  request.output.path = file;
  request.output.overwrite = record.overwrite;
  request.output.reproducible = record.reproducible;
  request.output.checkpoint = record.checkpoint;
  if (record.lattice) {
    request.about.rules = record.lattice->rules;
    request.about.reference = record.lattice->reference;
    request.machine.block = record.lattice->tile;
    request.output.in_parts = record.lattice->in_parts;
  } else {
    request.output.chunk = record.chunk;
  }
  return request;
}

}  // namespace grundy
