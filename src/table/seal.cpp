// SPDX-License-Identifier: MIT
#include "table/seal.hpp"

#include <fstream>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/descriptor.hpp"
#include "core/digest.hpp"
#include "table/file_checks.hpp"

namespace grundy {

namespace fs = std::filesystem;

namespace {

constexpr const char* kTailOffsetName = "tail_offset";
constexpr const char* kTailDigestName = "tail_xxh3";

}  // namespace

std::uint64_t tail_digest(const fs::path& path, std::uint64_t offset) {
  const std::uint64_t size = fs::file_size(path);
  if (offset > size) {
    refuse(ErrorCode::kCorrupt, path,
           fmt::format("is damaged: its metadata cannot begin at byte {} of {}", offset, size));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open()) throw_errno("open", path.string());
  file.seekg(static_cast<std::streamoff>(offset));
  const std::uint64_t digest = hash64(file, size - offset);
  if (!file) refuse(ErrorCode::kFailure, path, "cannot be read");
  return digest;
}

h5::Object create_seal(h5::Object& root) {
  h5::Object seal = root.create_group(kIntegrityName);
  seal.put_number(kTailOffsetName, 0);
  seal.put_number(kTailDigestName, 0);
  return seal;
}

void close_seal(h5::Object& seal, const fs::path& path, std::uint64_t offset) {
  seal.set_number(kTailOffsetName, offset);
  seal.set_number(kTailDigestName, tail_digest(path, offset));
  seal.close();
}

std::uint64_t seal_of(const h5::Object& seal) {
  return seal.number(kTailDigestName);
}

h5::Object open_seal(const h5::Object& root, const fs::path& path) {
  h5::Object seal = root.open_group(kIntegrityName);
  if (tail_digest(path, seal.number(kTailOffsetName)) != seal_of(seal)) {
    refuse(ErrorCode::kCorrupt, path, "is damaged: its metadata do not match their digest");
  }
  return seal;
}

void write_sealed(const fs::path& path, const std::function<void(h5::Object& root)>& fill) {
  h5::File file = h5::File::create(path);
  h5::Object root = file.root();
  h5::Object seal = create_seal(root);
  file.flush_without_gaps();
  const std::uint64_t offset = fs::file_size(path);
  fill(root);
  root.put_number("complete", 1);
  root.close();
  file.flush();
  close_seal(seal, path, offset);
  file.close();
}

void reseal_with(const fs::path& path, const RootTexts& texts) {
  h5::File file = h5::File::change(path);
  h5::Object root = file.root();
  for (const auto& [name, text] : texts) root.replace_text(name, text);
  h5::Object seal = root.open_group(kIntegrityName);
  root.close();
  file.flush();
  close_seal(seal, path, seal.number(kTailOffsetName));
  file.close();
}

}  // namespace grundy
