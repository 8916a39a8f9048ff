// SPDX-License-Identifier: MIT
#include "cli/outcomes_report.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <grundy/error.hpp>
#include <grundy/verify.hpp>

#include "cli/answers.hpp"
#include "cli/attended_run.hpp"
#include "cli/check_report.hpp"
#include "cli/lattice_query.hpp"
#include "cli/table_report.hpp"
#include "core/digest.hpp"
#include "core/json.hpp"
#include "core/text.hpp"
#include "session/outcome_moves.hpp"
#include "table/layout_text.hpp"

namespace grundy::cli {
namespace {

Json outcomes_json(const OutcomesInfo& info) {
  const auto& extent = info.layout.extent;
  return {{"title", info.title},
          {"notation", info.canonical},
          {"misere", info.misere},
          {"shape", std::vector(extent.begin(), extent.begin() + info.layout.heaps)},
          {"sorted", info.layout.sorted},
          {"count", info.layout.entries()},
          {"p_positions", info.p_positions},
          {"digest", to_hex(info.digest)}};
}

void print_outcomes(Console& console, const OutcomesInfo& info) {
  print_game(console, info.title, info.canonical, info.description);
  print_layout(console, info.layout);
  console.field("P-positions", fmt::format("{} of {}", format_count(info.p_positions),
                                           format_count(info.layout.entries())));
}

/// Finds who wins positions of a file, and by which moves.
class OutcomeQuery {
 public:
  explicit OutcomeQuery(const std::string& file) : reader_(file), moves_(reader_.info()) {}

  [[nodiscard]] const Layout& layout() const noexcept { return reader_.info().layout; }

  /// A line for each plane.
  [[nodiscard]] std::string text(const LatticePoint& p) const {
    std::string text;
    for (unsigned plane = 0; plane < layout().planes; ++plane) {
      const std::uint64_t entry = layout().entry_of(p, plane);
      text += fmt::format("{}{} ", fmt::join(std::span(p).first(layout().heaps), " "),
                          plane > 0 ? " with a pass:" : "");
      if (reader_.is_p_position(entry)) {
        text += "P\n";
        continue;
      }
      const auto winning = winning_options(entry);
      text += winning.empty() ? "N, without a move" : "N, by a move to";
      for (const std::uint64_t option : winning) {
        text += fmt::format(" ({})", position_text(layout(), option, ","));
      }
      text += '\n';
    }
    return text;
  }

  [[nodiscard]] Json json(const LatticePoint& p) const {
    Json json{{"position", std::vector(p.begin(), p.begin() + layout().heaps)}};
    json.update(plane_json(p, 0));
    if (layout().planes > 1) json["with_pass"] = plane_json(p, 1);
    return json;
  }

 private:
  /// The P-positions that one move from an entry reaches, as ascending entries.
  [[nodiscard]] std::vector<std::uint64_t> winning_options(std::uint64_t entry) const {
    std::set<std::uint64_t> winning;
    static_cast<void>(moves_.any_option(entry, [&](std::uint64_t option) {
      if (reader_.is_p_position(option)) winning.insert(option);
      return false;  // all are wanted
    }));
    return {winning.begin(), winning.end()};
  }
  [[nodiscard]] Json plane_json(const LatticePoint& p, unsigned plane) const {
    const std::uint64_t entry = layout().entry_of(p, plane);
    Json moves = Json::array();
    for (const std::uint64_t option : winning_options(entry)) {
      moves.push_back(position_json(layout(), option));
    }
    return {{"outcome", reader_.is_p_position(entry) ? "P" : "N"}, {"winning_moves_to", moves}};
  }

  OutcomesReader reader_;
  OutcomeMoves moves_;
};

}  // namespace

int info_outcomes(Console& console, const std::string& file) {
  const OutcomesReader reader(file);
  const std::uint64_t bytes = std::filesystem::file_size(file);
  const Json provenance = json_or_text(reader.info().provenance_json);
  if (console.json) {
    Json json = outcomes_json(reader.info());
    json["file"] = file;
    json["file_bytes"] = bytes;
    json["provenance"] = provenance;
    console.print_json(json);
    return 0;
  }
  print_outcomes(console, reader.info());
  console.field("values", "none: who wins, and nothing else");
  console.field("digest", fmt::format("XXH3-128 {}", to_hex(reader.info().digest)));
  console.field("file", fmt::format("{}, {}", file, format_bytes(bytes)));
  return 0;
}

int query_outcomes(Console& console, const std::string& file,
                   const std::vector<std::string>& heaps) {
  const OutcomeQuery query(file);
  Answers out(console);
  const auto answer = [&](const std::vector<std::string>& position) {
    for_each_position(query.layout(), position, [&](const LatticePoint& p) {
      if (out.as_json()) {
        out.write_json(query.json(p));
      } else {
        out.write(query.text(p));
      }
      return !out.closed();
    });
  };
  if (query.layout().is_lattice()) {
    out.attempt([&] { answer(heaps); });
  } else {
    for (const std::string& heap : heaps) out.attempt([&] { answer({heap}); });
  }
  return out.end();
}

int verify_outcomes(Console& console, const ListCheckRequest& request,
                    CertificateOutput certificate) {
  const OutcomesCheck check =
      attended_check(console, "positions", check_outcomes, request, certificate);
  const std::string proved =
      fmt::format("{} of {} are proved: P-positions have no option in the list, others have one",
                  format_count(check.proved), format_count(check.info.layout.entries()));
  if (console.json) {
    Json json = outcomes_json(check.info);
    json["file"] = request.file;
    put_check(json, check, certificate, {{"proved", check.proved}});
    console.print_json(json);
  }
  return conclude_check(console, request.file, check, certificate, "stopped; " + proved, [&] {
    print_outcomes(console, check.info);
    console.field("content", "the seal, the order of the list, its count and its digest are right");
    console.field("positions", proved);
    console.field("digest", fmt::format("XXH3-128 {}", to_hex(check.info.digest)));
  });
}

}  // namespace grundy::cli
