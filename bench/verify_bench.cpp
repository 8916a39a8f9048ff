/// @file
/// Range proofs against the computation of the same table.
///
/// Usage: bench_verify [GAME [COUNT]]. Without a game: Grundy's game, Officers, 0.06 and a
/// hexadecimal code. The engine that `auto` picks computes the values, and they are proved from the
/// stored table. No time is printed unless every heap is proved and a wrong value put into the
/// table is found.
// SPDX-License-Identifier: MIT
#include <chrono>
#include <string>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/games.hpp>
#include <grundy/heap/engine.hpp>

#include "arguments.hpp"
#include "core/value_buffer.hpp"
#include "verify/heap/provers.hpp"

namespace {

using namespace grundy;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Keeps a table at 16 bits a value.
class Table final : public ValueSink {
 public:
  Table() { buffer_.promote(ValueWidth::kU16); }
  Flow put(const Stretch& block) override {
    buffer_.resize(block.begin + block.values.size());
    block.values.visit([&](auto values) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        data()[block.begin + i] = static_cast<std::uint16_t>(values[i]);
        largest_ = std::max<Nimber>(largest_, values[i]);
      }
    });
    return Flow::kContinue;
  }
  [[nodiscard]] std::uint16_t* data() noexcept { return buffer_.data<std::uint16_t>(); }
  [[nodiscard]] StoredValues stored() const noexcept { return {buffer_.values(), largest_}; }

 private:
  ValueBuffer buffer_;
  Nimber largest_ = 0;
};

void measure(std::string_view game, HeapSize count) {
  const HeapRule rule = resolve_game(game).heap();
  const KernelSet& kernels = select_kernels("auto");
  const auto executor = make_executor();
  Table table;
  const HeapTask task{rule, count, kernels, *executor, {}};
  const HeapEngine& engine = select_heap_engine("auto", rule, count);
  auto start = Clock::now();
  engine.run(task, table);
  const double computed = seconds_since(start);

  start = Clock::now();
  const auto prover = make_prover(rule, table.stored(), kernels, *executor);
  const RangeResult right = prove_range(*prover, 0, count, *executor, {}, nullptr);
  const double proved = seconds_since(start);
  const HeapSize heap = count / 2;
  table.data()[heap] ^= 1;
  const RangeResult wrong = prove_range(*prover, heap, heap + 1, *executor, {}, nullptr);
  if (right.wrong || right.proved_to != count || wrong.wrong != heap) {
    throw Error(ErrorCode::kMismatch, fmt::format("{}: the proof is wrong", game));
  }
  fmt::print(
      "{:14} {:>9} heaps: computed in {:7.3f} s ({}), proved in {:7.3f} s on {} threads\n"
      "    {:.0f} ns a heap: {}\n",
      game, count, computed, engine.name(), proved, executor->threads(),
      proved * 1e9 / static_cast<double>(count), prover->method());
}

}  // namespace

int main(int argc, char** argv) {
  return run_bench("bench_verify", argc, argv, [](const Arguments& arguments) {
    arguments.expect_at_most(2);
    if (!arguments.words().empty()) {
      return measure(arguments.text(0, ""), arguments.count(1, "COUNT", 1'000'000));
    }
    measure("grundys-game", 1'000'000);
    measure("0.6", 1'000'000);
    measure("0.06", 100'000);
    measure("hex:0.8F", 10'000);
    measure("S{squares}", 1'000'000);
  });
}
