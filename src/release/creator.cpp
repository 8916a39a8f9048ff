/// @file
/// Creators of data sets, from the text that people type.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/release.hpp>

#include "core/text.hpp"
#include "core/text_cursor.hpp"

namespace grundy {
namespace {

constexpr std::string_view kOrcidAddress = "https://orcid.org/";

/// Whether a text has the form of an ORCID: four groups of four digits, the last one may be X.
bool looks_like_orcid(std::string_view text) {
  if (text.size() != 19) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (i % 5 == 4 ? text[i] != '-' : !digit && !(i == 18 && text[i] == 'X')) return false;
  }
  return true;
}

/// ISO 7064 MOD 11-2, by which the last digit of an ORCID follows from the others.
bool has_right_check_digit(std::string_view orcid) {
  int total = 0;
  for (const char c : orcid.substr(0, orcid.size() - 1)) {
    if (c != '-') total = (total + (c - '0')) * 2 % 11;
  }
  const int check = (12 - total) % 11;
  return orcid.back() == (check == 10 ? 'X' : static_cast<char>('0' + check));
}

/// Fills a field of a creator. @throws Error(kUsage) if it has been filled
void set_once(std::string& field, std::string_view value, const char* what, std::string_view text) {
  if (!field.empty()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("the creator {} has two of the kind: {}", in_quotes(text), what));
  }
  field = value;
}

void add_field(ReleaseCreator& creator, std::string_view field, std::string_view text) {
  const std::string_view id =
      field.starts_with(kOrcidAddress) ? field.substr(kOrcidAddress.size()) : field;
  if (looks_like_orcid(id)) {
    if (!has_right_check_digit(id)) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("{} is no ORCID: its last digit does not fit", in_quotes(id)));
    }
    set_once(creator.orcid, id, "ORCID", text);
  } else if (field.find('@') != std::string_view::npos) {
    set_once(creator.email, field, "e-mail address", text);
  } else if (creator.family.empty()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} belongs to no person: a person is written Family, Given",
                            in_quotes(field)));
  } else {
    set_once(creator.affiliation, field, "affiliation", text);
  }
}

}  // namespace

std::string ReleaseCreator::name() const {
  return family.empty() ? organisation : fmt::format("{}, {}", family, given);
}

ReleaseCreator parse_creator(std::string_view text) {
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t size = character_size(rest);
    if (size == 0) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("the creator {} holds what does not print", in_quotes(text)));
    }
    rest.remove_prefix(size);
  }
  ReleaseCreator creator;
  const std::size_t end = std::min(text.find(';'), text.size());
  const std::string_view name = trimmed(text.substr(0, end));
  const std::size_t comma = name.find(',');
  if (comma == std::string_view::npos) {
    creator.organisation = name;
  } else {
    creator.family = trimmed(name.substr(0, comma));
    creator.given = trimmed(name.substr(comma + 1));
  }
  if (comma == std::string_view::npos ? creator.organisation.empty()
                                      : creator.family.empty() || creator.given.empty()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("the creator {} has no name; a person is written Family, Given",
                            in_quotes(text)));
  }
  for (std::size_t begin = end; begin < text.size();) {
    const std::size_t next = std::min(text.find(';', begin + 1), text.size());
    const std::string_view field = trimmed(text.substr(begin + 1, next - begin - 1));
    if (!field.empty()) add_field(creator, field, text);
    begin = next;
  }
  return creator;
}

}  // namespace grundy
