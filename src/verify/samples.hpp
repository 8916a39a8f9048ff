/// @file
/// Heaps that are proved one by one: conspicuous ones first, then random ones while time lasts.
///
/// Random heaps find what is wrong in many places; one wrong value among millions they miss. The
/// conspicuous ones are where programs err: the first and the last heaps, new maxima and their
/// neighbours, borders of chunks, of the computed part and of the period, and values that occur
/// least often.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include <grundy/machine.hpp>
#include <grundy/verify.hpp>

namespace grundy {

/// Conspicuous heaps of a table among those whose `values` are given, the first ones; ascending.
/// @param borders heaps at which a chunk or a segment begins
std::vector<HeapSize> conspicuous_heaps(const TableInfo& info, const std::vector<HeapSize>& borders,
                                        Values values);

struct SampleResult {
  std::optional<HeapSize> wrong;  ///< the least heap found whose value is not the mex
  std::uint64_t conspicuous = 0;  ///< heaps proved
  std::uint64_t random = 0;
  bool stopped = false;
};

/// Whether the value of one heap is right; nothing if that takes too long to find out.
using SampleCheck = std::function<std::optional<bool>(HeapSize)>;

/// Checks the conspicuous heaps, in order, for half of the time, and then random ones below
/// `count`.
/// @param make_check called once by every thread
SampleResult prove_samples(const VerifyRequest& request, HeapSize count,
                           const std::vector<HeapSize>& conspicuous,
                           const std::function<SampleCheck()>& make_check, Executor& executor,
                           const std::stop_token& stop);

}  // namespace grundy
