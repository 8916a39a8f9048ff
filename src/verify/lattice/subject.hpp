/// @file
/// Tables and runs of lattice games (several heaps that interact), as a subject of verification.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/lattice/rule.hpp>

#include "verify/lattice/prover.hpp"
#include "verify/table_subject.hpp"

namespace grundy {

class LatticeSubject final : public TableSubject {
 public:
  /// @pre table->order()
  LatticeSubject(const Work& work, std::unique_ptr<StoredTable> table);

  [[nodiscard]] std::string name(HeapSize entry) const override;
  [[nodiscard]] EntryCheck entry_check(double seconds) const override;
  [[nodiscard]] const Prover& prover() override;
  [[nodiscard]] std::uint64_t cost(HeapSize entry) const override;
  [[nodiscard]] std::string fault(HeapSize entry) const override;
  [[nodiscard]] std::string other_engine() const override;
  [[nodiscard]] SecondComputation compute_again(const std::string& engine) const override;
  [[nodiscard]] std::optional<Prediction> foretell_again(const std::string& engine) const override {
    return predict(again(engine));
  }

 private:
  /// The request that computes the table anew.
  [[nodiscard]] Request again(const std::string& engine) const;

  [[nodiscard]] const ValueOrder& order() const noexcept { return *table().order(); }

  LatticeRule rule_;
  std::optional<LatticeProver> prover_;
};

}  // namespace grundy
