// SPDX-License-Identifier: MIT
#include "run/run_record.hpp"

#include <algorithm>
#include <concepts>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <grundy/error.hpp>

#include "core/digest.hpp"
#include "core/json.hpp"
#include "core/text.hpp"
#include "table/file_checks.hpp"

namespace grundy {
namespace {

constexpr const char* kFormat = "grundy-run";
constexpr std::uint64_t kMajor = 1;

/// One traversal of the fields for both directions.
template <class Record, class Visit>
void for_each_field(Record& record, Visit visit) {
  visit("rule", record.rule);
  visit("count", record.count);
  visit("game", record.game);
  visit("title", record.title);
  visit("engine", record.engine);
  visit("kernel", record.kernel);
  visit("chunk", record.chunk);
  visit("extend", record.extend);
  visit("overwrite", record.overwrite);
  visit("reproducible", record.reproducible);
  visit("version", record.version);
  visit("created", record.created);
}

template <class Record, class Visit>
void for_each_lattice_field(Record& record, Visit visit) {
  visit("shape", record.shape);
  visit("sorted", record.sorted);
  visit("order", record.order);
  visit("tile", record.tile);
  visit("rules", record.rules);
  visit("reference", record.reference);
}

constexpr const char* kLatticeKey = "lattice";
constexpr const char* kPartsKey = "in_parts";
constexpr const char* kStatsKey = "stats_only";
constexpr const char* kEndKey = "end_at_period";
constexpr const char* kSlownessKey = "slowness";
constexpr const char* kCheckpointKey = "checkpoint";

/// Whether the field is of the type, sign and size of T; the library converts numbers silently.
template <class T>
bool fits(const Json& field, const T&) {
  if constexpr (std::unsigned_integral<T> && !std::same_as<T, bool>) {
    return field.is_number_unsigned() &&
           field.get<std::uint64_t>() <= std::numeric_limits<T>::max();
  }
  return true;
}
template <class T>
bool fits(const Json& field, const std::optional<T>&) {
  return field.is_null() || fits(field, T{});
}

/// A field that is not set is null.
template <class T>
void write(Json& field, const T& value) {
  field = value;
}
template <class T>
void write(Json& field, const std::optional<T>& value) {
  if (value) field = *value;
}

template <class T>
void read(const Json& field, T& value) {
  field.get_to(value);
}
template <class T>
void read(const Json& field, std::optional<T>& value) {
  if (!field.is_null()) value = field.get<T>();
}

/// Seconds, null if there is no limit, and bytes of values. Nothing if the field is invalid.
/// @throws Json::exception
std::optional<CheckpointInterval> checkpoint_of(const Json& json) {
  const Json& seconds = json.at("seconds");
  const Json& bytes = json.at("bytes");
  const bool is_endless = seconds.is_null();
  if (json.size() != 2 || !bytes.is_number_unsigned() ||
      (!is_endless && (!seconds.is_number_float() || seconds.get<double>() < 0))) {
    return {};
  }
  const double time = is_endless ? std::numeric_limits<double>::infinity() : seconds.get<double>();
  return CheckpointInterval{std::chrono::duration<double>(time), bytes.get<std::uint64_t>()};
}

/// The slowness of engines; empty if the field is invalid. @throws Json::exception
EngineSlowness slowness_of(const Json& json) {
  const auto slowness = json.get<EngineSlowness>();
  const bool is_one = std::ranges::all_of(json, [](const Json& factor) {
    return factor.is_number_float() && factor.get<double>() > 1;
  });
  return is_one ? slowness : EngineSlowness();
}

}  // namespace

std::string RunRecord::identity() const {
  if (!lattice) return rule;
  return fmt::format("{}\npositions {}{}\norder {}", rule, lattice->shape,
                     lattice->sorted ? " sorted" : "", lattice->order);
}

Digest128 fingerprint_of(const std::string& identity) {
  const std::string text =
      fmt::format("grundy-run {}\nheap n at index n, normal play\nrule {}\n", kMajor, identity);
  return hash128(std::as_bytes(std::span(text)));
}

std::string to_json(const RunRecord& record) {
  Json json{{"format", kFormat}, {"format_major", kMajor}};
  for_each_field(record, [&json](const char* name, const auto& value) { json[name] = value; });
  if (record.stats_only) json[kStatsKey] = true;
  if (record.end_at_period) json[kEndKey] = true;
  if (!record.slowness.empty()) json[kSlownessKey] = record.slowness;
  if (record.checkpoint != CheckpointInterval()) {
    json[kCheckpointKey] = {{"seconds", record.checkpoint.time.count()},
                            {"bytes", record.checkpoint.bytes}};
  }
  if (record.lattice) {
    Json& lattice = json[kLatticeKey];
    for_each_lattice_field(*record.lattice, [&lattice](const char* name, const auto& value) {
      write(lattice[name], value);
    });
    if (record.lattice->in_parts) lattice[kPartsKey] = true;
  }
  return digested_text(json);
}

bool is_whole_record(const std::string& text) noexcept {
  try {
    Json json = parse_json(text);
    return json.at("format_major") != kMajor || take_digest(json);
  } catch (const std::exception&) {
    return false;
  }
}

RunRecord parse_run_record(const std::string& text, const std::filesystem::path& path) {
  const auto refuse = [&path](const std::string& what) {
    grundy::refuse(ErrorCode::kCorrupt, path, what);
  };
  RunRecord record;
  try {
    Json json = parse_json(text);
    if (json.at("format") != kFormat) refuse("does not describe a run");
    if (json.at("format_major") != kMajor) {
      refuse(fmt::format("has format {}; this program reads format {}",
                         json_text(json["format_major"]), kMajor));
    }
    if (!take_digest(json)) refuse("is damaged: it does not match its digest");
    const auto read_from = [&refuse](const Json& object) {
      return [&refuse, &object](const char* name, auto& value) {
        const Json& field = object.at(name);
        if (!fits(field, value)) {
          refuse(fmt::format("does not describe a run: {} is no value of '{}'",
                             in_quotes(json_text(field, JsonForm::kLines)), name));
        }
        read(field, value);
      };
    };
    for_each_field(record, read_from(json));
    record.stats_only = json.value(kStatsKey, false);
    record.end_at_period = json.value(kEndKey, false);
    if (const auto slowness = json.find(kSlownessKey); slowness != json.end()) {
      record.slowness = slowness_of(*slowness);
      if (record.slowness.empty()) refuse("does not describe a run: its engines have no slowness");
    }
    if (const auto checkpoint = json.find(kCheckpointKey); checkpoint != json.end()) {
      const auto interval = checkpoint_of(*checkpoint);
      if (!interval) refuse("does not describe a run: it has no checkpoint interval");
      record.checkpoint = *interval;
    }
    if (const auto lattice = json.find(kLatticeKey); lattice != json.end()) {
      for_each_lattice_field(record.lattice.emplace(), read_from(*lattice));
      record.lattice->in_parts = lattice->value(kPartsKey, false);
    }
    if (record.count == 0) refuse("describes a run that wants no values");
  } catch (const Json::exception&) {
    refuse("is damaged or does not describe a run");
  }
  return record;
}

}  // namespace grundy
