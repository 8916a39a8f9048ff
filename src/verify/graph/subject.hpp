/// @file
/// Tables of games on positions, as a subject of verification. Entries are rows.
///
/// Content: reading the file compares its digest and the digest of the rows and their order
/// (table/README.md). Counts, maximum and the value of the start position are counted anew, and
/// every key must be one of a position of the game. Values: by the definition, row by row
/// (verify/graph/prover.hpp). An engine alone does not prove a table, because the table also holds
/// outcomes and the options of its rows.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include <grundy/graph/file.hpp>

#include "verify/graph/prover.hpp"
#include "verify/subject.hpp"

namespace grundy {

class GraphSubject final : public Subject {
 public:
  /// @pre kind_of(work.request.table) == FileKind::kPositions
  explicit GraphSubject(const Work& work);

  [[nodiscard]] const char* unit() const noexcept override { return "positions"; }
  [[nodiscard]] std::string name(HeapSize row) const override;
  [[nodiscard]] std::uint64_t value_bytes() const noexcept override { return 0; }
  bool load(HeapSize keep) override;
  [[nodiscard]] std::vector<HeapSize> conspicuous() const override;
  [[nodiscard]] EntryCheck entry_check(double seconds) const override;
  [[nodiscard]] const Prover& prover() override { return prover_; }
  [[nodiscard]] std::string fault(HeapSize row) const override;
  [[nodiscard]] std::string other_engine() const override { return {}; }
  [[nodiscard]] bool engine_is_enough() const noexcept override { return false; }
  [[nodiscard]] SecondComputation compute_again(const std::string& engine) const override;

 private:
  const Work& work_;
  GraphFile file_;
  std::shared_ptr<const GraphGame> game_;
  GraphProver prover_;
};

/// The facts about a table of positions that other tables have too: names, counts and digest.
TableInfo graph_table_info(const std::filesystem::path& path);

}  // namespace grundy
