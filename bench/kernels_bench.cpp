/// @file
/// Nanoseconds per pair of the kernels of the dense engine, for every set and width, and of the
/// nim-product by the width of its operands, whose results are checked first.
// SPDX-License-Identifier: MIT
#include <cstdio>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include <grundy/nim.hpp>

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

/// Counts bytes with this number of different values.
void register_histogram(const KernelSet& set, unsigned different) {
  benchmark::RegisterBenchmark(
      ("histogram/" + std::string(set.name) + "/" + std::to_string(different)).c_str(),
      [&set, different](benchmark::State& state) {
        std::vector<std::uint8_t> values = some_values<std::uint8_t>();
        for (std::uint8_t& value : values) value = static_cast<std::uint8_t>(value % different);
        std::vector<std::uint64_t> counts(256);
        for (auto _ : state) {
          set.of<std::uint8_t>().histogram(values.data(), values.size(), counts.data());
        }
        state.counters["ns_per_value"] =
            benchmark::Counter(static_cast<double>(state.iterations() * values.size()) / 1e9,
                               benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
      });
}

/// Random numbers of 64 bits; products of neighbours are taken.
std::vector<std::uint64_t> operands(unsigned bits) {
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> all(2 * kPairs);
  for (std::uint64_t& x : all) x = random() >> (64 - bits);
  return all;
}

std::uint64_t sum_of_products(const std::vector<std::uint64_t>& all) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < all.size(); i += 2) sum ^= nim_product(all[i], all[i + 1]);
  return sum;
}

/// Returns false, and says so, if the products are wrong.
bool register_nim_products() {
  // Computed from products of powers of two, by Conway's theorem.
  constexpr std::pair<unsigned, std::uint64_t> kSums[] = {
      {8, 27u}, {16, 47467u}, {32, 2910713023u}, {64, 11876245429803835786u}};
  for (const auto& [bits, sum] : kSums) {
    if (sum_of_products(operands(bits)) != sum) {
      std::fprintf(stderr, "nim-products of %u bits are wrong\n", bits);
      return false;
    }
    benchmark::RegisterBenchmark(("nim_product/u" + std::to_string(bits)).c_str(),
                                 [all = operands(bits)](benchmark::State& state) {
                                   for (auto _ : state) {
                                     benchmark::DoNotOptimize(sum_of_products(all));
                                   }
                                   state.counters["ns_per_pair"] = benchmark::Counter(
                                       static_cast<double>(state.iterations() * kPairs) / 1e9,
                                       benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
                                 });
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  for (const KernelSet& set : available_kernels()) {
    register_width<std::uint8_t>(set, "u8");
    register_width<std::uint16_t>(set, "u16");
    register_width<std::uint32_t>(set, "u32");
    for (const unsigned different : {10, 26, 65, 200}) register_histogram(set, different);
  }
  if (!register_nim_products()) return 3;
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
