// SPDX-License-Identifier: MIT
#include "core/json.hpp"

#include <span>

#include <nlohmann/json.hpp>

#include "core/digest.hpp"

namespace grundy {
namespace {

constexpr const char* kDigestKey = "xxh3_128";

std::string digest_of(const Json& json) {
  const std::string text = json_text(json, JsonForm::kLines);
  return to_hex(hash128(std::as_bytes(std::span(text))));
}

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

std::string digested_text(const Json& object) {
  Json json = parse_json(json_text(object));  // replaces bytes that are no UTF-8, before the digest
  json[kDigestKey] = digest_of(json);
  return json_text(json, JsonForm::kLines) + "\n";
}

bool take_digest(Json& object) {
  const std::string digest = object.at(kDigestKey);
  object.erase(kDigestKey);
  return digest_of(object) == digest;
}

}  // namespace grundy
