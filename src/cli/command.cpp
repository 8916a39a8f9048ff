// SPDX-License-Identifier: MIT
#include "cli/command.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace grundy::cli {
namespace {

/// Whether `name` is one of the names in `names`, which are separated by commas.
bool among(std::string_view names, std::string_view name) {
  for (std::size_t begin = 0; begin < names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    if (names.substr(begin, end - begin) == name) return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace

void Command::add(std::vector<Option> more) {
  std::ranges::move(more, std::back_inserter(options));
}

bool Command::given(std::string_view option) const {
  return std::ranges::any_of(options,
                             [&](const Option& o) { return o.given && among(o.names, option); });
}

}  // namespace grundy::cli
