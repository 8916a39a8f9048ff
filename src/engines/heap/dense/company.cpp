// SPDX-License-Identifier: MIT
#include "engines/heap/dense/company.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include <grundy/team.hpp>

namespace grundy {
namespace {

/// What a rank says with its open sets.
constexpr std::uint8_t kWanted = 1;   ///< its sink wants more values
constexpr std::uint8_t kMayGoOn = 2;  ///< nobody has asked it to stop

/// Values that are sent together.
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
  // Ones say nothing where sets are intersected, so that what rank 0 gives is what all receive.
  const bool gives = team_->rank() == 0;
  const auto send = [&](auto& numbers) {
    team_->all_and({reinterpret_cast<std::uint8_t*>(numbers.data()),
                    numbers.size() * sizeof(numbers.front())});
  };
  // The width decides where an epoch ends.
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

bool Company::intersect(std::span<FarGroup> groups) {
  if (is_alone()) return true;
  const int wishes = (refused_ ? 0 : kWanted) | (stop_.stop_requested() ? 0 : kMayGoOn);
  bytes_.assign(1, static_cast<std::uint8_t>(wishes));
  for (const FarGroup& group : groups) {
    for (std::size_t lane = 0; lane < group.lanes; ++lane) {
      const auto add = [&](const auto& object) {
        const auto* const first = reinterpret_cast<const std::uint8_t*>(&object);
        bytes_.insert(bytes_.end(), first, first + sizeof object);
      };
      add(group.open[lane].bytes);
      add(group.open[lane].base);
      add(group.end[lane]);
    }
  }
  team_->all_and(bytes_);
  const std::uint8_t* at = bytes_.data() + 1;
  for (FarGroup& group : groups) {
    for (std::size_t lane = 0; lane < group.lanes; ++lane) {
      const auto take = [&](auto& object) {
        std::memcpy(&object, at, sizeof object);
        at += sizeof object;
      };
      take(group.open[lane].bytes);
      take(group.open[lane].base);
      take(group.end[lane]);
    }
  }
  refused_ = (bytes_.front() & kWanted) == 0;
  return bytes_.front() == (kWanted | kMayGoOn);
}

}  // namespace grundy
