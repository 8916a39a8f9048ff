/// @file
/// The options of every command that computes, from their text to a request.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include <grundy/session.hpp>

namespace grundy::cli {

/// As typed; empty where nothing was.
struct RunOptions {
  std::string game;
  std::string last;
  std::string engine = "auto";
  std::string kernel = "auto";
  std::string backend = "tbb";
  std::string threads;
  std::string block;
  std::string memory;
};

/// Adds --engine, --kernel, --backend, --threads and --memory.
void add_machine_options(CLI::App& command, RunOptions& options);
/// Adds those and --block.
void add_run_options(CLI::App& command, RunOptions& options);

/// The request for the game and range given.
/// @throws Error(kUsage) that names the option whose value is malformed
ComputeRequest make_request(const RunOptions& options);

/// The bytes of --memory; 0 where nothing was typed. @throws Error(kUsage)
std::uint64_t memory_option(const RunOptions& options);

/// Fills in what the machine options say of any kind of request; the engine is left to the caller.
template <class Request>
void set_machine_options(const RunOptions& options, Request& request);

/// parse_count() with the name of the option in the message.
std::uint64_t count_option(const char* option, const std::string& text);

template <class Request>
void set_machine_options(const RunOptions& options, Request& request) {
  request.kernel = options.kernel;
  request.backend = options.backend;
  if (!options.threads.empty()) request.threads = count_option("--threads", options.threads);
  request.memory_limit = memory_option(options);
}
/// Numbers first .. last, both included.
struct CountRange {
  std::uint64_t first = 0, last = 0;
};

/// Reads `n` or `a..b`. @throws Error(kUsage)
CountRange parse_range(const std::string& text);

}  // namespace grundy::cli
