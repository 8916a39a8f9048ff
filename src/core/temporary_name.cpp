// SPDX-License-Identifier: MIT
#include "core/temporary_name.hpp"

#include <cstdint>
#include <cstdio>
#include <random>
#include <span>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "core/digest.hpp"
#include "core/process.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

/// Who writes under a temporary name.
struct Writer {
  unsigned host = 0;
  unsigned process = 0;
  unsigned long start = 0;
  unsigned random = 0;

  [[nodiscard]] std::string tag() const {
    return fmt::format(".{:08x}{:08x}{:016x}{:08x}{}", host, process, start, random,
                       kTemporarySuffix);
  }
};

/// Stands for the host and its numbers of processes; each container has numbers of its own.
unsigned this_host() {
  std::error_code error;
  const std::string name = host_name() + fs::read_symlink("/proc/self/ns/pid", error).string();
  return static_cast<unsigned>(hash64(std::as_bytes(std::span(name))));
}

/// Whether `tag` follows the name of a target in a temporary name, and its writer has ended.
bool is_abandoned(const std::string& tag, unsigned host) {
  Writer writer;
  return std::sscanf(tag.c_str(), ".%8x%8x%16lx%8x", &writer.host, &writer.process, &writer.start,
                     &writer.random) == 4 &&
         tag == writer.tag() && writer.host == host && has_ended(writer.process, writer.start);
}

}  // namespace

fs::path directory_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

fs::path temporary_name(const fs::path& target) {
  const long self = ::getpid();
  const Writer writer{.host = this_host(),
                      .process = static_cast<unsigned>(self),
                      .start = start_of_process(self),
                      .random = std::random_device{}()};
  return target.string() + writer.tag();
}

void remove_abandoned(const fs::path& target) {
  const std::string name = target.filename().string();
  const unsigned host = this_host();
  std::error_code ignored;
  for (fs::directory_iterator entry(directory_of(target), ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    const std::string found = entry->path().filename().string();
    std::error_code stays;
    if (found.starts_with(name) && is_abandoned(found.substr(name.size()), host)) {
      fs::remove_all(entry->path(), stays);
    }
  }
}

}  // namespace grundy
