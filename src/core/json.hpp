/// @file
/// JSON from and to text, by nlohmann's library. Its parser and its printer are compiled here
/// alone, because they take longer than most rooms.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace grundy {

/// Keys stay in the order in which they were written.
using Json = nlohmann::ordered_json;

/// On one line, or with a line for each field. Bytes that are no UTF-8, from the name of a file,
/// become replacement characters.
enum class JsonForm { kLine, kLines };
std::string json_text(const Json& json, JsonForm form = JsonForm::kLine);

/// Without whatever is nested deeper than our own files are: nlohmann's library reads any depth,
/// but writes and hashes a document by recursion, and a file of a few million `[` would end the
/// process.
/// @throws Json::exception if it is no JSON
Json parse_json(const std::string& text);
/// The text itself if it is no JSON.
Json json_or_text(const std::string& text);

/// A document that tells accidents by itself: the text of an object with a line for each field, of
/// which the last, `xxh3_128`, is the digest of that text without it (and the end of the line).
std::string digested_text(const Json& object);
/// Takes the digest off; false if it is not that of the rest. @throws Json::exception if there is
/// none
bool take_digest(Json& object);

}  // namespace grundy
