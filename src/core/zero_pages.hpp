/// @file
/// A large array of zeros. Only the pages that are touched cost memory.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace grundy {

/// A mapping (core/mapping.hpp).
class ZeroPages {
 public:
  ZeroPages() = default;
  /// @param what names the array in the message of the error
  /// @throws Error(kFailure) if the system has no such address range left
  ZeroPages(std::uint64_t bytes, std::string_view what);
  ZeroPages(ZeroPages&& other) noexcept
      : at_(std::exchange(other.at_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  ZeroPages& operator=(ZeroPages&& other) noexcept {
    std::swap(at_, other.at_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~ZeroPages();

  /// Adds zeros at the end. Pointers into the array become invalid, and nothing is copied.
  /// @param what as in the constructor
  /// @throws Error(kFailure) as the constructor; the array is as it was then
  /// @pre bytes > 0, and no fewer than it has
  void grow(std::uint64_t bytes, std::string_view what);

  template <class T>
  [[nodiscard]] T* as() const noexcept {
    return static_cast<T*>(at_);
  }

 private:
  void* at_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace grundy
