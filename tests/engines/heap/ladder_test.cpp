/// @file
/// The ladder: every engine, with every kernel set, several thread counts and block sizes, gives
/// the values of the reference engine for random rules of every kind.
///
/// rapidcheck draws the rules, as many as RC_PARAMS says (CMakeLists.txt sets a fixed seed), and a
/// few of the combinations for each rule. A failure is shrunk as far as possible, and names the
/// rule, the combination and the first heap that differs.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "engines/heap/reference_engine.hpp"
#include "games/heap/random_formula.hpp"
#include "heap_testing.hpp"
#include "support/arguments.hpp"

namespace grundy {
namespace {

using testing_support::CollectSink;
using testing_support::values_by;

/// The draws of rapidcheck, over the whole of a range from the first rule on.
class Random {
 public:
  /// 0 .. bound-1
  std::uint64_t below(std::uint64_t bound) {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint64_t>(0, bound));
  }
  char one_of(std::string_view characters) { return characters[below(characters.size())]; }
  std::string several_of(std::string_view characters, std::uint64_t least, std::uint64_t most) {
    std::string out;
    for (auto left = least + below(most - least + 1); left > 0; --left) out += one_of(characters);
    return out;
  }
};

constexpr std::string_view kOctal = "01234567";

std::string set_of(Random& random, std::uint64_t most_elements, std::uint64_t largest) {
  std::string out = "{";
  out += std::to_string(1 + random.below(largest));
  for (auto left = random.below(most_elements); left > 0; --left) {
    out += ',';
    out += std::to_string(1 + random.below(largest));
  }
  out += '}';
  return out;
}

/// A kind of rules, with the number of heaps that the reference computes quickly, and soon enough.
struct Kind {
  const char* name;
  HeapSize count, slow_count;
  std::string (*draw)(Random&);
};

const Kind kKinds[] = {
    {"ShortOctal", 3000, 3000,
     [](Random& r) { return std::string("0.") + r.several_of(kOctal, 1, 3); }},
    {"LongOctal", 3000, 3000,
     [](Random& r) { return std::string("0.") + r.several_of(kOctal, 4, 12); }},
    {"SparseOctal", 3000, 3000,
     [](Random& r) {
       return "0." + std::string(r.below(140), '0') + r.several_of(kOctal, 1, 2) + r.one_of("4567");
     }},
    {"SplittingOctal", 3000, 3000,
     [](Random& r) { return std::string("4.") + r.several_of(kOctal, 1, 4); }},
    {"Unequal", 3000, 3000,
     [](Random& r) {
       std::string code = r.below(2) == 0 ? "4!." : "0.";
       for (auto digits = 1 + r.below(4); digits > 0; --digits) {
         code += r.one_of(kOctal);
         if (code.back() >= '4') code += r.several_of("!?=", 0, 1);
       }
       return code;
     }},
    {"Repeating", 600, 1500,
     [](Random& r) {
       return std::string(1, r.one_of("04")) + "." + r.several_of(kOctal, 0, 3) + "[" +
              r.several_of(kOctal, 1, 3) + "]";
     }},
    {"RepeatingTakes", 3000, 3000,
     [](Random& r) {
       return std::string("0.") + r.several_of("0123", 0, 9) + "[" + r.several_of("0123", 1, 4) +
              "]";
     }},
    {"Hexadecimal", 600, 3000,
     [](Random& r) {
       return "hex:" + std::string(1, r.one_of("048C")) + "." +
              r.several_of("0123456789ABCDEF", 0, 2) + r.one_of("89ABCDEF");
     }},
    {"HexadecimalConstrained", 400, 1200,
     [](Random& r) {
       return std::string("hex:0.") + r.several_of("0123456789ABCDEF", 0, 2) + r.one_of("8C") +
              r.several_of("!?=", 0, 1);
     }},
    {"FourHeaps", 120, 300,
     [](Random& r) {
       return std::string("0.") + r.several_of("0137CFGNV", 0, 2) + r.one_of("GHNV") +
              r.several_of("?=", 0, 1);
     }},
    {"AnyNumberOfHeaps", 44, 50,
     [](Random& r) {
       return std::string("0.") + r.several_of("0137CG*", 0, 2) +
              (r.below(2) == 0 ? "*" : "{2,3+}") + r.several_of("=", 0, 1);
     }},
    {"FiniteSubtraction", 3000, 3000,
     [](Random& r) { return std::string("S") + set_of(r, 8, 12 << r.below(7)); }},
    {"AllButSubtraction", 3000, 3000,
     [](Random& r) { return std::string("AllBut") + set_of(r, 5, 2 + r.below(90)); }},
    {"NamedSubtraction", 3000, 3000,
     [](Random& r) {
       constexpr std::array kSets = {"S{squares}", "S{primes}", "S{factorials}", "S{fibonacci}",
                                     "S{powers of 2}"};
       return std::string(kSets[r.below(kSets.size())]);
     }},
    {"Formula", 700, 2500,
     [](Random& r) {
       return test::random_formula([&](std::uint64_t bound) { return r.below(bound); });
     }},
    {"Relation", 700, 2500,
     [](Random& r) {
       // Relations, and rules that are nearly one.
       constexpr std::array kRules = {"n -> n - d : not d | n",
                                      "n -> d : not d | n",
                                      "n -> n - d : not d | n, n > d",
                                      "n -> d : d < n, not d | n",
                                      "n -> n - d : gcd(d, n) = 1",
                                      "n -> n - d : d < n, 1 = gcd(n, d)",
                                      "n -> d : gcd(d, n) = 1, d < n",
                                      "n -> n - d : gcd(d, n) = 1, d < n - 1",
                                      "n -> n - d : not d | n, d > 1",
                                      "n -> d : not d | n, 2*d < n",
                                      "n -> n - d : gcd(d, n) > 1",
                                      "n -> n - d : not d | n, gcd(d, n) = 1",
                                      "n -> n - d, n - 1 : not d | n",
                                      "n -> n - d : not d | n; n - 2",
                                      "n -> n - 2*d : gcd(d, n) = 1",
                                      "n -> d - 1 : gcd(d, n) = 1",
                                      "n -> n - d : gcd(d, n + 1) = 1",
                                      "n -> n - d : not d | n + 1",
                                      "n -> d : d < n, gcd(d, n) = 1, n mod 3 = 1"};
       return std::string(kRules[r.below(kRules.size())]);
     }},
};

Executor& executor_of(std::size_t threads) {
  static std::map<std::size_t, std::unique_ptr<Executor>> executors;
  auto& executor = executors[threads];
  if (!executor) executor = make_executor(threads, testing_support::arguments().backend);
  return *executor;
}

/// The settings that must not change the values.
struct Combination {
  const KernelSet* kernels;
  std::size_t threads;
  std::optional<HeapSize> block;
};

std::vector<Combination> all_combinations() {
  std::vector<Combination> out;
  using Block = std::optional<HeapSize>;
  for (const Block block : {Block(), Block(1), Block(64), Block(100), Block(1024)}) {
    for (const std::size_t threads : {1, 2, 3}) {
      for (const KernelSet& kernels : available_kernels())
        out.push_back({&kernels, threads, block});
    }
  }
  // Neighbours differ in all three, so that a few of them already say much.
  std::shuffle(out.begin(), out.end(), std::mt19937_64(1));
  return out;
}

class Ladder : public testing::TestWithParam<Kind> {};

INSTANTIATE_TEST_SUITE_P(Kinds, Ladder, testing::ValuesIn(kKinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

TEST_P(Ladder, EnginesEqualTheReference) {
  constexpr std::size_t kCombinationsPerRule = 4;
  const Kind& kind = GetParam();
  // The quick run is for ThreadSanitizer, under which all is slow.
  using testing_support::Effort;
  const Effort effort = testing_support::arguments().effort;
  const HeapSize count = effort == Effort::kLong    ? kind.slow_count
                         : effort == Effort::kUsual ? kind.count
                                                    : kind.count / 4;
  const std::vector<Combination> combinations = all_combinations();
  const bool holds = rc::check([&] {
    Random random;
    const std::string notation = kind.draw(random);
    const HeapRule rule = HeapRule::parse(notation);
    const std::vector<Nimber> expected = values_by(ReferenceEngine(), rule, count);
    for (const HeapEngine* engine : heap_engines().subspan(1)) {
      if (!engine->refusal(rule).empty()) continue;
      const std::size_t first = random.below(combinations.size());
      for (std::size_t run = 0; run < kCombinationsPerRule; ++run) {
        const Combination& with = combinations[(first + run) % combinations.size()];
        CollectSink sink;
        const HeapTask task{.rule = rule,
                            .count = count,
                            .kernels = *with.kernels,
                            .executor = executor_of(with.threads),
                            .stop = {},
                            .block = with.block};
        RC_ASSERT(engine->run(task, sink) == RunStatus::kComplete);
        const auto differ = std::mismatch(expected.begin(), expected.end(), sink.values().begin(),
                                          sink.values().end());
        if (differ.first == expected.end() && differ.second == sink.values().end()) continue;
        std::ostringstream out;
        out << notation << " (" << rule.canonical() << ") by " << engine->name() << " with "
            << with.kernels->name << ", " << with.threads << " threads, blocks of "
            << with.block.value_or(0) << ": first difference at heap "
            << differ.first - expected.begin();
        RC_FAIL(out.str());
      }
    }
  });
  EXPECT_TRUE(holds);
}

}  // namespace
}  // namespace grundy
