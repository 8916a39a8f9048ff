// SPDX-License-Identifier: MIT
#include "core/process.hpp"

#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace grundy {
namespace {

constexpr long kPages = 4096;  // of 4 KiB

/// How many pages the system gives to this process while it fills an array of 16 MiB.
long new_pages() {
  const auto faults = [] {
    struct rusage usage = {};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
  };
  const long before = faults();
  const std::vector<char> array(kPages * 4096, 1);
  return faults() - before + (array.back() - 1);
}

TEST(Process, KeepsMemoryThatItFrees) {
  if (GRUNDY_SANITIZED != 0) GTEST_SKIP() << "a sanitizer has an allocator of its own";
  keep_freed_memory();
  new_pages();
  EXPECT_LT(new_pages(), kPages / 8);
}

}  // namespace
}  // namespace grundy
