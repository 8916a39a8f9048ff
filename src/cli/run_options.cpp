// SPDX-License-Identifier: MIT
#include "cli/run_options.hpp"

#include <sstream>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/graph/engine.hpp>
#include <grundy/heap/engine.hpp>
#include <grundy/lattice/engine.hpp>

#include "core/text.hpp"

namespace grundy::cli {
namespace {

/// Calls `parse` and puts the option before what it complains of.
template <class Parse>
std::uint64_t parse_option(const char* option, const std::string& text, Parse parse) {
  try {
    return parse(text);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: {}", option, error.what()));
  }
}

std::string engine_help() {
  std::string help = "auto";
  for (const HeapEngine* engine : heap_engines()) help += fmt::format(", {}", engine->name());
  help += "; of several heaps: auto";
  for (const LatticeEngine* engine : lattice_engines()) help += fmt::format(", {}", engine->name());
  help += "; of positions: auto";
  for (const GraphEngine* engine : graph_engines()) help += fmt::format(", {}", engine->name());
  return help + "; all give the same values";
}

/// One option of the group "Engine".
void add(CLI::App& command, const char* name, std::string& text, const char* type,
         const std::string& help) {
  command.add_option(name, text, help)->type_name(type)->group("Engine");
}

/// What --checkpoint-interval says. @throws Error(kUsage)
CheckpointInterval checkpoint_option(const RunOptions& options) {
  CheckpointInterval interval;
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

void add_machine_options(CLI::App& command, RunOptions& options) {
  add(command, "--engine", options.engine, "NAME", engine_help());
  add(command, "--kernel", options.kernel, "NAME",
      "Instruction set of the inner loops (`grundy cpu-info` lists them)");
  add(command, "--threads", options.threads, "N", "Threads; all that may be used by default");
  add(command, "--backend", options.backend, "NAME", "Thread library: tbb or threads");
  add(command, "--memory", options.memory, "SIZE",
      "Refuse to use more memory than this, such as 4GiB; what is free by default");
}

void add_run_options(CLI::App& command, RunOptions& options) {
  add_machine_options(command, options);
  add(command, "--block", options.block, "N",
      "Heaps a block, or edge of a tile; the engine's choice by default");
}

void add_checkpoint_option(CLI::App& command, RunOptions& options) {
  command
      .add_option("--checkpoint-interval", options.checkpoint,
                  "Seal what is finished so often: a time, a size of values, or both; "
                  "10min,256MiB by default")
      ->type_name("INTERVAL")
      ->group("Engine");
}

std::uint64_t count_option(const char* option, const std::string& text) {
  return parse_option(option, text, parse_count);
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
  if (!options.memory.empty()) {
    machine.memory = parse_option("--memory", options.memory, parse_bytes);
    if (*machine.memory == 0) throw Error(ErrorCode::kUsage, "--memory: no table fits in 0 bytes");
  }
  if (!options.block.empty()) machine.block = count_option("--block", options.block);
}

void apply_run_options(const RunOptions& options, Request& request) {
  set_machine_options(options, request.machine);
  request.output.checkpoint = checkpoint_option(options);
}

Request make_request(const AnyGame& game, const RunOptions& options) {
  Request request{.game = HeapGame{game.heap(), count_option("--to", options.last)},
                  .about = {.game = options.game, .title = game.title}};
  apply_run_options(options, request);
  return request;
}

void refuse_ignored(const CLI::App& command, std::initializer_list<const char*> options,
                    const char* what) {
  for (const char* option : options) {
    if (command.count(option) == 0) continue;
    throw Error(ErrorCode::kUsage, fmt::format("{} is not for {}", option, what));
  }
}

CountRange parse_range(const std::string& text) {
  const auto dots = text.find("..");
  if (dots == std::string::npos) {
    const std::uint64_t n = parse_count(text);
    return {n, n};
  }
  const CountRange range{parse_count(text.substr(0, dots)), parse_count(text.substr(dots + 2))};
  if (range.first > range.last) {
    throw Error(ErrorCode::kUsage, fmt::format("the range {} ends before it begins", text));
  }
  return range;
}

}  // namespace grundy::cli
