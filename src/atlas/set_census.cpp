// SPDX-License-Identifier: MIT
#include "atlas/set_census.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>
#include <grundy/games.hpp>

#include "atlas/census_run.hpp"
#include "atlas/set_period_search.hpp"
#include "core/digest.hpp"
#include "core/primes.hpp"
#include "core/text.hpp"
#include "table/fields.hpp"

namespace grundy {
namespace atlas {
namespace {

constexpr HeapSize kMostHeapsOfSet = HeapSize{1} << 31;

/// The fields that a reader needs first.
template <class Io, class Report>
void traverse_family(Io& io, h5::Object& root, Report& report) {
  io.number(root, "largest_move", report.family.largest);
  io.number(root, "moves_of_a_set", report.family.size);
  io.number(root, "last_heap", report.last);
}

/// The fields that follow from family and rows.
template <class Io>
void traverse_counts(Io& io, h5::Object& root, const CensusReport& report,
                     const Digest128& digest) {
  io.implied(root, "family", report.family.text());
  io.implied(root, "sets", report.all.sets);
  io.implied(root, "open", report.all.open);
  io.implied(root, "purely_periodic", report.all.purely_periodic);
  io.implied(root, "xxh3_128", to_hex(digest));
  io.implied(root, "index_convention",
             std::string("row r is the r-th set in colexicographic order, from 0 on"));
}

class LevelSetSearch final : public RowSearch {
 public:
  explicit LevelSetSearch(HeapSize last) : search_(last) {}
  void find(const MoveSet& set, std::span<std::uint32_t> facts) override {
    write_period(search_.find(set), facts);
  }

 private:
  SetPeriodSearch search_;
};

/// The values of heaps 0 .. count - 1, each the mex of its options.
std::vector<std::uint8_t> values_by_definition(const MoveSet& moves, HeapSize count) {
  std::vector<std::uint8_t> values(count);
  for (HeapSize n = 0; n < count; ++n) {
    std::uint32_t options = 0;  // bit v: an option has the value v
    for (const HeapSize move : moves) {
      if (move > n) break;
      options |= std::uint32_t{1} << values[n - move];
    }
    while ((options & 1) != 0) {
      options >>= 1;
      ++values[n];
    }
  }
  return values;
}

/// The fault of the period of a set, as the end of a sentence; empty if the period is right, or if
/// none is claimed. Shares nothing with the search: computes preperiod + 2 periods and as many
/// heaps as the largest move, one by one.
std::string period_fault(const MoveSet& moves, const SetPeriod& found) {
  const HeapSize e = found.preperiod, p = found.period, window = moves.back();
  if (p == 0) return found == SetPeriod{} ? "" : "has no period, but other entries";
  const std::vector<std::uint8_t> values = values_by_definition(moves, e + 2 * p + window);
  const std::span all(values);
  if (!std::ranges::equal(all.subspan(e, window), all.subspan(e + p, window))) {
    return fmt::format("has not the period {} from heap {} on", p, e);
  }
  if (e > 0 && values[e - 1] == values[e - 1 + p]) {
    return fmt::format("has the period {} before heap {} already", p, e);
  }
  for (const HeapSize prime : primes_of(p)) {
    if (std::ranges::equal(all.subspan(e, p), all.subspan(e + p / prime, p))) {
      return fmt::format("has the smaller period {}", p / prime);
    }
  }
  if (std::ranges::count(all.subspan(e, p), 0) != found.zeros) {
    return fmt::format("has not {} zeros in a period", found.zeros);
  }
  if (std::ranges::max(all.first(e + p)) != found.max_value) {
    return fmt::format("has not the largest value {}", found.max_value);
  }
  return {};
}

class PeriodProof final : public RowProof {
 public:
  std::string fault_of(const MoveSet& set, std::span<const std::uint32_t> facts) override {
    return period_fault(set, period_of(facts));
  }
};

}  // namespace

SetPeriod period_of(std::span<const std::uint32_t> facts) noexcept {
  return {facts[0], facts[1], facts[2], static_cast<std::uint8_t>(facts[3])};
}

void write_period(const SetPeriod& period, std::span<std::uint32_t> facts) noexcept {
  facts[0] = period.preperiod;
  facts[1] = period.period;
  facts[2] = period.zeros;
  facts[3] = period.max_value;
}

SetCensus::SetCensus(const SetFamily& family, HeapSize last)
    : report_{.family = family, .last = last} {
  if (last > kMostHeapsOfSet) {
    throw Error(ErrorCode::kUsage,
                fmt::format("a census computes at most {} heaps of a set", kMostHeapsOfSet));
  }
  begin_counts();
}

SetCensus::SetCensus(h5::Object& root) {
  FieldReader reader;
  traverse_family(reader, root, report_);
  try {
    begin_counts();
  } catch (const Error& error) {
    root.context().corrupt(error.what());
  }
}

void SetCensus::begin_counts() {
  const SetFamily& family = report_.family;
  (void)family.sets();
  columns_ = {{"moves", 2, family.size, "move"},
              {"preperiod", 4},
              {"period", 4},
              {"zeros", 4},
              {"max_value", 1}};
  report_.by_largest.resize(family.largest - family.size + 1);
}

void SetCensus::write_game(const MoveSet& set, std::span<std::uint32_t> game) const {
  std::ranges::transform(set, game.begin(),
                         [](HeapSize move) { return static_cast<std::uint32_t>(move); });
}

std::string SetCensus::notation(const MoveSet& set) const {
  return fmt::format("S{{{}}}", fmt::join(set, ","));
}

MoveSet SetCensus::set_of(std::string_view name) const {
  const HeapRule rule = resolve_game(name, GameKind::kHeap).heap();
  const std::optional<SubtractionRule> subtraction = rule.as_subtraction();
  const SetFamily& family = report_.family;
  if (!subtraction || subtraction->kind != SubtractionRule::Kind::kFinite ||
      subtraction->elements.size() != family.size ||
      subtraction->elements.back() > family.largest) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} is no set of the family {}", in_quotes(name), family.text()));
  }
  return subtraction->elements;
}

std::string SetCensus::words(std::span<const std::uint32_t> facts) const {
  const SetPeriod found = period_of(facts);
  if (found.period == 0) return fmt::format("no period up to heap {}", report_.last);
  return fmt::format("period {} from heap {} on, {} zeros in a period, maximum {}", found.period,
                     found.preperiod, found.zeros, found.max_value);
}

std::unique_ptr<RowSearch> SetCensus::search() const {
  return std::make_unique<LevelSetSearch>(report_.last);
}

std::unique_ptr<RowProof> SetCensus::proof() const {
  return std::make_unique<PeriodProof>();
}

void SetCensus::count(const MoveSet& set, std::span<const std::uint32_t> facts) {
  const SetPeriod found = period_of(facts);
  report_.all.add(set, found);
  report_.by_largest[set.back() - report_.family.size].add(set, found);
}

void SetCensus::write_attributes(h5::Object& root, const Digest128& digest) const {
  FieldWriter writer;
  traverse_family(writer, root, report_);
  traverse_counts(writer, root, report_, digest);
}

void SetCensus::compare_attributes(h5::Object& root, const Digest128& digest) const {
  FieldReader reader;
  traverse_counts(reader, root, report_, digest);
}

}  // namespace atlas

CensusReport compute_census(const CensusRequest& request, const Hooks& hooks) {
  atlas::SetCensus kind(request.family, request.last);
  const atlas::CensusTotals totals =
      run_census(kind, request.output, request.overwrite, request.machine, hooks);
  return report_with(totals, kind);
}

CensusReport read_census(const std::filesystem::path& path) {
  return atlas::read_report<atlas::SetCensus>(path, FileKind::kCensus);
}

}  // namespace grundy
