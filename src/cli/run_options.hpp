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

/// As typed; empty where nothing was.
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
/// Those and --block.
std::vector<Option> run_options(RunOptions& options);
/// --checkpoint-interval.
Option interval_option(RunOptions& options);
/// The named games of these kinds, for completion.
std::vector<std::string> game_names(std::initializer_list<GameKind> kinds);
/// Those of every kind.
std::vector<std::string> game_names();

/// Writes what was given into the request; the rest stays as it is.
/// @throws Error(kUsage) that names the option whose value is malformed
void apply_run_options(const RunOptions& options, Request& request);

/// The request for the game of one heap and the range given.
/// @throws Error(kUsage) that names the option whose value is malformed
Request make_request(const AnyGame& game, const RunOptions& options);

/// Writes what the machine options say; the rest stays as it is.
/// @throws Error(kUsage) that names the option whose value is malformed
void set_machine_options(const RunOptions& options, Machine& machine);

/// A number of minutes, or parse_duration(), with the name of the option in the message.
std::chrono::seconds duration_option(const char* option, const std::string& text);

/// parse_count() with the name of the option in the message.
std::uint64_t count_option(const char* option, const std::string& text);

/// The bytes of --memory, at least one. @throws Error(kUsage)
std::uint64_t memory_option(const std::string& text);

/// Refuses options that were typed but say nothing about what is done; `what` names that, as in
/// "a game of one heap". @throws Error(kUsage)
void refuse_ignored(const Command& command, std::initializer_list<const char*> options,
                    const char* what);

/// Numbers first .. last, both included.
struct CountRange {
  std::uint64_t first = 0, last = 0;
};

/// Reads `n` or `a..b`. @throws Error(kUsage)
CountRange parse_range(const std::string& text);

}  // namespace grundy::cli
