// SPDX-License-Identifier: MIT
#include "session/machine.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>

#include <sys/statvfs.h>
#include <unistd.h>

#include "core/temporary_name.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

/// The text after `key` and its colon in a file of `key: value` lines.
std::optional<std::string> field(const char* file, std::string_view key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(key)) continue;
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    const auto begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? std::string() : line.substr(begin);
  }
  return std::nullopt;
}

/// The number in a file; nothing if the file holds no number (but `max`, say).
std::optional<std::uint64_t> number(const fs::path& file) {
  std::ifstream in(file);
  std::uint64_t value = 0;
  if (in >> value) return value;
  return std::nullopt;
}

std::string word(const fs::path& file) {
  std::ifstream in(file);
  std::string text;
  in >> text;
  return text;
}

/// The names of limit and use in the two versions of the control-group file system.
struct GroupFiles {
  std::string_view root, limit, use;
};
constexpr GroupFiles kGroupsV2{"/sys/fs/cgroup", "memory.max", "memory.current"};
constexpr GroupFiles kGroupsV1{"/sys/fs/cgroup/memory", "memory.limit_in_bytes",
                               "memory.usage_in_bytes"};

/// Room in the group at `group` (a path below the root) and in all groups above it.
std::uint64_t group_room(const GroupFiles& files, fs::path group) {
  std::uint64_t room = std::numeric_limits<std::uint64_t>::max();
  while (true) {
    const fs::path directory = fs::path(files.root) / group.relative_path();
    const auto limit = number(directory / files.limit);
    const auto use = number(directory / files.use);
    if (limit && use) room = std::min(room, *limit > *use ? *limit - *use : 0);
    if (!group.has_relative_path()) return room;
    group = group.parent_path();
  }
}

}  // namespace

std::string cpu_model() {
  return field("/proc/cpuinfo", "model name").value_or("unknown");
}

std::vector<Cache> cpu_caches() {
  std::vector<Cache> caches;
  const fs::path root = "/sys/devices/system/cpu/cpu0/cache";
  for (int i = 0;; ++i) {
    const fs::path index = root / ("index" + std::to_string(i));
    const auto level = number(index / "level");
    if (!level) return caches;
    caches.push_back({static_cast<int>(*level), word(index / "type"), word(index / "size")});
  }
}

std::uint64_t processors_of_machine() {
  return static_cast<std::uint64_t>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
}

std::uint64_t memory_available() {
  std::uint64_t available = std::numeric_limits<std::uint64_t>::max();
  if (const auto free = field("/proc/meminfo", "MemAvailable")) {
    available = std::stoull(*free) * 1024;
  }
  // Lines are `id:controllers:path`; version 2 is the line with id 0 and no controllers.
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path path = line.substr(second + 1);
    if (controllers.empty()) {
      available = std::min(available, group_room(kGroupsV2, path));
    } else if (controllers == "memory") {
      available = std::min(available, group_room(kGroupsV1, path));
    }
  }
  return available;
}

std::uint64_t disk_available(const fs::path& file) {
  const fs::path directory = directory_of(file);
  struct statvfs info {};
  if (::statvfs(directory.c_str(), &info) != 0) return 0;
  return static_cast<std::uint64_t>(info.f_bavail) * info.f_frsize;
}

}  // namespace grundy
