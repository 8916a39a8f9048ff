/// @file
/// Families of heap games: every game computed, periods proved, equal games merged into classes.
///
/// Two games are in one class if their values are equal after a shift: G(n + a) = H(n + b) for all
/// n, where a and b are the first heaps of nonzero value. The equality is *proved* where a theorem
/// gives it; else it is *observed* on the values that both games have. The game with the shortest
/// code stands for its class. src/atlas/README.md has the theorems and the file format.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/heap/rule.hpp>
#include <grundy/hooks.hpp>
#include <grundy/machine.hpp>
#include <grundy/part.hpp>
#include <grundy/period.hpp>
#include <grundy/stats.hpp>
#include <grundy/team.hpp>

namespace grundy {

/// The games of a pattern, in its order, each once:
/// - a code with wildcards: `d` any octal digit, `n` one that is not 0, `h` any hexadecimal digit,
///   such as `0.ddd` or `4.dddn`; the code without moves is left out;
/// - `S{max<=m,size<=s}`: all subtraction sets of at most s numbers up to m;
/// - `@FILE`: a list, one pattern a line, from `#` on a comment; `@-` is standard input;
/// - anything that names one game.
/// @throws Error(kUsage) if it is malformed or has more than a million games
std::vector<HeapRule> expand_family(std::string_view pattern);

/// What to compute.
struct AtlasRequest {
  std::vector<HeapRule> games;
  HeapSize last = 0;  ///< the largest heap of every game, below 2^48
  /// Time for each game that is not certified early; unset: no limit.
  std::optional<double> seconds{};
  std::filesystem::path output{};  ///< empty: no file
  /// The share of this machine where several machines share the directory of the output. Only its
  /// games that are not certified early are computed. Their tables are left beside the output,
  /// which is not written.
  std::optional<WorkPart> part{};
  /// Write the file from the tables that the parts left. Nothing more is computed.
  bool merge = false;
  /// Ranks that share these games and the directory of the output; rank 0 writes the file. Null:
  /// there are none. The team must outlive the computation.
  Team* team = nullptr;
  Machine machine{};
  bool overwrite = false;  ///< replace an existing file
};

/// Every game is computed to this heap first, which proves the periods of most games. One game of
/// each class that is left is computed to the end.
inline constexpr HeapSize kAtlasScreen = 2500;

/// Why a game is in its class.
enum class AtlasEvidence {
  kItself,          ///< it stands for the class
  kStandardForm,    ///< the same standard form
  kRedundantMoves,  ///< the same standard form except for moves that add no value
  kPeriods,         ///< certified periods, and equal values as far as these need
  kObserved,        ///< equal values, as far as both games have any
};

/// `itself`, `standard form`, `redundant moves`, `periods`, `observed`.
std::string_view to_string(AtlasEvidence evidence) noexcept;

/// What the literature says of the period of a class, whatever this computation shows.
enum class LiteratureStatus {
  kUnlisted,  ///< none of its games is in the list of src/atlas/literature.cpp
  kSolved,    ///< the period is known
  kUnsolved,  ///< no period is known
};

/// Nothing, `solved`, `unsolved`.
std::string_view to_string(LiteratureStatus literature) noexcept;

struct AtlasMember {
  std::string code;   ///< canonical notation
  HeapSize lead = 0;  ///< its first heap of nonzero value
  AtlasEvidence evidence = AtlasEvidence::kItself;
  HeapSize compared = 0;  ///< kObserved: the number of values from `lead` on that are equal

  friend bool operator==(const AtlasMember&, const AtlasMember&) = default;
};

/// One sequence, as the game that stands for its class has it.
struct AtlasClass {
  std::string code;                  ///< canonical notation of that game
  std::string standard_form;         ///< empty for games that have none
  std::vector<AtlasMember> members;  ///< the game itself first
  std::string engine;
  PeriodReport period;
  TableStats stats;                   ///< of the values that were computed
  HeapSize last_zero = 0;             ///< the largest computed heap with value 0
  std::optional<SparseFacts> sparse;  ///< the best split of these values; its depth is not known
  LiteratureStatus literature = LiteratureStatus::kUnlisted;
  std::string reference{};  ///< the period and who found it, or how far values were computed
  double seconds = 0;

  friend bool operator==(const AtlasClass&, const AtlasClass&) = default;
};

struct AtlasReport {
  bool complete = false;  ///< false: it was stopped; with a file, what was finished is kept
  HeapSize last = 0;
  HeapSize games = 0;
  HeapSize open = 0;      ///< games that differ by their rules and are not certified early
  HeapSize finished = 0;  ///< open games that are computed; a part or a rank counts its own
  /// Classes with d0 = 0 come first, then the order is by length and text of the code. Empty in the
  /// report of a part, and of a rank other than rank 0.
  std::vector<AtlasClass> classes;
  double seconds = 0;
  std::uint64_t file_bytes = 0;
};

/// Computes a family. With an output, finished games are kept beside it until the file is written.
/// After a stop or a kill, the same request goes on from there and gives the same file. A merge
/// after all parts gives the same file, too.
/// It uses the hooks `stop`, `progress` and `narrate`.
/// @throws Error; Error(kFailure) if a merge lacks parts
AtlasReport compute_atlas(const AtlasRequest& request, const Hooks& hooks = {});

/// What a family will need.
struct AtlasPrediction {
  HeapSize games = 0;
  HeapSize differing = 0;     ///< games that differ by their rules
  HeapSize open = 0;          ///< of these, the ones that are not certified early
  HeapSize own = 0;           ///< of the open ones, those of this part
  HeapSize tried = 0;         ///< of these, the ones by whose trials the time is estimated
  double screen_seconds = 0;  ///< that all games took as far as kAtlasScreen
  /// Seconds are those of the screen and those foretold of the own games, by
  /// the team together if there is one; the memory is that of the values of one process. Games
  /// whose period shows on the way end earlier.
  Prediction needs;
};

/// Computes every game up to kAtlasScreen, and estimates the rest by trials of some games, one
/// second each. It uses the hooks `stop` and `progress`. Returns nothing if it was stopped. Ranks
/// do not speak to each other.
/// @throws Error(kUsage) as compute_atlas()
std::optional<AtlasPrediction> predict_atlas(const AtlasRequest& request, const Hooks& hooks = {});

/// The classes as a table: one row each. kRows has columns like those in which A. Flammenkamp
/// tabulates octal games, separated by tabs: game, period, saltus, last exception, maximum, its
/// first heap, the mask of the sparse space in binary, greatest and least bit first, number of rare
/// heaps without and with heap 0, the last of them, the last heap of value 0, heaps.
enum class SummaryFormat { kCsv, kJson, kMarkdown, kRows };

/// @param times add the seconds of each class, which differ from run to run
std::string summarize(const AtlasReport& report, SummaryFormat format, bool times = false);

}  // namespace grundy
