/// @file
/// Proofs of the rows of a table of positions, each from the moves that the game lists for people
/// and the stored values of what they leave.
///
/// Every option of a row must be in the table, at a smaller potential, so that all rows together
/// are an induction. That every row is reached follows from every row being an option of another or
/// part of the start position, because potentials end. Cost: one look-up for every component of
/// every option.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <grundy/graph/file.hpp>

#include "verify/prover.hpp"

namespace grundy {

class GraphProver final : public Prover {
 public:
  /// @pre check_keys(). References must outlive it.
  GraphProver(const GraphGame& game, const GraphFile& file);

  [[nodiscard]] std::string method() const override { return "every option of every position"; }
  [[nodiscard]] HeapSize group() const noexcept override { return 64; }
  [[nodiscard]] std::optional<HeapSize> first_wrong(HeapSize begin, HeapSize end) const override;

  /// What is wrong with a row, in one clause; empty if nothing is.
  [[nodiscard]] std::string fault(std::uint64_t row) const;
  /// A row that is neither part of the start position nor an option of another row.
  [[nodiscard]] std::optional<Fault> fault_of_whole() const override;

 private:
  /// Rows of one position, whose sum it is.
  using Rows = std::vector<std::uint64_t>;

  /// The options of a row; nothing if one is not below it in the table.
  [[nodiscard]] std::optional<std::vector<Rows>> options_of(std::uint64_t row) const;
  [[nodiscard]] std::string fault_of_values(std::uint64_t row,
                                            const std::vector<Rows>& options) const;
  [[nodiscard]] bool is_stored(std::uint64_t row, std::vector<Rows> options) const;

  const GraphGame& game_;
  const GraphFile& file_;
  /// Written by several threads, all of them the same.
  mutable std::vector<std::uint8_t> reached_;
};

}  // namespace grundy
