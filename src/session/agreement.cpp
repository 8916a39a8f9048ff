// SPDX-License-Identifier: MIT
#include "session/agreement.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>
#include <grundy/version.hpp>

#include "core/atomic_file.hpp"
#include "core/descriptor.hpp"
#include "session/build_info.hpp"
#include "session/setup.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

/// The channel of the letters from rank 0. Other ranks take them before any other letter.
constexpr std::uint64_t kChannel = 0;

/// A file beside the output that rank 0 makes for a moment. If others see it, they share the
/// directory: a directory of the same name may be there on each machine.
class Landmark {
 public:
  explicit Landmark(const fs::path& output) : place_(output, true) {
    Descriptor::open(place_.path(), O_WRONLY | O_CREAT | O_EXCL);
  }
  [[nodiscard]] std::string path() const { return place_.path().string(); }

 private:
  AtomicFile place_;
};

/// The first phrases in which two works differ.
std::pair<std::string_view, std::string_view> first_difference(std::string_view a,
                                                               std::string_view b) {
  for (;;) {
    const std::string_view x = a.substr(0, a.find('\n')), y = b.substr(0, b.find('\n'));
    if (x != y || x.size() == a.size() || y.size() == b.size()) return {x, y};
    a.remove_prefix(x.size() + 1);
    b.remove_prefix(y.size() + 1);
  }
}

/// What a rank says, as one text. The table stands behind the work.
constexpr char kTableFollows = '\0';

/// Why a rank cannot work together with rank 0, if it cannot.
std::optional<Error> objection(std::size_t rank, std::string_view said, std::string_view first) {
  const auto parts = [](std::string_view text) {
    const std::size_t end = text.find(kTableFollows);
    return std::pair(text.substr(0, end), text.substr(end + 1));
  };
  const auto [their_work, their_table] = parts(said);
  const auto [own_work, own_table] = parts(first);
  if (!their_table.empty() && !own_table.empty() && their_table != own_table) {
    return Error(ErrorCode::kMismatch,
                 fmt::format("rank {} reads another table than rank 0: {} instead of {}", rank,
                             their_table, own_table));
  }
  if (their_work == own_work) return std::nullopt;
  const auto [theirs, own] = first_difference(their_work, own_work);
  return Error(ErrorCode::kUsage,
               fmt::format("rank {} was started with another command or version than rank 0: "
                           "'{}' instead of '{}'",
                           rank, theirs, own));
}

/// Rank 0 judges what each other rank says, with its number, and all hear what is wrong.
/// @returns false if a rank has left before
/// @throws Error, on every rank
template <class Judge>
bool settle(Team& team, std::string said, const Judge& judge) {
  const auto all = team.gather(std::move(said));
  if (!all) return false;
  std::optional<Error> wrong;
  if (team.rank() == 0) {
    for (std::size_t rank = 1; rank < all->size() && !wrong; ++rank) {
      wrong = judge(rank, (*all)[rank]);
    }
    const std::string letter =
        wrong ? (wrong->code() == ErrorCode::kMismatch ? 'm' : 'u') + std::string(wrong->what())
              : std::string();
    for (std::uint64_t rank = 1; rank < team.size(); ++rank) team.post(rank, kChannel, letter);
  } else if (const std::string letter = team.take(0, kChannel); !letter.empty()) {
    wrong.emplace(letter.front() == 'm' ? ErrorCode::kMismatch : ErrorCode::kUsage,
                  letter.substr(1));
  }
  if (wrong) throw *wrong;
  return true;
}

/// @throws Error(kUsage), on every rank, if one does not see the directory of rank 0's output
bool find_landmark(Team& team, const fs::path& output) {
  std::optional<Landmark> landmark;
  bool is_seen = true;
  if (team.rank() == 0) {
    landmark.emplace(output);
    for (std::uint64_t rank = 1; rank < team.size(); ++rank) {
      team.post(rank, kChannel, landmark->path());
    }
  } else {
    std::error_code error;
    is_seen = fs::exists(team.take(0, kChannel), error);
  }
  return settle(team, is_seen ? "" : "lost", [&](std::size_t rank, const std::string& said) {
    if (said.empty()) return std::optional<Error>();
    return std::optional(Error(
        ErrorCode::kUsage, fmt::format("rank {} does not see what rank 0 writes beside '{}'; ranks "
                                       "need a file system that they share",
                                       rank, output.string())));
  });
}

}  // namespace

bool agree_unless_stopped(Team* team, const Intent& intent) {
  if (team == nullptr) return true;
  const std::string own =
      fmt::format("{}\ngrundy {} {}{}{}", fmt::join(intent.work, "\n"), GRUNDY_VERSION,
                  build_info::kCommit, kTableFollows, intent.table);
  const bool agreed = settle(*team, own, [&own](std::size_t rank, const std::string& said) {
    return objection(rank, said, own);
  });
  return agreed && (intent.output.empty() || find_landmark(*team, intent.output));
}

void agree(Team* team, const Intent& intent) {
  if (agree_unless_stopped(team, intent)) return;
  throw Error(ErrorCode::kUsage,
              "a rank has ended before the common work began; ranks need the same command");
}

Intent intent_of(const Request& request) {
  const Output& output = request.output;
  Intent intent;
  const auto say = [&intent](std::string phrase) { intent.work.push_back(std::move(phrase)); };
  if (const auto* heaps = std::get_if<HeapGame>(&request.game)) {
    say("compute " + heaps->rule.canonical());
    say(fmt::format("heaps 0 to {}{}", heaps->last, heaps->stats_only ? ", statistics only" : ""));
    say(heaps->at_period == AtPeriod::kCompute ? "every value" : "values up to a proved period");
    say(fmt::format("engine {}", engine_for(*heaps, request.machine).name()));
  } else {
    const auto& lattice = std::get<LatticeGame>(request.game);
    say("compute " + lattice.rule.canonical());
    const LatticeShape& shape = lattice.shape;
    say(fmt::format("shape {}{}{}", fmt::join(std::span(shape.extent).first(shape.heaps), "x"),
                    shape.sorted ? ", sorted" : "", lattice.stats_only ? ", statistics only" : ""));
    say(fmt::format("engine {}",
                    lattice.engine != nullptr ? lattice.engine->name() : request.machine.engine));
    if (!lattice.stats_only) intent.output = output.path;
  }
  say(request.machine.block ? fmt::format("blocks of {}", *request.machine.block)
                            : std::string("blocks as the engine chooses"));
  say(fmt::format("output {}{}{}{}", output.path.string(), output.in_parts ? " in parts" : "",
                  output.overwrite ? ", written over" : "",
                  output.reproducible ? ", reproducible" : ""));
  return intent;
}

}  // namespace grundy
