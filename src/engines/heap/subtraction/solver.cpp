// SPDX-License-Identifier: MIT
#include "engines/heap/subtraction/solver.hpp"

#include <algorithm>

#include <grundy/error.hpp>

namespace grundy {
namespace {

template <class T>
void copy_narrowed(std::span<const Nimber> values, T* to) {
  std::transform(values.begin(), values.end(), to, [](Nimber v) { return static_cast<T>(v); });
}

}  // namespace

void make_room_for(ValueBuffer& table, Nimber maximum) {
  if (maximum > largest_value(ValueWidth::kU32)) {
    throw Error(ErrorCode::kFailure, "a Grundy value does not fit into 32 bits");
  }
  if (const ValueWidth width = width_for(maximum); width > table.width()) table.promote(width);
}

void store_values(ValueBuffer& table, HeapSize begin, std::span<const Nimber> values) {
  Nimber maximum = 0;
  for (const Nimber v : values) maximum = std::max(maximum, v);
  make_room_for(table, maximum);
  switch (table.width()) {
    case ValueWidth::kU8:
      return copy_narrowed(values, table.data<std::uint8_t>() + begin);
    case ValueWidth::kU16:
      return copy_narrowed(values, table.data<std::uint16_t>() + begin);
    case ValueWidth::kU32:
      return copy_narrowed(values, table.data<std::uint32_t>() + begin);
  }
}

}  // namespace grundy
