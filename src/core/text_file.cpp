// SPDX-License-Identifier: MIT
#include "core/text_file.hpp"

#include <fstream>
#include <iostream>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/descriptor.hpp"
#include "core/text_cursor.hpp"

namespace grundy {
namespace {

/// What some editors write at the beginning of a text in UTF-8.
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

}  // namespace

std::optional<std::string> read_text_file(const std::filesystem::path& path, std::uint64_t most) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  const std::uint64_t size = std::filesystem::file_size(path, error);
  if (error || size > most) return std::nullopt;
  std::string text(size, '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file.read(text.data(), static_cast<std::streamsize>(size))) return std::nullopt;
  return text;
}

void for_each_item(const std::string& path, const std::function<void(std::string_view)>& visit) {
  const bool standard_input = path == "-";
  std::error_code unknown;
  if (!standard_input && std::filesystem::is_directory(path, unknown)) {
    throw Error(ErrorCode::kUsage, fmt::format("'{}' is a directory, not a list", path));
  }
  const std::string name = standard_input ? "standard input" : path;
  std::ifstream file;
  if (!standard_input) file.open(path);
  std::istream& in = standard_input ? std::cin : file;
  if (!in) throw_errno("open", path, ErrorCode::kUsage);
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    if (number == 1 && line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
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
