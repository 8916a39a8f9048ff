/// @file
/// The main function of every test program.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/statvfs.h>

#include "support/arguments.hpp"

namespace grundy::testing_support {
namespace {

Arguments& read_arguments() {
  static Arguments arguments;
  return arguments;
}

/// The exit code that CTest reports as skipped, if a case was skipped and none failed.
constexpr int kSkipped = 77;

/// Whether it is an argument of ours.
bool read(std::string_view word) {
  constexpr std::string_view kBackend = "--backend=";
  if (word == "--effort=quick") {
    read_arguments().effort = Effort::kQuick;
  } else if (word == "--effort=long") {
    read_arguments().effort = Effort::kLong;
  } else if (word.starts_with(kBackend)) {
    read_arguments().backend = word.substr(kBackend.size());
  } else {
    return false;
  }
  return true;
}

/// Puts the directories of the tests into memory where it is large: they seal thousands of small
/// files and would wait for a disk most of the time. Tests look at what a process leaves, not at
/// what a device keeps.
void work_in_memory() {
  constexpr const char* kMemory = "/dev/shm";
  constexpr std::uint64_t kEnough = std::uint64_t{4} << 30;
  struct statvfs place {};
  if (::statvfs(kMemory, &place) != 0) return;
  const bool runs_programs = (place.f_flag & ST_NOEXEC) == 0;  // some tests copy the command
  if (runs_programs && place.f_bavail * place.f_frsize >= kEnough) ::setenv("TMPDIR", kMemory, 0);
}

}  // namespace

const Arguments& arguments() {
  return read_arguments();
}

}  // namespace grundy::testing_support

int main(int argc, char** argv) {
  ::testing::InitGoogleMock(&argc, argv);
  grundy::testing_support::work_in_memory();
  for (int i = 1; i < argc; ++i) {
    if (!grundy::testing_support::read(argv[i])) {
      std::fprintf(stderr, "unknown argument %s\n", argv[i]);
      return 2;
    }
  }
  const int failed = RUN_ALL_TESTS();
  const bool skipped = ::testing::UnitTest::GetInstance()->skipped_test_count() > 0;
  return failed == 0 && skipped ? grundy::testing_support::kSkipped : failed;
}
