// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/open_codes.hpp"

#include <algorithm>
#include <utility>

namespace grundy::sparse {
namespace {

/// Number of bytes after the marks of a heap. The first one is the mark of all codes beyond the
/// limit; it has a cache line of its own.
constexpr std::size_t kSpareMarks = 64;

std::vector<Tap> sorted_by_place(std::vector<Tap> taps) {
  std::ranges::sort(taps, {}, by_place);
  return taps;
}

}  // namespace

OpenCodes::OpenCodes(const TapKernels& kernels, const SlidingWindow<std::uint16_t>& codes,
                     const std::vector<Tap>& taps, Nimber limit, std::size_t tasks)
    : kernels_(kernels),
      codes_(codes),
      words_(std::max<std::size_t>(1, (limit + 63) / 64)),
      taps_(sorted_by_place(taps)),
      buffers_(tasks) {
  for (Buffers& buffers : buffers_) {
    buffers.marks.resize(kMarkHeaps * (64 * words_ + kSpareMarks));
    buffers.open.resize(kMarkHeaps * words_);
  }
}

const std::uint64_t* OpenCodes::find(HeapIndex n, std::size_t task) noexcept {
  Buffers& buffers = buffers_[task];
  const std::size_t stride = 64 * words_ + kSpareMarks;
  kernels_.mark_codes(codes_.at(n), taps_.view(), static_cast<std::uint16_t>(64 * words_),
                      buffers.marks.data(), stride);
  kernels_.take_unmarked(buffers.marks.data(), stride, words_, buffers.open.data());
  return buffers.open.data();
}

}  // namespace grundy::sparse
