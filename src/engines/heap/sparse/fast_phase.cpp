// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/fast_phase.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include <grundy/machine.hpp>

#include "engines/heap/sparse/code_tables.hpp"
#include "engines/heap/sparse/exclusion.hpp"
#include "engines/heap/sparse/witness.hpp"
#include "kernels/mark_kernels.hpp"

namespace grundy::sparse {
namespace {

constexpr HeapSize kFirstPhase = 4096;      ///< no phase begins before this heap
constexpr Nimber kMostCodes = 4096;         ///< more would want too much memory for rows and plans
constexpr HeapSize kWordRound = 4096;       ///< heaps per round with words of codes
constexpr HeapSize kCandidateRound = 2048;  ///< and with planes: at most,
constexpr HeapSize kLeastRound = 256;       ///< at least
constexpr HeapSize kMarkRound = 512;        ///< and with marks,
constexpr HeapSize kManyMarkRound = 2048;   ///< if there are many threads
constexpr HeapSize kRowWindow = 1u << 15;   ///< how far back bit rows reach, at most,
constexpr HeapSize kMarkWindow = 1u << 17;  ///< and pairs of codes where there are none
constexpr HeapIndex kPartHeaps = 2048;      ///< heaps per part of the witness check
constexpr std::size_t kShares = 4;          ///< tasks that share the work of a part
constexpr std::size_t kFewThreads = 4;      ///< do not wait much for the sequential part
constexpr std::size_t kMostWordTaps = 512;  ///< more are dearer as words than as planes
/// Marks of a share of the witness check are kept once, so its tasks must not run side by side.
static_assert(kMarkRound <= kPartHeaps && kManyMarkRound <= kPartHeaps);
/// One in so many heaps may have a code beyond those that are kept in planes.
constexpr HeapSize kBeyond = 1024;

Nimber code_limit_of(const SparseTable& table) noexcept {
  return std::bit_ceil(table.split().squeeze(table.value_limit() - 1) + 1);
}

/// Behind this heap no partner of a tap is rare.
HeapSize clear_of_rare(const SparseTable& table) noexcept {
  const HeapSize last = table.rare().empty() ? 0 : table.rare().back();
  return 2 * last + table.moves().largest_take + 64;
}

/// Whether reached codes are better kept as one word a heap than in planes.
bool words_pay(const SparseTable& table, Nimber code_limit) noexcept {
  return code_limit <= 64 && table.rare().size() * table.moves().splits.size() <= kMostWordTaps;
}

/// Heaps per round, if nothing else limits them. Taps whose partners lie at least two rounds back
/// are out of the sequential part: half of them at least, and with more threads than a few, which
/// would wait for that part, two thirds. With marks that part is small.
template <class T>
HeapSize round_of(const SparseTable& table, Nimber code_limit, std::size_t threads) noexcept {
  if (sizeof(T) > 1) return threads <= kFewThreads ? kMarkRound : kManyMarkRound;
  if (words_pay(table, code_limit)) return kWordRound;
  const std::size_t parts = threads <= kFewThreads ? 2 : 3;
  HeapSize round = kCandidateRound;
  while (round > kLeastRound) {
    const auto near = std::ranges::lower_bound(table.rare(), 2 * round) - table.rare().begin();
    if (static_cast<std::size_t>(near) * parts <= table.rare().size()) break;
    round /= 2;
  }
  return round;
}

/// A phase with codes of type T.
template <class T>
class FastPhase {
 public:
  FastPhase(const PhaseContext& context, const PhaseShape& shape)
      : context_(context),
        table_(context.table),
        kernels_(sparse_kernels(context.kernels)),
        shape_(shape),
        start_(static_cast<HeapIndex>(table_.size())),
        code_tables_(table_.split(), shape.code_limit),
        cap_(code_tables_.cap(largest_value(table_.buffer().width()),
                              std::numeric_limits<T>::max())),
        codes_(start_, longest_offset() + 64, 2 * shape.block, kNoCode<T>),
        rows_(kRows ? shape.code_limit : 0, start_, shape.row_window, 2 * shape.block) {
    read_codes();
    for (auto& l : limits_) l.resize(shape.block);
    const auto guessed = [&] { return CodeDensity(table_, shape.code_limit).quantile(kBeyond); };
    if constexpr (kRows) {
      context.plans.update(table_, shape, kernels_, context.executor);
      exclusion_ = words_pay(table_, shape.code_limit)
                       ? make_word_exclusion(table_, shape, kernels_, codes_, start_)
                       : make_plane_exclusion(table_, shape, kernels_, guessed(), codes_);
      witness_ = std::make_unique<RowWitness>(table_, shape, kernels_, context.plans.witness(),
                                              codes_, rows_);
    } else {
      context.taps.update(table_, shape, context.executor);
      exclusion_ = make_mark_exclusion(table_, shape, kernels_, mark_kernels(context.kernels),
                                       context.taps.exclusion(), guessed(), codes_);
      witness_ = std::make_unique<MarkWitness>(table_, shape, context.kernels,
                                               context.taps.witness(), codes_, start_, kShares);
    }
  }

  void run(HeapSize goal) {
    const auto block = static_cast<HeapIndex>(shape_.block);
    const std::size_t far_parts = exclusion_->far_parts();
    context_.executor.parallel_for(far_parts, [&](std::size_t i) { exclusion_->far(start_, i); });
    HeapIndex begin = start_;         // of the block that is chained in this round
    Stretch chained{start_, start_};  // before it: has codes
    Stretch open{start_, start_};     // before that: has values and rows, is still to be proved
    for (bool last = false; !last || !chained.empty() || !open.empty();) {
      table_.reserve(static_cast<HeapSize>(begin + block));
      const std::size_t chains = last ? 0 : 1;
      const std::size_t fars = last ? 0 : far_parts;
      const std::size_t checks = part_count(open) * kShares;
      std::vector<HeapIndex> checked(checks);
      HeapIndex end = begin;
      bool stopped = false;
      context_.executor.parallel_for(chains + fars + checks + 2, [&](std::size_t i) {
        if (i < chains) {
          end = exclusion_->chain(begin, cap_);
        } else if (i < chains + fars) {
          exclusion_->far(begin + block, i - chains);
        } else if (i < chains + fars + checks) {
          checked[i - chains - fars] = check(open, i - chains - fars);
        } else if (i == chains + fars + checks) {
          publish(chained);
        } else {
          stopped = !context_.keep_going();
        }
      });
      HeapIndex proved = open.begin;
      for (std::size_t i = 0; i < checks && proved == part_begin(open, i / kShares); i += kShares) {
        proved = *std::min_element(&checked[i], &checked[i] + kShares);
      }
      table_.extend_to(static_cast<HeapSize>(proved));
      if (proved < open.end) return;
      open = chained;
      chained = {begin, end};
      if (last) continue;
      begin += block;
      codes_.advance(begin);
      if constexpr (kRows) {
        rows_.advance(begin);
      } else {
        witness_->advance(begin);
      }
      exclusion_->advance(begin);
      last = stopped || end < begin || begin >= static_cast<HeapIndex>(goal) || begin >= 2 * start_;
    }
  }

 private:
  std::size_t longest_offset() const noexcept {
    const HeapSize rare = table_.rare().empty() ? 0 : table_.rare().back();
    return std::max<std::size_t>(rare + table_.moves().largest_take, shape_.row_window);
  }

  /// Fills the windows from the table.
  void read_codes() {
    const Split& split = table_.split();
    const HeapIndex first =
        std::max<HeapIndex>(1, start_ - static_cast<HeapIndex>(longest_offset()) - 64);
    for (HeapIndex n = first; n < start_; ++n) {
      const auto heap = static_cast<HeapSize>(n);
      const Nimber value = table_.window()[heap];
      if (split.is_common(value, heap)) *codes_.at(n) = static_cast<T>(split.squeeze(value));
    }
    if constexpr (kRows) {
      write_rows(start_ - static_cast<HeapIndex>(shape_.row_window), shape_.row_window);
    }
  }

  void write_rows(HeapIndex begin, std::size_t heaps) noexcept {
    kernels_.equal_rows(codes_.at(begin), heaps, shape_.code_limit, rows_.at(begin),
                        rows_.stride());
  }

  /// Heaps begin .. end - 1.
  struct Stretch {
    HeapIndex begin;
    HeapIndex end;
    [[nodiscard]] bool empty() const noexcept { return begin == end; }
  };

  T* limits_of(HeapIndex begin) noexcept {
    return limits_[static_cast<HeapSize>(begin) / shape_.block % 2].data();
  }

  template <class V>
  void write_values(HeapIndex begin, std::size_t heaps) noexcept {
    V* const values =
        table_.buffer().template data<V>() + table_.window().index(static_cast<HeapSize>(begin));
    const T* const codes = codes_.at(begin);
    for (std::size_t i = 0; i < heaps; ++i) {
      values[i] = static_cast<V>(code_tables_.value(begin + static_cast<HeapIndex>(i), codes[i]));
    }
  }

  /// Makes values, limits and bit rows of the codes of a block, as far as it was chained.
  void publish(const Stretch& chained) noexcept {
    if (chained.empty()) return;
    const auto heaps = static_cast<std::size_t>(chained.end - chained.begin);
    switch (table_.buffer().width()) {
      case ValueWidth::kU8:
        write_values<std::uint8_t>(chained.begin, heaps);
        break;
      case ValueWidth::kU16:
        write_values<std::uint16_t>(chained.begin, heaps);
        break;
      case ValueWidth::kU32:
        write_values<std::uint32_t>(chained.begin, heaps);
        break;
    }
    T* const limits = limits_of(chained.begin);
    code_tables_.write_limits(chained.begin, codes_.at(chained.begin), heaps, limits);
    std::fill(limits + heaps, limits + shape_.block, T{0});
    if constexpr (kRows) {
      write_rows(chained.begin, shape_.block);
    } else {
      witness_->set(chained.begin, codes_.at(chained.begin), heaps);
    }
  }

  /// Parts of a stretch for the witness check.
  static std::size_t part_count(const Stretch& open) noexcept {
    return static_cast<std::size_t>(open.end - open.begin + kPartHeaps - 1) / kPartHeaps;
  }
  static HeapIndex part_begin(const Stretch& open, std::size_t part) noexcept {
    return open.begin + static_cast<HeapIndex>(part) * kPartHeaps;
  }
  /// Where the heaps of task `i` are proved for its share of the codes.
  HeapIndex check(const Stretch& open, std::size_t i) noexcept {
    const HeapIndex first = part_begin(open, i / kShares);
    const HeapIndex stop = std::min(open.end, first + kPartHeaps);
    const std::size_t heaps = (static_cast<std::size_t>(stop - first) + 63) / 64 * 64;
    const T* const limits = limits_of(open.begin) + (first - open.begin);
    return std::min(stop, witness_->check(first, limits, heaps, i % kShares, kShares));
  }

  /// Whether witnesses come from bit rows; else from marks.
  static constexpr bool kRows = sizeof(T) == 1;
  using Witness = std::conditional_t<kRows, RowWitness, MarkWitness>;

  const PhaseContext& context_;
  SparseTable& table_;
  const SparseKernels& kernels_;
  const PhaseShape shape_;
  const HeapIndex start_;
  const CodeTables code_tables_;
  const Nimber cap_;
  SlidingWindow<T> codes_;
  BitRows rows_;
  std::unique_ptr<Exclusion<T>> exclusion_;
  std::vector<T> limits_[2];
  std::unique_ptr<Witness> witness_;
};

}  // namespace

bool fast_phase_ready(const SparseTable& table, HeapSize calm) {
  const HeapSize n = table.size();
  const HeapSize take = table.moves().largest_take;
  const HeapSize last = table.rare().empty() ? 0 : table.rare().back();
  return n >= kFirstPhase && n % 64 == 0 && n > 8 * take && n - last > std::max(calm, take + 64) &&
         table.split().mask != 0 && code_limit_of(table) <= kMostCodes;
}

namespace {

template <class T>
void run_phase(const PhaseContext& context, HeapSize goal, Nimber code_limit) {
  const SparseTable& table = context.table;
  HeapSize window =
      std::min(sizeof(T) == 1 ? kRowWindow : kMarkWindow, std::bit_floor(table.size() / 4));
  if (!table.complete()) window = std::min(window, std::bit_floor(table.window().keep() / 2));
  const HeapSize round = std::min(
      {context.block, round_of<T>(table, code_limit, context.executor.threads()), window / 8});
  const HeapSize block = std::max<HeapSize>(64, round / 64 * 64);
  const PhaseShape shape{block, window, code_limit, BitRows::stride_of(window, 2 * block)};
  FastPhase<T>(context, shape).run(goal);
}

}  // namespace

void run_fast_phase(const PhaseContext& context, HeapSize goal) {
  const SparseTable& table = context.table;
  const Nimber limit = code_limit_of(table);
  // A byte has room for the mark of a rare partner only beside 7 bits of code.
  const bool bytes =
      limit <= kNoCode<std::uint8_t> || (limit <= 256 && table.size() > clear_of_rare(table));
  (bytes ? run_phase<std::uint8_t> : run_phase<std::uint16_t>)(context, goal, limit);
}

}  // namespace grundy::sparse
