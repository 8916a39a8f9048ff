/// @file
/// Proofs of the rows of a table of positions. Each row is proved from the moves that the game
/// lists for people and from the stored values of the positions that these moves leave.
///
/// Every option of a row must be in the table, at a smaller potential, so that all rows together
/// are an induction. Every row must be an option of another row or a part of the start position;
/// then every row can be reached, because potentials end. Cost: one look-up for every component of
/// every option, in constant time if the game numbers its positions.
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

  /// The bytes that it holds besides the table.
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return reached_.size() + row_of_number_.size() * sizeof(std::uint32_t);
  }
  /// The fault of a row, as a clause; empty if the row is right.
  [[nodiscard]] std::string fault(std::uint64_t row) const;
  /// A row that is neither part of the start position nor an option of another row.
  [[nodiscard]] std::optional<Fault> fault_of_whole() const override;

 private:
  static constexpr std::uint32_t kNoRow = 0xFFFFFFFF;

  /// Options as rows of their components, whose sum each of them is. Ends are exclusive.
  struct Options {
    std::vector<std::uint64_t> rows;
    std::vector<std::size_t> end;

    [[nodiscard]] std::size_t size() const noexcept { return end.size(); }
    [[nodiscard]] std::span<const std::uint64_t> operator[](std::size_t i) const noexcept {
      const std::size_t begin = i == 0 ? 0 : end[i - 1];
      return std::span(rows).subspan(begin, end[i] - begin);
    }
  };

  /// The options of a row; nothing if one of them is not below the row in the table.
  [[nodiscard]] std::optional<Options> options_of(std::uint64_t row) const;
  /// The row of a position, if it stands in a layer that ends at row `below` or earlier.
  [[nodiscard]] std::optional<std::uint64_t> row_of(std::span<const std::uint64_t> key,
                                                    std::uint64_t below) const;
  [[nodiscard]] std::string fault_of_values(std::uint64_t row, const Options& options) const;
  [[nodiscard]] bool is_stored(std::uint64_t row, const Options& listed) const;

  const GraphGame& game_;
  const GraphFile& file_;
  /// By number of a position, its row, or kNoRow. Empty if the game does not number its positions,
  /// or most of them are not in the table.
  std::vector<std::uint32_t> row_of_number_;
  /// Several threads write here, all of them the same value.
  mutable std::vector<std::uint8_t> reached_;
};

}  // namespace grundy
