/// @file
/// The error with which a call ends.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include <gtest/gtest.h>

#include <grundy/error.hpp>

namespace grundy::testing_support {

inline Error error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {ErrorCode::kFailure, ""};
}

inline ErrorCode code_of(const std::function<void()>& action) {
  return error_of(action).code();
}

}  // namespace grundy::testing_support
