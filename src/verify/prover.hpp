/// @file
/// Proofs of stored values by the definition, for every entry of a range.
///
/// A prover answers for one entry at a time whether its stored value v is the mex of the *stored*
/// values of its options: (a) no option has v, (b) every smaller number is the value of an option.
/// Values of other entries are taken as stored, so entries may be asked about in any order and from
/// several threads. Once every entry below N has been asked about, induction makes them all right.
/// That v is known beforehand makes this faster than computing: (a) is comparison only, for many
/// entries at once, and (b) needs one witness each.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

#include <grundy/machine.hpp>
#include <grundy/progress.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// The values of entries 0 .. values.size()-1, with readable padding on both sides as ValueBuffer
/// has it; none is above `largest`.
struct StoredValues {
  Values values;
  Nimber largest = 0;
};

/// An entry that is wrong, and what is wrong with it: a clause whose subject is the entry.
struct Fault {
  HeapSize entry = 0;
  std::string clause;
};

/// `has value 3, but the mex of the values of its options is 2`.
std::string value_fault(Nimber stored, std::uint64_t mex);

class Prover {
 public:
  virtual ~Prover() = default;
  /// How it works, for people and certificates.
  [[nodiscard]] virtual std::string method() const = 0;
  /// Entries that are treated together.
  [[nodiscard]] virtual HeapSize group() const noexcept = 0;
  /// The least of the entries begin .. end-1, at most group() of them, whose value is not the mex.
  [[nodiscard]] virtual std::optional<HeapSize> first_wrong(HeapSize begin, HeapSize end) const = 0;
  /// What is wrong with the table although each of its entries was found right, if anything is.
  [[nodiscard]] virtual std::optional<Fault> fault_of_whole() const { return std::nullopt; }
};

struct RangeResult {
  HeapSize proved_to = 0;         ///< entries begin .. proved_to-1 are right
  std::optional<HeapSize> wrong;  ///< then this is the first that is not
};

/// Proves entries begin .. end-1 in ascending order until one is wrong or it is stopped.
RangeResult prove_range(const Prover& prover, HeapSize begin, HeapSize end, Executor& executor,
                        const std::stop_token& stop, ProgressSink* progress);

}  // namespace grundy
