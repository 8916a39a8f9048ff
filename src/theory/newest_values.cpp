// SPDX-License-Identifier: MIT
#include "theory/newest_values.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/value_copy.hpp"

namespace grundy {

void NewestValues::restart(HeapSize next) noexcept {
  forgotten_ = 0;
  size_ = 0;
  end_ = next;
}

void NewestValues::reserve(std::size_t count) {
  const std::size_t width = byte_count(width_);
  if (count * width <= bytes_.size()) return;
  Bytes larger(count * width);
  const auto kept = bytes_.begin() + static_cast<std::ptrdiff_t>(forgotten_ * width);
  std::copy_n(kept, size_ * width, larger.begin());
  bytes_ = std::move(larger);
  forgotten_ = 0;
}

void NewestValues::append(Values values) {
  if (values.empty()) return;
  if (values.width() > width_) widen(least_width(values));
  make_room(values.size());
  const std::size_t width = byte_count(width_);
  std::byte* const out = bytes_.data() + (forgotten_ + size_) * width;
  if (values.width() == width_) {
    std::memcpy(out, values.data(), values.size() * width);
  } else {
    copy_to_width(values, width_, out);
  }
  size_ += values.size();
  end_ += values.size();
}

void NewestValues::widen(ValueWidth width) {
  if (width <= width_) return;
  Bytes wide(bytes_.size() / byte_count(width_) * byte_count(width));
  copy_to_width(view(), width, wide.data());
  bytes_ = std::move(wide);
  forgotten_ = 0;
  width_ = width;
}

void NewestValues::make_room(std::size_t count) {
  const std::size_t width = byte_count(width_);
  if ((forgotten_ + size_ + count) * width <= bytes_.size()) return;
  const std::byte* const kept = bytes_.data() + forgotten_ * width;
  const std::size_t needed = (size_ + count) * width;
  if (4 * needed <= 3 * bytes_.size()) {
    std::memmove(bytes_.data(), kept, size_ * width);
    forgotten_ = 0;
  } else {
    reserve((size_ + count) * 3 / 2 + 1);
  }
}

bool operator==(const NewestValues& a, const NewestValues& b) noexcept {
  return a.end_ == b.end_ && a.view().visit([&](auto one) {
    return b.view().visit([&](auto other) { return std::ranges::equal(one, other); });
  });
}

}  // namespace grundy
