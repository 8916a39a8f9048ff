// SPDX-License-Identifier: MIT
#include "session/sealed_tiles.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>
#include <grundy/table.hpp>

#include "core/atomic_file.hpp"
#include "core/text.hpp"
#include "session/build_info.hpp"
#include "session/provenance.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

std::string text_of(const LatticeShape& shape) {
  return fmt::format("{}",
                     fmt::join(shape.extent.begin(), shape.extent.begin() + shape.heaps, "x"));
}

/// The inverse, for a shape of a record. @throws Error(kCorrupt) if it is none
LatticeShape shape_of(const LatticeRecord& record) {
  LatticeShape shape{.heaps = 0, .extent = {}, .sorted = record.sorted};
  const auto refuse = [&record] {
    throw Error(ErrorCode::kCorrupt, in_quotes(record.shape) + " is no shape of a table");
  };
  for (std::size_t begin = 0; begin <= record.shape.size();) {
    const std::size_t end = std::min(record.shape.find('x', begin), record.shape.size());
    std::uint32_t extent = 0;
    const char* const last = record.shape.data() + end;
    const auto [rest, error] = std::from_chars(record.shape.data() + begin, last, extent);
    if (error != std::errc() || rest != last || extent == 0 || shape.heaps == kMaxLatticeHeaps) {
      refuse();
    }
    shape.extent[shape.heaps++] = extent;
    begin = end + 1;
  }
  return shape;
}

RunRecord record_of(const LatticeSetup& setup) {
  const Request& request = setup.request;
  RunRecord record;
  record.rule = setup.game.rule.canonical();
  record.count = setup.stored.entries();
  record.game = request.about.game;
  record.title = request.about.title;
  record.engine = setup.engine.name();  // another one may have another order
  record.kernel = request.machine.kernel;
  record.overwrite = request.output.overwrite || request.force;
  record.reproducible = request.output.reproducible;
  record.version = std::string(build_info::kVersion);
  record.created = utc_now();
  record.lattice = {.shape = text_of(setup.game.shape),
                    .sorted = setup.game.shape.sorted,
                    .order = setup.tile_order(),
                    .tile = setup.tile,
                    .rules = request.about.rules,
                    .reference = request.about.reference};
  return record;
}

/// Whether the file is the complete table of the request.
bool is_the_table(const fs::path& file, const LatticeSetup& setup) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return false;
  try {
    const TableInfo info = TableReader::open(file)->info();
    return info.canonical == setup.game.rule.canonical() && info.lattice == setup.stored;
  } catch (const Error&) {
    return false;
  }
}

fs::path checked_directory(const Request& request) {
  check_target(request.output.path, true);
  return run_directory_for(request.output.path);
}

}  // namespace

LatticeRule rule_of(const RunRecord& record) {
  try {
    return LatticeRule::parse(record.rule);
  } catch (const Error& error) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("{} is no rule of a run: {}", in_quotes(record.rule), error.what()));
  }
}

LatticeLayout table_layout(const RunRecord& record) {
  const LatticeShape shape = shape_of(*record.lattice);
  const LatticeRule rule = rule_of(record);
  const bool sortable =
      rule.symmetric() && shape == LatticeShape::cube(shape.heaps, shape.extent[0], true);
  const LatticeLayout layout{.shape = shape, .planes = rule.planes()};
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
  LatticeLayout layout = table_layout(record);
  layout.shape = computed_shape(rule_of(record), layout.shape);
  return {layout, record.lattice->order};
}

SealedTiles::SealedTiles(const LatticeSetup& setup, CheckpointControl* control,
                         const std::function<void(const std::string&)>& narrate)
    : directory_(checked_directory(setup.request), setup.request.force),
      order_({.shape = setup.computed, .planes = setup.stored.planes}, setup.tile_order()),
      check_(setup.game.rule, order_) {
  const Request& request = setup.request;
  const RunRecord wanted = record_of(setup);
  const auto say = [&](const std::string& sentence) {
    if (narrate) narrate(sentence);
  };
  if (!directory_.stale_holder().empty()) {
    say(fmt::format("taking over from {}, which ended without finishing",
                    directory_.stale_holder()));
  }
  if (directory_.record()) check_record(setup, wanted);
  const bool had_begun = directory_.record() || directory_.was_finished();
  if (had_begun && !wanted.overwrite && is_the_table(request.output.path, setup)) {
    say(fmt::format("'{}' had been finished", request.output.path.string()));
    finished_ = true;
    return;
  }
  check_target(request.output.path, wanted.overwrite);
  if (!directory_.record()) directory_.write_record(wanted);
  log_.emplace(directory_, request.output.checkpoint, std::string(setup.engine.name()),
               std::string(setup.kernels.name), control);
  frontier_ = directory_.frontier();
  if (frontier_ > order_.count()) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("'{}' holds {} values of a table of {}", directory_.path().string(),
                            frontier_, order_.count()));
  }
  if (frontier_ == 0) return;
  say(fmt::format("continuing {}, where {} values are sealed", directory_.path().string(),
                  format_count(frontier_)));
}

void SealedTiles::check_record(const LatticeSetup& setup, const RunRecord& wanted) const {
  const RunRecord& record = *directory_.record();
  if (record.identity() == wanted.identity()) return;
  const auto what = [](const RunRecord& run) {
    if (!run.lattice) return run.rule;
    return fmt::format("{} on {}{} positions in {}", run.rule, run.lattice->shape,
                       run.lattice->sorted ? " sorted" : "", run.lattice->order);
  };
  throw Error(ErrorCode::kCorrupt,
              fmt::format("'{}' holds a run of {}, not of {}; choose another output or remove the "
                          "directory",
                          run_directory_for(setup.request.output.path).string(), what(record),
                          what(wanted)));
}

/// The next `count` values, piece by piece: a segment may be larger than the memory.
/// @pre so many are left
void SealedTiles::read(std::uint64_t count, std::vector<Nimber>& out) const {
  out.resize(count);
  std::uint64_t begin = given_;
  for (std::span<Nimber> rest = out; !rest.empty();) {
    const Segment& segment = segment_of(directory_.segments(), begin);
    if (begin == segment.header.begin) check_segment(segment);
    const auto size = static_cast<std::size_t>(
        std::min<std::uint64_t>(rest.size(), segment.header.end() - begin));
    read_segment(segment, begin, rest.first(size));
    rest = rest.subspan(size);
    begin += size;
  }
}

std::span<const Nimber> SealedTiles::next(std::uint64_t count) {
  if (!gives_) return {};
  gives_ = given_ + count + kWindow <= frontier_;
  read(gives_ ? count : frontier_ - given_, tile_);
  if (gives_) {
    given_ += count;
    return tile_;
  }
  return {};
}

/// Values that were computed again.
void SealedTiles::compare_with_window(std::uint64_t begin, Values values) const {
  const std::uint64_t end = std::min(begin + values.size(), frontier_);
  for (std::uint64_t n = std::max(begin, given_); n < end; ++n) {
    const Nimber computed = values[n - begin];
    const Nimber sealed = tile_[n - given_];
    if (computed == sealed) continue;
    throw Error(ErrorCode::kMismatch,
                fmt::format("position {} (value {} of the run) has the value {} now and was sealed "
                            "with {} in '{}'; do not trust this machine or build before `grundy "
                            "selftest`",
                            position_text(order_, n), n, computed, sealed,
                            segment_of(directory_.segments(), n).path.string()));
  }
}

/// All values of earlier lives, segment by segment, as they are now.
void SealedTiles::compare_with_digests(std::uint64_t begin, Values values) {
  while (!values.empty() && begin < frontier_) {
    const Segment& segment = segment_of(directory_.segments(), begin);
    const auto size = static_cast<std::size_t>(
        std::min<std::uint64_t>(values.size(), segment.header.end() - begin));
    handed_.update(values.subspan(0, size));
    begin += size;
    values = values.subspan(size, values.size() - size);
    if (begin < segment.header.end()) return;
    if (handed_.value() != segment.header.values) {
      throw Error(
          ErrorCode::kMismatch,
          fmt::format("values of '{}' ({} to {} of the run) have changed in the memory of "
                      "this process since they were read; do not trust this machine before "
                      "`grundy selftest --soak 60min`",
                      segment.path.string(), segment.header.begin, segment.header.end() - 1));
    }
    handed_ = ValueDigest();
  }
}

Flow SealedTiles::put(const Tile& tile) {
  const std::uint64_t begin = taken_;
  taken_ += tile.values.size();
  if (begin < frontier_) {
    compare_with_window(begin, tile.values);
    compare_with_digests(begin, tile.values);
  }
  if (taken_ > frontier_) {
    const std::uint64_t skip = frontier_ > begin ? frontier_ - begin : 0;
    if (!log_->sealing()) {
      check_.sample(begin, tile.values, [this] {
        auto cursor = std::make_shared<SegmentCursor>(log_->segments());
        return [cursor](std::uint64_t n) { return cursor->at(n); };
      });
    }
    log_->put({begin + skip, tile.values.subspan(skip, tile.values.size() - skip), {}});
  }
  return next_->put(tile);
}

void SealedTiles::finish() {
  log_.reset();
  if (directory_.record()) directory_.finish();
}

}  // namespace grundy
