/// @file
/// Damage to the sealed files of a run, of one heap or of several.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <filesystem>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <grundy/error.hpp>
#include <grundy/verify.hpp>

#include "run/segment_log.hpp"
#include "verify/verify_testing.hpp"

namespace grundy::verify_test {

/// Flips one bit at `times` random places of the segments of `run`, one after the other.
inline void expect_flipped_bits_of_segments_are_damage(const std::filesystem::path& run,
                                                       unsigned seed, int times) {
  std::mt19937 random(seed);
  const auto expect_damage = [&](const std::filesystem::path& path, std::size_t at) {
    const std::string good = store_test::bytes_of(path);
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ (1 << draw(random, 8)));
    store_test::write_bytes(path, bad);
    try {
      static_cast<void>(
          verify({.table = run, .samples = 0, .seconds = 0, .machine = {.backend = "threads"}}));
      ADD_FAILURE() << "byte " << at << " of " << path;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kCorrupt) << error.what();
    }
    store_test::write_bytes(path, good);
  };
  const std::vector<Segment> segments = read_run(run).segments;
  for (int i = 0; i < times; ++i) {
    const auto& path = segments[draw(random, static_cast<unsigned>(segments.size()))].path;
    const auto bytes = static_cast<unsigned>(std::filesystem::file_size(path));
    expect_damage(path, draw(random, bytes));
  }
  // What a state says behind its values: of each of the last ones.
  for (const Segment& segment :
       std::span(segments).last(std::min<std::size_t>(segments.size(), 5))) {
    if (!segment.header.is_state()) continue;
    const auto bytes = static_cast<unsigned>(std::filesystem::file_size(segment.path));
    const auto text = static_cast<unsigned>(segment.header.text_bytes);
    expect_damage(segment.path, bytes - 1 - draw(random, text));
  }
}

}  // namespace grundy::verify_test
