/// @file
/// JSON that comes from outside. The library reads any depth, but writes and hashes a document by
/// recursion: a file of a few million `[` would end the process.
// SPDX-License-Identifier: MIT
#pragma once

namespace grundy {

/// The callback of nlohmann's parse(): leaves out what lies deeper than any file of ours goes.
inline constexpr auto kShallowJson = [](int depth, const auto& /*event*/, const auto& /*value*/) {
  constexpr int kDeepest = 16;
  return depth <= kDeepest;
};

}  // namespace grundy
