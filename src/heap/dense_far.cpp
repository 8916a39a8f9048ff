// SPDX-License-Identifier: MIT
#include "heap/dense_far.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace grundy {
namespace {

/// Pairs that are compared before heaps whose candidate was hit take the next one.
constexpr std::size_t kPiece = 512;
/// Cost of comparing one heap alone, in shares of comparing a group.
constexpr std::ptrdiff_t kAlone = 5;
/// Pairs of a piece that are marked.
constexpr std::size_t kRun = 64;

}  // namespace

/// Consecutive pairs of one run: first heaps first .. first + pairs - 1.
template <class T>
struct FarPhase<T>::Piece {
  HeapSize removed;
  HeapSize first;
  std::size_t pairs;
};

template <class T>
void FarPhase<T>::run(FarGroup<T>& group, HeapSize begin, std::size_t lanes,
                      HeapSize border) const {
  group.begin = begin;
  group.lanes = lanes;
  group.candidate.assign(lanes, 0);
  group.hits.resize((lanes + 63) / 64);
  group.reached.resize(lanes * words);
  group.marks.resize(64 * words);
  std::vector<Piece> pieces;
  split(group, border, pieces);
  mark(group, pieces);
  if (pieces.empty()) return;
  std::span<const Piece> left = pieces;
  if (kernels.of<T>().collect_pairs != nullptr && words <= kCollectWords) {
    const std::size_t some = std::min(pieces.size(), collected / kPiece);
    collect(group, left.first(some));
    left = left.subspan(some);
  }
  if (!left.empty()) certify(group, left);
}

/// Finds the far pairs of the group and cuts them into pieces, in an order that spreads any few of
/// them over the whole: values have long-range order, and neighbouring pairs repeat each other.
template <class T>
void FarPhase<T>::split(FarGroup<T>& group, HeapSize border, std::vector<Piece>& pieces) const {
  group.far.clear();
  const HeapSize end = group.begin + group.lanes;
  std::vector<Piece> ascending;
  for (const PairRun& run : rule.runs) {
    // a is far for the last heap if its partner is below the border, and has a larger partner for
    // the first heap: then both hold for every heap of the group.
    PairRange far;
    far.begin = std::max(run.least, end > border + run.removed ? end - border - run.removed : 0);
    far.end = std::min(PairRun{run.removed, run.least, true}.end(group.begin),
                       border - std::min<HeapSize>(border, kReadSlack));
    if (far.end <= far.begin) far = {run.least, run.least};
    group.far.push_back(far);
    for (HeapSize a = far.begin; a < far.end; a += kPiece) {
      ascending.push_back({run.removed, a, std::min<std::size_t>(kPiece, far.end - a)});
    }
  }
  // Steps of the golden section, made coprime to the number of pieces.
  const std::size_t count = ascending.size();
  std::size_t step = std::max<std::size_t>(1, count * 618 / 1000);
  while (std::gcd(step, count) > 1) ++step;
  pieces.resize(count);
  for (std::size_t i = 0; i < count; ++i) pieces[i] = ascending[i * step % count];
}

/// Marks the first pairs of the first pieces and takes the mex as candidate.
template <class T>
void FarPhase<T>::mark(FarGroup<T>& group, std::span<const Piece> pieces) const {
  pieces = pieces.first(std::min(pieces.size(), marked / kRun));
  for (std::size_t lane = 0; lane < group.lanes; ++lane) {
    for (const Piece& piece : pieces) {
      kernels.of<T>().mark_pairs(values, piece.first,
                                 group.begin + lane - piece.removed - piece.first,
                                 std::min(kRun, piece.pairs), group.marks.data());
    }
    std::uint64_t* const reached = group.reached_by(lane, words);
    kernels.take_marks(group.marks.data(), words, reached);
    take_mex(group, lane);
  }
}

/// Collects all values of these pairs, heap by heap, and takes the mex as candidate.
template <class T>
void FarPhase<T>::collect(FarGroup<T>& group, std::span<const Piece> pieces) const {
  for (std::size_t lane = 0; lane < group.lanes; ++lane) {
    std::uint64_t* const reached = group.reached_by(lane, words);
    for (const Piece& piece : pieces) {
      kernels.of<T>().collect_pairs(values, piece.first,
                                    group.begin + lane - piece.removed - piece.first, piece.pairs,
                                    reached, words);
    }
    take_mex(group, lane);
  }
}

/// Makes the least value without a witness the candidate. If there is none below the bound, the
/// largest value stands in and the result is false: that heap is decided outside.
template <class T>
bool FarPhase<T>::take_mex(FarGroup<T>& group, std::size_t lane) const {
  const std::size_t mex =
      kernels.first_zero_bit(group.reached_by(lane, words), group.candidate[lane], words);
  group.candidate[lane] = static_cast<T>(std::min(mex, 64 * words - 1));
  return mex < 64 * words;
}

/// Gives the heap its next candidate, because this one has a witness.
template <class T>
bool FarPhase<T>::advance(FarGroup<T>& group, std::size_t lane) const {
  const std::size_t value = group.candidate[lane];
  group.reached_by(lane, words)[value / 64] |= std::uint64_t{1} << (value % 64);
  return take_mex(group, lane);
}

template <class T>
bool FarPhase<T>::reached_within(const FarGroup<T>& group, std::size_t lane,
                                 std::span<const Piece> pieces) const {
  return std::any_of(pieces.begin(), pieces.end(), [&](const Piece& piece) {
    const HeapSize partner = group.begin + lane - piece.removed - piece.first;
    return kernels.of<T>().find_pair(values, piece.first, partner, piece.pairs,
                                     group.candidate[lane]) < piece.pairs;
  });
}

template <class T>
void FarPhase<T>::certify(FarGroup<T>& group, std::span<const Piece> pieces) const {
  group.changed.assign(group.lanes, 0);
  std::size_t step = 0;
  const auto open = [&](std::size_t changed) { return changed + pieces.size() > step; };
  // A second cycle goes on while it serves more than a part of the heaps: to compare one heap alone
  // costs several times its share of the group.
  do {
    const Piece& piece = pieces[step++ % pieces.size()];
    kernels.of<T>().probe_pairs(values, piece.first, group.begin - piece.removed - piece.first,
                                piece.pairs, group.candidate.data(), group.lanes,
                                group.hits.data());
    for (std::size_t w = 0; w < group.hits.size(); ++w) {
      for (std::uint64_t hits = group.hits[w]; hits != 0; hits &= hits - 1) {
        const std::size_t lane = 64 * w + static_cast<std::size_t>(std::countr_zero(hits));
        group.changed[lane] = advance(group, lane) ? step : 0;
      }
    }
  } while (step < pieces.size() ||
           kAlone * std::count_if(group.changed.begin(), group.changed.end(), open) >
               static_cast<std::ptrdiff_t>(group.lanes));
  for (std::size_t lane = 0; lane < group.lanes; ++lane) {
    if (!open(group.changed[lane])) continue;
    // The rest of its cycle: from here to the last piece, and from the first to where it changed.
    const std::size_t left = group.changed[lane] + pieces.size() - step;
    const std::size_t from = step % pieces.size();
    const std::size_t upper = std::min(left, pieces.size() - from);
    bool reached = reached_within(group, lane, pieces.subspan(from, upper)) ||
                   reached_within(group, lane, pieces.first(left - upper));
    while (reached && advance(group, lane)) reached = reached_within(group, lane, pieces);
  }
}

template struct FarPhase<std::uint8_t>;
template struct FarPhase<std::uint16_t>;
template struct FarPhase<std::uint32_t>;

}  // namespace grundy
