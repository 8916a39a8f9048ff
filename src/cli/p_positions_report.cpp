// SPDX-License-Identifier: MIT
#include "cli/p_positions_report.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/games.hpp>
#include <grundy/verify.hpp>

#include "cli/answers.hpp"
#include "cli/attended_run.hpp"
#include "cli/check_report.hpp"
#include "cli/graph_commands.hpp"
#include "cli/sum_text.hpp"
#include "cli/table_report.hpp"
#include "core/digest.hpp"
#include "core/json.hpp"
#include "core/text.hpp"
#include "core/text_cursor.hpp"
#include "session/machine.hpp"
#include "session/stored_graph.hpp"

namespace grundy::cli {
namespace {

using Key = std::vector<std::uint64_t>;

/// A list and its game.
struct ListOfGame {
  PPositions list;
  std::shared_ptr<const GraphGame> owned;

  explicit ListOfGame(const std::string& file)
      : list(read_p_positions(file, memory_available())),
        owned(required_game(game_of(list, file), list.info, file)) {
    check_keys(list.list, list.info.game, game(), *make_executor(), file);
  }
  [[nodiscard]] const GraphGame& game() const { return *owned; }
  [[nodiscard]] bool has(std::span<const std::uint64_t> key) const {
    return list.list.find(key, game()).has_value();
  }
};

/// The first positions of a list, which end a game soonest.
std::vector<std::string> first_texts(const GraphTable& list, const GraphGame& game,
                                     std::uint64_t most) {
  std::vector<std::string> texts;
  for (std::uint64_t row = 0; row < std::min(most, list.size()); ++row) {
    texts.push_back(game.text(list.key(row)));
  }
  return texts;
}

Json list_json(const PPositions& outcomes) {
  const GraphFileInfo& info = outcomes.info;
  return {{"game", info.game},
          {"title", info.title},
          {"moves_in_words", info.rules},
          {"reduction", to_string(info.reduction)},
          {"misere", outcomes.misere},
          {"positions", info.stats.positions},
          {"terminal_positions", info.stats.terminal},
          {"p_positions", info.stats.p_positions},
          {"root_outcome", info.root_value == 0 ? "P" : "N"},
          {"digest", to_hex(info.stats.digest)}};
}

void print_list(Console& console, const PPositions& outcomes) {
  const GraphFileInfo& info = outcomes.info;
  print_game(console, info.title, info.game, info.rules);
  console.field("P-positions",
                fmt::format("{} of {} ({})", format_count(info.stats.p_positions),
                            format_count(info.stats.positions), reduction_words(info.reduction)));
  console.field("root", outcome_sentence(info.root_value));
  console.field("digest", fmt::format("XXH3-128 {}", to_hex(info.stats.digest)));
}

void print_file(Console& console, const std::filesystem::path& file) {
  console.field("file", fmt::format("{} ({})", file.string(),
                                    format_bytes(std::filesystem::file_size(file))));
}

/// Who wins a position, and by which moves.
/// @throws Error(kUsage) if the list does not tell, because the position is not reached
Json outcome_json(const ListOfGame& of, const std::string& text, const Key& key) {
  std::vector<std::uint64_t> positions;
  of.game().moves(key, positions);
  Json winning = Json::array();
  for (std::size_t at = 0; at < positions.size(); at += key.size()) {
    const auto position = std::span(positions).subspan(at, key.size());
    Key option;
    of.game().reduce(position, option);
    if (of.has(option)) winning.push_back(of.game().text(position));
  }
  const bool is_p = of.has(key);
  if (!is_p && winning.empty() && !(of.list.misere && positions.empty())) {
    throw Error(ErrorCode::kUsage, fmt::format("{} is not reached from the start position of {}",
                                               in_quotes(text), of.list.info.game));
  }
  return {{"position", text}, {"outcome", is_p ? "P" : "N"}, {"winning_moves_to", winning}};
}

}  // namespace

int compute_list(Console& console, const Request& request) {
  AttendedRun run(console, "positions");
  const auto outcomes = compute_p_positions(request, run.hooks());
  run.end();
  if (!outcomes) return console.stopped();
  constexpr std::uint64_t kFirst = 8;
  const GraphGame& game = *std::get<PositionGame>(request.game).game;
  const auto first = first_texts(outcomes->list, game, kFirst);
  const auto& file = request.output.path;
  if (console.json) {
    Json json = list_json(*outcomes);
    json["first_p_positions"] = first;
    if (!file.empty()) json["file"] = file.string();
    console.print_json(json);
    return 0;
  }
  print_list(console, *outcomes);
  for (const std::string& text : first) console.field("first", text);
  if (!file.empty()) print_file(console, file);
  return 0;
}

int info_list(Console& console, const std::string& file) {
  const PPositions outcomes = read_p_positions(file, memory_available());
  if (console.json) {
    Json json = list_json(outcomes);
    json["file"] = file;
    json["file_bytes"] = std::filesystem::file_size(file);
    json["provenance"] = json_or_text(outcomes.info.provenance_json);
    console.print_json(json);
    return 0;
  }
  print_list(console, outcomes);
  console.field("values", "none: who wins, and nothing else");
  print_notation(console, outcomes.info);
  print_file(console, file);
  return 0;
}

int query_list(Console& console, const std::string& file,
               const std::vector<std::string>& positions) {
  const ListOfGame of(file);
  Answers out(console);
  const auto answer = [&](const std::string& text) {
    Key key;
    of.game().parse(trimmed(text), key);
    const Json outcome = outcome_json(of, text, key);
    if (out.as_json()) return out.write_json(outcome);
    std::string line = fmt::format("{} {}", text, outcome["outcome"].get<std::string>());
    if (!outcome["winning_moves_to"].empty()) line += ", by a move to";
    for (const Json& option : outcome["winning_moves_to"]) line += " " + option.get<std::string>();
    out.write(line + '\n');
  };
  for (const std::string& text : positions) out.attempt([&] { answer(text); });
  return out.end();
}

int verify_list(Console& console, const ListCheckRequest& request, CertificateOutput certificate) {
  const PPositionsCheck check =
      attended_check(console, "positions", check_p_positions, request, certificate);
  const std::string proved =
      request.full
          ? fmt::format(
                "all {} are proved: P-positions have no option in the list, others have one",
                format_count(check.proved))
          : fmt::format(
                "{} of {} listed are proved: none of their options is in the list, and "
                "each of these has one that is",
                format_count(check.proved), format_count(check.info.stats.p_positions));
  if (console.json) {
    Json json = {{"file", request.file},
                 {"game", check.info.game},
                 {"digest", to_hex(check.info.stats.digest)}};
    put_check(json, check, certificate, {{"full", request.full}, {"proved", check.proved}});
    console.print_json(json);
  }
  return conclude_check(console, request.file, check, certificate,
                        fmt::format("stopped after {} positions", format_count(check.proved)), [&] {
                          print_game(console, check.info.title, check.info.game, check.info.rules);
                          console.field(
                              "content",
                              "the seal, the order of the list, its keys and its digest are right");
                          console.field("positions", proved);
                        });
}

}  // namespace grundy::cli
