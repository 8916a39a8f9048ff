// SPDX-License-Identifier: MIT
#include "verify/heap/provers.hpp"

#include <utility>

#include "verify/heap/definition.hpp"
#include "verify/heap/formula_prover.hpp"
#include "verify/heap/pair_prover.hpp"
#include "verify/heap/set_prover.hpp"

namespace grundy {
namespace {

/// Every option of every heap: for rules that nothing faster covers.
class DefinitionProver final : public Prover {
 public:
  DefinitionProver(const HeapRule& rule, StoredValues stored) : rule_(rule), stored_(stored) {}

  [[nodiscard]] std::string method() const override { return "every option listed"; }
  [[nodiscard]] HeapSize group() const noexcept override { return 1; }
  [[nodiscard]] std::optional<HeapSize> first_wrong(HeapSize begin, HeapSize end) const override {
    HeapDefinition definition(rule_, stored_.values, stored_.largest);
    for (HeapSize n = begin; n < end; ++n) {
      if (definition.mex(n) != stored_.values[n]) return n;
    }
    return std::nullopt;
  }

 private:
  const HeapRule& rule_;
  StoredValues stored_;
};

/// The heap with a pass by the definition, all others by a prover that knows of no pass.
class PassProver final : public Prover {
 public:
  PassProver(const HeapRule& rule, StoredValues stored, std::unique_ptr<Prover> plain)
      : pass_(rule.pass().value()), by_definition_(rule, stored), plain_(std::move(plain)) {}

  [[nodiscard]] std::string method() const override { return plain_->method(); }
  [[nodiscard]] HeapSize group() const noexcept override { return plain_->group(); }
  [[nodiscard]] std::optional<HeapSize> first_wrong(HeapSize begin, HeapSize end) const override {
    if (pass_ < begin || pass_ >= end) return plain_->first_wrong(begin, end);
    std::optional<HeapSize> wrong;
    if (begin < pass_) wrong = plain_->first_wrong(begin, pass_);
    if (!wrong) wrong = by_definition_.first_wrong(pass_, pass_ + 1);
    if (!wrong && pass_ + 1 < end) wrong = plain_->first_wrong(pass_ + 1, end);
    return wrong;
  }

 private:
  HeapSize pass_;
  DefinitionProver by_definition_;
  std::unique_ptr<Prover> plain_;
};

/// The fastest prover for the heaps that have no pass.
std::unique_ptr<Prover> make_plain_prover(const HeapRule& rule, StoredValues stored,
                                          const KernelSet& kernels, Executor& executor) {
  if (const FormulaRule* formula = rule.formula()) {
    return std::make_unique<FormulaProver>(*formula, stored);
  }
  return stored.values.visit([&]<class T>(std::span<const T> values) -> std::unique_ptr<Prover> {
    if (auto moves = PairMoves::from(rule, values.size())) {
      return std::make_unique<PairProver<T>>(std::move(*moves), stored, kernels);
    }
    if (SetProver<T>::accepts(rule)) {
      return std::make_unique<SetProver<T>>(*rule.take_break(), stored, kernels, executor);
    }
    return std::make_unique<DefinitionProver>(rule, stored);
  });
}

}  // namespace

std::unique_ptr<Prover> make_prover(const HeapRule& rule, StoredValues stored,
                                    const KernelSet& kernels, Executor& executor) {
  std::unique_ptr<Prover> plain = make_plain_prover(rule, stored, kernels, executor);
  if (!rule.pass()) return plain;
  return std::make_unique<PassProver>(rule, stored, std::move(plain));
}

std::uint64_t prover_bytes(const HeapRule& rule, HeapSize count, Nimber largest) {
  if (rule.formula() != nullptr) return 0;
  const bool pairs = PairMoves::from(rule, 0).has_value();
  if (!pairs && SetProver<std::uint8_t>::accepts(rule)) {
    return SetProver<std::uint8_t>::bytes(rule, count, largest);
  }
  constexpr std::uint64_t kListed = sizeof(HeapSize) + sizeof(Nimber);
  if (rule.as_subtraction()) {
    // Lists of removals: all heaps for all-but sets; for other sets, at most one heap in eight is
    // assumed.
    return count / (rule.as_subtraction()->kind == SubtractionRule::Kind::kAllBut ? 1 : 8) *
           kListed;
  }
  return pairs ? count / 4 * kListed : 0;  // the most rare heaps
}

}  // namespace grundy
