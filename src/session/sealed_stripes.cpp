// SPDX-License-Identifier: MIT
#include "session/sealed_stripes.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>
#include <grundy/lattice/options.hpp>

#include "engines/lattice/value_order.hpp"
#include "run/run_directory.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSuffix = ".stripes";

/// The path without a slash at its end.
fs::path plain(const fs::path& directory) {
  return directory.has_filename() ? directory : directory.parent_path();
}

/// The output of a table of one stripe alone. The run directory of the stripe stands beside it.
fs::path output_of_stripe(const LatticeSetup& setup, std::size_t stripe) {
  return stripes_directory_for(setup.request.output.path) / fmt::format("{:04}", stripe);
}

/// @param of_one the record of one process that has begun the table, or null
RunTerms terms_of_stripe(const LatticeSetup& setup, std::size_t stripe, const RunRecord* of_one) {
  const StripeOrder order = order_of_stripe(setup, stripe);
  RunTerms terms = run_terms(setup);
  if (of_one != nullptr) terms.record.created = of_one->created;
  terms.output = output_of_stripe(setup, stripe);
  terms.record.lattice->order = order.name();
  terms.count = order.count();
  terms.is_the_table = [](const fs::path&) { return false; };
  return terms;
}

/// Cuts consecutive values into the tiles of a stripe.
class TileCutter final : public ValueSink {
 public:
  /// @param begin the number of the first value
  TileCutter(const StripeOrder& order, std::uint64_t begin, ValueSink& sink)
      : sink_(sink), planes_(order.layout().planes), next_(begin) {
    order.for_each_tile([this](const TileArea& tile) {
      tiles_.push_back(tile);
      return true;
    });
  }
  Flow put(const Stretch& block) override {
    Flow flow = Flow::kContinue;
    for (Values rest = block.values; !rest.empty() && flow == Flow::kContinue;) {
      const TileArea& area = tiles_[at_];
      const std::uint64_t values = area.size() * planes_;
      const std::size_t size = std::min<std::size_t>(rest.size(), values - tile_.size());
      rest.subspan(0, size).visit(
          [this](auto run) { tile_.insert(tile_.end(), run.begin(), run.end()); });
      rest = rest.subspan(size);
      if (tile_.size() < values) break;
      flow = area.put(std::span<const Nimber>(tile_), sink_, next_);
      tile_.clear();
      ++at_;
    }
    return flow;
  }
  [[nodiscard]] bool has_ended() const noexcept { return at_ == tiles_.size(); }

 private:
  ValueSink& sink_;
  unsigned planes_;
  std::vector<TileArea> tiles_;
  std::size_t at_ = 0;
  std::uint64_t next_;
  std::vector<Nimber> tile_;
};

/// Reads tiles out of what one process has sealed.
class TileReader {
 public:
  /// @pre the order is that of the values in the segments
  TileReader(const ValueOrder& order, const std::vector<Segment>& segments)
      : order_(order),
        sealed_(segments.empty() ? 0 : segments.back().header.end()),
        cursor_(segments) {
    for (const Segment& segment : segments) {
      if (segment.header.is_raw()) check_segment(segment);
    }
  }

  /// False if not all values of the tile are sealed. @throws Error(kCorrupt) if they are damaged
  bool read(const TileArea& area, std::vector<Nimber>& values) {
    const std::uint64_t planes = order_.layout().planes;
    values.resize(area.size() * planes);
    std::span<Nimber> rest = values;
    for (std::uint32_t x = area.x0; x < area.x0 + area.nx; ++x) {
      for (std::uint32_t y = area.y0; y < area.y0 + area.ny;) {
        const std::uint64_t begin = order_.number_of({x, y}, 0);
        std::uint32_t count = area.y0 + area.ny - y;
        // Numbers ascend along a row. So they are consecutive if the last one says so.
        while (order_.number_of({x, y + count - 1}, 0) != begin + (count - 1) * planes) count /= 2;
        const std::uint64_t size = count * planes;
        if (begin + size > sealed_) return false;
        cursor_.read(begin, rest.first(size));
        rest = rest.subspan(size);
        y += count;
      }
    }
    return true;
  }

 private:
  const ValueOrder& order_;
  std::uint64_t sealed_;
  SegmentCursor cursor_;
};

}  // namespace

fs::path stripes_directory_for(const fs::path& output) {
  fs::path directory = output;
  return directory += kSuffix;
}

bool is_of_stripes(const fs::path& directory) {
  return plain(directory).extension() == kSuffix;
}

fs::path output_of_stripes(const fs::path& directory) {
  return plain(directory).replace_extension();
}

void refuse_stripe(const fs::path& directory) {
  const fs::path all = plain(directory).parent_path();
  if (plain(directory).extension() != ".run" || !is_of_stripes(all) || !fs::exists(all)) return;
  throw Error(ErrorCode::kUsage,
              fmt::format("'{}' holds one stripe of a table; name '{}', which holds all",
                          directory.string(), all.string()));
}

StripesContents read_stripes(const fs::path& directory) {
  StripesContents all;
  std::vector<fs::path> runs;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    if (entry.is_directory(error) && entry.path().extension() == ".run") {
      runs.push_back(entry.path());
    }
  }
  std::ranges::sort(runs);
  for (const fs::path& run : runs) {
    RunContents stripe;
    try {
      stripe = read_run(run);
    } catch (const Error&) {
      // Another process may have finished meanwhile and removed the directory.
      if (fs::exists(run, error)) throw;
    }
    if (stripe.segments.empty()) continue;
    if (!stripe.record->lattice) {
      throw Error(ErrorCode::kCorrupt,
                  fmt::format("'{}' is no run of several heaps", run.string()));
    }
    if (!all.record || stripe.record->created < all.record->created) {
      all.record = std::move(stripe.record);
    }
    ++all.stripes;
    all.sealed += stripe.segments.back().header.end();
    std::ranges::move(stripe.segments, std::back_inserter(all.segments));
  }
  return all;
}

std::uint64_t values_of_stripes(const RunRecord& record) {
  const LatticeRule rule = lattice_rule(record);
  const LatticeShape shape = computed_shape(rule, table_layout(record).shape());
  const LatticeStripes stripes =
      select_lattice_engine(record.engine, rule, shape).stripes(rule, shape, record.lattice->tile);
  const Layout layout = Layout::of(shape, rule.planes());
  std::uint64_t values = 0;
  for (std::size_t i = 0; i < stripes.count(); ++i) {
    values += StripeOrder(layout, stripes.tile, stripes.borders[i], stripes.borders[i + 1]).count();
  }
  return values;
}

StripeOrder order_of_stripe(const LatticeSetup& setup, std::size_t stripe) noexcept {
  const LatticeStripes& stripes = setup.stripes;
  return {Layout::of(setup.computed, setup.stored.planes), stripes.tile, stripes.borders[stripe],
          stripes.borders[stripe + 1]};
}

bool stripes_may_replace(const LatticeSetup& setup) {
  for (std::size_t stripe = 0; stripe < setup.stripes.count(); ++stripe) {
    const RunTerms terms = terms_of_stripe(setup, stripe, nullptr);
    const fs::path directory = run_directory_for(terms.output);
    if (!fs::is_directory(directory)) continue;
    const RunContents run = read_run(directory, &terms.record);
    if (run.record && run.record->overwrite) return true;
  }
  return false;
}

TablePart part_of_stripe(const LatticeSetup& setup, std::size_t stripe) noexcept {
  const LatticeStripes& stripes = setup.stripes;
  return {.number = stripe,
          .parts = stripes.count(),
          .first_slab = stripes.borders[stripe],
          .end_slab = stripes.borders[stripe + 1]};
}

NumberedStripes::NumberedStripes(const LatticeSetup& setup)
    : NumberedLattice(setup.game.rule), setup_(setup), begins_{0} {
  for (std::size_t i = 0; i < setup.stripes.count(); ++i) {
    orders_.push_back(order_of_stripe(setup, i));
    begins_.push_back(begins_.back() + orders_.back().count());
  }
}

std::size_t NumberedStripes::stripe_of(HeapSize n) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(begins_, n) - begins_.begin()) - 1;
}

std::string NumberedStripes::name(HeapSize n) const {
  const std::size_t stripe = stripe_of(n);
  return fmt::format("position {}", position_name(orders_[stripe], n - begins_[stripe]));
}

double NumberedStripes::option_bound(HeapSize n) const {
  const std::size_t stripe = stripe_of(n);
  const std::uint64_t number = n - begins_[stripe];
  return grundy::option_bound(rule_, orders_[stripe].position_at(number)) +
         orders_[stripe].plane_of(number);
}

void NumberedStripes::for_each_option(HeapSize n,
                                      const std::function<void(std::uint64_t)>& visit) const {
  const auto& borders = setup_.stripes.borders;
  const StripeOrder& own = orders_[stripe_of(n)];
  const std::uint64_t number = n - begins_[stripe_of(n)];
  grundy::for_each_option(
      rule_, own.position_at(number), own.plane_of(number),
      [&](const LatticePoint& option, unsigned plane) {
        const std::uint32_t slab =
            setup_.computed.sorted ? std::max(option[0], option[1]) : option[0];
        const auto stripe =
            static_cast<std::size_t>(std::ranges::upper_bound(borders, slab) - borders.begin()) - 1;
        visit(begins_[stripe] + orders_[stripe].number_of(option, plane));
      });
}

ValueOf sealed_values(const LatticeSetup& setup, const NumberedStripes& game) {
  auto cursors = std::make_shared<std::vector<std::optional<SegmentCursor>>>(setup.stripes.count());
  return [&setup, &game, cursors](HeapSize n) {
    const std::size_t stripe = game.stripe_of(n);
    auto& cursor = (*cursors)[stripe];
    if (!cursor) {
      cursor.emplace(read_run(run_directory_for(output_of_stripe(setup, stripe))).segments);
    }
    return cursor->at(n - game.begin(stripe));
  };
}

Flow replay_stripe(const LatticeSetup& setup, const NumberedStripes& game, std::size_t stripe,
                   ValueSink& sink) {
  const fs::path directory = run_directory_for(output_of_stripe(setup, stripe));
  const StripeOrder order = order_of_stripe(setup, stripe);
  TileCutter cutter(order, game.begin(stripe), sink);
  const Flow flow = replay(read_run(directory).segments, 0, order.count(), cutter);
  if (flow == Flow::kContinue && !cutter.has_ended()) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("'{}' does not hold all values of its stripe", directory.string()));
  }
  return flow;
}

std::string SealedStripes::Names::name(HeapSize n) const {
  if (n >= order_.count()) return fmt::format("value {} of {}", n, order_.name());
  return fmt::format("position {}", position_name(order_, n));
}

SealedStripes::Stripe::Stripe(const LatticeSetup& setup, std::size_t number,
                              const RunRecord* of_one)
    : names(order_of_stripe(setup, number)),
      values(terms_of_stripe(setup, number, of_one), names, &control, {}),
      begin(setup.stripes.borders[number]),
      end(setup.stripes.borders[number + 1]) {}

SealedStripes::SealedStripes(const LatticeSetup& setup, const std::vector<std::size_t>& numbers,
                             CheckpointControl& control, const RunRecord* of_one)
    : setup_(setup), control_(control) {
  for (const std::size_t number : numbers) stripes_.emplace_back(setup, number, of_one);
}

bool SealedStripes::take_over(const std::vector<Segment>& of_one, const std::stop_token& stop) {
  if (of_one.empty()) return true;
  const ValueOrder order = value_order(setup_);
  TileReader tiles(order, of_one);
  const auto makers = [&](std::string SegmentHeader::*maker) {
    return fmt::format("{}", fmt::join(makers_of(of_one, maker), ", "));
  };
  for (Stripe& stripe : stripes_) {
    stripe.values.begin_with(
        makers(&SegmentHeader::engine), makers(&SegmentHeader::kernel), [&](SegmentLog& log) {
          std::uint64_t begin = 0;
          std::vector<Nimber> values;
          stripe.names.order().for_each_tile([&](const TileArea& area) {
            const std::uint64_t end = begin + area.size() * order.layout().planes;
            if (end > stripe.values.frontier()) {
              if (stop.stop_requested() || !tiles.read(area, values)) return false;
              const Stretch tile{
                  .begin = begin, .values = std::span<const Nimber>(values), .table = {}};
              log.put(tile.from(stripe.values.frontier()));
            }
            begin = end;
            return true;
          });
        });
  }
  return !stop.stop_requested();
}

void SealedStripes::pass_request_on() {
  if (!control_.take_request()) return;
  for (Stripe& stripe : stripes_) stripe.control.request_seal();
}

void SealedStripes::tell() {
  std::uint64_t values = 0;
  for (const Stripe& stripe : stripes_) values += stripe.control.sealed();
  if (values != control_.sealed()) control_.set_sealed(values);
}

std::uint64_t SealedStripes::frontier() const {
  std::uint64_t values = 0;
  for (const Stripe& stripe : stripes_) values += stripe.values.frontier();
  return values;
}

std::uint64_t SealedStripes::sealed() const {
  std::uint64_t values = 0;
  for (const Stripe& stripe : stripes_) values += stripe.values.directory().frontier();
  return values;
}

std::vector<LatticeStripe> SealedStripes::stripes(const std::vector<ValueSink*>& sums) {
  std::vector<LatticeStripe> all;
  for (Stripe& stripe : stripes_) {
    stripe.intake.emplace(*this, *sums[all.size()], stripe.values);
    KnownTiles* const known = stripe.values.frontier() > 0 ? &stripe.values : nullptr;
    all.push_back({stripe.begin, stripe.end, &*stripe.intake, known});
  }
  return all;
}

void SealedStripes::seal() {
  for (Stripe& stripe : stripes_) stripe.values.log().seal();
}

void SealedStripes::rescue() noexcept {
  for (Stripe& stripe : stripes_) stripe.values.log().rescue();
}

}  // namespace grundy
