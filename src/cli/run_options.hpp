/// @file
/// The options of every command that computes, from their text to a request.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <initializer_list>
#include <string>

#include <CLI/CLI.hpp>

#include <grundy/session.hpp>

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

/// Adds --engine, --kernel, --backend, --threads and --memory.
void add_machine_options(CLI::App& command, RunOptions& options);
/// Adds those and --block.
void add_run_options(CLI::App& command, RunOptions& options);
/// Adds --checkpoint-interval.
void add_checkpoint_option(CLI::App& command, RunOptions& options);
/// Writes what was given into the request; the rest stays as it is.
/// @throws Error(kUsage) that names the option whose value is malformed
void apply_run_options(const RunOptions& options, ComputeRequest& request);

/// The request for the game and range given.
/// @throws Error(kUsage) that names the option whose value is malformed
ComputeRequest make_request(const RunOptions& options);

/// The bytes of --memory; 0 where nothing was typed. @throws Error(kUsage)
std::uint64_t memory_option(const RunOptions& options);

/// What --checkpoint-interval says. @throws Error(kUsage)
CheckpointInterval checkpoint_option(const RunOptions& options);

/// Writes what the machine options say into any kind of request; the engine is left to the caller.
template <class Request>
void set_machine_options(const RunOptions& options, Request& request);

/// A number of minutes, or parse_duration(), with the name of the option in the message.
std::chrono::seconds duration_option(const char* option, const std::string& text);

/// parse_count() with the name of the option in the message.
std::uint64_t count_option(const char* option, const std::string& text);

template <class Request>
void set_machine_options(const RunOptions& options, Request& request) {
  if (!options.kernel.empty()) request.kernel = options.kernel;
  if (!options.backend.empty()) request.backend = options.backend;
  if (!options.threads.empty()) request.threads = count_option("--threads", options.threads);
  request.memory_limit = memory_option(options);
}

/// Refuses options that were typed but say nothing about what is done; `what` names that, as in
/// "a game of one heap". @throws Error(kUsage)
void refuse_ignored(const CLI::App& command, std::initializer_list<const char*> options,
                    const char* what);

/// Numbers first .. last, both included.
struct CountRange {
  std::uint64_t first = 0, last = 0;
};

/// Reads `n` or `a..b`. @throws Error(kUsage)
CountRange parse_range(const std::string& text);

}  // namespace grundy::cli
