// SPDX-License-Identifier: MIT
#include "atlas/family_directory.hpp"

#include <cstddef>
#include <set>
#include <span>
#include <system_error>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/atomic_file.hpp"
#include "core/digest.hpp"

namespace grundy::atlas {

namespace fs = std::filesystem;

void FamilyDirectory::make() const {
  if (path_.empty()) return;
  std::error_code error;
  fs::create_directory(path_, error);
  if (error) {
    throw Error(ErrorCode::kFailure, fmt::format("the directory '{}' cannot be made: {}",
                                                 path_.string(), error.message()));
  }
}

fs::path FamilyDirectory::table_of(const std::string& code) const {
  if (path_.empty()) return {};
  constexpr std::size_t kLongestName = 100;
  if (code.size() <= kLongestName) return path_ / (code + ".h5");
  return path_ / fmt::format("{:016x}.h5", hash64(std::as_bytes(std::span(code))));
}

bool FamilyDirectory::remove(const std::vector<std::string>& codes) const {
  if (path_.empty() || !fs::exists(path_)) return true;
  std::set<std::string> own;
  for (const std::string& code : codes) own.insert(table_of(code).filename().string());
  const std::vector<fs::directory_entry> entries(fs::directory_iterator(path_), {});
  for (const auto& entry : entries) {
    const fs::path& file = entry.path();
    // A temporary name is the final one, a tag, and the suffix.
    const bool is_temporary = file.extension() == kTemporarySuffix;
    const fs::path name = is_temporary ? file.stem().stem() : file.filename();
    if (own.contains(name.string())) fs::remove(file);
  }
  std::error_code not_empty;
  return fs::remove(path_, not_empty);
}

}  // namespace grundy::atlas
