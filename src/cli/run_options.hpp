/// @file
/// The options of every command that computes, from their text to a request.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <initializer_list>
#include <string>
#include <vector>

#include <grundy/games.hpp>
#include <grundy/request.hpp>

#include "cli/command.hpp"

namespace grundy::cli {

/// Options as typed; empty if they were not typed.
struct RunOptions {
  std::string game;
  std::string last;
  std::string engine;
  std::string kernel;
  std::string backend;
  std::string threads;
  std::string block;
  std::string memory;
  std::string checkpoint;
};

/// --engine, --kernel, --backend, --threads and --memory.
std::vector<Option> machine_options(RunOptions& options);
/// These options and --block.
std::vector<Option> run_options(RunOptions& options);
/// --checkpoint-interval.
Option interval_option(RunOptions& options);
/// --to, a largest heap.
Option last_option(std::string& target, std::string help);
/// -o, an HDF5 file to write.
Option output_option(std::string& target, std::string help);
/// --force.
Option force_option(bool& target, std::string help);
/// The named games of these kinds, for completion.
std::vector<std::string> game_names(std::initializer_list<GameKind> kinds);
/// Those of every kind.
std::vector<std::string> game_names();

/// Writes the given options into the request and leaves the rest as it is.
/// @throws Error(kUsage) that names the option whose value is malformed
void apply_run_options(const RunOptions& options, Request& request);

/// Writes what --force says of a computation: replace a file, run although space is short, take
/// over any lock.
void set_force(bool force, Request& request);

/// The request for a game of one heap and the given range.
/// @throws Error(kUsage) that names the option whose value is malformed
Request make_request(const AnyGame& game, const RunOptions& options);

/// Writes the given machine options and leaves the rest as it is.
/// @throws Error(kUsage) that names the option whose value is malformed
void set_machine_options(const RunOptions& options, Machine& machine);

/// Reads a number of minutes, or a text for parse_duration(). Errors name the option.
std::chrono::seconds duration_option(const char* option, const std::string& text);

/// parse_count(), with the name of the option in its error message.
std::uint64_t count_option(const char* option, const std::string& text);

/// The bytes of --memory, at least one. @throws Error(kUsage)
std::uint64_t memory_option(const std::string& text);

/// Refuses options that were typed but have no meaning for `what`, such as "a game of one heap".
/// @throws Error(kUsage)
void refuse_ignored(const Command& command, std::initializer_list<const char*> options,
                    const char* what);

/// Numbers first .. last, both included.
struct CountRange {
  std::uint64_t first = 0, last = 0;
};

/// Reads `n` or `a..b`. @throws Error(kUsage)
CountRange parse_range(const std::string& text);

}  // namespace grundy::cli
