/// @file
/// A bit that flips in a chunk of a table, or of heaps that are to be sealed, while the chunk waits
/// for its last values. To find such chunks, this program replaces operator new.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <new>
#include <span>
#include <vector>

#include <gmock/gmock.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>

#include "support/errors.hpp"
#include "support/files.hpp"

namespace {

constexpr std::size_t kChunkBytes = 1u << 16;  // 256 x 256 values of a byte

/// Blocks of that size that are in use.
struct Blocks {
  std::mutex mutex;
  void* at[1024] = {};

  void replace(void* from, void* to) {
    const std::lock_guard lock(mutex);
    void** const place = std::find(std::begin(at), std::end(at), from);
    if (place != std::end(at)) *place = to;
  }
};
Blocks blocks;

}  // namespace

// Inlined, they look like a mismatch of malloc() and operator delete to the compiler.
[[gnu::noinline]] void* operator new(std::size_t size) {
  void* const block = std::malloc(size);
  if (block == nullptr) throw std::bad_alloc();
  if (size == kChunkBytes) blocks.replace(nullptr, block);
  return block;
}
[[gnu::noinline]] void operator delete(void* block, std::size_t size) noexcept {
  if (size == kChunkBytes && block != nullptr) blocks.replace(block, nullptr);
  std::free(block);
}
[[gnu::noinline]] void operator delete(void* block) noexcept {
  if (block != nullptr) blocks.replace(block, nullptr);
  std::free(block);
}

namespace grundy::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr std::byte kAbsent{0xff};  ///< a value that has not come
constexpr std::byte kMost{10};      ///< no value of the game is larger

/// At half time, turns a bit in a chunk that has some of its values.
class Fault final : public ProgressSink {
 public:
  void report(const Progress& progress) override {
    if (turned || progress.share() < 0.5) return;
    const std::lock_guard lock(blocks.mutex);
    for (void* const block : blocks.at) {
      if (block == nullptr) continue;
      const std::span bytes(static_cast<std::byte*>(block), kChunkBytes);
      const auto is_value = [](std::byte b) { return b <= kMost; };
      const auto absent = std::ranges::count(bytes, kAbsent);
      const auto values = std::ranges::count_if(bytes, is_value);
      if (absent == 0 || values == 0 || absent + values != std::ssize(bytes)) continue;
      *std::ranges::find_if(bytes, is_value) ^= std::byte{1};
      turned = true;
      return;
    }
  }
  bool turned = false;
};

TEST(MemoryFault, ABitThatTurnsInAChunkIsNotPublished) {
  const struct {
    Request request;
    const char* reason;
    std::uint64_t segment = 20000;  ///< bytes of values
  } runs[] = {{{.game = LatticeGame{LatticeRule::parse("2: sym (1,0)*{1,2} + (1,1)"),
                                    LatticeShape::cube(2, 600)}},
               "do not read back as they were computed"},
              {{.game = LatticeGame{LatticeRule::parse("2: (1,0)*{1,2} + (0,1)*{1,3} + (1,2)"),
                                    LatticeShape::cube(2, 600)}},
               "do not read back as they were computed"},
              {{.game = HeapGame{.rule = HeapRule::parse("0.77"),
                                 .last = 6 * kChunkBytes,
                                 .at_period = AtPeriod::kCompute},
                .machine = {.block = 1000},
                .output = {.chunk = kChunkBytes}},
               "have changed in the memory of this process before they were sealed",
               kChunkBytes}};
  for (const auto& [game, reason, segment] : runs) {
    const testing_support::TemporaryDirectory place;
    Request request = game;
    request.machine.backend = "threads";
    request.machine.threads = 1;  // blocks are looked at while nobody works on them
    const Report right = compute(request);
    ASSERT_LE(right.info.stats.max_value, static_cast<Nimber>(kMost));

    request.output.path = place / "t.h5";
    request.output.checkpoint.bytes = segment;
    Fault fault;
    const Error error = testing_support::error_of([&] { compute(request, {.progress = &fault}); });
    ASSERT_TRUE(fault.turned);
    EXPECT_EQ(error.code(), ErrorCode::kFailure);
    EXPECT_THAT(error.what(), HasSubstr(reason));
    EXPECT_THAT(error.what(), HasSubstr("can go on from there"));
    EXPECT_FALSE(fs::exists(request.output.path));
    EXPECT_TRUE(fs::exists(place / "t.h5.run"));

    const Report report = compute(request);
    ASSERT_TRUE(report.complete);
    EXPECT_EQ(report.info.stats.digest, right.info.stats.digest);
  }
}

}  // namespace
}  // namespace grundy::testing
