// SPDX-License-Identifier: MIT
#include "cli/console.hpp"

#include <unistd.h>

namespace grundy::cli {

void Console::note(const std::string& sentence) const noexcept {
  if (!quiet) write_error_line(sentence);
}

void write_error_line(const std::string& line) noexcept {
  const std::string text = fmt::format("grundy: {}\n", line);
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace grundy::cli
