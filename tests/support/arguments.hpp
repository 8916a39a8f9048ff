/// @file
/// Arguments with which CTest calls a test program, besides GoogleTest's own flags. One program
/// serves several entries of CTest, so that its files are compiled once.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace grundy::testing_support {

/// How thorough a test is that could take any amount of time.
enum class Effort { kQuick, kUsual, kLong };

struct Arguments {
  Effort effort = Effort::kUsual;  ///< `--effort=quick`, `--effort=long`
  std::string backend = "tbb";     ///< `--backend=threads`: of the executors that are tested
};

/// The arguments that main() has read.
const Arguments& arguments();

/// The number for the fast suite, or the one for the slow tests.
template <class T>
T by_effort(T usual, T in_long) {
  return arguments().effort == Effort::kLong ? in_long : usual;
}

}  // namespace grundy::testing_support
