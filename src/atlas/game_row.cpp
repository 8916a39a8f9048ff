// SPDX-License-Identifier: MIT
#include "atlas/game_row.hpp"

#include <fmt/format.h>

namespace grundy {

std::string game_row_heading() {
  return "game\tperiod\tsaltus\tlast exception\tmaximum\tat\tsparse space\tleast bit "
         "first\trare\twith 0\t"
         "last rare\tlast zero\theaps\n";
}

std::string to_text(const GameRow& row) {
  const auto known = [](const std::optional<HeapSize>& number) {
    return number ? fmt::format("{}", *number) : std::string("-");
  };
  const bool certified = row.period.status == PeriodStatus::kCertified;
  const auto if_certified = [&](HeapSize number) {
    return known(certified ? std::optional(number) : std::nullopt);
  };
  const auto if_bounded = [&](HeapSize number) {
    return known(row.period.grows() ? std::nullopt : std::optional(number));
  };
  std::string text = fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t", row.code,
                                 if_certified(row.period.period), if_certified(row.period.saltus),
                                 known(certified ? row.period.last_exception() : std::nullopt),
                                 if_bounded(row.stats.max_value), if_bounded(row.stats.argmax));
  if (row.sparse) {
    const std::string bits = fmt::format("{:b}", row.sparse->mask);
    const char* const parity = row.sparse->parity ? "+n" : "";
    text += fmt::format("{}{}\t{}{}\t{}\t{}\t{}\t", bits, parity,
                        std::string(bits.rbegin(), bits.rend()), parity, row.sparse->rare,
                        row.sparse->rare + 1, row.sparse->last_rare);
  } else {
    text += "-\t-\t-\t-\t-\t";
  }
  const bool recurs = row.last_zero && row.period.recurs(*row.last_zero);
  return text +
         fmt::format("{}\t{}\n", known(recurs ? std::nullopt : row.last_zero), row.stats.count);
}

}  // namespace grundy
