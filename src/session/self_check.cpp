// SPDX-License-Identifier: MIT
#include "session/self_check.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/sum.hpp>

#include "core/digest.hpp"

namespace grundy {
namespace {

constexpr std::uint64_t kOptionsPerLook = 4096;
/// What an option costs, about; no sample has been measured when the first is decided on.
constexpr CheckBudget::Seconds kPerOption{1e-8};

}  // namespace

void SelfCheck::sample(const Block& block) {
  if (block.table.empty() || block.values.empty()) return;
  const HeapSize n = block.begin + random_() % block.values.size();
  samples_.expect_first(kPerOption * n);
  if (!samples_.affordable()) return;
  const CheckBudget::Stopwatch watch(samples_);
  const std::optional<bool> right = is_right(n, block.table, watch);
  if (!right) return;
  if (!*right) {
    throw Error(ErrorCode::kMismatch,
                fmt::format("heap {} in the block of heaps {} to {} was given the value {}, which "
                            "is not the mex of its options; do not trust this machine or build "
                            "before `grundy selftest --soak 60min`",
                            n, block.begin, block.begin + block.values.size() - 1, block.table[n]));
  }
  ++passed_;
}

std::optional<bool> SelfCheck::is_right(HeapSize n, Values table,
                                        const CheckBudget::Stopwatch& watch) const {
  const Nimber value = table[n];
  std::vector<bool> reached(value, false);
  std::uint64_t seen = 0;
  bool hit = false;
  bool given_up = false;
  for_each_option(rule_, n, [&](const HeapMove& move) {
    Nimber sum = 0;
    for (const HeapSize heap : move.left) sum ^= table[heap];
    hit = sum == value;
    if (sum < value) reached[sum] = true;
    given_up = ++seen % kOptionsPerLook == 0 && watch.elapsed() > kLongestSample;
    return hit || given_up ? Flow::kStop : Flow::kContinue;
  });
  if (given_up && !hit) return std::nullopt;
  return !hit && std::find(reached.begin(), reached.end(), false) == reached.end();
}

std::optional<std::size_t> SelfCheck::scrub(Values table, std::span<const SegmentHeader> sealed) {
  for (std::size_t i = sealed_when_right_.size(); i < sealed.size(); ++i) {
    sealed_when_right_.push_back(i + 1);
  }
  if (sealed.empty() || !scrubs_.affordable()) return std::nullopt;
  if (next_scrub_ >= sealed.size()) next_scrub_ = 0;
  const SegmentHeader& segment = sealed[next_scrub_];
  if (segment.end() > table.size()) return std::nullopt;
  const CheckBudget::Stopwatch watch(scrubs_);
  ValueDigest digest;
  digest.update(table.subspan(segment.begin, segment.count));
  if (digest.value() != segment.values) return sealed_when_right_[next_scrub_];
  sealed_when_right_[next_scrub_++] = sealed.size();
  ++passed_;
  return std::nullopt;
}

}  // namespace grundy
