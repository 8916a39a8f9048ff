// SPDX-License-Identifier: MIT
#include "session/run_state.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <grundy/error.hpp>

#include "core/digest.hpp"
#include "core/json.hpp"
#include "core/value_buffer.hpp"
#include "core/value_copy.hpp"
#include "table/chunk_codec.hpp"

namespace grundy {
namespace {

Json json_of(const TableStats& stats) {
  Json records = Json::array();
  for (const ValueRecord& record : stats.records) records.push_back({record.entry, record.value});
  return {{"count", stats.count},
          {"max_value", stats.max_value},
          {"argmax", stats.argmax},
          {"histogram", stats.histogram},
          {"records", records},
          {"records_complete", stats.records_complete},
          {"digest", to_hex(stats.digest)}};
}

TableStats stats_of(const Json& json) {
  TableStats stats;
  json.at("count").get_to(stats.count);
  json.at("max_value").get_to(stats.max_value);
  json.at("argmax").get_to(stats.argmax);
  json.at("histogram").get_to(stats.histogram);
  for (const Json& record : json.at("records")) {
    stats.records.push_back({record.at(0).get<HeapSize>(), record.at(1).get<Nimber>()});
  }
  json.at("records_complete").get_to(stats.records_complete);
  stats.digest = digest_from_hex(json.at("digest").get<std::string>());
  return stats;
}

/// @throws Json::exception, Error(kCorrupt)
ValueWidth width_of(const Json& bytes) {
  for (const auto width : {ValueWidth::kU8, ValueWidth::kU16, ValueWidth::kU32}) {
    if (bytes.get<std::size_t>() == byte_count(width)) return width;
  }
  throw Error(ErrorCode::kCorrupt, "the sealed state has values of a wrong width");
}

/// Values in few bytes, as tables store them.
struct PackedValues {
  ValueWidth width = ValueWidth::kU8;
  HeapSize count = 0;
  std::vector<std::uint64_t> sizes{};  ///< of the chunks (table/chunk_codec.hpp), of kChunk values
  std::vector<std::byte> bytes{};      ///< of all chunks
};

constexpr HeapSize kChunk = HeapSize{1} << 20;

PackedValues packed(Values values) {
  PackedValues result{.width = values.width(), .count = values.size()};
  const std::size_t width = byte_count(values.width());
  const ChunkCodec codec(values.width());
  const std::span all(static_cast<const std::byte*>(values.data()), values.size() * width);
  for (HeapSize begin = 0; begin < values.size(); begin += kChunk) {
    const HeapSize size = std::min(kChunk, values.size() - begin);
    const Bytes chunk = codec.encode(all.subspan(begin * width, size * width));
    result.sizes.push_back(chunk.size());
    result.bytes.insert(result.bytes.end(), chunk.begin(), chunk.end());
  }
  return result;
}

/// Appends the values. @throws Error(kCorrupt) if the bytes do not hold `packed.count` values
void unpack(const PackedValues& packed, ValueBuffer& values) {
  const std::size_t width = byte_count(packed.width);
  const ChunkCodec codec(packed.width);
  std::span<const std::byte> rest(packed.bytes);
  HeapSize left = packed.count;
  for (const std::uint64_t size : packed.sizes) {
    const HeapSize count = std::min(kChunk, left);
    if (size > rest.size() || count == 0) break;
    Bytes raw = codec.decode(rest.first(size), count * width);
    values.append(Values(raw.data(), count, packed.width));
    codec.buffers().give_back(std::move(raw));
    rest = rest.subspan(size);
    left -= count;
  }
  if (left > 0 || !rest.empty()) {
    throw Error(ErrorCode::kCorrupt, "the sealed state has fewer values than it says");
  }
}

/// The bytes of packed values. They stand behind the JSON, in the order of their names in it.
class Packing {
 public:
  explicit Packing(std::string_view bytes = {}) : rest_(bytes) {}

  Json write(Values values) {
    const PackedValues packed = grundy::packed(values);
    written_.append(reinterpret_cast<const char*>(packed.bytes.data()), packed.bytes.size());
    return {byte_count(packed.width), packed.count, packed.sizes};
  }
  [[nodiscard]] const std::string& written() const noexcept { return written_; }

  /// The inverse: the values before heap `end`. @throws Json::exception, Error(kCorrupt)
  NewestValues read(const Json& json, HeapSize end);

 private:
  PackedValues read_packed(const Json& json) {
    PackedValues values{.width = width_of(json.at(0)), .count = json.at(1).get<HeapSize>()};
    json.at(2).get_to(values.sizes);
    for (const std::uint64_t size : values.sizes) {
      if (size > rest_.size()) throw Error(ErrorCode::kCorrupt, "the sealed state is cut short");
      const auto bytes = std::as_bytes(std::span(rest_.substr(0, size)));
      values.bytes.insert(values.bytes.end(), bytes.begin(), bytes.end());
      rest_.remove_prefix(size);
    }
    return values;
  }
  std::string_view rest_;
  std::string written_;
};

/// Values in the form of older states: the bytes per value, and the values with two digits for each
/// byte. @throws Json::exception, Error(kCorrupt)
std::vector<Nimber> values_of_digits(const Json& json) {
  const std::size_t digits = 2 * byte_count(width_of(json.at(0)));
  const auto text = json.at(1).get<std::string>();
  if (text.size() % digits != 0) {
    throw Error(ErrorCode::kCorrupt, "the sealed state has values that are cut short");
  }
  std::vector<Nimber> values(text.size() / digits);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const char* const first = text.data() + i * digits;
    if (std::from_chars(first, first + digits, values[i], 16).ptr != first + digits) {
      throw Error(ErrorCode::kCorrupt, "the sealed state has values that are no numbers");
    }
  }
  return values;
}

NewestValues Packing::read(const Json& json, HeapSize end) {
  NewestValues values;
  if (json.at(1).is_string()) {
    values.append(std::span<const Nimber>(values_of_digits(json)));
  } else {
    ValueBuffer buffer;
    unpack(read_packed(json), buffer);
    values.append(buffer.values());
  }
  values.move_to(end);
  return values;
}

Json json_of(const Return& found) {
  return {{"first", found.first},           {"period", found.period},
          {"mask", found.facts.mask},       {"position_parity", found.facts.parity},
          {"rare_heaps", found.facts.rare}, {"last_rare_heap", found.facts.last_rare},
          {"depth", found.facts.depth},     {"count", found.facts.count}};
}

Return found_of(const Json& json) {
  return {.first = json.at("first").get<HeapSize>(),
          .period = json.at("period").get<HeapSize>(),
          .facts = {.mask = json.at("mask").get<Nimber>(),
                    .parity = json.at("position_parity").get<bool>(),
                    .rare = json.at("rare_heaps").get<std::uint64_t>(),
                    .last_rare = json.at("last_rare_heap").get<HeapSize>(),
                    .depth = json.at("depth").get<HeapSize>(),
                    .count = json.at("count").get<HeapSize>()}};
}

/// The number of newest values that a search needs. Older states have these values here a second
/// time, in the two forms of Packing::read(), behind all others.
HeapSize newest_of(const Json& json) {
  if (!json.is_array()) return json.get<HeapSize>();
  if (!json.at(1).is_string()) return json.at(1).get<HeapSize>();
  return json.at(1).get_ref<const std::string&>().size() / (2 * byte_count(width_of(json.at(0))));
}

Json json_of(const ReturnState& returns, Packing& packing) {
  if (returns.found) return {{"end", returns.end}, {"found", json_of(*returns.found)}};
  Json remembered = packing.write(returns.remembered.view());
  return {{"end", returns.end},
          {"next", returns.next},
          {"place", returns.remembered.end()},
          {"remembered", std::move(remembered)},
          {"newest", returns.newest}};
}

ReturnState returns_of(const Json& json, Packing& packing) {
  const auto end = json.at("end").get<HeapSize>();
  if (json.contains("found")) return {.end = end, .found = found_of(json.at("found"))};
  ReturnState returns{.end = end, .next = json.at("next").get<HeapSize>()};
  returns.remembered = packing.read(json.at("remembered"), json.at("place").get<HeapSize>());
  returns.newest = newest_of(json.at("newest"));
  return returns;
}

/// What in a state contradicts itself, as a clause; empty if nothing does.
std::string contradiction(const RunState& state, HeapSize count) {
  if (state.stats.count != count || state.facts.count != count) {
    return fmt::format("it is of {} heaps", state.stats.count);
  }
  const auto& rare = state.rare;
  const HeapSize last = rare.empty() ? 0 : rare.back();
  if (!std::ranges::is_sorted(rare) || state.facts.rare != rare.size() ||
      state.facts.last_rare != last || last >= count || state.facts.depth > count) {
    return "its rare heaps contradict each other";
  }
  if (state.newest > count || state.end_of_first > count - state.newest) {
    return "it has more values than heaps";
  }
  const HeapSize first = state.first_values.size(), newest = state.newest_values.size();
  if (first + newest > 0 && (first != state.end_of_first || newest != state.newest)) {
    return "it has other values than it says";
  }
  if (state.facts.mask == 0) return "it has no mask";
  return {};
}

}  // namespace

SparseFacts RunState::facts_below(HeapSize end) const {
  SparseFacts below = facts;
  const auto above = std::ranges::lower_bound(rare, end);
  below.rare = static_cast<std::uint64_t>(above - rare.begin());
  below.last_rare = above == rare.begin() ? 0 : *std::prev(above);
  below.count = end;
  return below;
}

void bridge(SealedHeaps& heaps, RunState& state) {
  const HeapSize end = heaps.end_of_state();
  state = parse_run_state(heaps.state_text(), end);
  const SparseFacts facts = state.facts_below(heaps.count());
  heaps.bridge({.begin = state.end_of_first,
                .end = end - state.newest,
                .facts = facts,
                .rare = std::span(state.rare).first(facts.rare),
                .largest = state.stats.max_value});
}

StatsCollector take_up(SealedHeaps& heaps, const KernelSet& kernels, RunState& state,
                       Milestones& milestones, ValueBuffer& newest) {
  bridge(heaps, state);
  const HeapSize unfinished = state.stats.count % kDigestSection;
  const HeapSize watched = state.returns ? state.returns->newest : 0;
  heaps.read_newest(
      std::max({unfinished, watched, std::min<HeapSize>(kTailValues, heaps.newest())}), newest);
  milestones.resume(state.statistics, newest.values());
  return StatsCollector::resume(kernels, state.stats, state.whole_sections,
                                newest.values().subspan(newest.size() - unfinished, unfinished));
}

std::string to_text(const RunState& state, Values first, Values newest) {
  Json milestones = Json::array();
  for (const TableStats& stats : state.statistics.milestones) milestones.push_back(json_of(stats));
  Json seals = Json::array();
  for (const SealedAt& seal : state.statistics.seals) {
    seals.push_back({seal.heap, to_hex(seal.digest)});
  }
  Json json{{"mask", state.facts.mask},
            {"position_parity", state.facts.parity},
            {"depth", state.facts.depth},
            {"end_of_first", state.end_of_first},
            {"newest", state.newest},
            {"rare_heaps", state.rare},
            {"statistics", json_of(state.stats)},
            {"whole_sections", to_hex(state.whole_sections)},
            {"milestones", milestones},
            {"zeros", state.statistics.zeros},
            {"seals", seals}};
  Packing packing;
  if (state.returns) json["returns"] = json_of(*state.returns, packing);
  if (newest.size() > 0) {
    Json packed_first = packing.write(first);
    json["values"] = {std::move(packed_first), packing.write(newest)};
  }
  return json_text(json) + "\n" + packing.written();
}

RunState parse_run_state(const std::string& text, HeapSize count) {
  RunState state;
  std::string clause;
  try {
    const std::size_t line = std::min(text.find('\n'), text.size());
    const Json json = parse_json(text.substr(0, line));
    Packing packing(std::string_view(text).substr(std::min(line + 1, text.size())));
    json.at("mask").get_to(state.facts.mask);
    json.at("position_parity").get_to(state.facts.parity);
    json.at("depth").get_to(state.facts.depth);
    json.at("rare_heaps").get_to(state.rare);
    state.end_of_first = json.value("end_of_first", HeapSize{0});
    state.newest = json.value("newest", HeapSize{0});
    state.stats = stats_of(json.at("statistics"));
    state.whole_sections = digest_from_hex(json.at("whole_sections").get<std::string>());
    for (const Json& stats : json.at("milestones")) {
      state.statistics.milestones.push_back(stats_of(stats));
    }
    json.at("zeros").get_to(state.statistics.zeros);
    for (const Json& seal : json.at("seals")) {
      state.statistics.seals.push_back(
          {seal.at(0).get<HeapSize>(), digest_from_hex(seal.at(1).get<std::string>())});
    }
    if (json.contains("returns")) state.returns = returns_of(json.at("returns"), packing);
    if (json.contains("values")) {
      const Json& values = json.at("values");
      state.first_values = packing.read(values.at(0), state.end_of_first);
      state.newest_values = packing.read(values.at(1), state.stats.count);
    }
    state.facts.count = state.stats.count;
    state.facts.rare = state.rare.size();
    state.facts.last_rare = state.rare.empty() ? 0 : state.rare.back();
    clause = contradiction(state, count);
  } catch (const Json::exception&) {
    clause = "it is no JSON of a state";
  }
  if (!clause.empty()) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("the sealed state at heap {} is damaged: {}", count, clause));
  }
  return state;
}

}  // namespace grundy
