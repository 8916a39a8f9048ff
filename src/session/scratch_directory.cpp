// SPDX-License-Identifier: MIT
#include "session/scratch_directory.hpp"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include <grundy/error.hpp>

namespace grundy {

namespace fs = std::filesystem;

ScratchDirectory::ScratchDirectory() {
  std::error_code error;
  std::string name = (fs::temp_directory_path(error) / "grundy-XXXXXX").string();
  if (!error && ::mkdtemp(name.data()) == nullptr) error = {errno, std::generic_category()};
  if (error) {
    throw Error(ErrorCode::kFailure,
                fmt::format("cannot make a directory for states, {}: {}", name, error.message()));
  }
  path_ = name;
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace grundy
