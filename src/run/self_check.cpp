// SPDX-License-Identifier: MIT
#include "run/self_check.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/advice.hpp"

namespace grundy {
namespace {

/// Options between two looks at the clock; each option may cost a read of the device.
constexpr std::uint64_t kOptionsPerLook = 64;
/// A sample that takes longer is given up: a position may have too many options to list.
constexpr CheckBudget::Seconds kLongestSample{10};

}  // namespace

void SelfCheck::sample(HeapSize begin, Values values,
                       const std::function<ValueOf()>& open_earlier) {
  if (values.empty()) return;
  const HeapSize n = begin + random_() % values.size();
  // A value may have many more options than the last samples.
  const double options = std::max(1.0, game_.option_bound(n));
  if (!samples_.affordable(options)) return;
  std::optional<bool> right;
  {
    const CheckBudget::Stopwatch watch(samples_, options);
    const ValueOf earlier = open_earlier();
    const auto value_of = [&](HeapSize option) {
      return option < begin ? earlier(option) : values[option - begin];
    };
    right = is_right(n, values[n - begin], value_of, watch);
  }
  if (!right) return;
  if (!*right) {
    throw Error(
        ErrorCode::kMismatch,
        fmt::format("{}, one of the values {} to {} of the run, was given the value {}, which is "
                    "not the mex of its options; do not trust this machine or build before {}",
                    game_.name(n), begin, begin + values.size() - 1, values[n - begin], kLongTest));
  }
  ++passed_;
}

std::optional<bool> SelfCheck::is_right(HeapSize n, Nimber value, const ValueOf& value_of,
                                        const CheckBudget::Stopwatch& watch) const {
  std::vector<bool> reached;  // the values below `value` that some option has
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

std::optional<std::size_t> SelfCheck::scrub(std::size_t sealed, const InMemory& is_right) {
  for (std::size_t i = sealed_when_right_.size(); i < sealed; ++i) {
    sealed_when_right_.push_back(i + 1);
  }
  if (sealed == 0 || !scrubs_.affordable()) return std::nullopt;
  const CheckBudget::Stopwatch watch(scrubs_);
  for (std::size_t tried = 0; tried < sealed; ++tried) {
    if (next_scrub_ >= sealed) next_scrub_ = 0;
    const std::size_t segment = next_scrub_++;
    const std::optional<bool> right = is_right(segment);
    if (!right) continue;
    if (!*right) return sealed_when_right_[segment];
    sealed_when_right_[segment] = sealed;
    ++passed_;
    break;
  }
  return std::nullopt;
}

std::optional<std::size_t> SelfCheck::scrub(Values all, std::span<const SegmentHeader> sealed) {
  return scrub(sealed.size(), [&](std::size_t i) -> std::optional<bool> {
    const SegmentHeader& segment = sealed[i];
    if (segment.end() > all.size()) return std::nullopt;
    SegmentDigest digest(segment);
    digest.update(all.subspan(segment.begin, segment.count));
    return digest.value() == segment.values;
  });
}

}  // namespace grundy
