// SPDX-License-Identifier: MIT
#include "release/sha256.hpp"

#include <array>
#include <cstdint>
#include <fstream>
#include <vector>

#include <fmt/format.h>
#include <nettle/sha2.h>

#include <grundy/error.hpp>

namespace grundy {

namespace fs = std::filesystem;

std::string sha256_of(const fs::path& file) {
  constexpr std::size_t kBlock = std::size_t{1} << 20;
  sha256_ctx context;
  sha256_init(&context);
  std::ifstream in(file, std::ios::binary);
  std::vector<char> block(kBlock);
  while (in) {
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    sha256_update(&context, static_cast<std::size_t>(in.gcount()),
                  reinterpret_cast<const std::uint8_t*>(block.data()));
  }
  if (!in.eof()) {
    throw Error(ErrorCode::kFailure, fmt::format("cannot read '{}'", file.string()));
  }
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_digest(&context, digest.size(), digest.data());
  std::string text;
  for (const std::uint8_t byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

Sums sums_of(const fs::path& directory) {
  Sums sums;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.is_directory()) continue;
    const std::string name = entry.path().lexically_relative(directory).generic_string();
    if (name != kSumsName) sums.emplace(name, sha256_of(entry.path()));
  }
  return sums;
}

std::string to_text(const Sums& sums) {
  std::string text;
  for (const auto& [name, sum] : sums) text += fmt::format("{}  {}\n", sum, name);
  return text;
}

Sums read_sums(const fs::path& directory) {
  const fs::path path = directory / kSumsName;
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    throw Error(ErrorCode::kUsage,
                fmt::format("'{}' is no release: it has no {}", directory.string(), kSumsName));
  }
  constexpr std::size_t kDigits = std::size_t{2} * SHA256_DIGEST_SIZE;
  Sums sums;
  for (std::string line; std::getline(in, line);) {
    const std::string name = line.size() > kDigits + 2 ? line.substr(kDigits + 2) : std::string();
    const fs::path inside = fs::path(name).lexically_normal();
    const bool leaves = inside.is_absolute() || inside.empty() || *inside.begin() == "..";
    if (line.find_first_not_of("0123456789abcdef") != kDigits ||
        line.compare(kDigits, 2, "  ") != 0 || leaves) {
      throw Error(ErrorCode::kCorrupt,
                  fmt::format("'{}' has a line that is no sum of a file", path.string()));
    }
    sums.emplace(name, line.substr(0, kDigits));
  }
  return sums;
}

}  // namespace grundy
