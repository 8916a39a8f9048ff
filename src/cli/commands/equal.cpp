// SPDX-License-Identifier: MIT
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/attended_run.hpp"
#include "cli/commands.hpp"
#include "cli/run_options.hpp"
#include "cli/sum_text.hpp"

namespace grundy::cli {
namespace {

struct EqualOptions {
  std::string first, second;
};

int run_equal(Console& console, const EqualOptions& options) {
  AttendedRun run(console, "positions");
  const Hooks hooks = run.hooks();
  const auto a = GameSum::read({options.first}, hooks);
  const auto b = a ? GameSum::read({options.second}, hooks) : std::nullopt;
  run.end();
  if (!b) return console.fail(kExitStopped, "stopped before both values were found");
  const std::uint64_t of_a = a->value();
  const std::uint64_t of_b = b->value();
  const std::uint64_t of_both = of_a ^ of_b;
  if (console.json) {
    console.print_json(
        {{"equal", of_a == of_b},
         {"a", sum_json(*a)},
         {"b", sum_json(*b)},
         {"sum_of_both", {{"value", of_both}, {"outcome", of_both == 0 ? "P" : "N"}}}});
    return 0;
  }
  console.print("{}\n", of_a == of_b ? "equal" : "different");
  console.field("A", fmt::format("value {}: {}", of_a, options.first));
  console.field("B", fmt::format("value {}: {}", of_b, options.second));
  console.field("A + B", fmt::format("value {}, {}", of_both, outcome_sentence(of_both)));
  return 0;
}

}  // namespace

Command equal_command(Console& console) {
  auto options = std::make_shared<EqualOptions>();
  Command command{.name = "equal", .help = "Compare two sums of games for equivalence"};
  const auto sum = [](const char* name, std::string& text) {
    return Option{
        .names = name,
        .target = &text,
        .help = "A sum: components as for `grundy sum`, with blanks or ` + ` between them",
        .required = true,
        .offers = game_names()};
  };
  command.add({sum("A", options->first), sum("B", options->second)});
  command.footer = R"(Two impartial games are equivalent if either may stand for the other in every
sum. This holds if and only if their values are equal, that is, if and only if their sum is a P-position.

Examples:
  grundy equal "kayles:12,7" "nim:6"
  grundy equal "cram:3x4 wythoff:3,5" "nim:6"
)";
  command.run = [&console, options](const Command&) { return run_equal(console, *options); };
  return command;
}

}  // namespace grundy::cli
