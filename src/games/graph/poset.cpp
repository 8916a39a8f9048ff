// SPDX-License-Identifier: MIT
#include "games/graph/poset.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>

#include "core/text.hpp"
#include "core/text_cursor.hpp"
#include "games/graph/small_graph.hpp"

namespace grundy::graph {
namespace {

[[noreturn]] void too_many(ErrorCode code, const std::string& elements) {
  throw Error(code, fmt::format("the poset has {} elements; between 1 and {} can be computed",
                                elements, SmallPoset::kMostElements));
}

/// Makes `above` reflexive and transitive (Warshall 1962).
void close(SmallPoset& poset) {
  const std::size_t n = poset.names.size();
  for (std::size_t i = 0; i < n; ++i) poset.above[i] |= std::uint64_t{1} << i;
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      if ((poset.above[i] >> k & 1) != 0) poset.above[i] |= poset.above[k];
    }
  }
}

}  // namespace

SmallPoset parse_poset_file(std::string_view content) {
  const std::vector<NumberLine> lines = parse_number_lines(content, '<');
  std::vector<std::uint64_t> labels;
  for (const auto& [line, numbers] : lines) {
    if (numbers.size() > 2) {
      throw Error(ErrorCode::kCorrupt,
                  fmt::format("line {} is neither a relation `a < b` nor an element", line));
    }
    labels.insert(labels.end(), numbers.begin(), numbers.end());
  }
  std::ranges::sort(labels);
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  if (labels.empty() || labels.size() > SmallPoset::kMostElements) {
    too_many(ErrorCode::kCorrupt, std::to_string(labels.size()));
  }
  SmallPoset poset;
  for (const std::uint64_t label : labels) poset.names.push_back(std::to_string(label));
  const auto index = [&](std::uint64_t label) {
    return static_cast<unsigned>(std::ranges::lower_bound(labels, label) - labels.begin());
  };
  for (const NumberLine& line : lines) {
    if (line.numbers.size() < 2) continue;
    poset.above[index(line.numbers[0])] |= std::uint64_t{1} << index(line.numbers[1]);
  }
  for (unsigned i = 0; i < labels.size(); ++i) {
    if ((poset.above[i] >> i & 1) != 0) {
      throw Error(ErrorCode::kCorrupt, fmt::format("{} is said to be below itself", labels[i]));
    }
  }
  close(poset);
  for (unsigned i = 0; i < labels.size(); ++i) {
    for (unsigned j = 0; j < i; ++j) {
      if ((poset.above[i] >> j & 1) != 0 && (poset.above[j] >> i & 1) != 0) {
        throw Error(ErrorCode::kCorrupt, fmt::format("the relations run in a circle through {} "
                                                     "and {}, so they are no order",
                                                     labels[j], labels[i]));
      }
    }
  }
  return poset;
}

SmallPoset box_poset(const std::vector<std::uint64_t>& sizes) {
  std::uint64_t cells = 1;
  for (const std::uint64_t size : sizes) {
    if (size == 0 || size > SmallPoset::kMostElements + 1) {
      throw Error(ErrorCode::kUsage, fmt::format("{} is not the edge of a board", size));
    }
    cells *= size;
    if (cells > SmallPoset::kMostElements + 1) too_many(ErrorCode::kUsage, "more than 64");
  }
  if (cells < 2) too_many(ErrorCode::kUsage, "no");
  SmallPoset poset;
  std::vector<std::vector<std::uint64_t>> places;
  for (std::uint64_t cell = 1; cell < cells; ++cell) {
    std::vector<std::uint64_t> place;
    std::uint64_t rest = cell;
    for (const std::uint64_t size : sizes) {
      place.push_back(rest % size);
      rest /= size;
    }
    poset.names.push_back(fmt::format("{}", fmt::join(place, ".")));
    places.push_back(std::move(place));
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = 0; j < places.size(); ++j) {
      if (std::ranges::equal(places[i], places[j], std::ranges::less_equal())) {
        poset.above[i] |= std::uint64_t{1} << j;
      }
    }
  }
  return poset;
}

SmallPoset subset_poset(std::uint64_t n) {
  if (n < 1 || n > 6) {
    throw Error(ErrorCode::kUsage, "Subset Takeaway is played here on a set of 1 to 6 elements");
  }
  SmallPoset poset;
  const unsigned subsets = (1u << n) - 1;  // without the empty set: subset s is element s - 1
  for (unsigned s = 1; s < subsets; ++s) {
    std::string name;
    for (unsigned e = 0; e < n; ++e) {
      if ((s >> e & 1) != 0) name += static_cast<char>('1' + e);
    }
    poset.names.push_back(name);
    for (unsigned t = s; t < subsets; ++t) {
      if ((s & t) == s) poset.above[s - 1] |= std::uint64_t{1} << (t - 1);
    }
  }
  return poset;
}

PosetGame::PosetGame(SmallPoset poset) : poset_(std::move(poset)) {
  const std::size_t n = poset_.names.size();
  start_ = n == 64 ? ~Position{0} : (Position{1} << n) - 1;
  for (std::size_t i = 0; i < n; ++i) {
    comparable_[i] |= poset_.above[i];
    for (std::size_t j = 0; j < n; ++j) {
      if ((poset_.above[i] >> j & 1) != 0) comparable_[j] |= Position{1} << i;
    }
  }
}

std::string PosetGame::text(Position p) const {
  std::string text;
  for (; p != 0; p &= p - 1) {
    text += (text.empty() ? "" : ",") + poset_.names[static_cast<unsigned>(std::countr_zero(p))];
  }
  return text.empty() ? "-" : text;
}

PosetGame::Position PosetGame::parse(std::string_view text) const {
  Position p = 0;
  if (text == "-") return p;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view name = trimmed(text.substr(begin, end - begin));
    const auto at = std::ranges::find(poset_.names, name);
    if (at == poset_.names.end()) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("there is no element {}; write elements with commas between them",
                              in_quotes(name)));
    }
    p |= Position{1} << (at - poset_.names.begin());
    begin = end + 1;
  }
  return p;
}

}  // namespace grundy::graph
