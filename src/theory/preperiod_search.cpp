// SPDX-License-Identifier: MIT
#include "theory/preperiod_search.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/digest.hpp"
#include "core/value_collector.hpp"
#include "theory/sparse_certificate.hpp"

namespace grundy {
namespace {

/// So many values are compared one by one, and so many digests of pieces.
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

class Search {
 public:
  Search(const Return& found, HeapSize take, Recomputation& values)
      : found_(found), window_(sparse_window(found.facts, take)), values_(values) {}

  Preperiod run(std::span<const HeapSize> seals) {
    // It does not repeat from here on, unless this is heap 0.
    HeapSize fails = found_.facts.last_rare;
    HeapSize repeats = found_.first;
    seals = seals.subspan(std::ranges::upper_bound(seals, fails) - seals.begin());
    seals = seals.first(std::ranges::lower_bound(seals, repeats) - seals.begin());
    while (!seals.empty()) {
      const std::size_t middle = seals.size() / 2;
      if (repeats_from(seals[middle])) {
        repeats = seals[middle];
        seals = seals.first(middle);
      } else {
        fails = seals[middle];
        seals = seals.subspan(middle + 1);
      }
    }
    if (repeats < fails) contradiction(fails, repeats);
    while (repeats - fails > kDirect) narrow(fails, repeats);
    const auto last = last_exception(fails, repeats + window_, false);
    if (!last && fails == 0) return {};
    if (!last || last->preperiod > repeats) contradiction(fails, repeats);
    return *last;
  }

 private:
  void compute(HeapSize begin, HeapSize end, ValueSink& sink) {
    if (values_.compute(begin, end, sink) == RunStatus::kCancelled) throw Cancelled();
  }

  [[nodiscard]] bool repeats_from(HeapSize heap) {
    return !last_exception(heap, heap + window_, true);
  }

  /// The last of heaps begin .. end - 1 whose value is not the one a period later. (With `any`, one
  /// of them.)
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

  /// Narrows the heaps among which the last exception lies to a piece of them, by digests.
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
  Recomputation& values_;
};

}  // namespace

std::optional<Preperiod> find_preperiod(const Return& found, HeapSize largest_take,
                                        std::span<const HeapSize> seals, Recomputation& values) {
  try {
    return Search(found, largest_take, values).run(seals);
  } catch (const Cancelled&) {
    return std::nullopt;
  }
}

}  // namespace grundy
