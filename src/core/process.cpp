// SPDX-License-Identifier: MIT
#include "core/process.hpp"

#include <array>
#include <cerrno>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <malloc.h>
#include <signal.h>
#include <unistd.h>

namespace grundy {

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::uint64_t start_of_process(long process) {
  std::ifstream in(fmt::format("/proc/{}/stat", process));
  std::string line;
  std::getline(in, line);
  // The second field, a name in parentheses, may contain anything.
  const auto name_end = line.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream rest(line.substr(name_end + 1));
  std::string field;
  for (int i = 3; i < 22; ++i) rest >> field;
  std::uint64_t start = 0;
  rest >> start;
  return start;
}

bool has_ended(long process, std::uint64_t start) {
  // A process of another user may be hidden in /proc, but kill(2) still tells that it is there.
  if (::kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH) return true;
  const std::uint64_t now = start_of_process(process);
  return now != 0 && now != start;
}

void keep_freed_memory() noexcept {
#ifdef M_MMAP_THRESHOLD  // of the C library of GNU
  constexpr int kMiB = 1 << 20;
  ::mallopt(M_MMAP_THRESHOLD, 32 * kMiB);
  ::mallopt(M_TRIM_THRESHOLD, 64 * kMiB);
#endif
}

}  // namespace grundy
