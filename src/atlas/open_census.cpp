// SPDX-License-Identifier: MIT
#include "atlas/open_census.hpp"

#include "atlas/rule_census.hpp"
#include "atlas/set_census.hpp"

namespace grundy::atlas {

OpenCensus::OpenCensus(const std::filesystem::path& path) {
  const bool is_of_rules = kind_of(path) == FileKind::kRuleCensus;
  file_ = std::make_unique<SealedFile>(
      open_sealed(path, is_of_rules ? FileKind::kRuleCensus : FileKind::kCensus));
  if (is_of_rules) {
    kind_ = std::make_unique<RuleCensus>(file_->root);
  } else {
    kind_ = std::make_unique<SetCensus>(file_->root);
  }
  reader_ = std::make_unique<CensusReader>(file_->root, *kind_);
}

}  // namespace grundy::atlas
