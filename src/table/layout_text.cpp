// SPDX-License-Identifier: MIT
#include "table/layout_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text.hpp"

namespace grundy {

std::string shape_text(const Layout& layout) {
  const auto& extent = layout.extent;
  std::string text =
      fmt::format("{}", fmt::join(extent.begin(), extent.begin() + layout.heaps, " x "));
  if (layout.sorted) text += ", sorted heaps only";
  return fmt::format("{}: {} positions{}", text, format_count(layout.positions()),
                     layout.planes > 1 ? ", each without and with a pass left" : "");
}

std::string position_text(const Layout& layout, std::uint64_t entry, std::string_view separator) {
  const LatticePoint p = layout.position_at(entry);
  return fmt::format("{}", fmt::join(p.begin(), p.begin() + layout.heaps, separator));
}

std::string entry_header(const Layout& layout) {
  if (!layout.is_lattice()) return "n";
  std::string text;
  for (unsigned i = 1; i <= layout.heaps; ++i) {
    text += fmt::format("{}heap_{}", i > 1 ? "," : "", i);
  }
  return layout.planes > 1 ? text + ",pass_left" : text;
}

std::string entry_text(const Layout& layout, std::uint64_t entry) {
  const std::string text = position_text(layout, entry, ",");
  return layout.planes > 1 ? fmt::format("{},{}", text, layout.plane_of(entry)) : text;
}

}  // namespace grundy
