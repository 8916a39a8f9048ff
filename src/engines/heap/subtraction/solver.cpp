// SPDX-License-Identifier: MIT
#include "engines/heap/subtraction/solver.hpp"

#include <algorithm>

#include <grundy/error.hpp>

#include "core/value_copy.hpp"

namespace grundy {

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
  with_storage_type(table.width(), [&]<class T>(T) {
    std::ranges::transform(values, table.data<T>() + begin,
                           [](Nimber v) { return static_cast<T>(v); });
  });
}

}  // namespace grundy
