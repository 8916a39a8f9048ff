// SPDX-License-Identifier: MIT
#include "run/self_check.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/digest.hpp"

namespace grundy {
namespace {

/// Options between two looks at the clock; each may be a read of the device.
constexpr std::uint64_t kOptionsPerLook = 64;
/// What an option costs, about. It serves the first sample, before any time is measured.
constexpr CheckBudget::Seconds kPerOption{1e-8};
/// A sample that takes longer is given up: a position may have more options than anyone can list.
constexpr CheckBudget::Seconds kLongestSample{10};

}  // namespace

void SelfCheck::sample(HeapSize begin, Values values,
                       const std::function<ValueOf()>& open_earlier) {
  if (values.empty()) return;
  const HeapSize n = begin + random_() % values.size();
  samples_.expect_first(kPerOption * game_.option_bound(n));
  if (!samples_.affordable()) return;
  const CheckBudget::Stopwatch watch(samples_);
  const ValueOf earlier = open_earlier();
  const auto value_of = [&](HeapSize option) {
    return option < begin ? earlier(option) : values[option - begin];
  };
  const std::optional<bool> right = is_right(n, values[n - begin], value_of, watch);
  if (!right) return;
  if (!*right) {
    throw Error(
        ErrorCode::kMismatch,
        fmt::format("{}, one of the values {} to {} of the run, was given the value {}, which is "
                    "not the mex of its options; trust neither this machine or build before "
                    "`grundy selftest --soak 60min`, nor what is sealed before `grundy verify`",
                    game_.name(n), begin, begin + values.size() - 1, values[n - begin]));
  }
  ++passed_;
}

std::optional<bool> SelfCheck::is_right(HeapSize n, Nimber value, const ValueOf& value_of,
                                        const CheckBudget::Stopwatch& watch) const {
  std::vector<bool> reached;  // of the values below `value` that some option may have
  std::uint64_t distinct = 0;
  std::uint64_t seen = 0;
  bool hit = false;
  bool given_up = false;
  const bool listed = game_.for_each_option_value(n, value_of, [&](Nimber option) {
    hit = option == value;
    if (option < value) {
      if (option >= reached.size()) reached.resize(option + std::size_t{1});
      distinct += reached[option] ? 0 : 1;
      reached[option] = true;
    }
    given_up = ++seen % kOptionsPerLook == 0 && watch.elapsed() > kLongestSample;
    return hit || given_up ? Flow::kStop : Flow::kContinue;
  });
  if (!listed || (given_up && !hit)) return std::nullopt;
  if (seen == 0) return value == game_.terminal_value();
  return !hit && distinct == value;
}

std::optional<std::size_t> SelfCheck::scrub(Values all, std::span<const SegmentHeader> sealed) {
  for (std::size_t i = sealed_when_right_.size(); i < sealed.size(); ++i) {
    sealed_when_right_.push_back(i + 1);
  }
  if (sealed.empty() || !scrubs_.affordable()) return std::nullopt;
  if (next_scrub_ >= sealed.size()) next_scrub_ = 0;
  const SegmentHeader& segment = sealed[next_scrub_];
  if (segment.end() > all.size()) return std::nullopt;
  const CheckBudget::Stopwatch watch(scrubs_);
  SequentialDigest digest;
  digest.update(all.subspan(segment.begin, segment.count));
  if (digest.value() != segment.values) return sealed_when_right_[next_scrub_];
  sealed_when_right_[next_scrub_++] = sealed.size();
  ++passed_;
  return std::nullopt;
}

}  // namespace grundy
