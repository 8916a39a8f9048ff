/// @file
/// Proves single entries: conspicuous ones first, then random ones as long as there is time.
///
/// Random entries find errors that are in many places. They miss a single wrong value among
/// millions. The conspicuous entries are those where programs err: the first and the last entries,
/// new maxima and their neighbours, borders of chunks, of the computed part and of the period, and
/// the values that occur least often.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <grundy/table.hpp>

#include "verify/subject.hpp"

namespace grundy {

/// Conspicuous entries of a table, ascending, among the first entries, whose `values` are given.
/// @param borders entries at which a chunk or a segment begins
std::vector<HeapSize> conspicuous_heaps(const TableInfo& info, const std::vector<HeapSize>& borders,
                                        Values values);

struct SampleResult {
  std::optional<HeapSize> wrong;  ///< the least wrong entry that was found
  std::uint64_t conspicuous = 0;  ///< number of conspicuous entries that were proved
  std::uint64_t random = 0;
};

/// Checks the conspicuous entries of the subject, in order, for half of the time that the request
/// gives, and then random entries below `count`. @pre the subject has kept `count` entries
SampleResult prove_samples(const Subject& subject, const Work& work, HeapSize count);

}  // namespace grundy
