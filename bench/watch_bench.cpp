/// @file
/// The cost of watching a run: processor nanoseconds for each value, of the search for a returning
/// window and of the digests, on values that come in blocks and stay in the cache.
///
/// The cases are values without a pattern; values that nearly repeat with a short period, so that a
/// window is almost found again and again; and values of two kinds only, so that no few of them are
/// rare. No figure is printed if the search finds a period that does not exist, or misses one.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "arguments.hpp"
#include "core/digest.hpp"
#include "core/stopwatch.hpp"
#include "theory/return_search.hpp"

namespace {

using namespace grundy;  // NOLINT(google-build-using-namespace)

constexpr HeapSize kBlock = HeapSize{1} << 18;
constexpr int kBlocks = 256;
constexpr int kWarmUp =
    64;  ///< blocks before the clock starts: windows are remembered ever more rarely
constexpr int kRounds = 5;

enum class Case { kNoPattern, kNearlyRepeats, kTwoValues };

/// Values of a case, block by block.
template <class T>
class Source {
 public:
  explicit Source(Case kind) : kind_(kind), values_(kBlock) {}

  std::span<const T> next() {
    for (T& value : values_) {
      const std::uint64_t draw = random_();
      switch (kind_) {
        case Case::kNoPattern:
          value = static_cast<T>(std::min(draw % 29, draw / 29 % 29));
          break;
        case Case::kNearlyRepeats:
          value = static_cast<T>(draw % 3000 == 0 ? 12 + draw / 3000 % 2 : at_ % 12);
          break;
        case Case::kTwoValues:
          value = static_cast<T>(draw % 2);
      }
      ++at_;
    }
    return values_;
  }

 private:
  Case kind_;
  std::minstd_rand random_{17};
  std::uint64_t at_ = 0;
  std::vector<T> values_;
};

/// The least nanoseconds for each value among some rounds; `begin` makes the sink for the blocks of
/// a round.
template <class T, class Begin>
double nanoseconds(Case kind, const Begin& begin) {
  double least = std::numeric_limits<double>::max();
  for (int round = 0; round < kRounds; ++round) {
    Source<T> source(kind);
    auto watch = begin();
    double seconds = 0;
    for (int block = 0; block < kBlocks; ++block) {
      const Values values = source.next();
      const double start = processor_seconds();
      watch(static_cast<HeapSize>(block) * kBlock, values);
      if (block >= kWarmUp) seconds += processor_seconds() - start;
    }
    least = std::min(least, seconds * 1e9 / ((kBlocks - kWarmUp) * static_cast<double>(kBlock)));
  }
  return least;
}

template <class T>
void search_case(const char* name, Case kind) {
  bool good = true;
  const double cost = nanoseconds<T>(kind, [&good] {
    return [&good, search = ReturnSearch(3)](HeapSize begin, Values values) mutable {
      const SparseFacts facts{
          .mask = 1, .last_rare = 1103, .depth = 16383, .count = begin + values.size()};
      if (search.observe({.begin = begin, .values = values, .table = {}, .sparse = &facts})) {
        good = false;
      }
    };
  });
  if (!good) throw Error(ErrorCode::kMismatch, "a period was found where there is none");
  fmt::print("{:32} {} byte{} {:8.3f} ns\n", name, sizeof(T), sizeof(T) == 1 ? " " : "s", cost);
}

template <class Digest>
void digest_case(const char* name) {
  const double cost = nanoseconds<std::uint8_t>(Case::kNoPattern, [] {
    return
        [digest = Digest()](HeapSize /*begin*/, Values values) mutable { digest.update(values); };
  });
  fmt::print("{:32} 1 byte  {:8.3f} ns\n", name, cost);
}

}  // namespace

int main(int argc, char** argv) {
  return run_bench("bench_watch", argc, argv, [](const Arguments& arguments) {
    arguments.expect_at_most(0);
    search_case<std::uint8_t>("return, no pattern", Case::kNoPattern);
    search_case<std::uint16_t>("return, no pattern", Case::kNoPattern);
    search_case<std::uint32_t>("return, no pattern", Case::kNoPattern);
    search_case<std::uint8_t>("return, nearly repeats", Case::kNearlyRepeats);
    search_case<std::uint8_t>("return, two values", Case::kTwoValues);
    digest_case<SequentialDigest>("digest in one piece");
    digest_case<ValueDigest>("digest by sections");
  });
}
