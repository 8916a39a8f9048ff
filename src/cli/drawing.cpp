// SPDX-License-Identifier: MIT
#include "cli/drawing.hpp"

#include <array>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace grundy::cli {
namespace {

namespace fs = std::filesystem;

/// The directory of the scripts: beside that of the command, wherever both were installed.
fs::path scripts_directory() {
  std::error_code error;
  const fs::path command = fs::read_symlink("/proc/self/exe", error);
  return command.parent_path().parent_path() / "share" / "grundy";
}

/// Runs a program of PATH without its voice. Returns whether it did what it was asked.
bool run_silently(std::array<const char*, 6> words) {
  posix_spawn_file_actions_t actions;
  if (::posix_spawn_file_actions_init(&actions) != 0) return false;
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
  }
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, words[0], &actions, nullptr,
                                    const_cast<char* const*>(words.data()), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  return failed == 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

}  // namespace

bool draw_table(const TableInfo& info, const fs::path& table, const fs::path& picture) {
  const fs::path script =
      scripts_directory() / (info.layout.is_lattice() ? "plot_lattice.py" : "plot_table.py");
  std::error_code error;
  if (!fs::exists(script, error)) return false;
  // The first Python of PATH need not be the one that has Debian's modules.
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    if (run_silently({python, script.c_str(), table.c_str(), "-o", picture.c_str(), nullptr})) {
      return fs::exists(picture, error);
    }
  }
  return false;
}

}  // namespace grundy::cli
