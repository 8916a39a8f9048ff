/// @file
/// A state that differs from the results of its run, under right digests.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include <grundy/machine.hpp>

#include "run/run_directory.hpp"
#include "run/segment_writer.hpp"
#include "session/run_state.hpp"

namespace grundy::testing_support {

/// Writes the last segment of a run anew: `change` gets the newest values and the state.
inline void forge_state(const std::filesystem::path& run,
                        const std::function<void(std::vector<Nimber>&, RunState&)>& change) {
  const Segment last = read_run(run).segments.back();
  std::vector<Nimber> newest(last.header.newest);
  read_segment(last, last.header.first(), newest);
  RunState state = parse_run_state(read_state_text(last), last.header.end());
  change(newest, state);
  std::filesystem::remove(last.path);
  SegmentHeader start = last.header;
  start.begin = last.header.first();
  start.count = 0;
  SegmentWriter writer(run, start);
  const auto executor = make_executor(1);
  ValueChunks chunks(*executor, start, [&](const ValueChunk& chunk) { writer.append(chunk); });
  chunks.put(Values(std::span<const Nimber>(newest)));
  chunks.end();
  writer.append_text(to_text(state));
  writer.end_state(last.header.begin);
  writer.seal(last.header.previous);
}

}  // namespace grundy::testing_support
