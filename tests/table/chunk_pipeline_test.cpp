/// @file
/// Chunks that repeat are transformed twice at most, and buffers are used again.
// SPDX-License-Identifier: MIT
#include "table/chunk_pipeline.hpp"

#include <atomic>
#include <set>

#include <gtest/gtest.h>

#include "core/digest.hpp"

namespace grundy::store_test {
namespace {

constexpr std::size_t kSize = 4096;

/// Pushes `count` chunks, of which those with the same number modulo `period` are equal.
/// @return how often a chunk was transformed
std::size_t transformed(std::size_t count, std::size_t period, ChunkBuffers& buffers,
                        std::set<const std::byte*>& places) {
  const auto executor = make_executor(2, "threads");
  std::atomic<std::size_t> times = 0;
  std::size_t next = 0;
  ChunkPipeline pipeline(
      *executor, buffers,
      [&](const Bytes& input) {
        ++times;
        return Bytes{input.front(), input.back()};
      },
      [&](const Bytes& output) {
        EXPECT_EQ(output.front(), static_cast<std::byte>(next % period % 251));
        ++next;
      });
  for (std::size_t i = 0; i < count; ++i) {
    Bytes input = buffers.take(kSize);
    places.insert(input.data());
    for (std::size_t at = 0; at < kSize; ++at) input[at] = static_cast<std::byte>(i % period >> 8);
    input.front() = static_cast<std::byte>(i % period % 251);
    const std::uint64_t hash = hash64(input);
    pipeline.push(std::move(input), hash);
  }
  pipeline.drain();
  EXPECT_EQ(next, count);
  return times;
}

TEST(ChunkPipeline, TransformsChunksThatRepeatTwice) {
  ChunkBuffers buffers;
  std::set<const std::byte*> places;
  EXPECT_EQ(transformed(2000, 100, buffers, places), 200U);
}

TEST(ChunkPipeline, UsesBuffersAgain) {
  ChunkBuffers buffers;
  std::set<const std::byte*> places;
  EXPECT_EQ(transformed(2000, 2000, buffers, places), 2000U);
  EXPECT_LT(places.size(), 100U);
}

}  // namespace
}  // namespace grundy::store_test
