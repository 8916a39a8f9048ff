// SPDX-License-Identifier: MIT
#include "heap/sparse/table.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace grundy::sparse {

SparseTable::SparseTable(const Moves& moves, const KernelSet& kernels)
    : moves_(moves), kernels_(kernels), seen_(1, 0) {}

void SparseTable::set_split(const Split& split) {
  split_ = split;
  rare_.clear();
  values().visit([&](auto table) {
    for (HeapSize n = 1; n < table.size(); ++n) {
      if (!split_.is_common(table[n], n)) rare_.push_back(n);
    }
  });
}

bool SparseTable::reaches(HeapSize n, Nimber value) const noexcept {
  if (value == 0 && std::ranges::find(moves_.wholes, n) != moves_.wholes.end()) return true;
  return buffer_.values().visit([&](auto table) {
    using T = std::remove_cvref_t<decltype(table[0])>;
    for (const HeapSize take : moves_.singles) {
      if (take < n && table[n - take] == value) return true;
    }
    if (value > std::numeric_limits<T>::max()) return false;
    const auto& kernels = kernels_.of<T>();
    return std::ranges::any_of(moves_.splits, [&](const SplitMove& split) {
      const HeapSize pairs = Moves::pairs(split, n);
      return pairs != 0 && kernels.find_pair(table.data(), 1, n - split.take - 1, pairs,
                                             static_cast<T>(value)) < pairs;
    });
  });
}

/// Marks every option value of the common type (and some of the rare type).
template <class T>
void SparseTable::mark_options(HeapSize n) {
  const T* const values = buffer_.data<T>();
  if (std::ranges::find(moves_.wholes, n) != moves_.wholes.end()) mark(0);
  for (const HeapSize take : moves_.singles) {
    if (take < n) mark(values[n - take]);
  }
  if (split_.mask == 0) return;  // there are no values of the common type
  for (const SplitMove& split : moves_.splits) {
    for (const HeapSize r : rare_) {
      if (n <= r + split.take) break;
      const HeapSize partner = n - split.take - r;
      if (split.unequal && partner == r) continue;
      mark(static_cast<Nimber>(values[r] ^ values[partner]));
    }
  }
}

void SparseTable::append() {
  const HeapSize n = size_;
  if (n >= buffer_.size()) buffer_.resize(n + std::max<HeapSize>(n / 4, 4096));
  ++stamp_;
  switch (buffer_.width()) {
    case ValueWidth::kU8:
      mark_options<std::uint8_t>(n);
      break;
    case ValueWidth::kU16:
      mark_options<std::uint16_t>(n);
      break;
    case ValueWidth::kU32:
      mark_options<std::uint32_t>(n);
      break;
  }
  Nimber value = 0;
  bool common = split_.is_common(value, n);
  while (seen(value) || (!common && reaches(n, value))) {
    ++value;
    common = split_.is_common(value, n);
  }
  if (value > largest_value(buffer_.width())) buffer_.promote(width_for(value));
  switch (buffer_.width()) {
    case ValueWidth::kU8:
      buffer_.data<std::uint8_t>()[n] = static_cast<std::uint8_t>(value);
      break;
    case ValueWidth::kU16:
      buffer_.data<std::uint16_t>()[n] = static_cast<std::uint16_t>(value);
      break;
    case ValueWidth::kU32:
      buffer_.data<std::uint32_t>()[n] = value;
      break;
  }
  if (value >= value_limit_) {
    value_limit_ = std::bit_ceil(value + 1);
    seen_.resize(value_limit_, 0);
  }
  if (n > 0 && !common) rare_.push_back(n);
  size_ = n + 1;
}

}  // namespace grundy::sparse
