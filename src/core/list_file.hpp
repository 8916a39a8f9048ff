/// @file
/// Lists in text files: one item a line, `#` starts a comment, blank lines do not count.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace grundy {

/// Calls visit(item) for each item of the list `path`, without the blanks around it; `-` is
/// standard input. An Error of `visit` gets the name of the file and the line in front.
/// @throws Error(kUsage) if the file cannot be opened, Error(kFailure) if reading it fails
void for_each_item(const std::string& path, const std::function<void(std::string_view)>& visit);

}  // namespace grundy
