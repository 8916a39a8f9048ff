/// @file
/// The part of a set of kernels that exists once for each storage type.
// SPDX-License-Identifier: MIT
#pragma once

namespace grundy {

/// Functions<T> for each T of Types.
template <template <class> class Functions, class... Types>
struct KernelsByType : Functions<Types>... {
  /// The functions for storage type T.
  template <class T>
  [[nodiscard]] const Functions<T>& of() const noexcept {
    return *this;
  }
};

}  // namespace grundy
