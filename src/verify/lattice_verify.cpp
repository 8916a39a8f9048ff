// SPDX-License-Identifier: MIT
#include "verify/lattice_verify.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

#include <fmt/format.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/lattice/engine.hpp>

#include "core/text.hpp"
#include "core/value_buffer.hpp"
#include "session/machine.hpp"
#include "session/setup.hpp"
#include "table/lattice_array.hpp"
#include "verify/content.hpp"
#include "verify/lattice_prover.hpp"
#include "verify/samples.hpp"

namespace grundy {
namespace {

/// The fastest engine that computed nothing of a table; empty if all took part.
/// @param makers those that did, with commas between them
std::string other_engine(const LatticeRule& rule, const LatticeShape& shape,
                         const std::string& makers) {
  std::string found;
  for (const LatticeEngine* engine : lattice_engines()) {
    const bool took_part = makers.find(engine->name()) != std::string::npos;
    if (!took_part && engine->refusal(rule, shape).empty()) found = engine->name();
  }
  return found;
}

/// Options that one entry may have to be drawn, for each second that samples may take.
constexpr double kOptionsPerSecond = 1e7;

class LatticeVerification {
 public:
  LatticeVerification(const VerifyRequest& request, const StoredTable& table,
                      const std::stop_token& stop, ProgressSink* progress,
                      const std::function<void(const std::string&)>& narrate)
      : request_(request),
        table_(table),
        stop_(stop),
        progress_(progress),
        narrate_(narrate),
        order_(*table.order()),
        rule_(rule_of<LatticeRule>(table)),
        kernels_(select_kernels(request.machine.kernel)),
        executor_(make_executor(request.machine.threads, request.machine.backend)),
        room_(request.machine.memory ? *request.machine.memory : memory_available()) {
    report_.info = table.info();
    report_.unit = table.unit();
    report_.periodic_from = count();
  }

  VerifyReport run() {
    const LatticeLayout& layout = order_.layout();
    if (rule_.heaps() != layout.shape.heaps || rule_.planes() != layout.planes ||
        (layout.shape.sorted && !rule_.symmetric())) {
      throw Error(ErrorCode::kCorrupt,
                  fmt::format("'{}' is damaged: its layout is not one of its rule", table_.path()));
    }
    const auto counted =
        check_content(table_, *executor_, kernels_, entries_to_keep(), kept_, stop_, progress_);
    if (!counted) return std::move(report_);
    report_.info.stats = *counted;
    switch (request_.proof) {
      case ProofKind::kSamples:
        by_samples();
        break;
      case ProofKind::kRange:
        by_range();
        break;
      case ProofKind::kFull:
        by_engine();
        break;
    }
    report_.complete = !stop_.stop_requested();
    return std::move(report_);
  }

 private:
  [[nodiscard]] HeapSize count() const noexcept { return report_.info.stats.count; }
  [[nodiscard]] StoredValues stored() const noexcept {
    return {kept_.values(), report_.info.stats.max_value};
  }

  /// How many values have to be in memory at a time: options come before their position.
  HeapSize entries_to_keep() const {
    const std::uint64_t width = byte_count(table_.width());
    switch (request_.proof) {
      case ProofKind::kFull:
        break;
      case ProofKind::kRange:
        check_room((request_.range.last + 1) * width, "prove a range that ends earlier or ");
        return request_.range.last + 1;
      case ProofKind::kSamples:
        const HeapSize fits = request_.force ? count() : room_ / 2 / width;
        if (fits < count() && narrate_) {
          narrate_(
              fmt::format("entries from {} on are not drawn: their options do not fit in memory",
                          format_count(fits)));
        }
        return std::min(fits, count());
    }
    return 0;
  }

  /// @param advice what to do rather than `add --force`, with what follows it
  void check_room(std::uint64_t needs, const char* advice) const {
    if (needs <= room_ || request_.force) return;
    throw Error(ErrorCode::kFailure,
                fmt::format("this proof needs {} of memory, and {} are available; {}add --force",
                            format_bytes(needs), format_bytes(room_), advice));
  }

  [[nodiscard]] WrongValue describe(const LatticeProver& prover, HeapSize entry) const {
    std::vector<std::uint8_t> seen;
    return {entry, fmt::format("position {} (entry {}) has value {}, but the mex of the values of "
                               "its options is {}",
                               position_text(order_, entry), entry, kept_.values()[entry],
                               prover.mex(entry, seen))};
  }

  void by_samples() {
    const LatticeProver prover(rule_, order_, stored());
    report_.method = "the definition, position by position";
    const auto conspicuous = conspicuous_heaps(report_.info, table_.borders(), kept_.values());
    const double most_options = kOptionsPerSecond * std::max(1.0, request_.seconds);
    const SampleResult result = prove_samples(
        request_, kept_.size(), conspicuous,
        [&]() -> SampleCheck {
          return [&](HeapSize entry) { return prover.is_right(entry, most_options); };
        },
        *executor_, stop_);
    report_.conspicuous = result.conspicuous;
    report_.random = result.random;
    if (!result.wrong) return;
    if (narrate_) {
      narrate_(fmt::format("something is wrong at position {}; looking for the first",
                           position_text(order_, *result.wrong)));
    }
    const RangeResult all = prove_range(prover, 0, *result.wrong + 1, *executor_, stop_, progress_);
    report_.wrong = describe(prover, all.wrong.value_or(*result.wrong));
  }

  void by_range() {
    const auto [first, last] = request_.range;
    const LatticeProver prover(rule_, order_, stored());
    report_.method = prover.method();
    const RangeResult result = prove_range(prover, first, last + 1, *executor_, stop_, progress_);
    if (result.wrong) report_.wrong = describe(prover, *result.wrong);
    if (result.proved_to > first) report_.proved = {first, result.proved_to - 1};
  }

  void by_engine() {
    const LatticeShape shape = order_.shape_of_first(count());
    Request again{.game = LatticeGame{rule_, shape}, .machine = request_.machine};
    if (again.machine.engine == "auto") {
      again.machine.engine = other_engine(rule_, computed_shape(rule_, shape), report_.info.engine);
    }
    const LatticeSetup setup(again);
    check_room(setup.stored.entries() * byte_count(table_.width()) +
                   setup.engine.memory_bytes(rule_, setup.computed, setup.tile),
               "prove ranges that end earlier or ");
    LatticeArray anew(setup.stored, setup.computed.sorted);
    report_.method = fmt::format("engine {}, kernel {}", setup.engine.name(), setup.kernels.name);
    if (setup.run(setup.computed, anew, {.stop = stop_, .progress = progress_}) !=
        RunStatus::kComplete)
      return;
    compare(anew);
    if (!report_.wrong) report_.proved = {0, count() - 1};
  }

  /// Compares all entries with values that were computed anew.
  void compare(const LatticeArray& anew) {
    constexpr HeapSize kStep = HeapSize{1} << 22;
    constexpr HeapSize kPiece = HeapSize{1} << 16;
    const auto computed = [&](HeapSize entry) {
      return order_.is_of_table() ? anew.values()[entry]
                                  : anew.at(order_.position_at(entry), order_.plane_of(entry));
    };
    std::vector<Nimber> values;
    for (HeapSize begin = 0; begin < count(); begin += values.size()) {
      values.resize(std::min(kStep, count() - begin));
      table_.read(begin, values);
      std::atomic<HeapSize> first_wrong = values.size();
      executor_->parallel_for((values.size() - 1) / kPiece + 1, [&](std::size_t piece) {
        const HeapSize end = std::min<HeapSize>(values.size(), (piece + 1) * kPiece);
        for (HeapSize i = piece * kPiece; i < end; ++i) {
          if (values[i] == computed(begin + i)) continue;
          HeapSize least = first_wrong;
          while (i < least && !first_wrong.compare_exchange_weak(least, i)) {
          }
          return;
        }
      });
      if (first_wrong == values.size()) continue;
      const HeapSize entry = begin + first_wrong;
      report_.wrong = {entry, fmt::format("position {} (entry {}) has value {} in the table and {} "
                                          "anew",
                                          position_text(order_, entry), entry, values[first_wrong],
                                          computed(entry))};
      return;
    }
  }

  const VerifyRequest& request_;
  const StoredTable& table_;
  const std::stop_token& stop_;
  ProgressSink* progress_;
  const std::function<void(const std::string&)>& narrate_;
  const ValueOrder& order_;
  LatticeRule rule_;
  const KernelSet& kernels_;
  std::unique_ptr<Executor> executor_;
  std::uint64_t room_;  ///< bytes of memory that may be used
  ValueBuffer kept_;
  VerifyReport report_;
};

}  // namespace

VerifyReport verify_lattice(const VerifyRequest& request, const StoredTable& table,
                            const std::stop_token& stop, ProgressSink* progress,
                            const std::function<void(const std::string&)>& narrate) {
  return LatticeVerification(request, table, stop, progress, narrate).run();
}

}  // namespace grundy
