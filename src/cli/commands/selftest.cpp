// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/heap/engine.hpp>

#include "cli/commands.hpp"
#include "cli/run_options.hpp"
#include "cli/soak.hpp"
#include "core/digest.hpp"
#include "core/text.hpp"
#include "kernels/kernels.hpp"

namespace grundy::cli {
namespace {

/// A game with published values, and the digest of its first values.
struct Case {
  std::string_view game;
  std::string_view source;
  std::array<Nimber, 16> first;  ///< as published, from heap 0 on
  HeapSize count;                ///< values in the digest
  std::string_view digest;       ///< by an independent program from the definition
};

constexpr std::array kCases{
    Case{"0.77",
         "OEIS A002186",
         {0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7},
         3000,
         "f3a063a5bc125d0f8cb73e575a2f8df4"},
    Case{"0.137",
         "OEIS A002187",
         {0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5},
         3000,
         "5eb20c698beff8e3c5b2c042142dcd23"},
    Case{"0.007",
         "OEIS A071426, shifted",
         {0, 0, 0, 1, 1, 1, 2, 2, 0, 3, 3, 1, 1, 1, 0, 4},
         3000,
         "c00da7284a78eb1eab49cd8d41f456eb"},
    Case{"4!.0",
         "OEIS A002188",
         {0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1},
         3000,
         "292e54d6b732fae3805dbc5947efc72e"},
    Case{"4.3",
         "the definition",
         {0, 1, 2, 0, 2, 0, 2, 0, 2, 0, 2, 0, 2, 0, 2, 0},
         2000,
         "aa7b63f020858317f08950401e0697dc"},
    Case{"0.8F",
         "the definition",
         {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8},
         300,
         "9fe28b8bbc80d6c6b0216bddcf085d9f"},
    Case{"S{1,2,5}",
         "the definition",
         {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0},
         3000,
         "e013a3095b70a17ae27729553bdaf11f"},
    Case{"AllBut{2,4}",
         "the definition",
         {0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3, 4, 5, 4, 5},
         2000,
         "1deccdee0d35db2bf5b896221c572b9a"},
    Case{"S{squares}",
         "OEIS A014586",
         {0, 1, 0, 1, 2, 0, 1, 0, 1, 2, 0, 1, 0, 1, 2, 0},
         3000,
         "82502ce58108c668f1d4e0d126c22d6e"},
    Case{"S{primes}",
         "OEIS A014589",
         {0, 0, 1, 1, 2, 2, 3, 3, 4, 0, 0, 1, 1, 2, 2, 3},
         3000,
         "2a3d32f292b319a19b0a42f1201e7897"},
};

/// Keeps the first values of a run.
class FirstValues {
 public:
  Flow put(const Stretch& block) {
    for (std::size_t i = 0; i < block.values.size() && values_.size() < wanted; ++i) {
      values_.push_back(block.values[i]);
    }
    return Flow::kContinue;
  }
  [[nodiscard]] bool equal(const std::array<Nimber, 16>& expected) const {
    return std::ranges::equal(values_, expected);
  }

 private:
  static constexpr std::size_t wanted = 16;
  std::vector<Nimber> values_;
};

/// What is wrong; nothing if all is right.
std::optional<std::string> fault_of(const Case& test, const Request& request) {
  FirstValues first;
  const Report report =
      compute(request, {.values = [&first](const Stretch& block) { return first.put(block); }});
  if (!first.equal(test.first)) return "the first values differ from " + std::string(test.source);
  if (to_hex(report.info.stats.digest) != test.digest) return "the digest differs";
  return std::nullopt;
}

struct Outcome {
  std::string game, engine, kernel;
  std::optional<std::string> fault;
};

/// Runs every case with every engine that takes it and every kernel, without and with extension.
std::vector<Outcome> run_all(const std::function<void(const Outcome&)>& show) {
  std::vector<Outcome> outcomes;
  for (const Case& test : kCases) {
    HeapGame game{.rule = HeapRule::parse(test.game), .last = test.count - 1};
    for (const HeapEngine* engine : heap_engines()) {
      if (!detail::suits(*engine, game.rule)) continue;
      for (const KernelSet& kernels : available_kernels()) {
        const Machine machine{.engine = std::string(engine->name()),
                              .kernel = std::string(kernels.name)};
        Outcome outcome{std::string(test.game), machine.engine, machine.kernel, std::nullopt};
        for (const AtPeriod at_period : {AtPeriod::kCompute, AtPeriod::kExtend}) {
          game.at_period = at_period;
          if (!outcome.fault) outcome.fault = fault_of(test, {.game = game, .machine = machine});
        }
        show(outcome);
        outcomes.push_back(std::move(outcome));
      }
    }
  }
  return outcomes;
}

int run_selftest(Console& console) {
  const auto outcomes = run_all([&console](const Outcome& outcome) {
    if (console.json) return;
    console.print("{:<9} {:<18} {:<12} {}\n", outcome.fault ? "MISMATCH" : "ok", outcome.game,
                  outcome.engine, outcome.kernel);
    console.out().flush();
  });
  const auto bad = std::ranges::find_if(outcomes, [](const Outcome& o) { return bool(o.fault); });
  if (console.json) {
    Json list = Json::array();
    for (const Outcome& outcome : outcomes) {
      list.push_back({{"game", outcome.game},
                      {"engine", outcome.engine},
                      {"kernel", outcome.kernel},
                      {"ok", !outcome.fault},
                      {"fault", outcome.fault ? Json(*outcome.fault) : Json()}});
    }
    console.print_json({{"ok", bad == outcomes.end()}, {"checks", list}});
  }
  if (bad == outcomes.end()) {
    if (!console.json) console.print("all {} checks are right\n", outcomes.size());
    return 0;
  }
  console.out().flush();
  throw Error(ErrorCode::kMismatch,
              fmt::format("{} with engine {} and kernel {}: {}; do not trust this machine or build",
                          bad->game, bad->engine, bad->kernel, *bad->fault));
}

}  // namespace

Command selftest_command(Console& console) {
  auto soak = std::make_shared<std::string>();
  Command command{.name = "selftest",
                  .help = "Check the engines of one heap, with every kernel, against known values"};
  command.add({{.names = "--soak",
                .value = "TIME",
                .target = soak.get(),
                .help = "Compute random games of one heap in two ways for a time (60min, 90s, 8h), "
                        "and compare"}});
  command.footer = R"(Takes a few seconds without --soak. Exit code 3 if anything differs.

Examples:
  grundy selftest
  grundy selftest --soak 60min
)";
  command.run = [&console, soak](const Command&) {
    if (soak->empty()) return run_selftest(console);
    return run_soak(console, duration_option("--soak", *soak),
                    [](const Request& request, const std::stop_token& stop) {
                      return compute(request, {.stop = stop});
                    });
  };
  return command;
}

}  // namespace grundy::cli
