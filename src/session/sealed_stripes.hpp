/// @file
/// The stripes of a table that ranks share, sealed: `FILE.h5.stripes/` beside `FILE.h5` has a run
/// directory for each stripe, which holds values in the order in which the engine computes them.
///
/// A rank works in the directories of its own stripes. Which rank that is may change from one life
/// to the next. When all values are there, ranks read all of them.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <optional>
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
/// Whether a directory has the name of one with stripes.
bool is_of_stripes(const std::filesystem::path& directory);
/// The inverse of stripes_directory_for(). @pre is_of_stripes()
std::filesystem::path output_of_stripes(const std::filesystem::path& directory);
/// One stripe is no run of a table. @throws Error(kUsage) if `directory` has the name of one, with
/// advice
void refuse_stripe(const std::filesystem::path& directory);

/// What is sealed of a table, read without the locks: for looking.
struct StripesContents {
  std::optional<RunRecord> record;  ///< of the first life, with the order of one stripe; or none
  std::vector<Segment> segments;    ///< of each stripe, in order
  std::size_t stripes = 0;          ///< in which something is sealed
  std::uint64_t sealed = 0;         ///< values
};

/// @throws Error(kCorrupt) as read_run()
StripesContents read_stripes(const std::filesystem::path& directory);

/// All values of all stripes of the table of a record; tiles on the diagonal of a sorted table have
/// those of both sides. @throws Error(kCorrupt) if the record says no table
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

/// Reads single values of a table whose stripes are all sealed, by their numbers. Both must outlive
/// the result, and it is for one thread.
ValueOf sealed_values(const LatticeSetup& setup, const NumberedStripes& game);

/// The part of a table in parts that has the values of a stripe. @pre setup has stripes
TablePart part_of_stripe(const LatticeSetup& setup, std::size_t stripe) noexcept;

/// Hands the sealed values of a stripe to `sink`, tile by tile with their numbers in `game`, and
/// compares them with the digests of their segments. @throws Error(kCorrupt) if they are damaged or
/// not all there
Flow replay_stripe(const LatticeSetup& setup, const NumberedStripes& game, std::size_t stripe,
                   ValueSink& sink);

/// Those of one rank, in this life.
class SealedStripes {
 public:
  /// Opens or creates the run directories.
  /// @param control what it asks for all stripes do; it is told how many of their values are sealed
  /// @throws Error as SealedValues does
  SealedStripes(const LatticeSetup& setup, const std::vector<std::size_t>& numbers,
                CheckpointControl& control);

  /// Values that earlier lives have sealed, of all stripes.
  [[nodiscard]] std::uint64_t frontier() const;
  /// Values that are sealed now.
  [[nodiscard]] std::uint64_t sealed() const;
  /// What the engine is given. The values of a stripe, sealed before or now, go through the stages:
  /// they are summed up in the next of `sums` and sealed. @pre there are as many
  std::vector<LatticeStripe> stripes(const std::vector<ValueSink*>& sums, SelfCheck& check);
  /// Seals everything so far and waits for it. @throws Error(kFailure)
  void seal();

 private:
  /// Names the values of a stripe. Their options may belong to other ranks, so none are listed.
  class Names final : public NumberedGame {
   public:
    explicit Names(const StripeOrder& order) : order_(order) {}
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
    Intake(SealedStripes& all, ValueSink& sums, SealedValues& sealed, SelfCheck& check)
        : all_(all), sum_(sums), seal_(sealed, check), stages_({.count = &sum_, .seal = &seal_}) {}

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
    Stripe(const LatticeSetup& setup, std::size_t number);

    Names names;
    CheckpointControl control;
    SealedValues values;
    std::uint32_t begin, end;
    std::optional<Intake> intake{};
  };

  /// A seal that is asked for is one of every stripe.
  void pass_request_on();
  void tell();

  CheckpointControl& control_;
  std::list<Stripe> stripes_;
};

}  // namespace grundy
