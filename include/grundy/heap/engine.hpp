/// @file
/// What every engine for heap games offers, and the list of engines.
///
/// All engines give the same values for every rule they accept; they differ in speed and memory.
/// An engine proves each value: no option has it, and every smaller number is the value of an
/// option. Results do not depend on threads, kernels or block sizes.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include <grundy/error.hpp>
#include <grundy/heap/rule.hpp>
#include <grundy/known.hpp>
#include <grundy/machine.hpp>
#include <grundy/progress.hpp>
#include <grundy/sink.hpp>
#include <grundy/team.hpp>

namespace grundy {

/// Which engine computes the heaps from `from` on, and why.
struct EngineChoice {
  HeapSize from = 0;
  std::string engine;
  std::string reason;         ///< a clause with the figures that decided
  EngineSlowness slowness{};  ///< factors that helped to decide

  friend bool operator==(const EngineChoice&, const EngineChoice&) = default;
};

/// What to compute and with what. References must outlive the run.
struct HeapTask {
  const HeapRule& rule;
  HeapSize count;  ///< heaps 0 .. count-1
  const KernelSet& kernels;
  Executor& executor;
  std::stop_token stop{};  ///< when set, the engine returns after the current block
  ProgressSink* progress = nullptr;
  /// Heaps per block, at least 1; unset: the engine's choice.
  std::optional<HeapSize> block{};
  /// Whether blocks must come with the whole table. If not, an engine may keep only a part of it,
  /// so that memory does not grow with `count`.
  bool keep_table = true;
  /// Hands over the values of heaps `from` .. `to` - 1, which the sink has taken. An engine that
  /// has let them go may need them again. Not set: they are gone. Called between two blocks.
  using Recall = std::function<void(HeapSize from, HeapSize to, ValueSink&)>;
  Recall recall{};
  /// Known values, behind which the run may begin. An engine that cannot rebuild its state from
  /// values begins at heap 0 all the same. Used before the first block only.
  const KnownValues* known = nullptr;
  /// Called by an engine that chooses among others, before it starts one.
  std::function<void(const EngineChoice&)> on_choice{};
  /// Ranks that run this task at the same time and share its work; null: this rank is alone. Every
  /// rank gets all values. Only rank 0 may know values, and only its sink may stop the run.
  /// @pre the engine says is_shared() of the rule
  Team* team = nullptr;
};

/// An algorithm for tables of heap games. Stateless; run() may be called from several threads.
class HeapEngine {
 public:
  virtual ~HeapEngine() = default;

  [[nodiscard]] virtual std::string_view name() const noexcept = 0;
  /// One line for `--help` and for metadata.
  [[nodiscard]] virtual std::string_view summary() const noexcept = 0;
  /// Empty if this engine can compute the rule, else the reason in one clause.
  [[nodiscard]] virtual std::string refusal(const HeapRule& rule) const = 0;
  /// Empty if this engine is worth its time for the rule, which it can compute; else the reason
  /// against it in one clause. May compute some thousand heaps to find out.
  [[nodiscard]] virtual std::string doubt(const HeapRule&) const { return {}; }
  /// Bytes of memory for a table of `count` values none of which exceeds `max_value`.
  [[nodiscard]] virtual std::uint64_t memory_bytes(const HeapRule& rule, HeapSize count,
                                                   Nimber max_value) const = 0;
  /// Whether ranks of a team can share the work (HeapTask::team).
  [[nodiscard]] virtual bool is_shared(const HeapRule&) const noexcept { return false; }
  /// The most values that a run of `count` heaps keeps in memory without the whole table, if `rare`
  /// of its heaps are rare.
  /// @param looked_back the farthest that a heap of earlier lives may have looked back; 0 if there
  /// were none
  [[nodiscard]] virtual HeapSize kept_heaps(HeapSize count, std::uint64_t /*rare*/,
                                            HeapSize /*looked_back*/ = 0) const noexcept {
    return count;
  }
  /// Computes the table and hands it to `sink` in blocks from heap 0 on. A run with known values
  /// may begin at the first heap that is not known; its blocks then come with the whole table. The
  /// result is kComplete only if all heaps below `task.count` were handed over.
  ///
  /// compute() checks an engine of your own (HeapGame::engine) for this, and that no heap is left
  /// out or comes twice; otherwise it throws Error(kFailure).
  /// @throws Error from the sink, or kFailure when memory runs out
  virtual RunStatus run(const HeapTask& task, ValueSink& sink) const = 0;
};

/// Every engine, the reference first.
std::span<const HeapEngine* const> heap_engines() noexcept;

/// The engine called `name`, if it can compute the rule, even with a doubt. `auto` (or empty) picks
/// the fastest that accepts the rule, or an engine of that name which chooses during the run.
/// @throws Error(kUsage) if there is none of that name or it refuses the rule
const HeapEngine& select_heap_engine(std::string_view name, const HeapRule& rule, HeapSize count);

namespace detail {

/// The engine called `name`. @pre it exists
const HeapEngine& named_heap_engine(std::string_view name) noexcept;

/// Whether the engine can compute the rule, without a doubt.
bool suits(const HeapEngine& engine, const HeapRule& rule);

/// Why `auto` selects its engine for the rule, as a clause.
std::string reason_of_selection(const HeapEngine& engine, const HeapRule& rule);

}  // namespace detail

}  // namespace grundy
