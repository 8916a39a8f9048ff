// SPDX-License-Identifier: MIT
#include "core/list_file.hpp"

#include <fstream>
#include <iostream>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/text_cursor.hpp"

namespace grundy {

void for_each_item(const std::string& path, const std::function<void(std::string_view)>& visit) {
  const bool standard_input = path == "-";
  const std::string name = standard_input ? "standard input" : path;
  std::ifstream file;
  if (!standard_input) file.open(path);
  std::istream& in = standard_input ? std::cin : file;
  if (!in) throw Error(ErrorCode::kUsage, fmt::format("the list '{}' cannot be read", path));
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    const std::string_view item = trimmed(std::string_view(line).substr(0, line.find('#')));
    if (item.empty()) continue;
    try {
      visit(item);
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("{}:{}: {}", name, number, error.what()));
    }
  }
  if (in.bad()) throw Error(ErrorCode::kFailure, fmt::format("reading '{}' failed", path));
}

}  // namespace grundy
