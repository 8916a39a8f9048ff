/// @file
/// Proofs of the rows of a table of positions. Each row is proved from the moves that the game
/// lists for people and from the stored values of the positions that these moves leave.
///
/// Every option of a row must be in the table, at a smaller potential, so that all rows together
/// are an induction. Every row must be an option of another row or a part of the start position;
/// then every row can be reached, because potentials end. Cost: one look-up for every component of
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

  /// The fault of a row, as a clause; empty if the row is right.
  [[nodiscard]] std::string fault(std::uint64_t row) const;
  /// A row that is neither part of the start position nor an option of another row.
  [[nodiscard]] std::optional<Fault> fault_of_whole() const override;

 private:
  /// The rows of the components of one position, which is their sum.
  using Rows = std::vector<std::uint64_t>;

  /// The options of a row; nothing if one of them is not below the row in the table.
  [[nodiscard]] std::optional<std::vector<Rows>> options_of(std::uint64_t row) const;
  [[nodiscard]] std::string fault_of_values(std::uint64_t row,
                                            const std::vector<Rows>& options) const;
  [[nodiscard]] bool is_stored(std::uint64_t row, std::vector<Rows> options) const;

  const GraphGame& game_;
  const GraphFile& file_;
  /// Several threads write here, all of them the same value.
  mutable std::vector<std::uint8_t> reached_;
};

}  // namespace grundy
