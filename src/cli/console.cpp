// SPDX-License-Identifier: MIT
#include "cli/console.hpp"

#include <array>

#include <sys/uio.h>
#include <unistd.h>

namespace grundy::cli {

void Console::note(const std::string& sentence) const noexcept {
  if (!quiet) write_error_line(sentence);
}

void write_error_line(std::string_view line) noexcept {
  // No allocation: this may be the last word of a process without memory.
  const auto part = [](std::string_view text) {
    return iovec{const_cast<char*>(text.data()), text.size()};
  };
  const std::array parts{part("grundy: "), part(line), part("\n")};
  [[maybe_unused]] const ssize_t written =
      ::writev(STDERR_FILENO, parts.data(), static_cast<int>(parts.size()));
}

}  // namespace grundy::cli
