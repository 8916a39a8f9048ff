// SPDX-License-Identifier: MIT
#include "core/atomic_file.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <grundy/error.hpp>

#include "core/atomic_directory.hpp"
#include "core/process.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using testing_support::bytes_of;
using testing_support::error_of;
using testing_support::TemporaryDirectory;
using testing_support::write_bytes;

/// Writes a file and publishes it if `reads_back` accepts the file with the temporary name.
void publish(const fs::path& target, const std::function<bool(const fs::path&)>& reads_back) {
  AtomicFile place(target, false);
  write_bytes(place.path(), "new");
  place.publish_if([&] { return reads_back(place.path()); });
}

TEST(AtomicFile, AppearsIfItReadsBack) {
  const TemporaryDirectory directory;
  publish(directory / "a", [](const fs::path&) { return true; });
  EXPECT_EQ(bytes_of(directory / "a"), "new");
}

TEST(AtomicFile, DoesNotAppearIfItDoesNot) {
  const TemporaryDirectory directory;
  const Error error =
      error_of([&] { publish(directory / "a", [](const fs::path&) { return false; }); });
  EXPECT_EQ(error.code(), ErrorCode::kFailure);
  EXPECT_THAT(error.what(), HasSubstr("a' was not written: it does not read back as it was"));
  EXPECT_EQ(directory.entries(), 0u);
}

TEST(AtomicFile, IsNamedByItsNameAndNotByATemporaryOne) {
  const TemporaryDirectory directory;
  const Error error = error_of([&] {
    publish(directory / "a", [](const fs::path& temporary) -> bool {
      throw Error(ErrorCode::kCorrupt, "'" + temporary.string() + "' is damaged");
    });
  });
  EXPECT_EQ(error.code(), ErrorCode::kFailure);
  EXPECT_THAT(error.what(), HasSubstr("a' is damaged"));
  EXPECT_THAT(error.what(), Not(HasSubstr(kTemporarySuffix)));
}

TEST(AtomicFile, LeavesANameThatSomebodyElseHasTaken) {
  const TemporaryDirectory directory;
  const Error error = error_of([&] {
    publish(directory / "a", [&](const fs::path&) {
      write_bytes(directory / "a", "theirs");
      return true;
    });
  });
  EXPECT_EQ(error.code(), ErrorCode::kUsage);
  EXPECT_THAT(error.what(), Not(HasSubstr("read back")));
  EXPECT_EQ(bytes_of(directory / "a"), "theirs");
  EXPECT_EQ(directory.entries(), 1u);
}

/// The temporary name of a process that writes `target` and dies.
fs::path left_by_a_killed_writer(const fs::path& target) {
  const pid_t child = ::fork();
  if (child == 0) {
    write_bytes(target.string() + ".name", AtomicFile(target, true).path().string());
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  const fs::path temporary = bytes_of(target.string() + ".name");
  fs::remove(target.string() + ".name");
  write_bytes(temporary, "half");
  return temporary;
}

TEST(AtomicFile, RemovesWhatAKilledWriterOfTheTargetLeft) {
  const TemporaryDirectory directory;
  const fs::path target = directory / "a";
  const fs::path left = left_by_a_killed_writer(target);
  const AtomicFile writes(target, false);
  EXPECT_FALSE(fs::exists(left));

  const fs::path file_of_another = left_by_a_killed_writer(directory / "a.b");
  std::string of_another_host = left_by_a_killed_writer(target).string();
  of_another_host[target.string().size() + 1] ^= 1;
  write_bytes(of_another_host, "theirs");
  write_bytes(writes.path(), "not yet whole");
  write_bytes(target.string() + ".tmp", "of a user");
  write_bytes(target.string() + ".0123456789abcdef.tmp", "of a user");
  write_bytes(left.string() + ".old", "of a user");
  const AtomicFile another(target, false);
  EXPECT_EQ(directory.entries(), 6u);
}

TEST(AtomicDirectory, RemovesWhatAKilledWriterOfTheTargetLeft) {
  const TemporaryDirectory directory;
  const fs::path target = directory / "a";
  const fs::path left = left_by_a_killed_writer(target);
  fs::remove(left);
  fs::create_directory(left);
  write_bytes(left / "half", "half");
  AtomicDirectory(target, false).publish();
  EXPECT_EQ(directory.files(), std::vector{target});
}

TEST(Process, HasEndedIfAnotherOneHasItsNumber) {
  const std::uint64_t start = start_of_process(::getpid());
  ASSERT_NE(start, 0u);
  EXPECT_FALSE(has_ended(::getpid(), start));
  EXPECT_TRUE(has_ended(::getpid(), start + 1));
  EXPECT_FALSE(has_ended(1, start_of_process(1)));
  EXPECT_FALSE(host_name().empty());
}

}  // namespace
}  // namespace grundy
