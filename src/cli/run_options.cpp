// SPDX-License-Identifier: MIT
#include "cli/run_options.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/games.hpp>
#include <grundy/graph/engine.hpp>
#include <grundy/heap/engine.hpp>
#include <grundy/lattice/engine.hpp>

#include "core/text.hpp"
#include "core/text_cursor.hpp"
#include "kernels/kernels.hpp"

namespace grundy::cli {
namespace {

/// Each name once, in alphabetical order.
std::vector<std::string> distinct(std::vector<std::string> names) {
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// Calls `parse` and puts the name of the option before its error message.
template <class Parse>
std::uint64_t parse_option(const char* option, const std::string& text, Parse parse) {
  try {
    return parse(text);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: {}", option, error.what()));
  }
}

constexpr const char* kGroup = "Engine";

std::string engine_help() {
  std::string help = kAutoName;
  for (const HeapEngine* engine : heap_engines()) help += fmt::format(", {}", engine->name());
  help += "; for several heaps: auto";
  for (const LatticeEngine* engine : lattice_engines()) help += fmt::format(", {}", engine->name());
  help += "; for positions: auto";
  for (const GraphEngine* engine : graph_engines()) help += fmt::format(", {}", engine->name());
  return help + "; all give the same values";
}

std::vector<std::string> engine_names() {
  std::vector<std::string> names{kAutoName};
  for (const HeapEngine* engine : heap_engines()) names.emplace_back(engine->name());
  for (const LatticeEngine* engine : lattice_engines()) names.emplace_back(engine->name());
  for (const GraphEngine* engine : graph_engines()) names.emplace_back(engine->name());
  return distinct(std::move(names));
}

/// The kernels of all machines: a completion script is made on one machine and used on another.
std::vector<std::string> kernel_names() {
  std::vector<std::string> names{kAutoName};
  for (const KernelSet& set : available_kernels()) names.emplace_back(set.name);
  for (const SkippedTarget& target : skipped_kernels()) names.emplace_back(target.name);
  return distinct(std::move(names));
}

/// The interval with what --checkpoint-interval says of it. @throws Error(kUsage)
CheckpointInterval checkpoint_option(const RunOptions& options, CheckpointInterval interval) {
  std::istringstream parts(options.checkpoint);
  for (std::string part; std::getline(parts, part, ',');) {
    const auto parse = [&](const std::string& text) -> std::uint64_t {
      if (text.find_first_of("bB") != std::string::npos) {
        return interval.bytes = parse_bytes(text);
      }
      interval.time = parse_duration(text);
      return 0;
    };
    parse_option("--checkpoint-interval", part, parse);
  }
  return interval;
}

}  // namespace

std::vector<std::string> game_names(std::initializer_list<GameKind> kinds) {
  std::vector<std::string> names;
  for (const NamedGame& game : catalogue()) {
    if (std::ranges::find(kinds, game.kind) != kinds.end()) names.emplace_back(game.name);
  }
  return distinct(std::move(names));
}

std::vector<std::string> game_names() {
  return game_names({GameKind::kHeap, GameKind::kLattice, GameKind::kGraph});
}

std::vector<Option> machine_options(RunOptions& options) {
  return {
      {.names = "--engine",
       .value = "NAME",
       .target = &options.engine,
       .help = engine_help(),
       .group = kGroup,
       .offers = engine_names()},
      {.names = "--kernel",
       .value = "NAME",
       .target = &options.kernel,
       .help = "Instruction set of the inner loops (`grundy cpu-info` lists them)",
       .group = kGroup,
       .offers = kernel_names()},
      {.names = "--threads",
       .value = "N",
       .target = &options.threads,
       .help = "Threads; all that may be used by default",
       .group = kGroup},
      {.names = "--backend",
       .value = "NAME",
       .target = &options.backend,
       .help = "Thread library: auto (which is tbb), tbb or threads",
       .group = kGroup,
       .offers = backend_names()},
      {.names = "--memory",
       .value = "SIZE",
       .target = &options.memory,
       .help = "Refuse to use more memory than this, such as 4GiB; what is free by default. Under "
               "MPI it "
               "is for each rank, and the ranks of a machine share what is free",
       .group = kGroup},
  };
}

std::vector<Option> run_options(RunOptions& options) {
  std::vector<Option> list = machine_options(options);
  list.push_back({.names = "--block",
                  .value = "N",
                  .target = &options.block,
                  .help = "Heaps a block, or edge of a tile; the engine's choice by default",
                  .group = kGroup});
  return list;
}

Option interval_option(RunOptions& options) {
  return {.names = "--checkpoint-interval",
          .value = "INTERVAL",
          .target = &options.checkpoint,
          .help =
              "Seal what is finished so often: a time, a size of values, or both; "
              "10min,256MiB by default; `resume` keeps that of the run",
          .group = kGroup};
}

Option last_option(std::string& target, std::string help) {
  return {.names = "--to", .value = "N", .target = &target, .help = std::move(help)};
}

Option output_option(std::string& target, std::string help) {
  return {.names = "-o,--output",
          .value = "FILE",
          .target = &target,
          .help = std::move(help),
          .writes = Writes::kHdf5};
}

Option force_option(bool& target, std::string help) {
  return {.names = "--force", .target = &target, .help = std::move(help)};
}

std::uint64_t count_option(const char* option, const std::string& text) {
  return parse_option(option, text, parse_count);
}

std::uint64_t memory_option(const std::string& text) {
  const std::uint64_t bytes = parse_option("--memory", text, parse_bytes);
  if (bytes == 0) throw Error(ErrorCode::kUsage, "--memory: no table fits in 0 bytes");
  return bytes;
}

std::chrono::seconds duration_option(const char* option, const std::string& text) {
  const bool plain = text.find_first_not_of("0123456789") == std::string::npos;
  const std::uint64_t seconds = parse_option(option, plain ? text + "min" : text,
                                             [](const std::string& duration) -> std::uint64_t {
                                               return parse_duration(duration).count();
                                             });
  return std::chrono::seconds(seconds);
}

void set_machine_options(const RunOptions& options, Machine& machine) {
  if (!options.engine.empty()) machine.engine = options.engine;
  if (!options.kernel.empty()) machine.kernel = options.kernel;
  if (!options.backend.empty()) machine.backend = options.backend;
  if (!options.threads.empty()) machine.threads = count_option("--threads", options.threads);
  if (!options.memory.empty()) machine.memory = memory_option(options.memory);
  if (!options.block.empty()) machine.block = count_option("--block", options.block);
}

void apply_run_options(const RunOptions& options, Request& request) {
  set_machine_options(options, request.machine);
  request.output.checkpoint = checkpoint_option(options, request.output.checkpoint);
}

void set_force(bool force, Request& request) {
  request.force = force;
  request.output.overwrite |= force;
}

Request make_request(const AnyGame& game, const RunOptions& options) {
  Request request{.game = HeapGame{game.heap(), count_option("--to", options.last)},
                  .about = GameDescription::of(game, options.game)};
  apply_run_options(options, request);
  return request;
}

void refuse_ignored(const Command& command, std::initializer_list<const char*> options,
                    const char* what) {
  for (const char* option : options) {
    if (!command.given(option)) continue;
    throw Error(ErrorCode::kUsage, fmt::format("{} is not for {}", option, what));
  }
}

CountRange parse_range(const std::string& text) {
  const auto dots = text.find("..");
  if (dots == std::string::npos) {
    const std::uint64_t n = parse_count(text);
    return {n, n};
  }
  const std::string first = text.substr(0, dots), last = text.substr(dots + 2);
  if (trimmed(first).empty() || trimmed(last).empty()) {
    throw Error(ErrorCode::kUsage, fmt::format("a count is missing in {}", in_quotes(text)));
  }
  const CountRange range{parse_count(first), parse_count(last)};
  if (range.first > range.last) {
    throw Error(ErrorCode::kUsage, fmt::format("the range {} ends before it begins", text));
  }
  return range;
}

}  // namespace grundy::cli
