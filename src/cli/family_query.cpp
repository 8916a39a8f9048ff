// SPDX-License-Identifier: MIT
#include "cli/family_query.hpp"

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <grundy/error.hpp>
#include <grundy/games.hpp>

#include "atlas/atlas_file.hpp"
#include "atlas/family_game.hpp"
#include "atlas/open_census.hpp"
#include "cli/answers.hpp"
#include "cli/run_options.hpp"
#include "core/json.hpp"
#include "core/text.hpp"

namespace grundy::cli {
namespace {

using namespace atlas;

/// A game and heaps of it, as typed.
struct AskedGame {
  std::string game;
  std::vector<CountRange> heaps;
};

/// Reads `70` or `70..73`; nothing if the text is a game, such as `4.0`.
std::optional<CountRange> heaps_of(const std::string& text) {
  if (text.find('.') != std::string::npos && text.find("..") == std::string::npos) {
    return std::nullopt;
  }
  try {
    return parse_range(text);
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::vector<AskedGame> asked_games(const std::vector<std::string>& words) {
  std::vector<AskedGame> asked;
  for (const std::string& word : words) {
    const auto heaps = heaps_of(word);
    if (!heaps) {
      asked.push_back({word, {}});
      continue;
    }
    if (asked.empty()) {
      throw Error(
          ErrorCode::kUsage,
          fmt::format("{} is a heap; name a game of the family before it", in_quotes(word)));
    }
    asked.back().heaps.push_back(*heaps);
  }
  return asked;
}

/// The answer for one game: a line and an object.
struct Answer {
  std::string line;
  Json json;
};

/// Adds the columns of a row by their names; a digest is hexadecimal.
void put_columns(const CensusKind& kind, const CensusRows& row, Json& json) {
  std::span<const std::uint32_t> facts = row.facts(0);
  for (const CensusColumn& column : kind.columns()) {
    const bool is_game = &column == &kind.columns().front();
    const auto numbers = is_game ? row.game(0) : facts.first(column.numbers);
    if (!is_game) facts = facts.subspan(column.numbers);
    if (column.numbers == 1 && !is_game) {
      json[column.name] = numbers.front();
    } else if (is_digest(column)) {
      json[column.name] = fmt::format("{:02x}", fmt::join(numbers, ""));
    } else {
      json[column.name] = std::vector(numbers.begin(), numbers.end());
    }
  }
}

/// Answers for games of a census of any kind.
class CensusQuery {
 public:
  explicit CensusQuery(const std::string& file) : file_(file) {}

  [[nodiscard]] Answer answer(const AskedGame& asked) {
    const CensusKind& kind = file_.kind();
    if (!asked.heaps.empty()) {
      throw Error(ErrorCode::kUsage,
                  "a census keeps no values; `grundy compute` computes those of a game");
    }
    const MoveSet set = kind.set_of(asked.game);
    const std::uint64_t number = kind.sets().row_of(set);
    const CensusRows row = file_.reader().rows(number, 1);
    Answer answer{fmt::format("{}: {}\n", kind.name(set), kind.words(row.facts(0))),
                  {{"game", kind.name(set)}, {"row", number}}};
    put_columns(kind, row, answer.json);
    return answer;
  }

 private:
  OpenCensus file_;
};

std::string reason_of(const FamilyGame& game) {
  if (game.evidence == AtlasEvidence::kItself) return "stands for its class";
  const std::string why = game.evidence == AtlasEvidence::kObserved
                              ? fmt::format("{} equal values", format_count(game.compared))
                              : std::string(to_string(game.evidence));
  const std::string shift = game.shift == 0 ? std::string()
                                            : fmt::format(", its heaps {} {}", std::abs(game.shift),
                                                          game.shift > 0 ? "larger" : "smaller");
  return fmt::format("in the class of {} by {}{}", game.class_code, why, shift);
}

std::string period_of_game(const PeriodReport& period) {
  if (period.status == PeriodStatus::kNone) return "no period is known";
  return "period " + period_sentence(period);
}

/// Answers for games of a family, with values.
class GamesQuery {
 public:
  explicit GamesQuery(const std::string& file) : reader_(file) {}

  [[nodiscard]] Answer answer(const AskedGame& asked) {
    const std::string code = resolve_game(asked.game, GameKind::kHeap).heap().canonical();
    const auto place = reader_.find(code);
    if (!place) {
      throw Error(ErrorCode::kUsage, fmt::format("{} is not among the {} games of the family",
                                                 in_quotes(code), format_count(reader_.games())));
    }
    std::vector<Nimber> values;
    const AtlasClass c = reader_.read(place->number, values);
    const FamilyGame game = game_of_class(c, c.members[place->member], values);
    Answer answer{fmt::format("{}: {}; {}; {} values are kept\n", game.code, reason_of(game),
                              period_of_game(game.period), format_count(game.values.size())),
                  json_of(c, game)};
    Json known = Json::array();
    for (const auto& [first, last] : asked.heaps) {
      for (HeapSize n = first;; ++n) {
        const std::uint64_t value = game.value(n);
        answer.line += fmt::format("{} {}\n", n, value);
        known.push_back({{"heap", n}, {"value", value}});
        if (n == last) break;  // 2^64-1 has no successor
      }
    }
    if (!asked.heaps.empty()) answer.json["values"] = std::move(known);
    return answer;
  }

 private:
  static Json json_of(const AtlasClass& c, const FamilyGame& game) {
    const PeriodReport& p = game.period;
    const bool has_period = p.status != PeriodStatus::kNone;
    const auto if_period = [&](std::uint64_t number) { return has_period ? Json(number) : Json(); };
    const auto if_some = [](std::string_view text) { return text.empty() ? Json() : Json(text); };
    return {{"game", game.code},
            {"class", game.class_code},
            {"shift", game.shift},
            {"evidence", to_string(game.evidence)},
            {"compared", game.evidence == AtlasEvidence::kObserved ? Json(game.compared) : Json()},
            {"status", to_string(p.status)},
            {"preperiod", if_period(p.preperiod)},
            {"period", if_period(p.period)},
            {"saltus", if_period(p.saltus)},
            {"theorem", if_some(p.theorem)},
            {"literature", if_some(to_string(c.literature))},
            {"reference", if_some(c.reference)},
            {"kept_values", game.values.size()}};
  }

  AtlasReader reader_;
};

template <class Query>
int answer_all(Console& console, const std::string& file, const std::vector<AskedGame>& asked) {
  Query query(file);
  Answers out(console);
  for (const AskedGame& one : asked) {
    out.attempt([&] {
      const Answer answer = query.answer(one);
      if (out.as_json()) {
        out.write_json(answer.json);
      } else {
        out.write(answer.line);
      }
    });
  }
  return out.end();
}

}  // namespace

int query_family(Console& console, const std::string& file, const std::vector<std::string>& asked) {
  const std::vector<AskedGame> games = asked_games(asked);
  return kind_of(file) == FileKind::kAtlas ? answer_all<GamesQuery>(console, file, games)
                                           : answer_all<CensusQuery>(console, file, games);
}

}  // namespace grundy::cli
