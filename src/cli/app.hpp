/// @file
/// The whole command: arguments in, exit code out.
// SPDX-License-Identifier: MIT
#pragma once

namespace grundy {
class Team;
}  // namespace grundy

namespace grundy::cli {

/// Parses the arguments and runs the command. Every failure becomes one sentence on standard error
/// and an exit code: 0 done, 1 failure, 2 usage, 3 mismatch, 4 corrupt file, 75 stopped.
/// @param team ranks that run the command together; null: this process is alone
int run(int argc, char** argv, Team* team = nullptr) noexcept;

}  // namespace grundy::cli
