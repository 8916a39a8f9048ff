/// @file
/// Games of heaps from files of the user; see grundy/games.hpp.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <grundy/error.hpp>
#include <grundy/games.hpp>

#include "core/text.hpp"
#include "core/text_cursor.hpp"
#include "core/text_file.hpp"
#include "games/heap/formula.hpp"
#include "games/lattice/notation.hpp"

namespace grundy {
namespace {

constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 20;
constexpr std::array<std::string_view, 5> kKeys = {"title", "rules", "reference", "heaps", "moves"};

class RulesFile {
 public:
  explicit RulesFile(const std::filesystem::path& path) : path_(path.string()) {
    std::optional<std::string> text = read_text_file(path, kLargestFile);
    if (!text) {
      throw Error(
          ErrorCode::kUsage,
          fmt::format("'{}' is no file that can be read, or has more than a megabyte", path_));
    }
    text_ = std::move(*text);
    try {
      table_ = toml::parse(text_);
    } catch (const toml::parse_error& error) {
      fail(error.source().begin, std::string(error.description()));
    }
  }

  AnyGame game() {
    for (const auto& [key, value] : table_) {
      if (std::ranges::find(kKeys, key.str()) != kKeys.end()) continue;
      fail(key.source().begin, fmt::format("unknown key {}; the keys are {}", in_quotes(key.str()),
                                           fmt::join(kKeys, ", ")));
    }
    const unsigned heaps = this->heaps();
    if (heaps == 1) {
      FormulaRule formulas;
      for (const toml::node& move : moves()) {
        parse_clauses(text_of(move), origin_of(move), formulas);
      }
      return game_of<HeapRule>(std::move(formulas));
    }
    LatticeMoves primitives;
    primitives.heaps = heaps;
    for (const toml::node& move : moves()) {
      parse_terms(text_of(move), origin_of(move), primitives);
    }
    return game_of<LatticeRule>(std::move(primitives));
  }

 private:
  template <class Rule, class Moves>
  [[nodiscard]] AnyGame game_of(Moves moves) const {
    try {
      Rule rule(std::move(moves));
      std::string notation = rule.canonical();
      AnyGame game{.rule = std::move(rule),
                   .notation = std::move(notation),
                   .title = text("title"),
                   .rules = text("rules"),
                   .reference = text("reference")};
      if (game.title.empty()) game.title = game.notation;
      return game;
    } catch (const Error& error) {
      fail(required("moves"), error.what());
    }
  }

  [[nodiscard]] const toml::array& moves() const {
    const toml::node& list = required("moves");
    if (!list.is_array()) fail(list, "moves is a list of texts, such as [\"sym (1,0)*\"]");
    return *list.as_array();
  }

  [[nodiscard]] const toml::node& required(std::string_view key) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) {
      throw Error(ErrorCode::kUsage, fmt::format("{}: the key {} is missing", path_, key));
    }
    return *node;
  }

  [[nodiscard]] unsigned heaps() const {
    const toml::node& node = required("heaps");
    const auto* const number = node.as_integer();
    if (number == nullptr || number->get() < 1 || number->get() > kMaxLatticeHeaps) {
      fail(node, fmt::format("heaps is a number from 1 to {}", kMaxLatticeHeaps));
    }
    return static_cast<unsigned>(number->get());
  }

  [[nodiscard]] std::string text(std::string_view key) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) return {};
    if (!node->is_string()) fail(*node, fmt::format("{} is a text", key));
    return node->as_string()->get();
  }

  [[nodiscard]] const std::string& text_of(const toml::node& move) const {
    if (!move.is_string()) fail(move, "a move is a text, such as \"sym (1,0)*\"");
    return move.as_string()->get();
  }

  [[nodiscard]] TextOrigin origin_of(const toml::node& node) const {
    // The content begins after the quotation mark, or after three of them and a line end.
    toml::source_position at = node.source().begin;
    const std::string_view rest = from(at);
    if (rest.starts_with("\"\"\"\n") || rest.starts_with("'''\n")) {
      ++at.line;
      at.column = 1;
    } else {
      at.column += rest.starts_with("\"\"\"") || rest.starts_with("'''") ? 3 : 1;
    }
    return {.name = path_, .line = at.line, .column = at.column};
  }

  /// The text of the file from a place on.
  [[nodiscard]] std::string_view from(const toml::source_position& at) const {
    std::string_view rest = text_;
    for (toml::source_index line = 1; line < at.line; ++line) {
      rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
    }
    return rest.substr(std::min<std::size_t>(at.column - 1, rest.size()));
  }

  [[noreturn]] void fail(const toml::node& node, const std::string& reason) const {
    fail(node.source().begin, reason);
  }
  [[noreturn]] void fail(const toml::source_position& at, const std::string& reason) const {
    throw Error(ErrorCode::kUsage,
                fmt::format("{}, line {}, column {}: {}", path_, at.line, at.column, reason));
  }

  std::string path_;
  std::string text_;
  toml::table table_;
};

}  // namespace

AnyGame read_rules_file(const std::filesystem::path& path) {
  return RulesFile(path).game();
}

}  // namespace grundy
