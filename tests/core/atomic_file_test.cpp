// SPDX-License-Identifier: MIT
#include "core/atomic_file.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include <gmock/gmock.h>

#include <grundy/error.hpp>

#include "support/files.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using testing_support::bytes_of;
using testing_support::TemporaryDirectory;
using testing_support::write_bytes;

/// Publishes a file by what `reads_back` says of it; the error, or nothing.
std::optional<Error> published(const fs::path& target, const std::function<bool()>& reads_back) {
  AtomicFile place(target, false);
  write_bytes(place.path(), "new");
  try {
    place.publish_if(reads_back);
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

TEST(AtomicFile, AppearsIfItReadsBack) {
  const TemporaryDirectory directory;
  EXPECT_FALSE(published(directory / "a", [] { return true; }));
  EXPECT_EQ(bytes_of(directory / "a"), "new");
}

TEST(AtomicFile, DoesNotAppearIfItDoesNot) {
  const TemporaryDirectory directory;
  const auto differs = published(directory / "a", [] { return false; });
  ASSERT_TRUE(differs);
  EXPECT_EQ(differs->code(), ErrorCode::kFailure);
  EXPECT_THAT(differs->what(), HasSubstr("a' was not written: it does not read back as it was"));
  EXPECT_EQ(directory.entries(), 0u);
}

TEST(AtomicFile, IsNamedByItsNameAndNotByATemporaryOne) {
  const TemporaryDirectory directory;
  AtomicFile place(directory / "a", false);
  write_bytes(place.path(), "new");
  try {
    place.publish_if([&]() -> bool {
      throw Error(ErrorCode::kCorrupt, "'" + place.path().string() + "' is damaged");
    });
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kFailure);
    EXPECT_THAT(error.what(), HasSubstr("a' is damaged"));
    EXPECT_THAT(error.what(), Not(HasSubstr(kTemporarySuffix)));
  }
}

TEST(AtomicFile, LeavesANameThatSomebodyElseHasTaken) {
  const TemporaryDirectory directory;
  const auto taken = published(directory / "a", [&] {
    write_bytes(directory / "a", "theirs");
    return true;
  });
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->code(), ErrorCode::kUsage);
  EXPECT_THAT(taken->what(), Not(HasSubstr("read back")));
  EXPECT_EQ(bytes_of(directory / "a"), "theirs");
  EXPECT_EQ(directory.entries(), 1u);
}

}  // namespace
}  // namespace grundy
