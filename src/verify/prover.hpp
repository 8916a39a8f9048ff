/// @file
/// Proofs of stored values by the definition, for every heap of a range.
///
/// A prover answers for one heap at a time whether its stored value v is the mex of the *stored*
/// values of its options: (a) no option has v, (b) every smaller number is the value of an option.
/// Values of other heaps are taken as stored, so heaps may be asked about in any order and from
/// several threads; once every heap below N has been asked about, induction makes them all right.
/// That v is known beforehand makes this faster than computing: (a) is comparison only, for many
/// heaps at once, and (b) needs one witness each.
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include <grundy/heap/rule.hpp>
#include <grundy/machine.hpp>
#include <grundy/progress.hpp>
#include <grundy/types.hpp>

#include "kernels/kernels.hpp"

namespace grundy {

/// The values of heaps 0 .. values.size()-1, with readable padding on both sides as ValueBuffer has
/// it; none is above `largest`.
struct StoredValues {
  Values values;
  Nimber largest = 0;
};

class Prover {
 public:
  virtual ~Prover() = default;
  /// How it works, for people and certificates.
  [[nodiscard]] virtual std::string method() const = 0;
  /// Heaps that are treated together.
  [[nodiscard]] virtual HeapSize group() const noexcept = 0;
  /// The least of the heaps begin .. end-1, at most group() of them, whose value is not the mex.
  [[nodiscard]] virtual std::optional<HeapSize> first_wrong(HeapSize begin, HeapSize end) const = 0;
};

/// The fastest prover for the rule. What it refers to must outlive it.
std::unique_ptr<Prover> make_prover(const HeapRule& rule, StoredValues stored,
                                    const KernelSet& kernels, Executor& executor);

/// Bytes that make_prover() needs for the rule beside `count` values, at most.
std::uint64_t prover_bytes(const HeapRule& rule, HeapSize count, Nimber largest);

/// @throws Error(kUsage) unless first .. last are some of `count` heaps, or whatever `unit` says
void check_range(HeapSize first, HeapSize last, HeapSize count, const char* unit);

struct RangeResult {
  HeapSize proved_to = 0;         ///< heaps begin .. proved_to-1 are right
  std::optional<HeapSize> wrong;  ///< then this is the first that is not
};

/// Proves heaps begin .. end-1 in ascending order until one is wrong or it is stopped.
RangeResult prove_range(const Prover& prover, HeapSize begin, HeapSize end, Executor& executor,
                        const std::stop_token& stop, ProgressSink* progress);

}  // namespace grundy
