/// @file
/// Runs the real command in a directory of its own, and looks at all its effects.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/types.h>

namespace grundy::testing {

// Exit codes of the command.
inline constexpr int kFailure = 1;
inline constexpr int kUsage = 2;
inline constexpr int kMismatch = 3;
inline constexpr int kCorrupt = 4;

/// The results of a run of the command.
struct Outcome {
  int code = -1;  ///< exit code, or 128 + the signal that killed it
  std::string out;
  std::string err;
  std::uint64_t memory = 0;  ///< the most bytes that were resident
};

/// A test with an empty directory, in which commands run and which is removed afterwards.
class CommandTest : public ::testing::Test {
 protected:
  CommandTest();
  ~CommandTest() override;

  /// Runs `grundy` with these arguments to its end.
  Outcome run(const std::vector<std::string>& arguments);
  /// Standard output of a command that must succeed and say nothing on standard error.
  std::string output(std::vector<std::string> arguments);
  nlohmann::json output_json(std::vector<std::string> arguments);
  /// The sentence of a command that must be refused with this exit code, and change no file.
  std::string refusal(const std::vector<std::string>& arguments, int code = kUsage);
  /// Starts it without waiting; finish() collects it.
  pid_t start(const std::vector<std::string>& arguments);
  Outcome finish(pid_t child);
  /// Starts another program: its path and its arguments.
  pid_t spawn(const std::vector<std::string>& words);
  /// Runs a shell command line in which $GRUNDY is the command.
  Outcome shell(const std::string& line);

  /// Names and contents of all files below the directory; directories have no content.
  [[nodiscard]] std::map<std::string, std::string> files() const;
  [[nodiscard]] const std::filesystem::path& directory() const noexcept { return directory_; }
  [[nodiscard]] std::string read(const std::string& name) const;
  void write(const std::string& name, const std::string& content) const;

 private:
  std::filesystem::path directory_;  ///< where commands run
  std::filesystem::path streams_;    ///< where their output is caught
};

}  // namespace grundy::testing
