// SPDX-License-Identifier: MIT
#include "cli/prediction_report.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <grundy/team.hpp>

#include "core/text.hpp"
#include "session/prediction.hpp"

namespace grundy::cli {
namespace {

/// The text for a figure that is not known.
constexpr std::string_view kUnknown = "not known";

std::string about(const std::optional<std::uint64_t>& bytes, std::string_view what = {}) {
  return bytes ? fmt::format("about {}{}", format_bytes(*bytes), what) : std::string(kUnknown);
}

/// What is available, for a sentence that says what is needed; and whether a run would be refused.
std::string available_text(const std::optional<std::uint64_t>& needed,
                           const std::optional<std::uint64_t>& available) {
  if (!available) return std::string(kUnknown);
  return format_bytes(*available) + (needed > available ? ", which is too little" : "");
}

}  // namespace

std::string engine_text(const Prediction& p) {
  return fmt::format("{}, kernel {}, {} thread{}", p.engine, p.kernel, p.threads,
                     p.threads == 1 ? "" : "s");
}

void print_needs(Console& console, const Prediction& p) {
  console.field("time", time_text(p));
  const std::string_view why = p.memory_may_grow ? ", as late heaps may look far back" : "";
  console.field("memory", fmt::format("{} of {}{}", memory_text(p),
                                      available_text(p.memory_bytes, p.memory_available), why));
  if (p.disk_bytes) {
    console.field("disk", fmt::format("{} of {}", about(p.disk_bytes),
                                      available_text(p.disk_bytes, p.disk_available)));
  }
}

Json needs_json(const Console& console, const Prediction& p) {
  Json json{{"engine", p.engine},
            {"kernel", p.kernel},
            {"threads", p.threads},
            {"seconds", or_null(p.seconds)},
            {"seconds_least", or_null(p.seconds_least)},
            {"seconds_most", or_null(p.seconds_most)},
            {"memory_bytes", or_null(p.memory_bytes)},
            {"memory_may_grow", p.memory_may_grow},
            {"memory_available", p.memory_available},
            {"disk_bytes", or_null(p.disk_bytes)},
            {"disk_available", or_null(p.disk_available)}};
  if (console.team != nullptr) {
    json["ranks"] = console.team->size();  // the memory is that of each
    json["traffic_bytes"] = or_null(p.traffic_bytes);
  }
  return json;
}

void print_ranks(Console& console, const Prediction& p) {
  if (console.team == nullptr) return;
  console.field("ranks", fmt::format("{}; the memory is that of each", console.team->size()));
  console.field("traffic", about(p.traffic_bytes, " between them"));
}

}  // namespace grundy::cli
