/// @file
/// Memory for arrays that are read at random places. It lies in huge pages if the system has them,
/// so that reads do not wait for address translation.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>

#include <sys/mman.h>

namespace grundy {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// Asks for huge pages for the part of new memory that whole ones can hold.
inline void ask_for_huge_pages(void* memory, std::size_t bytes) noexcept {
  void* begin = memory;
  if (std::align(kHugePage, kHugePage, begin, bytes) == nullptr) return;
  madvise(begin, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
}

/// The bytes of the huge pages that hold `bytes` bytes.
constexpr std::size_t whole_huge_pages(std::size_t bytes) noexcept {
  return (bytes + kHugePage - 1) / kHugePage * kHugePage;
}

/// The bytes that an array of `bytes` bytes takes from HugePageAllocator.
constexpr std::size_t memory_of_huge_pages(std::size_t bytes) noexcept {
  return bytes < kHugePage / 2 ? bytes : whole_huge_pages(bytes);
}

/// An allocator for containers of trivial types. An array of half a huge page or more gets whole
/// huge pages; a smaller array is allocated as usual.
template <class T>
class HugePageAllocator {
 public:
  using value_type = T;

  HugePageAllocator() = default;
  template <class U>
  explicit HugePageAllocator(const HugePageAllocator<U>& /*other*/) noexcept {}

  /// @throws std::bad_alloc
  [[nodiscard]] T* allocate(std::size_t count) {
    static_assert(std::is_trivial_v<T> && alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
    if (count > std::numeric_limits<std::size_t>::max() / 2 / sizeof(T)) throw std::bad_alloc();
    const std::size_t bytes = memory_of_huge_pages(count * sizeof(T));
    if (bytes < kHugePage / 2) return static_cast<T*>(::operator new(bytes));
    void* const at = std::aligned_alloc(kHugePage, bytes);
    if (at == nullptr) throw std::bad_alloc();
    ask_for_huge_pages(at, bytes);
    return static_cast<T*>(at);
  }
  void deallocate(T* at, std::size_t count) noexcept {
    if (count * sizeof(T) < kHugePage / 2) {
      ::operator delete(at);
    } else {
      std::free(at);
    }
  }

  friend bool operator==(const HugePageAllocator&, const HugePageAllocator&) = default;
};

}  // namespace grundy
