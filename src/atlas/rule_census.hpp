/// @file
/// The census of rules of several heaps. An engine computes each rule in one shape, and it is
/// compared with the base, with Nim and with Wythoff's game.
///
/// A row is proved by the same comparison, with values of rule and base that the engine `reference`
/// computes.
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <grundy/rule_census.hpp>

#include "atlas/census_kind.hpp"

namespace grundy::atlas {

/// The tables with which rules are compared, in the order of a table.
struct BaseTables {
  std::vector<Nimber> values;           ///< of the base
  std::vector<std::uint8_t> nim_p;      ///< 1 for a P-position of Nim
  std::vector<std::uint8_t> wythoff_p;  ///< of Wythoff's game; empty unless there are two heaps
};

/// Conversions from the numbers of a row, and back.
RuleFacts facts_of(std::span<const std::uint32_t> numbers) noexcept;
void write_facts(const RuleFacts& facts, std::span<std::uint32_t> numbers) noexcept;

class RuleCensus final : public CensusKind {
 public:
  /// @throws Error(kUsage) if the family or the shape is not valid
  explicit RuleCensus(const RuleCensusRequest& request);
  /// The census of a file, whose rows are then counted or proved.
  /// @throws Error(kCorrupt) if the attributes are not those of such a census
  explicit RuleCensus(h5::Object& root);

  /// Family, shape and counts; the caller fills in the rest after counting.
  [[nodiscard]] const RuleCensusReport& report() const noexcept { return report_; }

  [[nodiscard]] FileKind file_kind() const noexcept override { return FileKind::kRuleCensus; }
  [[nodiscard]] const SetFamily& sets() const noexcept override { return sets_; }
  [[nodiscard]] const std::vector<CensusColumn>& columns() const noexcept override {
    return columns_;
  }
  [[nodiscard]] std::string family_text() const override { return report_.family.text(); }
  [[nodiscard]] const char* row_name() const noexcept override { return "rule"; }
  [[nodiscard]] std::uint64_t rows_of_task() const noexcept override { return 16; }
  void write_game(const MoveSet& set, std::span<std::uint32_t> game) const override;
  [[nodiscard]] std::string notation(const MoveSet& set) const override;
  [[nodiscard]] std::string name(const MoveSet& set) const override;
  [[nodiscard]] MoveSet set_of(std::string_view name) const override;
  [[nodiscard]] std::string words(std::span<const std::uint32_t> facts) const override;
  [[nodiscard]] std::unique_ptr<RowSearch> search() const override;
  [[nodiscard]] std::unique_ptr<RowProof> proof() const override;
  /// All tables have the same shape.
  [[nodiscard]] std::uint64_t cost_of_proof(const MoveSet&) const noexcept override { return 1; }
  void count(const MoveSet& set, std::span<const std::uint32_t> facts) override;
  void write_attributes(h5::Object& root, const Digest128& digest) const override;
  void compare_attributes(h5::Object& root, const Digest128& digest) const override;

  /// Computes a rule of the family in the shape. Returns the facts about its values.
  [[nodiscard]] RuleFacts facts_of_set(const MoveSet& set, Executor& executor) const;

 private:
  void begin();
  const BaseTables& base(Executor& executor) const;

  Machine machine_;
  SetFamily sets_;
  std::vector<LatticePoint> vectors_;
  std::vector<CensusColumn> columns_;
  RuleCensusReport report_;
  mutable std::once_flag base_made_;  ///< the base is computed when the first row is wanted
  mutable BaseTables base_;
};

}  // namespace grundy::atlas
