// SPDX-License-Identifier: MIT
#include "session/root_file.hpp"

#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <grundy/error.hpp>
#include <grundy/version.hpp>

#include "core/atomic_file.hpp"
#include "core/json.hpp"
#include "core/text.hpp"
#include "core/text_file.hpp"
#include "table/file_checks.hpp"

namespace grundy {
namespace {

constexpr const char* kRootFormat = "grundy-root";
constexpr std::uint64_t kRootMajor = 1;
constexpr std::uint64_t kLargestRootFile = 1u << 20;

std::string root_content(const std::filesystem::path& path) {
  return read_text_file(path, kLargestRootFile).value_or("");
}

}  // namespace

void write_root_file(const Request& request, const RootReport& report) {
  Json json{{"format", kRootFormat},
            {"format_major", kRootMajor},
            {"game", request.about.game},
            {"title", request.about.title},
            {"moves_in_words", request.about.rules},
            {"reference", request.about.reference},
            {"root_value", report.value},
            {"root_outcome", report.value == 0 ? "P" : "N"},
            {"engine", report.engine}};
  if (!report.proof.empty()) json["proof"] = report.proof;
  json["version"] = GRUNDY_VERSION;
  if (!request.output.reproducible) {
    json["positions_searched"] = report.all_searched;
    json["positions_known"] = report.known;
    json["seconds"] = report.all_seconds;
    json["ended"] = utc_now();
    if (!request.output.command_line.empty()) json["command"] = request.output.command_line;
  }
  write_whole_file(request.output.path, request.output.overwrite, digested_text(json));
}

bool is_root_file(const std::filesystem::path& path) {
  return root_content(path).starts_with(fmt::format("{{\n  \"format\": \"{}\"", kRootFormat));
}

Json read_root_file(const std::filesystem::path& path) {
  const auto refuse = [&](const std::string& what) {
    grundy::refuse(ErrorCode::kCorrupt, path, what);
  };
  try {
    Json json = parse_json(root_content(path));
    if (json.at("format_major") != kRootMajor) refuse("has another format than this program reads");
    if (!take_digest(json)) refuse("is damaged: it does not match its digest");
    return json;
  } catch (const Json::exception&) {
    refuse("is damaged");
  }
  return {};
}

}  // namespace grundy
