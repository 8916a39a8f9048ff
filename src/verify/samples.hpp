/// @file
/// Entries that are proved one by one: conspicuous ones first, then random ones while time lasts.
///
/// Random entries find what is wrong in many places; one wrong value among millions they miss. The
/// conspicuous ones are where programs err: the first and the last entries, new maxima and their
/// neighbours, borders of chunks, of the computed part and of the period, and values that occur
/// least often.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <grundy/table.hpp>

#include "verify/subject.hpp"

namespace grundy {

/// Conspicuous entries of a table of values among those whose `values` are given, the first ones;
/// ascending.
/// @param borders entries at which a chunk or a segment begins
std::vector<HeapSize> conspicuous_heaps(const TableInfo& info, const std::vector<HeapSize>& borders,
                                        Values values);

struct SampleResult {
  std::optional<HeapSize> wrong;  ///< the least entry found whose value is not the mex
  std::uint64_t conspicuous = 0;  ///< entries proved
  std::uint64_t random = 0;
};

/// Checks the conspicuous entries of the subject, in order, for half of the time that the request
/// gives, and then random ones below `count`. @pre the subject has kept so many
SampleResult prove_samples(const Subject& subject, const Work& work, HeapSize count);

}  // namespace grundy
