// SPDX-License-Identifier: MIT
#include "store/schema.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <concepts>
#include <ctime>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "core/digest.hpp"

namespace grundy {
namespace {

constexpr std::array kStatuses = {PeriodStatus::kNone, PeriodStatus::kCandidate,
                                  PeriodStatus::kCertified};
constexpr const char* kDigestDefinition =
    "XXH3-128, seed 0, of all values as 32-bit little-endian integers";

/// Puts every field it is shown into the file.
class FieldWriter {
 public:
  h5::Object group(h5::Object& parent, const char* name) { return parent.create_group(name); }

  void text(h5::Object& at, const char* name, const std::string& value) {
    at.put_text(name, value);
  }
  void optional_text(h5::Object& at, const char* name, const std::string& value) {
    if (!value.empty()) text(at, name, value);
  }
  void number(h5::Object& at, const char* name, std::uint64_t value) { at.put_number(name, value); }
  /// A field that follows from others or is the same in every file.
  void implied(h5::Object& at, const char* name, std::uint64_t value) { number(at, name, value); }
  void implied(h5::Object& at, const char* name, const std::string& value) {
    text(at, name, value);
  }
  void array(h5::Object& at, const char* name, const std::vector<std::uint64_t>& value,
             std::size_t columns) {
    at.put_array(name, value, columns);
  }
  void document(h5::Object& at, const char* name, const std::string& value) {
    at.put_document(name, value);
  }
};

/// Fills every field it is shown from the file.
class FieldReader {
 public:
  h5::Object group(h5::Object& parent, const char* name) { return parent.open_group(name); }

  void text(h5::Object& at, const char* name, std::string& value) { value = at.text(name); }
  void optional_text(h5::Object& at, const char* name, std::string& value) {
    if (at.has_attribute(name)) text(at, name, value);
  }
  template <std::unsigned_integral T>
  void number(h5::Object& at, const char* name, T& value) {
    const std::uint64_t wide = at.number(name);
    if (wide > std::numeric_limits<T>::max()) {
      corrupt(at, fmt::format("'{}' is {}, which is out of range", name, wide));
    }
    value = static_cast<T>(wide);
  }
  template <class T>
  void implied(h5::Object& at, const char* name, const T& expected) {
    T value{};
    if constexpr (std::is_integral_v<T>) {
      number(at, name, value);
    } else {
      text(at, name, value);
    }
    if (value != expected) {
      corrupt(at,
              fmt::format("'{}' is '{}' where '{}' follows from the rest", name, value, expected));
    }
  }
  void array(h5::Object& at, const char* name, std::vector<std::uint64_t>& value,
             std::size_t columns) {
    value = at.array(name, columns);
  }
  void document(h5::Object& at, const char* name, std::string& value) { value = at.document(name); }

  [[noreturn]] static void corrupt(const h5::Object& at, const std::string& what) {
    throw Error(ErrorCode::kCorrupt, fmt::format("'{}' is damaged: {}", at.context().path, what));
  }
};

/// Fields of the file whose types differ from those in memory.
struct StoredForms {
  std::string digest;
  std::string status;
  std::vector<std::uint64_t> records;
  std::uint64_t records_complete = 1;
};

/// Shows every field to `io`, always in the same order: this is the table of contents of a file.
template <class Io, class Meta, class Stored>
void traverse(Io& io, Frame& frame, Meta& meta, Stored& stored) {
  auto& [root, integrity, values] = frame;
  auto& info = meta.info;
  auto& stats = info.stats;
  const std::uint64_t count = values.size();

  io.implied(root, "Conventions", std::string("grundy-1.0"));
  io.text(root, "title", info.title);
  io.text(root, "summary", meta.summary);
  io.text(root, "source", meta.source);
  io.text(root, "references", meta.references);
  io.optional_text(root, "date_created", meta.date_created);
  io.text(root, "game", info.game);
  io.text(root, "rule", info.canonical);
  io.text(root, "description", info.description);
  io.implied(root, "play_convention", std::string("normal"));
  io.implied(root, "index_convention", std::string("entry n is a heap of n tokens, from n = 0 on"));
  io.text(root, "engine", info.engine);
  io.text(root, "kernel", info.kernel);
  io.text(root, "table_xxh3_128", stored.digest);
  io.implied(root, "table_xxh3_128_definition", std::string(kDigestDefinition));

  io.implied(values, "long_name", std::string("Grundy value of a heap of n tokens"));
  io.implied(values, "begin", std::uint64_t{0});
  io.implied(values, "end", count);
  io.number(values, "computed_end", info.computed);
  io.number(values, "max_value", stats.max_value);
  io.number(values, "argmax", stats.argmax);
  io.implied(values, "value_reserved", std::uint64_t{reserved_value(values.width())});

  h5::Object group = io.group(root, "stats");
  io.array(group, "value_counts", stats.histogram, 1);
  io.array(group, "records", stored.records, 2);
  io.number(group, "records_complete", stored.records_complete);
  group.close();

  h5::Object period = io.group(root, "period");
  io.text(period, "status", stored.status);
  io.number(period, "preperiod", info.period.preperiod);
  io.number(period, "period", info.period.period);
  io.number(period, "saltus", info.period.saltus);
  io.number(period, "verified_to", info.period.verified_to);
  io.text(period, "theorem", info.period.theorem);
  if (const auto last = info.period.last_exception()) {
    io.implied(period, "last_exception", std::uint64_t{*last});
  }
  period.close();

  h5::Object provenance = io.group(root, "provenance");
  io.document(provenance, "run_json", info.provenance_json);
  provenance.close();

  io.array(integrity, "chunk_xxh3", meta.chunk_digests, 1);
}

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::string contradiction(const TableStats& stats) {
  if (stats.count == 0) {
    const bool empty = stats.max_value == 0 && stats.argmax == 0 && stats.records.empty() &&
                       std::ranges::all_of(stats.histogram, [](auto n) { return n == 0; });
    return empty ? "" : "an empty table has statistics";
  }
  if (stats.argmax >= stats.count) return "the maximum lies beyond the end";
  const std::uint64_t bins =
      std::min(std::uint64_t{stats.max_value} + 1, std::uint64_t{TableStats::kHistogramLimit});
  if (stats.histogram.size() != bins) return "the histogram does not end at the maximum";
  const std::uint64_t sum =
      std::accumulate(stats.histogram.begin(), stats.histogram.end(), std::uint64_t{0});
  const bool all_counted = stats.max_value < TableStats::kHistogramLimit;
  if (all_counted ? sum != stats.count : sum > stats.count) {
    return "the histogram does not add up to the number of values";
  }
  if (all_counted && stats.histogram.back() == 0) return "the maximum is not in the histogram";

  const auto& records = stats.records;
  const auto rises = [](const Record& a, const Record& b) {
    return a.heap < b.heap && a.value < b.value;
  };
  const auto bad_step = [&](const Record& a, const Record& b) { return !rises(a, b); };
  if (records.empty() || records.front().heap != 0 ||
      std::ranges::adjacent_find(records, bad_step) != records.end()) {
    return "the records are not a rising sequence from heap 0 on";
  }
  const Record last{stats.argmax, stats.max_value};
  if (stats.records_complete ? records.back() != last : !rises(records.back(), last)) {
    return "the records do not lead to the maximum";
  }
  return "";
}

std::string contradiction(const PeriodReport& period, HeapSize computed) {
  if (period.status == PeriodStatus::kNone) return "";
  if (period.period == 0) return "a period of 0";
  if (period.preperiod > computed || period.period > computed - period.preperiod) {
    return "the period does not lie within the computed values";
  }
  return "";
}

}  // namespace

std::string contradiction(const TableInfo& info) {
  if (info.computed > info.stats.count) return "more values were computed than there are";
  if (info.computed < info.stats.count && info.period.status != PeriodStatus::kCertified) {
    return "values are extended without a certified period";
  }
  std::string clause = contradiction(info.stats);
  return clause.empty() ? contradiction(info.period, info.computed) : clause;
}

Metadata describe(const TableInfo& info, std::vector<std::uint64_t> chunk_digests,
                  bool reproducible) {
  const HeapSize count = info.stats.count;
  return {
      .info = info,
      .source = "grundy " GRUNDY_VERSION,
      .date_created = reproducible ? "" : utc_now(),
      .summary = fmt::format("Grundy values (nimbers) of {}, rule {}: {} heap sizes from 0 on",
                             info.title, info.canonical, count),
      .references =
          "R. P. Sprague, Über mathematische Kampfspiele, 1935; P. M. Grundy, Mathematics and "
          "games, 1939; R. K. Guy and C. A. B. Smith, The G-values of various games, 1956",
      .chunk_digests = std::move(chunk_digests),
  };
}

void write_metadata(Frame& frame, const Metadata& metadata) {
  const TableStats& stats = metadata.info.stats;
  StoredForms stored;
  stored.digest = to_hex(stats.digest);
  stored.status = to_string(metadata.info.period.status);
  stored.records_complete = stats.records_complete ? 1 : 0;
  stored.records.reserve(2 * stats.records.size());
  for (const Record& record : stats.records) {
    stored.records.push_back(record.heap);
    stored.records.push_back(record.value);
  }
  h5::Object& root = frame.root;
  root.put_text("format", kFormatName);
  root.put_number("format_major", kFormatMajor);
  root.put_number("format_minor", kFormatMinor);
  FieldWriter writer;
  traverse(writer, frame, metadata, stored);
  root.put_dimension(kDimensionName, frame.values);
  root.put_number("complete", 1);
}

Metadata read_metadata(Frame& frame) {
  Metadata metadata;
  StoredForms stored;
  FieldReader reader;
  traverse(reader, frame, metadata, stored);

  TableInfo& info = metadata.info;
  info.stats.count = frame.values.size();
  info.stats.digest = digest_from_hex(stored.digest);
  info.stats.records_complete = stored.records_complete != 0;
  for (std::size_t i = 0; i < stored.records.size(); i += 2) {
    if (stored.records[i + 1] > info.stats.max_value) {
      FieldReader::corrupt(frame.root, "a record exceeds the maximum");
    }
    info.stats.records.push_back({stored.records[i], static_cast<Nimber>(stored.records[i + 1])});
  }
  const auto status = std::ranges::find(
      kStatuses, stored.status, [](PeriodStatus known) { return to_string(known); });
  if (status == kStatuses.end()) {
    FieldReader::corrupt(frame.root, fmt::format("'{}' is no status of a period", stored.status));
  }
  info.period.status = *status;
  if (const std::string clause = contradiction(info); !clause.empty()) {
    FieldReader::corrupt(frame.root, clause);
  }
  return metadata;
}

}  // namespace grundy
