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

/// Adds --engine, --kernel, --backend, --threads, --block and --memory.
void add_run_options(CLI::App& command, RunOptions& options);

/// The request for the game and range given.
/// @throws Error(kUsage) that names the option whose value is malformed
ComputeRequest make_request(const RunOptions& options);

/// parse_count() with the name of the option in the message.
std::uint64_t count_option(const char* option, const std::string& text);

}  // namespace grundy::cli
