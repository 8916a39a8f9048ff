/// @file
/// What is verified: a stored table, or what a run has sealed, and the game that it is of.
///
/// There is one subject for each kind of game. The frame (verify.cpp) knows nothing else of kinds:
/// it opens a subject, has it loaded, and hands entries to its prover. An *entry* is a heap, an
/// entry of a lattice table (of a run, in the order in which it was sealed), or a row of a table of
/// positions. Options of an entry are entries with smaller numbers, or in smaller layers.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <grundy/compute.hpp>
#include <grundy/table.hpp>
#include <grundy/verify.hpp>

#include "verify/prover.hpp"
#include "verify/work.hpp"

namespace grundy {

/// Whether an entry is right; nothing if that takes too long to find out.
using EntryCheck = std::function<std::optional<bool>(HeapSize)>;

/// What came of computing a table anew.
struct SecondComputation {
  bool complete = false;  ///< false: it was stopped
  std::string method;
  std::optional<Fault> difference{};  ///< the first
};

class Subject {
 public:
  virtual ~Subject() = default;

  /// What is known of the table; after load(), with statistics that were counted.
  [[nodiscard]] const TableInfo& info() const noexcept { return info_; }
  /// What entries are: `heaps`, `entries`, `positions`.
  [[nodiscard]] virtual const char* unit() const noexcept = 0;
  /// One entry, for messages: `heap 7`.
  [[nodiscard]] virtual std::string name(HeapSize entry) const = 0;
  /// Entries from here on follow from a certified period; the number of entries without one.
  [[nodiscard]] virtual HeapSize periodic_from() const { return info_.stats.count; }

  /// Bytes that one more entry in memory takes; 0 if all are there since it was opened.
  [[nodiscard]] virtual std::uint64_t value_bytes() const noexcept = 0;
  /// Bytes that prover() takes for so many entries, beside their values.
  [[nodiscard]] virtual std::uint64_t prover_bytes(HeapSize /*entries*/) const { return 0; }
  /// Checks that the store holds what was written and keeps the first `keep` entries in memory.
  /// @return false if it was stopped
  /// @throws Error(kCorrupt) that names the first thing that is damaged
  virtual bool load(HeapSize keep) = 0;

  // From here on: of entries that load() has kept.

  /// Entries at which programs err; ascending.
  [[nodiscard]] virtual std::vector<HeapSize> conspicuous() const = 0;
  /// A check of single entries by the definition, for one thread. Entries that may take longer than
  /// so many seconds are left out.
  [[nodiscard]] virtual EntryCheck entry_check(double seconds) const = 0;
  /// The fastest proof of whole ranges; made at the first call.
  [[nodiscard]] virtual const Prover& prover() = 0;
  /// What the prover spends on an entry, about, in a unit of its own; needs nothing in memory.
  [[nodiscard]] virtual std::uint64_t cost(HeapSize /*entry*/) const { return 1; }
  /// What is wrong with an entry, in a clause.
  [[nodiscard]] virtual std::string fault(HeapSize entry) const = 0;

  /// The fastest engine that took no part in the table; empty if there is none, or none is needed.
  [[nodiscard]] virtual std::string other_engine() const = 0;
  /// Values that an engine finds anew prove everything that is stored.
  [[nodiscard]] virtual bool engine_is_enough() const noexcept { return true; }
  /// Computes the table anew and compares it. @throws Error(kUsage) for engines that cannot
  [[nodiscard]] virtual SecondComputation compute_again(const std::string& engine) const = 0;

  /// What that needs; nothing if it is not known.
  [[nodiscard]] virtual std::optional<Prediction> foretell_again(
      const std::string& /*engine*/) const {
    return std::nullopt;
  }

  /// What is wrong with the period that the table claims, if anything is. Nothing is known if it
  /// was stopped.
  [[nodiscard]] virtual std::optional<WrongValue> check_period() const { return std::nullopt; }

 protected:
  TableInfo info_;
};

/// Opens what the request names. The work must outlive it.
/// @throws Error as verify()
std::unique_ptr<Subject> open_subject(const Work& work);

}  // namespace grundy
