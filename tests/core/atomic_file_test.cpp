// SPDX-License-Identifier: MIT
#include "core/atomic_file.hpp"

#include <filesystem>
#include <functional>
#include <string>

#include <gmock/gmock.h>

#include <grundy/error.hpp>

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

}  // namespace
}  // namespace grundy
