/// @file
/// Certificates: made from a report, read from and written as JSON files, merged.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <grundy/error.hpp>
#include <grundy/verify.hpp>
#include <grundy/version.hpp>

#include "core/digest.hpp"
#include "core/json.hpp"
#include "core/text.hpp"
#include "core/text_file.hpp"

namespace grundy {
namespace {

constexpr const char* kFormat = "grundy-certificate";
constexpr int kMajor = 1;
/// A certificate is a page of text, whatever was proved.
constexpr std::uintmax_t kLargestFile = 1u << 24;
constexpr const char* kStatement =
    "for every n of a range below periodic_from, the stored value of number n is the mex of the "
    "stored values of its options; for every later one it is the value that the period gives";

/// All but the digest of the certificate itself.
Json body(const Certificate& certificate) {
  Json ranges = Json::array();
  for (const EntryRange& range : certificate.proved) ranges.push_back({range.first, range.last});
  const PeriodReport& period = certificate.period;
  return {{"format", kFormat},
          {"format_major", kMajor},
          {"statement", certificate.statement.empty() ? kStatement : certificate.statement},
          {"rule", certificate.rule},
          {"unit", certificate.unit},
          {"count", certificate.count},
          {"table_xxh3_128", certificate.table_digest},
          {"period",
           {{"status", to_string(period.status)},
            {"preperiod", period.preperiod},
            {"preperiod_is_least", period.is_least},
            {"period", period.period},
            {"saltus", period.saltus},
            {"verified_to", period.verified_to},
            {"proved", certificate.period_proved}}},
          {"periodic_from", certificate.periodic_from},
          {"proved", ranges},
          {"complete", certificate.complete()},
          {"methods", certificate.methods},
          {"programs", certificate.programs}};
}

std::string seal(const Json& body) {
  const std::string text = json_text(body);
  return fmt::format("{:016x}", hash64(std::as_bytes(std::span(text))));
}

PeriodStatus status_of(const std::string& text) {
  if (const auto status = period_status(text)) return *status;
  throw Error(ErrorCode::kCorrupt, "its period has an unknown status");
}

/// The library alone would convert numbers of either sign and any size.
template <class T = std::uint64_t>
T number(const Json& field) {
  if (!field.is_number_unsigned() || field.get<std::uint64_t>() > std::numeric_limits<T>::max()) {
    throw Error(ErrorCode::kCorrupt, "one of its numbers is out of range");
  }
  return field.get<T>();
}

/// @throws nlohmann::json::exception if a field is missing or has another type
Certificate parse(Json json) {
  if (json.at("format") != kFormat) throw Error(ErrorCode::kCorrupt, "it is no certificate");
  if (json.at("format_major") != kMajor) {
    throw Error(ErrorCode::kCorrupt, "it has another format version than this program reads");
  }
  const std::string sealed = json.at("xxh3").get<std::string>();
  json.erase("xxh3");
  if (seal(json) != sealed) throw Error(ErrorCode::kCorrupt, "its digest does not match");

  Certificate certificate;
  json.at("rule").get_to(certificate.rule);
  certificate.unit = json.value("unit", certificate.unit);  // older certificates lack it
  certificate.statement = json.value("statement", certificate.statement);
  if (certificate.statement == kStatement) certificate.statement.clear();
  certificate.count = number(json.at("count"));
  if (certificate.count == 0) throw Error(ErrorCode::kCorrupt, "its table has no values");
  json.at("table_xxh3_128").get_to(certificate.table_digest);
  const Json& period = json.at("period");
  certificate.period.status = status_of(period.at("status").get<std::string>());
  certificate.period.preperiod = number(period.at("preperiod"));
  // Older certificates lack this field. A run without a table often named a bound then.
  certificate.period.is_least = period.value("preperiod_is_least", certificate.statement.empty());
  certificate.period.period = number(period.at("period"));
  certificate.period.saltus = number<Nimber>(period.at("saltus"));
  certificate.period.verified_to = number(period.at("verified_to"));
  // Older certificates lack this field. They are of tables, and each of their proofs covered the
  // period.
  const bool is_certified = certificate.period.status == PeriodStatus::kCertified;
  certificate.period_proved = period.value("proved", is_certified);
  certificate.periodic_from = number(json.at("periodic_from"));
  for (const Json& range : json.at("proved")) {
    certificate.proved.push_back({number(range.at(0)), number(range.at(1))});
    const EntryRange& added = certificate.proved.back();
    if (added.first > added.last || added.last >= certificate.count) {
      throw Error(ErrorCode::kCorrupt, "it has a range beyond the table");
    }
  }
  json.at("methods").get_to(certificate.methods);
  json.at("programs").get_to(certificate.programs);
  return certificate;
}

/// Ascending, and joined where they touch.
std::vector<EntryRange> joined(std::vector<EntryRange> ranges) {
  std::ranges::sort(ranges, {}, &EntryRange::first);
  std::vector<EntryRange> result;
  for (const EntryRange& range : ranges) {
    if (!result.empty() && range.first <= result.back().last + 1) {
      result.back().last = std::max(result.back().last, range.last);
    } else {
      result.push_back(range);
    }
  }
  return result;
}

void add_new(std::vector<std::string>& all, const std::vector<std::string>& more) {
  for (const std::string& text : more) {
    if (std::ranges::find(all, text) == all.end()) all.push_back(text);
  }
}

}  // namespace

std::vector<EntryRange> Certificate::gaps() const {
  std::vector<EntryRange> result;
  HeapSize next = 0;
  for (const EntryRange& range : joined(proved)) {
    if (range.first > next) result.push_back({next, range.first - 1});
    next = range.last + 1;
  }
  if (next < count) result.push_back({next, count - 1});
  return result;
}

std::string Certificate::to_json() const {
  Json json = body(*this);
  json["xxh3"] = seal(json);
  return json_text(json, JsonForm::kLines) + "\n";
}

Certificate Certificate::read(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    throw Error(ErrorCode::kUsage, fmt::format("'{}' is no file", path.string()));
  }
  const auto refuse = [&](const char* why) {
    return Error(ErrorCode::kCorrupt,
                 fmt::format("'{}' cannot be used as a certificate: {}", path.string(), why));
  };
  const std::optional<std::string> text = read_text_file(path, kLargestFile);
  if (!text) throw refuse("it cannot be read, or is too large for one");
  try {
    return parse(parse_json(*text));
  } catch (const Json::exception&) {
    throw refuse("it does not hold the fields of one");
  } catch (const Error& bad) {
    throw refuse(bad.what());
  }
}

Certificate merge(const std::vector<Certificate>& certificates) {
  if (certificates.empty()) throw Error(ErrorCode::kUsage, "there are no certificates to merge");
  Certificate all = certificates.front();
  for (const Certificate& one : certificates) {
    const char* const differs = one.rule != all.rule                     ? "rules"
                                : one.count != all.count                 ? "lengths"
                                : one.table_digest != all.table_digest   ? "digests"
                                : one.period != all.period               ? "periods"
                                : one.periodic_from != all.periodic_from ? "bounds of the period"
                                : one.statement.empty() != all.statement.empty() ? "statements"
                                                                                 : nullptr;
    if (differs != nullptr) {
      throw Error(ErrorCode::kMismatch,
                  fmt::format("the certificates are not of one table: their {} differ", differs));
    }
    all.proved.insert(all.proved.end(), one.proved.begin(), one.proved.end());
    all.period_proved = all.period_proved || one.period_proved;
    add_new(all.methods, one.methods);
    add_new(all.programs, one.programs);
  }
  all.proved = joined(std::move(all.proved));
  return all;
}

std::string ranges_text(const std::vector<EntryRange>& ranges) {
  constexpr std::size_t kMost = 10;
  std::string text;
  for (const EntryRange& range : std::span(ranges).first(std::min(kMost, ranges.size()))) {
    text += fmt::format("{}{} to {}", text.empty() ? "" : ", ", format_count(range.first),
                        format_count(range.last));
  }
  if (ranges.size() > kMost) text += fmt::format(" and {} more", ranges.size() - kMost);
  return text;
}

Certificate certificate_of(const VerifyReport& report) {
  Certificate certificate;
  certificate.statement = report.statement;
  certificate.rule = report.info.canonical;
  certificate.unit = report.unit;
  certificate.count = report.info.stats.count;
  certificate.table_digest = to_hex(report.info.stats.digest);
  certificate.period = report.info.period;
  certificate.period.theorem.clear();
  certificate.period.sparse.reset();
  certificate.period_proved = !report.period_proof.empty();
  certificate.periodic_from = report.periodic_from;
  if (report.proved) {
    certificate.proved.push_back(*report.proved);
    certificate.methods.push_back(report.method);
  }
  certificate.programs.push_back("grundy " GRUNDY_VERSION);
  return certificate;
}

}  // namespace grundy
