// SPDX-License-Identifier: MIT
#include "session/component_text.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/text.hpp"
#include "core/text_cursor.hpp"
#include "session/value_source.hpp"

namespace grundy {
namespace {

bool is_game(std::string_view text) {
  try {
    if (!names_a_table(std::string(text))) static_cast<void>(resolve_game(text));
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// @throws Error if the text is a game and numbers with colons between them, like `nim:5:6`
void refuse_colons(std::string_view text) {
  if (text.find(':') == text.rfind(':')) return;
  std::string heaps;
  for (std::string_view game = text;;) {
    const auto colon = game.rfind(':');
    if (colon == std::string_view::npos) return;
    const std::string_view last = trimmed(game.substr(colon + 1));
    game = game.substr(0, colon);
    try {
      static_cast<void>(parse_counts(last));
    } catch (const Error&) {
      return;
    }
    const bool is_one_of_several = !heaps.empty();
    heaps = fmt::format("{}{}{}", last, is_one_of_several ? "," : "", heaps);
    if (!is_game(game)) continue;
    if (!is_one_of_several) return;
    throw Error(ErrorCode::kUsage,
                fmt::format("in the component {}: commas stand between heaps; write {}:{}",
                            in_quotes(text), game, heaps));
  }
}

/// Says what is wrong with a component whose heaps cannot be read.
[[noreturn]] void refuse_component(std::string_view text, std::string_view game,
                                   const Error& error) {
  if (!is_game(game)) {
    // The colon was part of the game, as in `hex:0.8`, or there is no such game.
    static_cast<void>(resolve_game(text));
    throw Error(ErrorCode::kUsage,
                fmt::format("the component {} has no heaps; they follow a colon, as in {}:5",
                            in_quotes(text), text));
  }
  throw Error(error.code(), fmt::format("in the component {}: {}", in_quotes(text), error.what()));
}

/// Notations may hold colons and commas (`hex:0.8`, `S{1,2}`), so the heaps follow the last colon.
TypedComponent parse_component(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == text.size()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} is not a component; write a game and its heaps as in kayles:12,7",
                            in_quotes(text)));
  }
  refuse_colons(text);
  TypedComponent component{.game = std::string(trimmed(text.substr(0, colon))), .heaps = {}};
  try {
    component.heaps = parse_counts(text.substr(colon + 1));
  } catch (const Error& error) {
    refuse_component(text, component.game, error);
  }
  return component;
}

/// Nimbers with their stars, like `*5 + *6`: heaps of Nim.
TypedComponent parse_nimbers(std::string_view text) {
  TypedComponent component{.game = "nim", .heaps = {}};
  TextCursor cursor(text, Blanks::kSkip);
  do {
    cursor.expect("*", "a nimber such as *5");
    component.heaps.push_back(cursor.number("the number after the star"));
  } while (cursor.eat('+'));
  cursor.expect_end("'+' or the end of the sum");
  return component;
}

/// @throws Error(kUsage) unless the whole text is one component
ComponentText whole_component(std::string_view text) {
  if (is_graph_game(text)) return resolve_game(text, GameKind::kGraph);
  if (text.starts_with('*')) return parse_nimbers(text);
  TypedComponent component = parse_component(text);
  if (!names_a_table(component.game)) static_cast<void>(resolve_game(component.game));
  return component;
}

/// Takes the first component off a text: the shortest beginning, up to a blank, that is one.
/// @pre the text neither begins nor ends with a blank
ComponentText first_component(std::string_view& text) {
  std::optional<Error> error;
  bool has_heaps = false;
  for (std::size_t end = 0; end < text.size();) {
    end = std::min(text.find_first_of(kBlankCharacters, end), text.size());
    const std::string_view beginning = text.substr(0, end);
    end = std::min(text.find_first_not_of(kBlankCharacters, end), text.size());
    try {
      ComponentText component = whole_component(beginning);
      text.remove_prefix(end);
      return component;
    } catch (const Error& e) {
      // The first beginning that has heaps was meant as a component, so its error counts.
      if (!has_heaps) error = e;
      const auto colon = beginning.rfind(':');
      has_heaps |= colon < beginning.size() - 1 &&
                   kBlankCharacters.find(beginning[colon + 1]) == std::string_view::npos;
    }
  }
  throw *std::move(error);
}

}  // namespace

bool is_graph_game(std::string_view text) {
  return find_game(text.substr(0, text.find(':')), GameKind::kGraph) != nullptr;
}

std::vector<ComponentText> read_components(const std::vector<std::string>& texts) {
  std::vector<ComponentText> components;
  for (const std::string& typed : texts) {
    std::string_view text = trimmed(typed);
    try {
      if (!text.empty() && text != "+") components.push_back(whole_component(text));
      continue;
    } catch (const Error&) {
      if (text.find_first_of(kBlankCharacters) == std::string_view::npos) throw;
    }
    while (!text.empty()) {
      if (text.front() == '+') {
        text = trimmed(text.substr(1));
      } else {
        components.push_back(first_component(text));
      }
    }
  }
  if (components.empty()) {
    throw Error(ErrorCode::kUsage, "a sum needs a component, such as kayles:12");
  }
  return components;
}

}  // namespace grundy
