// SPDX-License-Identifier: MIT
#include "session/product_check.hpp"

#include <fmt/format.h>

#include <grundy/error.hpp>

namespace grundy {

void ProductCheck::compare(const std::filesystem::path& table) const {
  const auto wrong = computed_.difference(read_);
  if (!wrong) return;
  throw Error(
      ErrorCode::kFailure,
      fmt::format("'{}' was not written: the positions {} {} to {} do not read back as they "
                  "were computed; values have changed in memory, so do not trust this "
                  "machine before `grundy selftest --soak 60min`",
                  table.string(), stored_.shape.sorted ? "of ranks" : "whose first heap has",
                  wrong->first, wrong->last));
}

}  // namespace grundy
