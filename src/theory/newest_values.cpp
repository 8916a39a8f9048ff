// SPDX-License-Identifier: MIT
#include "theory/newest_values.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/value_copy.hpp"

namespace grundy {

void NewestValues::restart(HeapSize next) noexcept {
  size_ = 0;
  end_ = next;
}

void NewestValues::append(Values values) {
  if (values.width() > width_) {
    const ValueWidth needed = least_width(values);
    if (needed > width_) widen(needed);
  }
  const std::size_t width = byte_count(width_);
  const std::size_t bytes = (size_ + values.size()) * width;
  if (bytes > bytes_.size()) bytes_.resize(bytes + bytes / 2);
  std::byte* const out = bytes_.data() + size_ * width;
  if (values.width() == width_) {
    std::memcpy(out, values.data(), values.size() * width);
  } else {
    copy_to_width(values, width_, out);
  }
  size_ += values.size();
  end_ += values.size();
}

void NewestValues::widen(ValueWidth width) {
  std::vector<std::byte> wide(size_ * byte_count(width));
  copy_to_width(view(), width, wide.data());
  bytes_ = std::move(wide);
  width_ = width;
}

void NewestValues::keep(std::size_t count) noexcept {
  const std::size_t width = byte_count(width_);
  std::memmove(bytes_.data(), bytes_.data() + (size_ - count) * width, count * width);
  size_ = count;
}

bool operator==(const NewestValues& a, const NewestValues& b) noexcept {
  return a.end_ == b.end_ && a.view().visit([&](auto one) {
    return b.view().visit([&](auto other) { return std::ranges::equal(one, other); });
  });
}

}  // namespace grundy
