/// @file
/// Misère play of one heap proved from the definition.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/genera.hpp>
#include <grundy/heap/options.hpp>

#include "core/advice.hpp"
#include "core/stopwatch.hpp"
#include "games/heap/notation.hpp"
#include "session/machine.hpp"

namespace grundy {
namespace {

/// Heaps that are read at a time.
constexpr HeapSize kHeapsOfGroup = HeapSize{1} << 12;

/// The least number that is none of the values. The search for genera has a mex of its own.
Nimber mex(std::vector<Nimber> values) {
  std::ranges::sort(values);
  Nimber least = 0;
  for (const Nimber value : values) least += value == least ? 1 : 0;
  return least;
}

/// Misère nim-values of positions, by trying every move: heaps of the game, and heaps of one and
/// two tokens of Nim beside them.
class MiserePositions {
 public:
  /// Thrown if the next position needs more time or memory, or if a stop was requested.
  struct Ended {};

  MiserePositions(const HeapRule& rule, std::function<bool()> is_over, std::uint64_t most_bytes)
      : rule_(rule), is_over_(std::move(is_over)), most_bytes_(most_bytes) {}

  /// The value of one heap with `twos` heaps of two tokens. @throws Ended
  Nimber value(HeapSize heap, std::size_t twos) {
    return value({{static_cast<char32_t>(heap)}, 0, static_cast<char32_t>(twos)});
  }

 private:
  struct Position {
    std::u32string heaps;  ///< in any order
    char32_t ones, twos;
  };

  Nimber value(Position position) {
    std::erase_if(position.heaps, [this](char32_t n) { return !has_move(n); });
    std::ranges::sort(position.heaps);
    std::u32string key = position.heaps;
    key.push_back(position.ones);
    key.push_back(position.twos);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    std::vector<Nimber> reached;
    for (std::size_t i = 0; i < position.heaps.size(); ++i) {
      if (i > 0 && position.heaps[i] == position.heaps[i - 1]) continue;
      for_each_option(rule_, position.heaps[i], [&](const HeapMove& move) {
        Position next = position;
        next.heaps.erase(i, 1);
        for (const HeapSize heap : move.left) next.heaps.push_back(static_cast<char32_t>(heap));
        reached.push_back(value(std::move(next)));
        return Flow::kContinue;
      });
    }
    if (position.ones > 0) {
      reached.push_back(value({position.heaps, position.ones - 1, position.twos}));
    }
    if (position.twos > 0) {
      reached.push_back(value({position.heaps, position.ones, position.twos - 1}));
      reached.push_back(value({position.heaps, position.ones + 1, position.twos - 1}));
    }
    const Nimber found = reached.empty() ? 1 : mex(std::move(reached));
    keep(std::move(key), found);
    return found;
  }

  bool has_move(char32_t heap) {
    while (heap >= has_move_.size()) {
      bool any = false;
      for_each_option(rule_, has_move_.size(), [&](const HeapMove& /*move*/) {
        any = true;
        return Flow::kStop;
      });
      has_move_.push_back(any);
    }
    return has_move_[heap];
  }

  void keep(std::u32string key, Nimber found) {
    constexpr std::uint64_t kOverhead = 96, kLookEvery = 256;
    bytes_ += kOverhead + key.size() * sizeof(char32_t);
    if (bytes_ > most_bytes_ || (known_.size() % kLookEvery == 0 && is_over_())) throw Ended{};
    known_.emplace(std::move(key), found);
  }

  const HeapRule& rule_;
  std::function<bool()> is_over_;
  std::uint64_t most_bytes_, bytes_ = 0;
  std::unordered_map<std::u32string, Nimber> known_;
  std::vector<bool> has_move_;
};

/// The value of a heap in normal play, from the values of smaller heaps.
Nimber normal_value(const HeapRule& rule, HeapSize n, const std::vector<Nimber>& values) {
  std::vector<Nimber> reached;
  for_each_option(rule, n, [&](const HeapMove& move) {
    Nimber value = 0;
    for (const HeapSize heap : move.left) value ^= values[heap];
    reached.push_back(value);
    return Flow::kContinue;
  });
  return mex(std::move(reached));
}

/// Calls visit(n, heap) for each heap of a file until it returns false.
template <class Visit>
void for_each_heap(const GeneraReader& reader, Visit visit) {
  const HeapSize count = reader.info().heaps;
  for (HeapSize first = 0; first < count; first += kHeapsOfGroup) {
    const auto heaps = reader.heaps(first, std::min(kHeapsOfGroup, count - first));
    for (HeapSize i = 0; i < heaps.size(); ++i) {
      if (!visit(first + i, heaps[i])) return;
    }
  }
}

/// @param most_heaps the number of heaps that are proved, from heap 0 on
void prove_from_definition(const GeneraReader& reader, const HeapRule& rule, HeapSize most_heaps,
                           MiserePositions& positions, GeneraCheck& check) {
  // A genus ends where its terms alternate; two more terms show that they do.
  std::size_t most = 0;
  for (const Genus& genus : reader.genera()) most = std::max(most, genus.misere.size() + 2);
  std::vector<Nimber> values;
  const auto prove = [&](HeapSize n, const MisereHeap& heap) {
    if (n == most_heaps) return false;
    const Nimber value = normal_value(rule, n, values);
    values.push_back(value);
    if (value != heap.genus.value) {
      check.wrong = fmt::format("heap {} has the value {} in normal play, not {}", n, value,
                                heap.genus.value);
    }
    for (std::size_t twos = 0; twos < most && check.wrong.empty(); ++twos) {
      const Nimber found = positions.value(n, twos);
      if (found == heap.genus.misere_with(twos)) continue;
      check.wrong =
          fmt::format("heap {} with {} heaps of two tokens has the misère nim-value {}, not {}", n,
                      twos, found, heap.genus.misere_with(twos));
    }
    if (check.wrong.empty()) ++check.proved;
    return check.wrong.empty();
  };
  try {
    for_each_heap(reader, prove);
  } catch (const MiserePositions::Ended&) {
    return;  // the heaps before are proved
  }
}

/// Finds all genera a second time. @returns false if it was stopped
bool compare_with_search(const GeneraReader& reader, const HeapRule& rule,
                         const MisereSearch& search, GeneraCheck& check) {
  std::vector<MisereHeap> group;
  const HeapSize count = reader.info().heaps;
  const MisereEnd end = find_genera(
      rule, count - 1,
      [&](HeapSize n, const MisereHeap& found) {
        const HeapSize at = n % kHeapsOfGroup;
        if (at == 0) group = reader.heaps(n, std::min(kHeapsOfGroup, count - n));
        if (found != group[at]) {
          check.wrong =
              fmt::format("heap {} is {} and {}, not {} and {}", n, found.genus.text(),
                          name_of(found.kind), group[at].genus.text(), name_of(group[at].kind));
          return Flow::kStop;
        }
        ++check.compared;
        return Flow::kContinue;
      },
      search);
  if (end == MisereEnd::kMemory) {
    throw Error(ErrorCode::kFailure,
                fmt::format("heaps from {} on need more memory to be found again than there is: {}",
                            check.compared, kAllowMoreMemory));
  }
  return end == MisereEnd::kComplete || !check.wrong.empty();
}

}  // namespace

GeneraCheck check_genera(const ListCheckRequest& request, const Hooks& hooks) {
  const Stopwatch time;
  const GeneraReader reader(request.file);
  reader.recount();
  GeneraCheck check;
  check.info = reader.info();
  check.notation = check.info.canonical;
  check.unit = "heaps";
  check.count = check.info.heaps;
  check.digest = check.info.digest;
  check.statement =
      "the value of a heap, and its misère nim-value with each number of heaps of two tokens that "
      "its genus tells, are what the values of all options make them";
  check.methods = {"all positions that moves reach, by the definition"};
  const HeapRule rule = [&] {
    try {
      HeapRule read = HeapRule::parse(reader.info().canonical);
      refuse_pass(read, "misère play");
      return read;
    } catch (const Error& error) {
      throw Error(ErrorCode::kCorrupt,
                  fmt::format("'{}': {}", request.file.string(), error.what()));
    }
  }();
  if (request.range) {
    check_range(*request.range, check.count, check.unit);
    if (request.range->first > 0) {
      throw Error(ErrorCode::kUsage, "misère play of one heap is proved from heap 0 on");
    }
  }
  const HeapSize heaps = request.range ? request.range->last + 1 : check.info.heaps;
  const std::uint64_t memory = request.machine.memory.value_or(memory_available());
  const Stopwatch proving;
  const auto is_over = [&] {
    return hooks.stop.stop_requested() || (!request.range && proving.seconds() > request.seconds);
  };
  if (request.samples != 0) {
    MiserePositions positions(rule, is_over, memory / 2);
    prove_from_definition(reader, rule, heaps, positions, check);
  }
  check.complete = !hooks.stop.stop_requested();
  if (request.range && check.complete && check.wrong.empty() && check.proved < heaps) {
    throw Error(ErrorCode::kFailure,
                fmt::format("heaps from {} on need more memory to be proved than there is: {}",
                            check.proved, kAllowMoreMemory));
  }
  if (request.full && check.complete && check.wrong.empty() && check.info.heaps > 0) {
    check.complete =
        compare_with_search(reader, rule, {.memory = memory, .stop = hooks.stop}, check);
  }
  if (check.wrong.empty() && check.proved > 0) check.proved_range = {0, check.proved - 1};
  if (check.holds() && check.compared == check.count) {
    check.methods.emplace_back("all genera and kinds were found a second time");
  }
  check.seconds = time.seconds();
  return check;
}

}  // namespace grundy
