/// @file
/// The census of subtraction sets: the period of each set.
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <grundy/census.hpp>

#include "atlas/census_kind.hpp"

namespace grundy::atlas {

/// Conversions from the numbers of a row, and back.
SetPeriod period_of(std::span<const std::uint32_t> facts) noexcept;
void write_period(const SetPeriod& period, std::span<std::uint32_t> facts) noexcept;

class SetCensus final : public CensusKind {
 public:
  /// @param last the largest heap of a set that may be computed @throws Error(kUsage)
  SetCensus(const SetFamily& family, HeapSize last);
  /// The census of a file. @throws Error(kCorrupt) if the attributes are not those of such a census
  explicit SetCensus(h5::Object& root);

  /// Family, last heap and counts; the caller fills in the rest after counting.
  [[nodiscard]] const CensusReport& report() const noexcept { return report_; }

  [[nodiscard]] FileKind file_kind() const noexcept override { return FileKind::kCensus; }
  [[nodiscard]] const SetFamily& sets() const noexcept override { return report_.family; }
  [[nodiscard]] const std::vector<CensusColumn>& columns() const noexcept override {
    return columns_;
  }
  [[nodiscard]] std::string family_text() const override { return report_.family.text(); }
  [[nodiscard]] const char* row_name() const noexcept override { return "set"; }
  [[nodiscard]] std::uint64_t rows_of_task() const noexcept override { return 2048; }
  void write_game(const MoveSet& set, std::span<std::uint32_t> game) const override;
  [[nodiscard]] std::string notation(const MoveSet& set) const override;
  [[nodiscard]] std::string name(const MoveSet& set) const override { return notation(set); }
  [[nodiscard]] MoveSet set_of(std::string_view name) const override;
  [[nodiscard]] std::string words(std::span<const std::uint32_t> facts) const override;
  [[nodiscard]] std::unique_ptr<RowSearch> search() const override;
  [[nodiscard]] std::unique_ptr<RowProof> proof() const override;
  /// Preperiods and periods grow with the largest move.
  [[nodiscard]] std::uint64_t cost_of_proof(const MoveSet& set) const noexcept override {
    return set.back();
  }
  void count(const MoveSet& set, std::span<const std::uint32_t> facts) override;
  void write_attributes(h5::Object& root, const Digest128& digest) const override;
  void compare_attributes(h5::Object& root, const Digest128& digest) const override;

 private:
  void begin_counts();

  std::vector<CensusColumn> columns_;
  CensusReport report_;
};

}  // namespace grundy::atlas
