// SPDX-License-Identifier: MIT
#include "core/json.hpp"

#include <nlohmann/json.hpp>

namespace grundy {
namespace {

Json parse_shallow(const std::string& text, bool throws) {
  constexpr int kDeepest = 16;
  const auto shallow = [](int depth, Json::parse_event_t /*event*/, const Json& /*value*/) {
    return depth <= kDeepest;
  };
  return Json::parse(text, shallow, throws);
}

}  // namespace

std::string json_text(const Json& json, JsonForm form) {
  return json.dump(form == JsonForm::kLine ? -1 : 2, ' ', false, Json::error_handler_t::replace);
}

Json parse_json(const std::string& text) {
  return parse_shallow(text, true);
}

Json json_or_text(const std::string& text) {
  Json json = parse_shallow(text, false);
  return json.is_discarded() ? Json(text) : json;
}

}  // namespace grundy
