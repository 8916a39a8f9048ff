// SPDX-License-Identifier: MIT
#include "atlas/rule_census.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/lattice/engine.hpp>
#include <grundy/layout.hpp>

#include "atlas/census_run.hpp"
#include "core/digest.hpp"
#include "core/text.hpp"
#include "kernels/kernels.hpp"
#include "table/fields.hpp"
#include "table/lattice_array.hpp"
#include "table/layout_text.hpp"

namespace grundy {
namespace atlas {
namespace {

constexpr std::uint64_t kMostPositions = std::uint64_t{1} << 24;
/// The index of the digest among the numbers of a row.
constexpr std::size_t kDigest = 6;
/// The engine that computes by the definition.
constexpr const char* kReference = "reference";

/// The table of a rule, computed on one thread.
LatticeArray values_of(const LatticeRule& rule, const LatticeShape& shape, const Machine& machine,
                       Executor& executor) {
  LatticeArray array(Layout::of(shape, rule.planes()), false);
  select_lattice_engine(machine.engine, rule, shape)
      .run({.rule = rule,
            .shape = shape,
            .kernels = select_kernels(machine.kernel),
            .executor = executor},
           array);
  return array;
}

std::vector<std::uint8_t> p_positions_of(const LatticeRule& rule, const LatticeShape& shape,
                                         const Machine& machine, Executor& executor) {
  const LatticeArray array = values_of(rule, shape, machine, executor);
  std::vector<std::uint8_t> p;
  array.values().visit([&](auto values) {
    for (const auto value : values) p.push_back(value == 0 ? 1 : 0);
  });
  return p;
}

/// The moves of Nim: any number from one heap.
LatticeMoves nim(unsigned heaps) {
  LatticeMoves moves;
  moves.heaps = heaps;
  for (unsigned i = 0; i < heaps; ++i) {
    LatticePoint step{};
    step[i] = 1;
    moves.rays.push_back({step, {}});
  }
  return moves;
}

RuleFacts compare(Values table, const BaseTables& base) {
  const auto count = static_cast<std::uint32_t>(table.size());
  RuleFacts facts{.first_difference = count,
                  .first_p_difference = count,
                  .is_nim_p = true,
                  .is_wythoff_p = !base.wythoff_p.empty()};
  table.visit([&](auto values) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const Nimber value = values[i];
      const bool is_p = value == 0;
      if (is_p) ++facts.p_positions;
      facts.max_value = std::max(facts.max_value, value);
      if (value != base.values[i]) {
        facts.first_difference = std::min(facts.first_difference, i);
        if (is_p != (base.values[i] == 0)) {
          facts.first_p_difference = std::min(facts.first_p_difference, i);
        }
      }
      if (is_p != (base.nim_p[i] != 0)) facts.is_nim_p = false;
      if (facts.is_wythoff_p && is_p != (base.wythoff_p[i] != 0)) facts.is_wythoff_p = false;
    }
  });
  ValueDigest digest;
  digest.update(table);
  facts.digest = digest.value();
  return facts;
}

/// The fields that a reader needs first.
template <class Io>
void traverse_family(Io& io, h5::Object& root, std::string& family,
                     std::vector<std::uint32_t>& extents) {
  io.text(root, "family", family);
  io.column(root, "shape", extents, {"heap"});
}

/// The fields that follow from family and rows.
template <class Io>
void traverse_counts(Io& io, h5::Object& root, const RuleCensusReport& report,
                     const Digest128& digest) {
  io.implied(root, "rules", report.all.rules);
  io.implied(root, "same_values", report.all.same_values);
  io.implied(root, "same_p_positions", report.all.same_p);
  io.implied(root, "nim_p_positions", report.all.nim_p);
  io.implied(root, "wythoff_p_positions", report.all.wythoff_p);
  io.implied(root, "xxh3_128", to_hex(digest));
  io.implied(root, "index_convention",
             std::string("row r is the r-th set of vectors in colexicographic order, from 0 on; "
                         "positions are counted from 0 on in row-major order"));
}

void check_shape(const RuleFamily& family, const LatticeShape& shape) {
  if (shape.heaps != family.heaps) {
    throw Error(ErrorCode::kUsage,
                fmt::format("the rules have {} heaps, but the shape has sizes for {}", family.heaps,
                            shape.heaps));
  }
  const Layout layout = Layout::of(shape, 1);
  if (shape.sorted || !layout.is_countable() || layout.positions() > kMostPositions) {
    throw Error(ErrorCode::kUsage,
                fmt::format("a census has shapes of 1 to {} positions", kMostPositions));
  }
}

/// Searches and proves rules on one thread.
class RuleSearch final : public RowSearch, public RowProof {
 public:
  explicit RuleSearch(const RuleCensus& census)
      : census_(census), executor_(make_executor(1, "threads")) {}

  void find(const MoveSet& set, std::span<std::uint32_t> facts) override {
    write_facts(census_.facts_of_set(set, *executor_), facts);
  }

  std::string fault_of(const MoveSet& set, std::span<const std::uint32_t> facts) override {
    const RuleFacts stored = facts_of(facts), right = census_.facts_of_set(set, *executor_);
    if (stored == right) return {};
    const auto differs = [](const char* what, std::uint32_t is, std::uint32_t was) {
      return is == was ? std::string() : fmt::format("has the {} {}, not {}", what, is, was);
    };
    for (const std::string& fault :
         {differs("number of P-positions", right.p_positions, stored.p_positions),
          differs("largest value", right.max_value, stored.max_value),
          differs("first difference", right.first_difference, stored.first_difference),
          differs("first difference of P-positions", right.first_p_difference,
                  stored.first_p_difference)}) {
      if (!fault.empty()) return fault;
    }
    return right.digest == stored.digest ? "is wrongly compared with Nim or Wythoff's game"
                                         : "has values of another digest";
  }

 private:
  const RuleCensus& census_;
  std::unique_ptr<Executor> executor_;
};

}  // namespace

RuleFacts facts_of(std::span<const std::uint32_t> numbers) noexcept {
  RuleFacts facts{.p_positions = numbers[0],
                  .max_value = numbers[1],
                  .first_difference = numbers[2],
                  .first_p_difference = numbers[3],
                  .is_nim_p = numbers[4] != 0,
                  .is_wythoff_p = numbers[5] != 0};
  std::ranges::transform(numbers.subspan(kDigest), facts.digest.begin(),
                         [](std::uint32_t byte) { return static_cast<std::uint8_t>(byte); });
  return facts;
}

void write_facts(const RuleFacts& facts, std::span<std::uint32_t> numbers) noexcept {
  numbers[0] = facts.p_positions;
  numbers[1] = facts.max_value;
  numbers[2] = facts.first_difference;
  numbers[3] = facts.first_p_difference;
  numbers[4] = facts.is_nim_p ? 1 : 0;
  numbers[5] = facts.is_wythoff_p ? 1 : 0;
  std::ranges::copy(facts.digest, numbers.begin() + kDigest);
}

RuleCensus::RuleCensus(const RuleCensusRequest& request)
    : machine_(request.machine), report_{.family = request.family, .shape = request.shape} {
  begin();
}

RuleCensus::RuleCensus(h5::Object& root) : machine_{.engine = kReference} {
  FieldReader reader;
  std::string family;
  std::vector<std::uint32_t> extents;
  traverse_family(reader, root, family, extents);
  try {
    report_.family = RuleFamily::parse(family);
    report_.shape.heaps = static_cast<unsigned>(extents.size());
    std::copy_n(extents.begin(), std::min<std::size_t>(extents.size(), kMaxLatticeHeaps),
                report_.shape.extent.begin());
    begin();
  } catch (const Error& error) {
    root.context().corrupt(error.what());
  }
}

void RuleCensus::begin() {
  const RuleFamily& family = report_.family;
  check_shape(family, report_.shape);
  vectors_ = family.vectors();
  sets_ = {vectors_.size(), family.size};
  (void)sets_.sets();
  columns_ = {{"vectors", 2, family.size * family.heaps, "entry"},
              {"p_positions", 4},
              {"max_value", 4},
              {"first_difference", 4},
              {"first_p_difference", 4},
              {"is_nim_p", 1},
              {"is_wythoff_p", 1},
              {"xxh3_128", 1, Digest128{}.size(), "byte"}};
  report_.by_last.resize(sets_.largest - sets_.size + 1);
}

const BaseTables& RuleCensus::base(Executor& executor) const {
  std::call_once(base_made_, [&] {
    const RuleFamily& family = report_.family;
    const LatticeShape& shape = report_.shape;
    base_.values.resize(Layout::of(shape, 1).positions());
    if (family.base) {
      const LatticeArray array = values_of(*family.base, shape, machine_, executor);
      array.values().visit([&](auto values) { std::ranges::copy(values, base_.values.begin()); });
    }
    LatticeMoves moves = nim(family.heaps);
    base_.nim_p = p_positions_of(LatticeRule(moves), shape, machine_, executor);
    if (family.heaps != 2) return;
    moves.rays.push_back({{1, 1}, {}});
    base_.wythoff_p = p_positions_of(LatticeRule(std::move(moves)), shape, machine_, executor);
  });
  return base_;
}

RuleFacts RuleCensus::facts_of_set(const MoveSet& set, Executor& executor) const {
  const LatticeRule rule = report_.family.rule(vectors_, set);
  return compare(values_of(rule, report_.shape, machine_, executor).values(), base(executor));
}

void RuleCensus::write_game(const MoveSet& set, std::span<std::uint32_t> game) const {
  auto out = game.begin();
  for (const HeapSize number : set) {
    out = std::copy_n(vectors_[number - 1].begin(), report_.family.heaps, out);
  }
}

std::string RuleCensus::notation(const MoveSet& set) const {
  return report_.family.rule(vectors_, set).canonical();
}

std::string RuleCensus::name(const MoveSet& set) const {
  std::vector<LatticePoint> chosen;
  for (const HeapSize number : set) chosen.push_back(vectors_[number - 1]);
  return report_.family.terms(chosen);
}

MoveSet RuleCensus::set_of(std::string_view name) const {
  const RuleFamily& family = report_.family;
  const auto refuse = [&] {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} is no rule of the family {}; one is named by its vectors: {}",
                            in_quotes(name), family.text(), this->name(sets_.at(0))));
  };
  const LatticeRule vectors = LatticeRule::parse(fmt::format("{}: {}", family.heaps, name));
  MoveSet set;
  for (const LatticeRay& ray : vectors.moves().rays) {
    LatticePoint first = ray.step;  // of the steps that `sym` joins, this one has the number
    if (family.images) std::sort(first.begin(), first.begin() + family.heaps);
    const auto found = std::ranges::find(vectors_, first);
    if (found == vectors_.end()) refuse();
    set.push_back(static_cast<HeapSize>(found - vectors_.begin()) + 1);
  }
  std::ranges::sort(set);
  set.erase(std::unique(set.begin(), set.end()), set.end());
  if (set.size() != family.size) refuse();
  RuleFamily alone = family;
  alone.base.reset();
  if (!(alone.rule(vectors_, set) == vectors)) refuse();
  return set;
}

std::string RuleCensus::words(std::span<const std::uint32_t> facts) const {
  const RuleFacts found = facts_of(facts);
  const Layout layout = Layout::of(report_.shape, 1);
  const auto begins_at = [&](std::uint32_t at) {
    return fmt::format("from ({}) on", position_text(layout, at, ","));
  };
  std::string beside = "the values of the base";
  if (found.first_difference < layout.positions()) {
    beside = "other values than the base " + begins_at(found.first_difference) +
             (found.first_p_difference < layout.positions()
                  ? ", other P-positions " + begins_at(found.first_p_difference)
                  : ", its P-positions");
  }
  return fmt::format("{} P-positions{}, maximum {}, {}", found.p_positions,
                     found.is_nim_p       ? " (those of Nim)"
                     : found.is_wythoff_p ? " (those of Wythoff's game)"
                                          : "",
                     found.max_value, beside);
}

std::unique_ptr<RowSearch> RuleCensus::search() const {
  return std::make_unique<RuleSearch>(*this);
}

std::unique_ptr<RowProof> RuleCensus::proof() const {
  return std::make_unique<RuleSearch>(*this);
}

void RuleCensus::count(const MoveSet& set, std::span<const std::uint32_t> facts) {
  RuleRow row{.found = facts_of(facts)};
  for (const HeapSize number : set) row.vectors.push_back(vectors_[number - 1]);
  const auto positions = static_cast<std::uint32_t>(Layout::of(report_.shape, 1).positions());
  report_.all.add(row, positions);
  report_.by_last[set.back() - sets_.size].add(row, positions);
}

void RuleCensus::write_attributes(h5::Object& root, const Digest128& digest) const {
  FieldWriter writer;
  std::string family = family_text();
  const auto& shape = report_.shape;
  std::vector<std::uint32_t> extents(shape.extent.begin(), shape.extent.begin() + shape.heaps);
  traverse_family(writer, root, family, extents);
  traverse_counts(writer, root, report_, digest);
}

void RuleCensus::compare_attributes(h5::Object& root, const Digest128& digest) const {
  FieldReader reader;
  traverse_counts(reader, root, report_, digest);
}

}  // namespace atlas

RuleCensusReport compute_rule_census(const RuleCensusRequest& request, const Hooks& hooks) {
  atlas::RuleCensus kind(request);
  const atlas::CensusTotals totals =
      run_census(kind, request.output, request.overwrite, request.machine, hooks);
  return report_with(totals, kind);
}

RuleCensusReport read_rule_census(const std::filesystem::path& path) {
  return atlas::read_report<atlas::RuleCensus>(path, FileKind::kRuleCensus);
}

}  // namespace grundy
