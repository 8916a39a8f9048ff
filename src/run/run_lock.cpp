// SPDX-License-Identifier: MIT
#include "run/run_lock.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <sstream>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <grundy/error.hpp>

#include "core/advice.hpp"
#include "core/process.hpp"
#include "core/temporary_name.hpp"
#include "core/text.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLockName = "lock";

/// Identifies a process, even if its number is used again.
struct Holder {
  std::string host;
  long process = 0;
  std::uint64_t start = 0;     ///< in clock ticks since the machine started
  std::string time;            ///< when the process took the lock
  std::string job{};           ///< of Slurm; empty outside of it
  unsigned long restarts = 0;  ///< restarts of this job so far

  [[nodiscard]] std::string sentence() const {
    return fmt::format("process {} on {} since {}", process, host, time);
  }
};

Holder this_process() {
  const char* const job = std::getenv("SLURM_JOB_ID");
  const char* const restarts = std::getenv("SLURM_RESTART_COUNT");
  return {host_name(),
          ::getpid(),
          start_of_process(::getpid()),
          utc_now(),
          job != nullptr ? job : "",
          restarts != nullptr ? std::strtoul(restarts, nullptr, 10) : 0};
}

std::string text_of(const Holder& holder) {
  std::string text =
      fmt::format("{} {} {} {}", holder.process, holder.start, holder.time, holder.host);
  if (!holder.job.empty()) text += fmt::format(" {} {}", holder.job, holder.restarts);
  return text + '\n';
}

/// The holder in the lock file; process 0 if it cannot be read.
Holder read_holder(const Descriptor& file) {
  std::array<char, 512> text{};
  const std::size_t size = file.read_at(0, std::as_writable_bytes(std::span(text)));
  std::istringstream in(std::string(text.data(), size));
  Holder holder;
  in >> holder.process >> holder.start >> holder.time >> holder.host;
  if (!in) return {};
  if (!(in >> holder.job >> holder.restarts)) holder.job.clear();
  return holder;
}

/// Whether `self` is a later start of the same job as `holder`.
bool is_requeued(const Holder& holder, const Holder& self) {
  return !holder.job.empty() && holder.job == self.job && holder.restarts < self.restarts;
}

}  // namespace

RunLock::RunLock(const fs::path& directory, bool force) : path_(directory / kLockName) {
  for (;;) {
    std::error_code error;
    fs::create_directory(directory, error);
    if (error || !fs::is_directory(directory, error)) {
      throw Error(ErrorCode::kUsage, fmt::format("cannot create the directory '{}': {}",
                                                 directory.string(), error.message()));
    }
    try {
      take(force);
      break;
    } catch (const Error&) {
      // Another process may have finished meanwhile and removed the directory.
      if (fs::exists(directory, error)) throw;
    }
  }
  // A file that cannot be listed or removed stays, and does no harm.
  std::error_code ignored;
  for (fs::directory_iterator entry(directory, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    std::error_code stays;
    if (entry->path().extension() == kTemporarySuffix) fs::remove(entry->path(), stays);
  }
}

void RunLock::take(bool force) {
  const Holder self = this_process();
  for (;;) {
    file_ = Descriptor::open(path_, O_RDWR | O_CREAT);
    const bool locked = ::flock(file_.get(), LOCK_EX | LOCK_NB) == 0;
    const bool no_locks = !locked && errno != EWOULDBLOCK && errno != EINTR;
    const Holder holder = read_holder(file_);
    const auto refuse = [&](std::string_view advice) {
      throw Error(ErrorCode::kFailure,
                  fmt::format("'{}' is in use by {}; {}", path_.parent_path().string(),
                              holder.process > 0 ? holder.sentence() : "another process", advice));
    };
    if (!locked && !no_locks) refuse("wait for it or choose another output");
    // The last holder may have removed the file between these two calls.
    struct stat ours {
    }, named{};
    if (::fstat(file_.get(), &ours) != 0 || ::stat(path_.c_str(), &named) != 0 ||
        ours.st_ino != named.st_ino) {
      continue;
    }
    if (holder.process > 0 && !force && !is_requeued(holder, self)) {
      if (holder.host != self.host) {
        refuse(fmt::format(
            "if that process has ended, {} or remove '{}', and the same command goes on", kTakeOver,
            path_.string()));
      }
      if (no_locks && !has_ended(holder.process, holder.start))
        refuse("wait for it or choose another output");
    }
    if (holder.process > 0) stale_holder_ = holder.sentence();
    break;
  }
  const std::string text = text_of(self);
  if (::ftruncate(file_.get(), 0) != 0) throw_errno("write to", path_.string());
  file_.write_at(0, std::as_bytes(std::span(text)));
}

RunLock::~RunLock() {
  if (file_.is_open()) ::unlink(path_.c_str());
}

}  // namespace grundy
