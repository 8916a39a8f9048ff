/// @file
/// Text files that people and this program write, read as a whole or item by item.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace grundy {

/// The content of a file; nothing if it is no regular file, has more than `most` bytes, or cannot
/// be read.
std::optional<std::string> read_text_file(const std::filesystem::path& path, std::uint64_t most);

/// Calls visit(item) for each item of the list `path`: one on each line, without the blanks around
/// it. `#` starts a comment, and blank lines and a byte order mark do not count. `-` is standard
/// input. An Error from `visit` gets the name of the file and the line in front.
/// @throws Error(kUsage) if the file is a directory or cannot be opened, Error(kFailure) if reading
/// it fails
void for_each_item(const std::string& path, const std::function<void(std::string_view)>& visit);

}  // namespace grundy
