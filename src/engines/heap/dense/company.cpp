// SPDX-License-Identifier: MIT
#include "engines/heap/dense/company.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include <grundy/team.hpp>

namespace grundy {
namespace {

/// The flags that a rank sends with its open sets.
constexpr std::uint8_t kWanted = 1;   ///< its sink wants more values
constexpr std::uint8_t kMayGoOn = 2;  ///< nobody has asked it to stop

/// Number of values that are sent together.
constexpr HeapSize kSent = HeapSize{1} << 20;

}  // namespace

Share Company::share() const noexcept {
  if (is_alone()) return {};
  std::uint64_t parts = std::min(kSharedGroups, team_->size());
  while (team_->size() % parts != 0) --parts;
  return {.part = team_->rank() % parts,
          .parts = parts,
          .pair_part = team_->rank() / parts,
          .pair_parts = team_->size() / parts};
}

void Company::begin_with(ValueBuffer& table) {
  if (is_alone()) return;
  // A set of ones has no effect on an intersection, so all ranks receive what rank 0 gives.
  const bool gives = team_->rank() == 0;
  const auto send = [&](auto& numbers) {
    team_->all_and({reinterpret_cast<std::uint8_t*>(numbers.data()),
                    numbers.size() * sizeof(numbers.front())});
  };
  // The width is sent because it decides where an epoch ends.
  std::vector<std::uint64_t> count(2, std::numeric_limits<std::uint64_t>::max());
  if (gives) count = {table.size(), byte_count(table.width())};
  send(count);
  std::vector<Nimber> values;
  for (HeapSize begin = 0; begin < count.front(); begin += kSent) {
    values.assign(std::min(kSent, count.front() - begin), std::numeric_limits<Nimber>::max());
    if (gives) {
      table.values().subspan(begin, values.size()).visit([&](auto part) {
        std::ranges::copy(part, values.begin());
      });
    }
    send(values);
    if (!gives) table.append(Values(std::span<const Nimber>(values)));
  }
  const auto width = static_cast<ValueWidth>(count.back());
  if (byte_count(table.width()) < count.back()) table.promote(width);
}

bool Company::intersect(std::span<FarGroup> groups, std::size_t slice) {
  if (is_alone()) return true;
  const int wishes = (refused_ ? 0 : kWanted) | (stop_.stop_requested() ? 0 : kMayGoOn);
  bytes_.assign(1, static_cast<std::uint8_t>(wishes));
  // The bytes of an open set that a slice fills.
  const std::size_t filled = slice / 8;
  for (const FarGroup& group : groups) {
    for (std::size_t lane = 0; lane < group.lanes; ++lane) {
      const auto* const set = group.open[lane].bytes;
      bytes_.insert(bytes_.end(), set, set + filled);
      const auto* const end = reinterpret_cast<const std::uint8_t*>(&group.end[lane]);
      bytes_.insert(bytes_.end(), end, end + sizeof group.end[lane]);
    }
  }
  team_->all_and(bytes_);
  const std::uint8_t* at = bytes_.data() + 1;
  for (FarGroup& group : groups) {
    for (std::size_t lane = 0; lane < group.lanes; ++lane) {
      OpenSet& open = group.open[lane];
      open = {};
      std::memcpy(open.bytes, at, filled);
      at += filled;
      std::uint32_t& end = group.end[lane];
      std::memcpy(&end, at, sizeof end);
      at += sizeof end;
      open.base = static_cast<std::uint32_t>((end - 1) / slice * slice);
    }
  }
  refused_ = (bytes_.front() & kWanted) == 0;
  return bytes_.front() == (kWanted | kMayGoOn);
}

}  // namespace grundy
