/// @file
/// JSON from and to text, by nlohmann's library. Its parser and printer are compiled only here,
/// because they take longer than most rooms.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace grundy {

/// Keys stay in the order in which they were written.
using Json = nlohmann::ordered_json;

/// The text of a JSON value, on one line or with a line for each field. Bytes that are no UTF-8,
/// from the name of a file, become replacement characters.
enum class JsonForm { kLine, kLines };
std::string json_text(const Json& json, JsonForm form = JsonForm::kLine);

/// Reads JSON, and drops everything that is nested deeper than in our own files. nlohmann's library
/// reads any depth, but writes and hashes a document by recursion, so a file of a few million `[`
/// would end the process.
/// @throws Json::exception if the text is no JSON
Json parse_json(const std::string& text);
/// The value of a JSON text; any other text as a string.
Json json_or_text(const std::string& text);

/// The text of a document that shows accidental damage by itself. It is an object with a line for
/// each field. The last field, `xxh3_128`, is the digest of the text without it (and without the
/// end of the line).
std::string digested_text(const Json& object);
/// Removes the digest; false if it does not match the rest. @throws Json::exception without one
bool take_digest(Json& object);

}  // namespace grundy
