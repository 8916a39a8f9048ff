/// @file
/// The subject of a verification: a stored table, or the sealed values of a run, with its game.
///
/// There is one subject for each kind of game. The frame (verify.cpp) knows nothing else about
/// kinds of games: it opens a subject, loads it, and hands entries to its prover. An *entry* is a
/// heap, an entry of a lattice table (for a run, in the order in which it was sealed), or a row of
/// a table of positions. The options of an entry are entries with smaller numbers, or in smaller
/// layers.
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

/// Whether an entry is right; nothing if this takes too long to find out.
using EntryCheck = std::function<std::optional<bool>(HeapSize)>;

/// The result of computing a table anew.
struct SecondComputation {
  bool complete = false;  ///< false: it was stopped
  std::string method;
  std::optional<Fault> difference{};  ///< the first difference
};

class Subject {
 public:
  virtual ~Subject() = default;

  /// The facts about the table; after load(), with statistics that were counted.
  [[nodiscard]] const TableInfo& info() const noexcept { return info_; }
  /// The word for entries: `heaps`, `entries`, `positions`.
  [[nodiscard]] virtual const char* unit() const noexcept = 0;
  /// The name of one entry, for messages: `heap 7`.
  [[nodiscard]] virtual std::string name(HeapSize entry) const = 0;
  /// Entries from here on follow from a certified period. The number of entries if there is none.
  [[nodiscard]] virtual HeapSize periodic_from() const { return info_.stats.count; }

  /// Bytes that one more entry in memory takes; 0 if all entries have been in memory since the
  /// opening.
  [[nodiscard]] virtual std::uint64_t value_bytes() const noexcept = 0;
  /// Bytes that prover() takes for this many entries, besides their values.
  [[nodiscard]] virtual std::uint64_t prover_bytes(HeapSize /*entries*/) const { return 0; }
  /// Checks that the store holds what was written, and keeps the first `keep` entries in memory.
  /// @return false if it was stopped
  /// @throws Error(kCorrupt) that names the first thing that is damaged
  virtual bool load(HeapSize keep) = 0;

  // The functions below are about entries that load() has kept.

  /// Entries at which programs err; ascending.
  [[nodiscard]] virtual std::vector<HeapSize> conspicuous() const = 0;
  /// A check of single entries by the definition, for one thread. It leaves out entries that may
  /// take longer than `seconds`.
  [[nodiscard]] virtual EntryCheck entry_check(double seconds) const = 0;
  /// The fastest proof of whole ranges; made at the first call.
  [[nodiscard]] virtual const Prover& prover() = 0;
  /// The approximate cost of an entry to the prover, in a unit of its own. Needs no entry in
  /// memory.
  [[nodiscard]] virtual std::uint64_t cost(HeapSize /*entry*/) const { return 1; }
  /// The fault of an entry, as a clause.
  [[nodiscard]] virtual std::string fault(HeapSize entry) const = 0;

  /// The fastest engine that took no part in the table; empty if there is none or none is needed.
  [[nodiscard]] virtual std::string other_engine() const = 0;
  /// Whether values that an engine finds anew prove all that is stored.
  [[nodiscard]] virtual bool engine_is_enough() const noexcept { return true; }
  /// Computes the table anew and compares it. @throws Error(kUsage) if the engine cannot compute it
  [[nodiscard]] virtual SecondComputation compute_again(const std::string& engine) const = 0;

  /// The time and memory that compute_again() needs; nothing if they are not known.
  [[nodiscard]] virtual std::optional<Prediction> foretell_again(
      const std::string& /*engine*/) const {
    return std::nullopt;
  }

  /// The fault of the period that the table claims, if there is one. Nothing is known if it was
  /// stopped.
  [[nodiscard]] virtual std::optional<WrongValue> check_period() const { return std::nullopt; }

 protected:
  TableInfo info_;
};

/// Opens the table or run that the request names. The work must outlive the subject.
/// @throws Error as verify()
std::unique_ptr<Subject> open_subject(const Work& work);

}  // namespace grundy
