// SPDX-License-Identifier: MIT
#include "verify/lattice/subject.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/lattice/engine.hpp>

#include "session/setup.hpp"
#include "table/lattice_array.hpp"
#include "verify/comparison.hpp"

namespace grundy {
namespace {

/// The approximate number of options that the definition looks at in a second.
constexpr double kPositionOptionsPerSecond = 1e7;
/// The cost of a position before its first option is looked at, in options.
constexpr std::uint64_t kPositionAlone = 16;

/// Hands the values of `computed` to `sink` in the order of the entries 0 .. count-1.
void hand_over(const LatticeArray& computed, const ValueOrder& order, HeapSize count,
               Executor& executor, ValueSink& sink) {
  constexpr HeapSize kStep = HeapSize{1} << 22;
  constexpr HeapSize kPiece = HeapSize{1} << 16;
  std::vector<Nimber> values;
  for (HeapSize begin = 0; begin < count; begin += values.size()) {
    values.resize(std::min(kStep, count - begin));
    executor.parallel_for((values.size() - 1) / kPiece + 1, [&](std::size_t piece) {
      const HeapSize end = std::min<HeapSize>(values.size(), (piece + 1) * kPiece);
      for (HeapSize i = piece * kPiece; i < end; ++i) {
        const HeapSize number = begin + i;
        values[i] = order.is_of_table()
                        ? computed.values()[number]
                        : computed.at(order.position_at(number), order.plane_of(number));
      }
    });
    if (sink.put({begin, Values(std::span<const Nimber>(values)), {}}) == Flow::kStop) return;
  }
}

}  // namespace

LatticeSubject::LatticeSubject(const Work& work, std::unique_ptr<StoredTable> table)
    : TableSubject(work, std::move(table)), rule_(rule_of<LatticeRule>(this->table())) {
  const Layout& layout = order().layout();
  if (rule_.heaps() != layout.heaps || rule_.planes() != layout.planes ||
      (layout.sorted && !rule_.symmetric())) {
    throw Error(
        ErrorCode::kCorrupt,
        fmt::format("'{}' is damaged: its layout is not one of its rule", this->table().path()));
  }
}

std::string LatticeSubject::name(HeapSize entry) const {
  return fmt::format("position {} (entry {})", position_name(order(), entry), entry);
}

EntryCheck LatticeSubject::entry_check(double seconds) const {
  const LatticeProver prover(rule_, order(), stored());
  const double most = kPositionOptionsPerSecond * std::max(1.0, seconds);
  return [=](HeapSize entry) { return prover.is_right(entry, most); };
}

const Prover& LatticeSubject::prover() {
  if (!prover_) prover_.emplace(rule_, order(), stored());
  return *prover_;
}

std::uint64_t LatticeSubject::cost(HeapSize entry) const {
  return kPositionAlone + static_cast<std::uint64_t>(option_bound(rule_, order(), entry));
}

std::string LatticeSubject::fault(HeapSize entry) const {
  std::vector<std::uint8_t> seen;
  return value_fault(stored().values[entry],
                     LatticeProver(rule_, order(), stored()).mex(entry, seen));
}

std::string LatticeSubject::other_engine() const {
  const LatticeShape shape = computed_shape(rule_, order().shape_of_first(count()));
  std::string found;
  for (const LatticeEngine* engine : lattice_engines()) {
    const bool took_part = info_.engine.find(engine->name()) != std::string::npos;
    if (!took_part && engine->refusal(rule_, shape).empty()) found = engine->name();
  }
  return found;
}

Request LatticeSubject::again(const std::string& engine) const {
  Request request{.game = LatticeGame{rule_, order().shape_of_first(count())},
                  .machine = work_.request.machine};
  request.machine.engine = engine;
  return request;
}

SecondComputation LatticeSubject::compute_again(const std::string& engine) const {
  const Request request = again(engine);
  const LatticeSetup setup(request);
  work_.check_memory(setup.stored.entries() * value_bytes() +
                     setup.engine.memory_bytes(rule_, setup.computed, setup.tile,
                                               std::numeric_limits<Nimber>::max()));
  LatticeArray anew(setup.stored, setup.computed.sorted);
  SecondComputation result{
      .method = fmt::format("engine {}, kernel {}", setup.engine.name(), setup.kernels.name)};
  if (setup.run(setup.computed, anew, work_.hooks) != RunStatus::kComplete) {
    return result;
  }
  result.complete = true;
  Comparison comparison(table());
  hand_over(anew, order(), count(), *work_.executor, comparison);
  result.difference = comparison.difference();
  return result;
}

}  // namespace grundy
