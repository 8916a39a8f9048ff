// SPDX-License-Identifier: MIT
#include "table/table_part.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace grundy {

namespace fs = std::filesystem;

std::string contradiction(const TablePart& part, const Layout& layout) {
  if (!layout.is_lattice()) return "only tables of several heaps are stored in parts";
  if (part.parts == 0 || part.parts > kMostPartsOfTable) {
    return fmt::format("a table has 1 to {} parts, not {}", kMostPartsOfTable, part.parts);
  }
  if (part.number >= part.parts) {
    return fmt::format("of {} parts there is none with the number {}", part.parts, part.number);
  }
  if (part.first_slab >= part.end_slab || part.end_slab > layout.extent[0]) {
    return fmt::format("a table of {} slabs has no part from slab {} to before {}",
                       layout.extent[0], part.first_slab, part.end_slab);
  }
  return "";
}

fs::path parts_directory(const fs::path& table) {
  fs::path directory = table;
  if (directory.extension() == ".h5") directory.replace_extension();
  directory += ".parts";
  return directory;
}

std::string part_name(std::uint64_t number) {
  return fmt::format("part-{:04}.h5", number);
}

bool is_part_name(std::string_view name) {
  for (std::uint64_t number = 0; number < kMostPartsOfTable; ++number) {
    if (name == part_name(number)) return true;
  }
  return false;
}

fs::path part_path(const fs::path& table, std::uint64_t number) {
  return parts_directory(table) / part_name(number);
}

SectionRange sections_within(std::uint64_t begin, std::uint64_t end, std::uint64_t total) noexcept {
  const auto up = [](std::uint64_t entry) {
    return entry / kDigestSection + (entry % kDigestSection != 0 ? 1 : 0);
  };
  const std::uint64_t first = up(begin);
  return {first, std::max(first, end == total ? up(end) : end / kDigestSection)};
}

Flow SectionDigests::put(const Stretch& entries) {
  const Stretch whole =
      entries.from(sections_.first * kDigestSection).to(sections_.end * kDigestSection);
  std::uint64_t begin = whole.begin;
  for (Values values = whole.values; !values.empty();) {
    const std::uint64_t end = std::min((begin / kDigestSection + 1) * kDigestSection, total_);
    const std::size_t size = std::min<std::uint64_t>(values.size(), end - begin);
    section_.update(values.subspan(0, size));
    begin += size;
    if (begin == end) {
      digests_.push_back(section_.value());
      section_.reset();
    }
    values = values.subspan(size);
  }
  return Flow::kContinue;
}

}  // namespace grundy
