/// @file
/// Values in few bytes, as tables store them. The text of a state has them in this form.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <grundy/types.hpp>

#include "core/value_buffer.hpp"

namespace grundy {

struct PackedValues {
  ValueWidth width = ValueWidth::kU8;
  HeapSize count = 0;
  std::vector<std::uint64_t> sizes{};  ///< of the chunks (table/chunk_codec.hpp), of 2^20 values
  std::vector<std::byte> bytes{};      ///< of all chunks
};

PackedValues packed(Values values);

/// Appends the values. @throws Error(kCorrupt) if the bytes do not hold `packed.count` values
void unpack(const PackedValues& packed, ValueBuffer& values);

}  // namespace grundy
