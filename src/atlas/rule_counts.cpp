/// @file
/// Counts of common features of the rules of a census.
// SPDX-License-Identifier: MIT
#include <string>

#include <fmt/format.h>

#include <grundy/rule_census.hpp>

namespace grundy {
void RuleCounts::add(const RuleRow& row, std::uint32_t positions) {
  const RuleFacts& found = row.found;
  const bool is_first = rules++ == 0;
  if (found.first_difference == positions) ++same_values;
  if (found.first_p_difference == positions) ++same_p;
  if (found.is_nim_p) ++nim_p;
  if (found.is_wythoff_p) ++wythoff_p;
  if (is_first || found.p_positions > most.found.p_positions) most = row;
  if (is_first || found.p_positions < fewest.found.p_positions) fewest = row;
  if (is_first || found.max_value > highest.found.max_value) highest = row;
}

std::string RuleCensusReport::csv() const {
  std::string text =
      "last_vector,rules,same_values,same_p_positions,nim_p_positions,wythoff_p_positions,"
      "most_p_positions,vectors_of_most,fewest_p_positions,vectors_of_fewest,largest_value,"
      "vectors_of_largest\n";
  const std::vector<LatticePoint> vectors = family.vectors();
  for (std::size_t i = 0; i < by_last.size(); ++i) {
    const RuleCounts& c = by_last[i];
    const auto row = [&](const RuleRow& r, std::uint32_t number) {
      return fmt::format(",{},\"{}\"", number, family.terms(r.vectors));
    };
    text += fmt::format("\"{}\",{},{},{},{},{}", family.terms({vectors[family.size - 1 + i]}),
                        c.rules, c.same_values, c.same_p, c.nim_p, c.wythoff_p);
    text += row(c.most, c.most.found.p_positions);
    text += row(c.fewest, c.fewest.found.p_positions);
    text += row(c.highest, c.highest.found.max_value) + "\n";
  }
  return text;
}

}  // namespace grundy
