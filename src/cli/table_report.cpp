// SPDX-License-Identifier: MIT
#include "cli/table_report.hpp"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/digest.hpp"
#include "core/text.hpp"
#include "session/stored_graph.hpp"
#include "table/layout_text.hpp"

namespace grundy::cli {
namespace {

void print_lattice_statistics(Console& console, const TableInfo& info) {
  const Layout& layout = info.layout;
  const TableStats& stats = info.stats;
  console.field("shape", shape_text(layout));
  console.field("engine", fmt::format("{}, kernel {}", info.engine, info.kernel));
  console.field("maximum", fmt::format("{}, first at ({})", stats.max_value,
                                       position_text(layout, stats.argmax, ",")));
  console.field("P-positions", fmt::format("{} of {} values are 0", format_count(stats.zeros()),
                                           format_count(stats.count)));
}

Json lattice_json(const TableInfo& info) {
  const Layout& layout = info.layout;
  const TableStats& stats = info.stats;
  Json records = Json::array();
  for (const ValueRecord& record : stats.records) {
    records.push_back({position_json(layout, record.entry), record.value});
  }
  const auto& extent = layout.extent;
  return {
      {"game", info.game},
      {"title", info.title},
      {"notation", info.canonical},
      {"moves", info.description},
      {"reference", info.reference},
      {"shape", std::vector(extent.begin(), extent.begin() + layout.heaps)},
      {"sorted", layout.sorted},
      {"planes", layout.planes},
      {"positions", layout.positions()},
      {"count", stats.count},
      {"engine", info.engine},
      {"kernel", info.kernel},
      {"maximum", {{"value", stats.max_value}, {"position", position_json(layout, stats.argmax)}}},
      {"p_positions", stats.zeros()},
      {"histogram", stats.histogram},
      {"records", stats.in_order() ? records : Json()},
      {"records_complete", stats.records_complete},
      {"digest", stats.in_order() ? Json(to_hex(stats.digest)) : Json()}};
}

}  // namespace

Json position_json(const Layout& layout, std::uint64_t entry) {
  const LatticePoint p = layout.position_at(entry);
  return std::vector(p.begin(), p.begin() + layout.heaps);
}

Json positions_json(const Layout& layout, const std::vector<std::uint64_t>& entries) {
  Json positions = Json::array();
  for (const std::uint64_t entry : entries) positions.push_back(position_json(layout, entry));
  return positions;
}

void print_game(Console& console, const std::string& title, const std::string& canonical,
                const std::string& description) {
  std::string name = title.empty() ? canonical : title;
  if (name.empty()) name = kNamelessGame;
  if (!canonical.empty() && name != canonical) name += ", " + canonical;
  console.field("game", name);
  if (!description.empty()) console.field("moves", description);
}

void print_layout(Console& console, const Layout& layout) {
  if (layout.is_lattice()) {
    console.field("shape", shape_text(layout));
  } else {
    console.field(
        "heaps", fmt::format("0 to {} ({})", format_count(layout.extent[0] - 1), kIndexConvention));
  }
}

void print_period(Console& console, const PeriodReport& period) {
  console.field("period", period_sentence(period));
  if (!period.theorem.empty()) console.field("proof", period.theorem);
}

void print_table(Console& console, const TableInfo& info) {
  const TableStats& stats = info.stats;
  print_game(console, info.title, info.canonical, info.description);
  if (info.layout.is_lattice()) {
    print_lattice_statistics(console, info);
    if (stats.in_order()) console.field("digest", digest_text(info));
    return;
  }
  print_layout(console, Layout::of_heaps(stats.count));
  console.field("engine",
                info.computed == stats.count
                    ? fmt::format("{}, kernel {}", info.engine, info.kernel)
                    : fmt::format("{}, kernel {}, to heap {}; the rest by the period", info.engine,
                                  info.kernel, format_count(info.computed - 1)));
  print_found(console, info);
}

void print_found(Console& console, const TableInfo& info) {
  const TableStats& stats = info.stats;
  print_period(console, info.period);
  console.field("maximum",
                fmt::format("{}, first at heap {}", stats.max_value, format_count(stats.argmax)));
  console.field("P-positions", fmt::format("{} of {} heaps have value 0",
                                           format_count(stats.zeros()), format_count(stats.count)));
  console.field("digest", digest_text(info));
}

std::string digest_text(const TableInfo& info) {
  return fmt::format("XXH3-128 {}{}", to_hex(info.stats.digest),
                     info.sequential_digest ? " of all values in one piece (format 1)" : "");
}

Json period_json(const PeriodReport& period) {
  const bool known = period.status != PeriodStatus::kNone;
  const auto if_known = [known](auto value) { return known ? Json(value) : Json(); };
  const auto last = period.last_exception();
  Json json = {{"status", to_string(period.status)},
               {"preperiod", if_known(period.preperiod)},
               {"period", if_known(period.period)},
               {"saltus", if_known(period.saltus)},
               {"last_exception", known && last ? Json(*last) : Json()},
               {"verified_to", period.verified_to},
               {"theorem", period.theorem.empty() ? Json() : Json(period.theorem)}};
  if (period.sparse) json["window_certificate"] = sparse_json(*period.sparse);
  return json;
}

void print_sparse(Console& console, const SparseFacts& facts) {
  console.field(
      "sparse space",
      fmt::format("mask {:#x}{}, {} rare heaps below heap {}, the last {}, depth at most {}",
                  facts.mask, facts.parity ? " and the heap's parity" : "",
                  format_count(facts.rare), format_count(facts.count),
                  format_count(facts.last_rare), format_count(facts.depth)));
}

Json sparse_json(const SparseFacts& facts) {
  return {{"mask", facts.mask},           {"position_parity", facts.parity},
          {"rare_heaps", facts.rare},     {"last_rare_heap", facts.last_rare},
          {"depth_at_most", facts.depth}, {"count", facts.count}};
}

void print_exception(Console& console, const HeapStatistics& statistics) {
  const auto& last = statistics.last_exception;
  if (!last) return;
  console.field("last exception", fmt::format("heap {} with value {}, a period later {}",
                                              format_count(last->heap), last->value, last->later));
}

void put_exception(Json& period, const HeapStatistics& statistics) {
  const auto& last = statistics.last_exception;
  if (!last) return;
  period["last_exception_value"] = last->value;
  period["value_a_period_later"] = last->later;
}

void print_last_zero(Console& console, const PeriodReport& period, HeapSize count,
                     std::optional<HeapSize> last) {
  std::string text;
  if (!last) {
    text = "not known: more heaps have value 0 than are listed";
  } else if (period.recurs(*last)) {
    text = "none: zeros recur with the period";
  } else if (period.proved()) {
    text = fmt::format("heap {}, proved to be the last", format_count(*last));
  } else {
    text = fmt::format("heap {}, of heaps 0 to {}", format_count(*last), format_count(count - 1));
  }
  console.field("last zero", text);
}

void put_last_zero(Json& json, const PeriodReport& period, std::optional<HeapSize> last) {
  const bool recurs = last && period.recurs(*last);
  const bool known = last && period.proved();
  json["last_zero"] = or_null(recurs ? std::nullopt : last);
  json["zeros_recur"] = known ? Json(recurs) : Json();
}

Json stats_json(const TableStats& stats) {
  Json records = Json::array();
  for (const ValueRecord& record : stats.records) records.push_back({record.entry, record.value});
  return {{"count", stats.count},
          {"maximum", {{"value", stats.max_value}, {"heap", stats.argmax}}},
          {"p_positions", stats.zeros()},
          {"histogram", stats.histogram},
          {"records", records},
          {"records_complete", stats.records_complete},
          {"digest", to_hex(stats.digest)}};
}

Json table_json(const TableInfo& info) {
  if (info.layout.is_lattice()) return lattice_json(info);
  const TableStats& stats = info.stats;
  Json json = {{"game", info.game},
               {"title", info.title},
               {"notation", info.canonical},
               {"moves", info.description},
               {"first_heap", 0},
               {"last_heap", stats.count - 1},
               {"count", stats.count},
               {"computed", info.computed},
               {"engine", info.engine},
               {"kernel", info.kernel},
               {"period", period_json(info.period)}};
  json.update(stats_json(stats));
  return json;
}

}  // namespace grundy::cli
