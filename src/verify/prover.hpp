/// @file
/// Proofs of stored values by the definition, for every entry of a range.
///
/// A prover answers for one entry at a time whether its stored value v is the mex of the *stored*
/// values of its options: (a) no option has v, and (b) every smaller number is the value of an
/// option. It takes the values of other entries as stored, so entries may be checked in any order
/// and from several threads. Once every entry below N has been checked, induction shows that all of
/// them are right. Proving is faster than computing because v is known beforehand: (a) is
/// comparison only, for many entries at once, and (b) needs one witness for each number.
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

/// The values of entries 0 .. values.size()-1, none of them above `largest`. There is readable
/// padding on both sides, as in ValueBuffer.
struct StoredValues {
  Values values;
  Nimber largest = 0;
};

/// A wrong entry and its fault: a clause whose subject is the entry.
struct Fault {
  HeapSize entry = 0;
  std::string clause;
};

/// Makes `has value 3, but the mex of the values of its options is 2`.
std::string value_fault(Nimber stored, std::uint64_t mex);

class Prover {
 public:
  virtual ~Prover() = default;
  /// The method of the proof, for people and certificates.
  [[nodiscard]] virtual std::string method() const = 0;
  /// Number of entries that are treated together.
  [[nodiscard]] virtual HeapSize group() const noexcept = 0;
  /// The least of the entries begin .. end-1, at most group() of them, whose value is not the mex.
  [[nodiscard]] virtual std::optional<HeapSize> first_wrong(HeapSize begin, HeapSize end) const = 0;
  /// A fault of the table that shows in none of its entries, if there is one.
  [[nodiscard]] virtual std::optional<Fault> fault_of_whole() const { return std::nullopt; }
};

struct RangeResult {
  HeapSize proved_to = 0;         ///< entries begin .. proved_to-1 are right
  std::optional<HeapSize> wrong;  ///< the first wrong entry, if there is one
};

/// Proves entries begin .. end-1 in ascending order until one is wrong or a stop is requested.
RangeResult prove_range(const Prover& prover, HeapSize begin, HeapSize end, Executor& executor,
                        const std::stop_token& stop, ProgressSink* progress);

}  // namespace grundy
