/// @file
/// The stripes of a table that ranks share, sealed: `FILE.h5.stripes/` beside `FILE.h5` has a run
/// directory for each stripe, which holds values in the order in which the engine computes them.
///
/// A rank works in the directories of its own stripes. Which rank that is may change from one life
/// to the next. Rank 0 reads all of them when all values are there.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <string>
#include <vector>

#include <grundy/sink.hpp>

#include "engines/lattice/stripe_order.hpp"
#include "run/sealed_values.hpp"
#include "session/setup.hpp"
#include "table/table_part.hpp"

namespace grundy {

/// Where the stripes of the table `output` are sealed.
std::filesystem::path stripes_directory_for(const std::filesystem::path& output);

/// The order of the values of a stripe. @pre setup has stripes
StripeOrder order_of_stripe(const LatticeSetup& setup, std::size_t stripe) noexcept;

/// The part of a table in parts that has the values of a stripe. @pre setup has stripes
TablePart part_of_stripe(const LatticeSetup& setup, std::size_t stripe) noexcept;

/// Hands the sealed values of a stripe to `sink`, tile by tile, and compares them with the digests
/// of their segments. @throws Error(kCorrupt) if they are damaged or not all there
Flow replay_stripe(const LatticeSetup& setup, std::size_t stripe, ValueSink& sink);

/// Those of one rank, in this life.
class SealedStripes {
 public:
  /// Opens or creates the run directories. @throws Error as SealedValues does
  SealedStripes(const LatticeSetup& setup, const std::vector<std::size_t>& numbers);

  /// Values that earlier lives have sealed, of all stripes.
  [[nodiscard]] std::uint64_t frontier() const;
  /// Values that are sealed now.
  [[nodiscard]] std::uint64_t sealed() const;
  /// What the engine is given. The values of each stripe, sealed before or now, also go to one of
  /// `sinks`. @pre there are as many
  std::vector<LatticeStripe> stripes(const std::vector<ValueSink*>& sinks);
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
  /// Seals values and hands them on.
  class Stripe final : public ValueSink {
   public:
    Stripe(const LatticeSetup& setup, std::size_t number);
    Flow put(const Stretch& stretch) override;

    Names names;
    SealedValues values;
    std::uint32_t begin, end;
    ValueSink* next = nullptr;
  };

  std::list<Stripe> stripes_;
};

}  // namespace grundy
