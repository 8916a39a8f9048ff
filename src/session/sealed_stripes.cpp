// SPDX-License-Identifier: MIT
#include "session/sealed_stripes.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "run/run_directory.hpp"
#include "session/run_terms.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

/// Where a table for a stripe alone would be: its run directory stands beside that.
fs::path output_of_stripe(const LatticeSetup& setup, std::size_t stripe) {
  return stripes_directory_for(setup.request.output.path) / fmt::format("{:04}", stripe);
}

RunTerms terms_of_stripe(const LatticeSetup& setup, std::size_t stripe) {
  const StripeOrder order = order_of_stripe(setup, stripe);
  RunTerms terms = run_terms(setup);
  terms.output = output_of_stripe(setup, stripe);
  terms.record.lattice->order = order.name();
  terms.count = order.count();
  terms.is_the_table = [](const fs::path&) { return false; };
  return terms;
}

/// Cuts values that come in a row into the tiles of a stripe.
class TileCutter final : public ValueSink {
 public:
  TileCutter(const StripeOrder& order, ValueSink& sink) : sink_(sink) {
    order.for_each_tile([this](const TileArea& tile) {
      tiles_.push_back(tile);
      return true;
    });
  }
  Flow put(const Stretch& block) override {
    Flow flow = Flow::kContinue;
    for (Values rest = block.values; !rest.empty() && flow == Flow::kContinue;) {
      const TileArea& area = tiles_[at_];
      const std::size_t size = std::min<std::size_t>(rest.size(), area.size() - tile_.size());
      rest.subspan(0, size).visit(
          [this](auto run) { tile_.insert(tile_.end(), run.begin(), run.end()); });
      rest = rest.subspan(size);
      if (tile_.size() < area.size()) break;
      const Tile tile{.first_rank = {}, .origin = {area.x0, area.y0}, .extent = {area.nx, area.ny}};
      flow = sink_.put(
          {.begin = handed_, .values = std::span<const Nimber>(tile_), .table = {}, .tile = &tile});
      handed_ += tile_.size();
      tile_.clear();
      ++at_;
    }
    return flow;
  }
  [[nodiscard]] bool has_ended() const noexcept { return at_ == tiles_.size(); }

 private:
  ValueSink& sink_;
  std::vector<TileArea> tiles_;
  std::size_t at_ = 0;
  std::uint64_t handed_ = 0;
  std::vector<Nimber> tile_;
};

}  // namespace

fs::path stripes_directory_for(const fs::path& output) {
  fs::path directory = output;
  return directory += ".stripes";
}

StripeOrder order_of_stripe(const LatticeSetup& setup, std::size_t stripe) noexcept {
  const LatticeStripes& stripes = setup.stripes;
  return {setup.computed, stripes.tile, stripes.borders[stripe], stripes.borders[stripe + 1]};
}

TablePart part_of_stripe(const LatticeSetup& setup, std::size_t stripe) noexcept {
  const LatticeStripes& stripes = setup.stripes;
  return {.number = stripe,
          .parts = stripes.count(),
          .first_slab = stripes.borders[stripe],
          .end_slab = stripes.borders[stripe + 1]};
}

Flow replay_stripe(const LatticeSetup& setup, std::size_t stripe, ValueSink& sink) {
  const fs::path directory = run_directory_for(output_of_stripe(setup, stripe));
  const StripeOrder order = order_of_stripe(setup, stripe);
  TileCutter cutter(order, sink);
  const Flow flow = replay(read_run(directory).segments, 0, order.count(), cutter);
  if (flow == Flow::kContinue && !cutter.has_ended()) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("'{}' does not hold all values of its stripe", directory.string()));
  }
  return flow;
}

std::string SealedStripes::Names::name(HeapSize n) const {
  if (n >= order_.count()) return fmt::format("value {} of {}", n, order_.name());
  const LatticePoint p = order_.position_at(n);
  return fmt::format("position ({}, {})", p[0], p[1]);
}

SealedStripes::Stripe::Stripe(const LatticeSetup& setup, std::size_t number)
    : names(order_of_stripe(setup, number)),
      values(terms_of_stripe(setup, number), names, nullptr, {}),
      begin(setup.stripes.borders[number]),
      end(setup.stripes.borders[number + 1]) {}

Flow SealedStripes::Stripe::put(const Stretch& stretch) {
  values.put(stretch);
  return next->put(stretch);
}

SealedStripes::SealedStripes(const LatticeSetup& setup, const std::vector<std::size_t>& numbers) {
  for (const std::size_t number : numbers) stripes_.emplace_back(setup, number);
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

std::vector<LatticeStripe> SealedStripes::stripes(const std::vector<ValueSink*>& sinks) {
  std::vector<LatticeStripe> all;
  for (Stripe& stripe : stripes_) {
    stripe.next = sinks[all.size()];
    KnownTiles* const known = stripe.values.frontier() > 0 ? &stripe.values : nullptr;
    all.push_back({stripe.begin, stripe.end, &stripe, known});
  }
  return all;
}

void SealedStripes::seal() {
  for (Stripe& stripe : stripes_) stripe.values.log().seal();
}

}  // namespace grundy
