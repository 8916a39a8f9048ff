/// @file
/// Tables and runs of games of one heap, as a subject of verification.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/heap/rule.hpp>

#include "verify/table_subject.hpp"

namespace grundy {

class HeapSubject final : public TableSubject {
 public:
  HeapSubject(const Work& work, std::unique_ptr<StoredTable> table);

  [[nodiscard]] std::string name(HeapSize heap) const override;
  [[nodiscard]] HeapSize periodic_from() const override { return periodic_from_; }
  [[nodiscard]] std::uint64_t prover_bytes(HeapSize heaps) const override;
  [[nodiscard]] EntryCheck entry_check(double seconds) const override;
  [[nodiscard]] const Prover& prover() override;
  [[nodiscard]] std::uint64_t cost(HeapSize heap) const override;
  [[nodiscard]] std::string fault(HeapSize heap) const override;
  [[nodiscard]] std::string other_engine() const override;
  [[nodiscard]] SecondComputation compute_again(const std::string& engine) const override;
  [[nodiscard]] std::optional<Prediction> foretell_again(const std::string& engine) const override {
    return predict(again(engine));
  }
  [[nodiscard]] std::optional<WrongValue> check_period() const override;

 private:
  /// The request that computes the table anew.
  [[nodiscard]] Request again(const std::string& engine) const;

  HeapRule rule_;
  HeapSize periodic_from_;
  bool options_grow_;  ///< larger heaps have more options
  std::unique_ptr<Prover> prover_;
};

}  // namespace grundy
