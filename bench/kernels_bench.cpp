/// @file
/// Nanoseconds per pair of the kernels of the dense engine, for every set and width.
// SPDX-License-Identifier: MIT
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "kernels/kernels.hpp"

namespace {

using namespace grundy;

constexpr std::size_t kPairs = 4096;
constexpr std::size_t kLanes = 128;
constexpr std::size_t kFirst = 1024;
constexpr std::size_t kPartner = 1024 + 4 * kPairs;

/// Values below 200: they fit every width, and their sums 256 marks.
template <class T>
std::vector<T> some_values() {
  std::mt19937_64 random(1);
  std::vector<T> values(kPartner + 2 * kPairs);
  for (T& value : values) value = static_cast<T>(random() % 200);
  return values;
}

template <class T>
void register_width(const KernelSet& set, const std::string& suffix) {
  const TypedValueKernels<T>& kernels = set.of<T>();
  const auto add = [&](const char* name, std::size_t pairs, auto&& body) {
    benchmark::RegisterBenchmark(
        (std::string(name) + "/" + std::string(set.name) + "/" + suffix).c_str(),
        [body, pairs](benchmark::State& state) {
          const std::vector<T> values = some_values<T>();
          for (auto _ : state) body(values.data());
          state.counters["ns_per_pair"] =
              benchmark::Counter(static_cast<double>(state.iterations() * pairs) / 1e9,
                                 benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
        });
  };
  add("probe_pairs", kPairs * kLanes, [&kernels](const T* values) {
    const std::vector<T> candidate(kLanes, T{255});  // reached by no pair: no early end
    std::uint64_t hits[kLanes / 64];
    kernels.probe_pairs(values, kFirst, kPartner, kPairs, candidate.data(), kLanes, hits);
    benchmark::DoNotOptimize(hits);
  });
  add("find_pair", kPairs, [&kernels](const T* values) {
    benchmark::DoNotOptimize(kernels.find_pair(values, kFirst, kPartner, kPairs, T{255}));
  });
  add("mark_pairs", kPairs, [&kernels](const T* values) {
    std::uint8_t marks[256];
    kernels.mark_pairs(values, kFirst, kPartner, kPairs, marks);
    benchmark::DoNotOptimize(marks);
  });
}

}  // namespace

int main(int argc, char** argv) {
  for (const KernelSet& set : available_kernels()) {
    register_width<std::uint8_t>(set, "u8");
    register_width<std::uint16_t>(set, "u16");
    register_width<std::uint32_t>(set, "u32");
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
