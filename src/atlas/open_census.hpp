/// @file
/// Opens the file of a census of any kind; its attributes give the kind.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>

#include "atlas/census_file.hpp"
#include "atlas/census_kind.hpp"

namespace grundy::atlas {

class OpenCensus {
 public:
  /// Compares the seal. @throws Error(kCorrupt) if the file is damaged, Error(kUsage) if there is
  /// none or it is not a census
  explicit OpenCensus(const std::filesystem::path& path);

  [[nodiscard]] CensusKind& kind() noexcept { return *kind_; }
  [[nodiscard]] const CensusReader& reader() const noexcept { return *reader_; }
  [[nodiscard]] h5::Object& root() noexcept { return file_->root; }

 private:
  std::unique_ptr<SealedFile> file_;
  std::unique_ptr<CensusKind> kind_;
  std::unique_ptr<CensusReader> reader_;
};

}  // namespace grundy::atlas
