// SPDX-License-Identifier: MIT
#include "theory/preperiod_search.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/digest.hpp"
#include "core/value_collector.hpp"
#include "theory/sparse_certificate.hpp"

namespace grundy {
namespace {

/// The most values that are compared one by one, and the most digests of pieces.
constexpr HeapSize kDirect = HeapSize{1} << 22;
constexpr HeapSize kPieces = HeapSize{1} << 16;

/// Takes the digest of every piece.
class PieceDigests final : public ValueSink {
 public:
  explicit PieceDigests(HeapSize piece) : piece_(piece) {}

  Flow put(const Stretch& block) override {
    for (Values rest = block.values; !rest.empty();) {
      const std::size_t size = std::min<HeapSize>(rest.size(), piece_ - filled_);
      digest_.update(rest.subspan(0, size));
      rest = rest.subspan(size);
      filled_ += size;
      if (filled_ == piece_) finish_piece();
    }
    return Flow::kContinue;
  }
  std::vector<Digest128> take() {
    if (filled_ > 0) finish_piece();
    return std::move(digests_);
  }

 private:
  void finish_piece() {
    digests_.push_back(digest_.value());
    digest_.reset();
    filled_ = 0;
  }

  HeapSize piece_;
  HeapSize filled_ = 0;
  SequentialDigest digest_;
  std::vector<Digest128> digests_;
};

/// Thrown to leave the search when a computation was cancelled.
struct Cancelled {};

/// Adds up the heaps that are computed again, and reports them with the number expected in the end.
class Work final : public ProgressSink {
 public:
  Work(std::span<const HeapSize> seals, ProgressSink* told) : seals_(seals), told_(told) {}

  /// From now on, `heaps` more heaps are expected.
  void expect(HeapSize heaps) noexcept { expected_ = done_ + heaps; }
  /// The next computation begins at the last seal at `heap` or before it.
  void begin(HeapSize heap) noexcept {
    const auto after = std::ranges::upper_bound(seals_, heap);
    from_ = after == seals_.begin() ? 0 : *std::prev(after);
  }
  void end(HeapSize heap) {
    report({.done = heap});
    done_ += heap - from_;
  }
  /// The sink that hears of a computation; null if nobody asks.
  [[nodiscard]] ProgressSink* sink() noexcept { return told_ != nullptr ? this : nullptr; }

  void report(const Progress& progress) override {
    if (told_ == nullptr) return;
    const HeapSize done = done_ + (std::max(progress.done, from_) - from_);
    const HeapSize total = std::max(expected_, done);
    const double share =
        static_cast<double>(done) / static_cast<double>(std::max<HeapSize>(total, 1));
    told_->report({done, total, share});
  }

 private:
  std::span<const HeapSize> seals_;
  ProgressSink* told_;
  HeapSize done_ = 0;
  HeapSize expected_ = 0;
  HeapSize from_ = 0;  ///< the heap at which the present computation began
};

class PreperiodSearch {
 public:
  PreperiodSearch(const Return& found, HeapSize take, std::span<const HeapSize> seals,
                  Recomputation& values, ProgressSink* progress)
      : found_(found),
        window_(sparse_window(found.facts, take)),
        seals_(seals),
        values_(values),
        work_(seals, progress) {}

  Preperiod run() {
    std::span<const HeapSize> seals = seals_;
    // The sequence does not repeat from this heap on, unless this is heap 0.
    HeapSize fails = found_.facts.last_rare;
    HeapSize repeats = found_.first;
    seals = seals.subspan(std::ranges::upper_bound(seals, fails) - seals.begin());
    seals = seals.first(std::ranges::lower_bound(seals, repeats) - seals.begin());
    while (!seals.empty()) {
      const std::size_t middle = seals.size() / 2;
      expect(seals.size(), repeats - fails);
      if (repeats_from(seals[middle])) {
        repeats = seals[middle];
        seals = seals.first(middle);
      } else {
        fails = seals[middle];
        seals = seals.subspan(middle + 1);
      }
    }
    if (repeats < fails) contradiction(fails, repeats);
    expect(0, repeats - fails);
    while (repeats - fails > kDirect) narrow(fails, repeats);
    const auto last = last_exception(fails, repeats + window_, false);
    if (!last && fails == 0) return {};
    if (!last || last->preperiod > repeats) contradiction(fails, repeats);
    return *last;
  }

 private:
  /// Foretells the work. A seal is judged by two windows, the second of which lies somewhere
  /// between two seals. In the end the heaps between two seals are computed some four times.
  void expect(std::size_t seals, HeapSize heaps) noexcept {
    const HeapSize gap = heaps / (seals + 1);
    work_.expect(std::bit_width(seals) * (2 * window_ + gap / 2) + 4 * gap);
  }

  void compute(HeapSize begin, HeapSize end, ValueSink& sink) {
    work_.begin(begin);
    if (values_.compute(begin, end, sink, work_.sink()) == RunStatus::kCancelled) throw Cancelled();
    work_.end(end);
  }

  [[nodiscard]] bool repeats_from(HeapSize heap) {
    return !last_exception(heap, heap + window_, true);
  }

  /// The last of heaps begin .. end - 1 whose value differs from the value a period later. With
  /// `any`, one such heap, not always the last.
  std::optional<Preperiod> last_exception(HeapSize begin, HeapSize end, bool any) {
    ValueCollector here;
    here.values.reserve(end - begin);
    compute(begin, end, here);
    std::optional<Preperiod> last;
    SinkOf later([&](const Stretch& block) {
      block.values.visit([&](auto values) {
        for (std::size_t i = 0; i < values.size(); ++i) {
          const HeapSize heap = block.begin + i - found_.period;
          const Nimber earlier = here.values[heap - begin];
          if (values[i] != earlier) last = {heap + 1, earlier, values[i]};
        }
      });
      return last && any ? Flow::kStop : Flow::kContinue;
    });
    compute(begin + found_.period, end + found_.period, later);
    return last;
  }

  /// Narrows begin .. end to the piece that holds the last exception, by digests.
  void narrow(HeapSize& begin, HeapSize& end) {
    const HeapSize piece = std::max(kDirect / 4, (end - begin - 1) / kPieces + 1);
    PieceDigests here(piece);
    compute(begin, end, here);
    PieceDigests later(piece);
    compute(begin + found_.period, end + found_.period, later);
    const std::vector<Digest128> a = here.take();
    const std::vector<Digest128> b = later.take();
    std::size_t last = a.size();
    while (last > 0 && a[last - 1] == b[last - 1]) --last;
    end = std::min(end, begin + last * piece);
    if (last > 0) begin += (last - 1) * piece;
  }

  [[noreturn]] void contradiction(HeapSize begin, HeapSize end) const {
    throw Error(ErrorCode::kMismatch,
                fmt::format("values that were computed again do not have their last exception to "
                            "the period {} between heaps {} and {}, where it must be",
                            found_.period, begin, end));
  }

  const Return& found_;
  HeapSize window_;
  std::span<const HeapSize> seals_;
  Recomputation& values_;
  Work work_;
};

}  // namespace

std::optional<Preperiod> find_preperiod(const Return& found, HeapSize largest_take,
                                        std::span<const HeapSize> seals, Recomputation& values,
                                        ProgressSink* progress) {
  try {
    return PreperiodSearch(found, largest_take, seals, values, progress).run();
  } catch (const Cancelled&) {
    return std::nullopt;
  }
}

}  // namespace grundy
