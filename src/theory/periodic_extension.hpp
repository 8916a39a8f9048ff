/// @file
/// Values of ever larger heaps from a certified period, at memory speed.
///
/// The period is repeated until it fills a block; a period longer than a block is used in place. A
/// game without a saltus hands out views of this pattern and copies nothing. With a saltus, each
/// block is the pattern plus a constant, written at the least width that holds it.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/period_report.hpp>
#include <grundy/sink.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// Streams the values of heaps from .. to-1 into `sink`, in blocks without Stretch::table. Stops
/// when the sink wants no more, and returns the last answer of the sink.
/// @pre report.status == kCertified, table.size() >= preperiod + period, from >= preperiod
/// @throws Error(kFailure) if a saltus makes a value exceed the largest that a table can hold
Flow extend_periodically(const PeriodReport& report, Values table, HeapSize from, HeapSize to,
                         ValueSink& sink);

}  // namespace grundy
