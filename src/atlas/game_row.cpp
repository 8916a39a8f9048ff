// SPDX-License-Identifier: MIT
#include "atlas/game_row.hpp"

#include <fmt/format.h>

namespace grundy {

std::string game_row_heading() {
  return "game\tperiod\tlast exception\tmaximum\tat\tsparse space\tleast bit first\trare\twith 0\t"
         "last rare\tlast zero\theaps\n";
}

std::string to_text(const GameRow& row) {
  const auto known = [](const std::optional<HeapSize>& number) {
    return number ? fmt::format("{}", *number) : std::string("-");
  };
  const bool certified = row.period.status == PeriodStatus::kCertified;
  std::string text = fmt::format("{}\t{}\t{}\t{}\t{}\t", row.code,
                                 known(certified ? std::optional(row.period.period) : std::nullopt),
                                 known(certified ? row.period.last_exception() : std::nullopt),
                                 row.stats.max_value, row.stats.argmax);
  if (row.sparse) {
    const std::string bits = fmt::format("{:b}", row.sparse->mask);
    const char* const parity = row.sparse->position ? "+n" : "";
    text += fmt::format("{}{}\t{}{}\t{}\t{}\t{}\t", bits, parity,
                        std::string(bits.rbegin(), bits.rend()), parity, row.sparse->rare,
                        row.sparse->rare + 1, row.sparse->last_rare);
  } else {
    text += "-\t-\t-\t-\t-\t";
  }
  return text + fmt::format("{}\t{}\n", known(row.last_zero), row.stats.count);
}

}  // namespace grundy
