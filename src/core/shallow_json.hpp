/// @file
/// A limit for JSON from outside. nlohmann's library reads any depth, but writes and hashes a
/// document by recursion: a file of a few million `[` would end the process.
// SPDX-License-Identifier: MIT
#pragma once

namespace grundy {

/// A callback for nlohmann's parse(). It drops whatever is nested deeper than our own files are.
inline constexpr auto kShallowJson = [](int depth, const auto& /*event*/, const auto& /*value*/) {
  constexpr int kDeepest = 16;
  return depth <= kDeepest;
};

}  // namespace grundy
