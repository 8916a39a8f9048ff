// SPDX-License-Identifier: MIT
#include "core/mapping.hpp"

#include <cstdint>
#include <cstring>

#include <sys/mman.h>

#include "core/huge_pages.hpp"

namespace grundy {
namespace {

constexpr std::size_t kSmallPage = 4096;

/// Whether pages are copied and not moved. Small pages that move into the place of a huge one stay
/// small. ThreadSanitizer does not see mremap, and takes moved memory for that of its earlier
/// thread.
bool must_copy(std::size_t old_bytes, std::size_t bytes) noexcept {
#ifdef __SANITIZE_THREAD__
  static_cast<void>(old_bytes), static_cast<void>(bytes);
  return true;
#else
  return old_bytes < kHugePage && kHugePage <= bytes;
#endif
}

}  // namespace

void* new_mapping(std::size_t bytes) noexcept {
  // Whatever holds a huge page begins like one: it then has as many as it can, and keeps them when
  // it moves.
  bytes = (bytes + kSmallPage - 1) / kSmallPage * kSmallPage;
  const std::size_t spare = bytes < kHugePage ? 0 : kHugePage - kSmallPage;
  void* const at = mmap(nullptr, bytes + spare, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) return nullptr;
  auto* begin = static_cast<std::byte*>(at);
  if (spare > 0) {
    const std::size_t before = -reinterpret_cast<std::uintptr_t>(begin) % kHugePage;
    if (before > 0) munmap(begin, before);
    begin += before;
    if (before < spare) munmap(begin + bytes, spare - before);
  }
  madvise(begin, bytes, MADV_HUGEPAGE);
  return begin;
}

void* larger_mapping(void* old, std::size_t old_bytes, std::size_t bytes) noexcept {
  void* const at = new_mapping(bytes);
  if (at == nullptr) return nullptr;
  if (must_copy(old_bytes, bytes)) {
    std::memcpy(at, old, old_bytes);
    munmap(old, old_bytes);
  } else if (mremap(old, old_bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, at) == MAP_FAILED) {
    munmap(at, bytes);
    return nullptr;
  }
  return at;
}

}  // namespace grundy
