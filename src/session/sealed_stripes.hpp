/// @file
/// The stripes of a table that ranks share, sealed: `FILE.h5.stripes/` beside `FILE.h5` has a run
/// directory for each stripe, which holds values in the order in which the engine computes them.
///
/// A rank works in the directories of its own stripes. A stripe may belong to another rank in the
/// next life. When all values are sealed, ranks read all stripes.
///
/// One process seals a table in its own order, in `FILE.h5.run/`. Ranks that go on with it copy
/// what it has sealed into their stripes.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <grundy/checkpoint.hpp>
#include <grundy/sink.hpp>

#include "engines/lattice/stripe_order.hpp"
#include "run/sealed_values.hpp"
#include "session/run_terms.hpp"
#include "session/setup.hpp"
#include "session/stages.hpp"
#include "table/table_part.hpp"

namespace grundy {

/// Where the stripes of the table `output` are sealed.
std::filesystem::path stripes_directory_for(const std::filesystem::path& output);
/// Whether the name of a directory is one of stripes.
bool is_of_stripes(const std::filesystem::path& directory);
/// The inverse of stripes_directory_for(). @pre is_of_stripes()
std::filesystem::path output_of_stripes(const std::filesystem::path& directory);
/// Refuses one stripe, which is no run of a table. @throws Error(kUsage), with advice, if the name
/// of `directory` is one of a stripe
void refuse_stripe(const std::filesystem::path& directory);

/// What is sealed of a table, read without the locks, to look at it.
struct StripesContents {
  /// The record of the first life, with the order of one stripe; unset if there is none.
  std::optional<RunRecord> record;
  std::vector<Segment> segments;  ///< of each stripe, in order
  std::size_t stripes = 0;        ///< stripes in which something is sealed
  std::uint64_t sealed = 0;       ///< values that are sealed
};

/// @throws Error(kCorrupt) as read_run()
StripesContents read_stripes(const std::filesystem::path& directory);

/// The number of values in all stripes of the table of a record. Tiles on the diagonal of a sorted
/// table have the values of both sides. @throws Error(kCorrupt) if the record has no table
std::uint64_t values_of_stripes(const RunRecord& record);

/// The order of the values of a stripe. @pre setup has stripes
StripeOrder order_of_stripe(const LatticeSetup& setup, std::size_t stripe) noexcept;

/// The positions of a table stripe after stripe, each in its own order. Every option comes before
/// its position.
class NumberedStripes final : public NumberedLattice {
 public:
  /// @pre setup has stripes, and outlives this
  explicit NumberedStripes(const LatticeSetup& setup);

  [[nodiscard]] std::string name(HeapSize n) const override;
  [[nodiscard]] double option_bound(HeapSize n) const override;
  /// The number of the first value of a stripe.
  [[nodiscard]] std::uint64_t begin(std::size_t stripe) const { return begins_[stripe]; }
  /// The stripe with value n.
  [[nodiscard]] std::size_t stripe_of(HeapSize n) const;

 private:
  void for_each_option(HeapSize n, const std::function<void(std::uint64_t)>& visit) const override;

  const LatticeSetup& setup_;
  std::vector<StripeOrder> orders_;
  std::vector<std::uint64_t> begins_;
};

/// Reads single values, by their numbers, of a table whose stripes are all sealed. Setup and game
/// must outlive the result, which is for one thread.
ValueOf sealed_values(const LatticeSetup& setup, const NumberedStripes& game);

/// Whether a run in stripes has begun that may replace its file, so that the file may be the old
/// one. @throws Error(kCorrupt) if what is sealed is damaged
bool stripes_may_replace(const LatticeSetup& setup);

/// The part of a table in parts that has the values of a stripe. @pre setup has stripes
TablePart part_of_stripe(const LatticeSetup& setup, std::size_t stripe) noexcept;

/// Hands the sealed values of a stripe to `sink`, tile by tile with their numbers in `game`, and
/// compares them with the digests of their segments. @throws Error(kCorrupt) if values are damaged
/// or missing
Flow replay_stripe(const LatticeSetup& setup, const NumberedStripes& game, std::size_t stripe,
                   ValueSink& sink);

/// The sealed stripes of one rank, in this life.
class SealedStripes {
 public:
  /// Opens or creates the run directories.
  /// @param control a seal that it requests is made of all stripes; it hears how many values are
  ///   sealed
  /// @param of_one the record of one process that has begun the table, or null
  /// @throws Error as SealedValues does
  SealedStripes(const LatticeSetup& setup, const std::vector<std::size_t>& numbers,
                CheckpointControl& control, const RunRecord* of_one);

  /// Seals what one process has sealed of each stripe and the stripe has not, up to the first tile
  /// that is not there. False if it was stopped. @throws Error(kCorrupt) if values are damaged
  bool take_over(const std::vector<Segment>& of_one, const std::stop_token& stop);

  /// The number of values of all stripes that earlier lives have sealed.
  [[nodiscard]] std::uint64_t frontier() const;
  /// The number of values that are sealed now.
  [[nodiscard]] std::uint64_t sealed() const;
  /// The stripes for the engine. The values of a stripe, sealed before or now, go through the
  /// stages: they are summed up in the stripe's entry of `sums`, and sealed. @pre there are as many
  /// sums as stripes
  std::vector<LatticeStripe> stripes(const std::vector<ValueSink*>& sums);
  /// Seals everything so far, and waits until it is sealed. @throws Error(kFailure)
  void seal();
  /// Seals what it can of each stripe after a failure. Nothing can be computed after that.
  void rescue() noexcept;

 private:
  /// Names the values of a stripe. Lists no options, because they may belong to other ranks.
  class Names final : public NumberedGame {
   public:
    explicit Names(const StripeOrder& order) : order_(order) {}
    [[nodiscard]] const StripeOrder& order() const noexcept { return order_; }
    [[nodiscard]] std::string name(HeapSize n) const override;
    [[nodiscard]] double option_bound(HeapSize) const override { return 0; }
    bool for_each_option_value(HeapSize, const ValueOf&,
                               const std::function<Flow(Nimber)>&) const override {
      return false;
    }

   private:
    StripeOrder order_;
  };
  class Intake final : public ValueSink {
   public:
    Intake(SealedStripes& all, ValueSink& sums, SealedValues& sealed)
        : all_(all),
          sum_(sums),
          seal_(sealed, nullptr),
          stages_({.count = &sum_, .seal = &seal_}) {}

    Flow put(const Stretch& stretch) override {
      all_.pass_request_on();
      const Flow flow = stages_.put(stretch);
      all_.tell();
      return flow;
    }

   private:
    SealedStripes& all_;
    HandOn sum_;
    Seal seal_;
    Stages stages_;
  };
  struct Stripe {
    Stripe(const LatticeSetup& setup, std::size_t number, const RunRecord* of_one);

    Names names;
    CheckpointControl control;
    SealedValues values;
    std::uint32_t begin, end;
    std::optional<Intake> intake{};
  };

  /// Passes a request for a seal on to every stripe.
  void pass_request_on();
  void tell();

  const LatticeSetup& setup_;
  CheckpointControl& control_;
  std::list<Stripe> stripes_;
};

}  // namespace grundy
