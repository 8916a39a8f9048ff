// SPDX-License-Identifier: MIT
#include "core/value_buffer.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <sys/mman.h>

#include <grundy/error.hpp>

#include "core/huge_pages.hpp"
#include "core/mapping.hpp"
#include "core/value_copy.hpp"

namespace grundy {
namespace {

constexpr std::size_t kLeastMapping = std::size_t{1} << 16;

/// Rounds up to the next step of a ladder. A step is 64 KiB or an eighth, whichever is more. So
/// growing value by value costs few system calls and little address space. From a huge page on,
/// sizes are whole huge pages: what is written to a part of one stays in small pages.
std::size_t rounded(std::size_t bytes) {
  std::size_t size = kLeastMapping;
  while (size < bytes) size += std::max(kLeastMapping, size / 8 / 4096 * 4096);
  return size < kHugePage ? size : whole_huge_pages(size);
}

std::byte* map(void* old, std::size_t old_size, std::size_t size) {
  void* const at = old == nullptr ? new_mapping(size) : larger_mapping(old, old_size, size);
  if (at == nullptr) {
    throw Error(ErrorCode::kFailure, "the system has no " + std::to_string(size >> 20) +
                                         " MiB of memory left for the table of values");
  }
  return static_cast<std::byte*>(at);
}

}  // namespace

ValueBuffer::~ValueBuffer() {
  if (mapping_ != nullptr) munmap(mapping_, mapped_);
}

void ValueBuffer::swap(ValueBuffer& other) noexcept {
  std::swap(mapping_, other.mapping_);
  std::swap(mapped_, other.mapped_);
  std::swap(size_, other.size_);
  std::swap(width_, other.width_);
}

void ValueBuffer::reserve(HeapSize count) {
  if (count > (std::numeric_limits<std::size_t>::max() / 4 - 2 * kPadding) / byte_count(width_)) {
    throw Error(ErrorCode::kFailure,
                "a table of " + std::to_string(count) + " values is beyond any memory");
  }
  const std::size_t needed = count * byte_count(width_) + 2 * kPadding;
  if (needed <= mapped_) return;
  const std::size_t size = rounded(needed);
  mapping_ = map(mapping_, mapped_, size);
  mapped_ = size;
}

void ValueBuffer::populate(HeapSize begin, HeapSize end) const noexcept {
  // Linux has this call from 5.14 on. Without it, or if it fails, pages come when they are written.
#ifdef MADV_POPULATE_WRITE
  constexpr std::size_t kPage = 4096;
  const std::size_t from = (kPadding + begin * byte_count(width_)) / kPage * kPage;
  const std::size_t to = kPadding + end * byte_count(width_);
  madvise(mapping_ + from, to - from, MADV_POPULATE_WRITE);
#else
  static_cast<void>(begin), static_cast<void>(end);
#endif
}

void ValueBuffer::resize(HeapSize count) {
  reserve(count);
  size_ = std::max(size_, count);
}

void ValueBuffer::append(Values values) {
  const ValueWidth needed = least_width(values);
  if (needed > width_) promote(needed);
  const HeapSize at = size_;
  resize(at + values.size());
  copy_to_width(values, width_, begin() + at * byte_count(width_));
}

void ValueBuffer::promote(ValueWidth width) {
  const Values old = values();
  const std::size_t size = rounded(size_ * byte_count(width) + 2 * kPadding);
  std::byte* const wide = map(nullptr, 0, std::max(size, mapped_));
  if (mapping_ != nullptr) {
    old.visit([&](auto from) {
      if (width == ValueWidth::kU16) {
        std::copy(from.begin(), from.end(), reinterpret_cast<std::uint16_t*>(wide + kPadding));
      } else {
        std::copy(from.begin(), from.end(), reinterpret_cast<std::uint32_t*>(wide + kPadding));
      }
    });
    munmap(mapping_, mapped_);
  }
  mapping_ = wide;
  mapped_ = std::max(size, mapped_);
  width_ = width;
}

}  // namespace grundy
