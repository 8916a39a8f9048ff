// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/part.hpp>

namespace grundy {

void check_range(const EntryRange& range, HeapSize count, std::string_view unit) {
  if (range.first <= range.last && range.last < count) return;
  if (count == 0) throw Error(ErrorCode::kUsage, fmt::format("there are no {} to prove", unit));
  throw Error(ErrorCode::kUsage, fmt::format("{0} {1} to {2} are no range of {0} 0 to {3}", unit,
                                             range.first, range.last, count - 1));
}

}  // namespace grundy
