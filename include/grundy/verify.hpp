/// @file
/// Verification of a finished table, or of what a run has sealed: that the file is what was
/// written, and that what was written is right.
///
/// The first part reads everything: structure, every digest, no value left unwritten, statistics
/// counted anew. The second part needs no engine. A table is right if the value of every entry is
/// the mex of the stored values of its options. The proof is by induction, because options come
/// before the positions that have them. Each entry is a separate question, so any machine can
/// answer any range of them (kRange), and certificates of ranges that cover the table together
/// prove the whole. Where a table of heaps claims a certified period, heaps beyond the bound of its
/// theorem are compared with the heap one period before them instead.
///
/// Entry n is heap n, a position in the order of a table of several heaps (in the directory of a
/// run: in the order in which values were sealed), or row n of a table of positions.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <grundy/atlas.hpp>
#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/file_kind.hpp>
#include <grundy/hooks.hpp>
#include <grundy/list_check.hpp>
#include <grundy/machine.hpp>
#include <grundy/part.hpp>
#include <grundy/table.hpp>
#include <grundy/team.hpp>

namespace grundy {

/// A statement about one table: which of its entries are proved, and how. Certificates are JSON
/// files; src/verify/README.md says what is in them and what they prove.
struct Certificate {
  std::string rule;            ///< canonical notation
  std::string unit = "heaps";  ///< what it counts: heaps, entries, positions, rows or games
  HeapSize count = 0;          ///< entries of the table
  std::string statement{};     ///< what is proved of each entry; empty: that its value is right
  std::string table_digest;    ///< as the table's metadata give it
  PeriodReport period;         ///< of the table, without the theorem
  bool period_proved = false;  ///< the certified period was proved again
  /// Heaps from here on follow from the period, once all below are proved; `count` without one.
  HeapSize periodic_from = 0;
  std::vector<EntryRange> proved;     ///< ascending, with gaps between them
  std::vector<std::string> methods;   ///< what proved them, each once
  std::vector<std::string> programs;  ///< name and version of those that ran the proofs

  /// The entries that are not proved.
  [[nodiscard]] std::vector<EntryRange> gaps() const;
  /// The table claims a certified period, which was not proved.
  [[nodiscard]] bool lacks_period() const noexcept {
    return period.status == PeriodStatus::kCertified && !period_proved;
  }
  /// Every entry of the table is proved, and its period.
  [[nodiscard]] bool complete() const { return gaps().empty() && !lacks_period(); }

  /// Reads a file that holds to_json().
  /// @throws Error(kUsage) if there is no such file, Error(kCorrupt) if it is not a certificate
  static Certificate read(const std::filesystem::path& path);
  [[nodiscard]] std::string to_json() const;
  friend bool operator==(const Certificate&, const Certificate&) = default;
};

/// One certificate for everything that the given ones prove.
/// @throws Error(kUsage) for none, Error(kMismatch) if they speak of different tables
Certificate merge(const std::vector<Certificate>& certificates);

/// `0 to 2 000, 4 001 to 5 000`; the first ranges only, if there are more than a person reads.
std::string ranges_text(const std::vector<EntryRange>& ranges);

/// How values are proved.
enum class ProofKind {
  kSamples,  ///< random entries and conspicuous ones, one by one, from the definition
  kRange,    ///< every entry of a range, from the stored table
  kFull,     ///< every heap, by another engine than the one that computed the table; every
             ///< position from the stored table, and by an engine too if one is named
};

struct VerifyRequest {
  std::filesystem::path table;  ///< a file, or a run directory
  /// The game of a table of positions, reduced as it was computed, if the catalogue does not have
  /// it.
  std::shared_ptr<const GraphGame> game{};
  ProofKind proof = ProofKind::kSamples;
  /// kSamples: random entries, or intervals between sealed states. Unset: as many as fit the time.
  std::optional<std::uint64_t> samples{};
  double seconds = 10;     ///< kSamples: time for them
  std::uint64_t seed = 1;  ///< kSamples: of the random choice
  EntryRange range{};      ///< kRange
  /// kRange, except for a table of positions: ranks that share the range. Rank 0 reports the
  /// result, the others only that they are done. Null: there are none. The team must outlive the
  /// verification.
  Team* team = nullptr;
  /// For kFull, the engine `auto` is the fastest one that computed nothing of the table; for a
  /// table of positions there is no such engine.
  Machine machine{};
  bool force = false;  ///< go on although memory is short
};

/// A value that is wrong.
struct WrongValue {
  HeapSize entry = 0;
  std::string sentence;  ///< where it is, what stands there, and what would be right
  friend bool operator==(const WrongValue&, const WrongValue&) = default;
};

struct VerifyReport {
  TableInfo info;
  std::string unit = "heaps";  ///< what its numbers count: heaps, entries, positions or rows
  bool complete = false;       ///< false: it was stopped
  std::optional<WrongValue> wrong;
  std::string method;             ///< what proved the values
  std::string statement;          ///< what is proved of a range; empty: that its values are right
  HeapSize periodic_from = 0;     ///< heaps from here on follow from the period; count without one
  std::uint64_t conspicuous = 0;  ///< kSamples: entries near records, borders and rare values
  std::uint64_t random = 0;       ///< kSamples: entries drawn
  /// kRange and kFull; of a proof that was stopped, the first part of it, if anything.
  std::optional<EntryRange> proved{};
  /// What proves the certified period of `info` again, as a clause. Empty if nothing has proved it.
  /// Where parts prove a run without a table, only one of them proves the period.
  std::string period_proof;
  double seconds = 0;
};

/// Verifies a table. What a run has sealed counts as a table. It uses the hooks `stop`, `progress`
/// and `narrate`.
/// @throws Error(kCorrupt) if the file is damaged, kUsage for a request that cannot be met,
/// kFailure if memory is short. Wrong values are part of the report.
VerifyReport verify(const VerifyRequest& request, const Hooks& hooks = {});

/// The time and the memory that the proof needs; `engine` says how it is done. A trial reads the
/// table and proves pieces of it, or goes on from one state, for about half a second each. The time
/// is not known if the trial takes too much memory, if a number of samples is given, or if an
/// engine computes positions. Returns nothing if it was stopped.
/// @throws Error as verify()
std::optional<Prediction> predict(const VerifyRequest& request, const Hooks& hooks = {});

/// The entries that one machine of several proves: of a table, a run, a census or a family. The
/// ranges of all parts take about the same time, and together they are all entries. For a run
/// without a table, a part proves the intervals between seals that end in its range; there may be
/// none.
/// @throws Error(kUsage) if there are fewer entries than parts, else as verify()
EntryRange share_of_proof(const std::filesystem::path& table, const WorkPart& part);

/// Checks a file of statistics: that it agrees with itself, and with what its run has sealed.
/// @return the directory of the run, FILE.run, whose seals prove the values
/// @throws Error(kCorrupt) if the file is damaged, Error(kUsage) if its run is not there, and
/// Error(kMismatch) if the two contradict each other
std::filesystem::path run_of_statistics(const std::filesystem::path& file);

/// The number of entries that ranges and certificates count: of a table, a run, a list, a census or
/// a family. @throws Error as verify()
HeapSize stored_entries(const std::filesystem::path& path);

/// What is known of the table in a file or a run directory. A run directory has no statistics, so
/// its sealed values are counted. @throws Error as verify()
TableInfo stored_info(const std::filesystem::path& path);

/// The certificate of a report. It proves nothing if the report has no proved range.
Certificate certificate_of(const VerifyReport& report);

/// What was proved of a family: games of which some heaps, or all, are proved.
struct AtlasCheck : ListCheck {
  HeapSize last = 0;  ///< the heap to which each game was to be computed
  std::uint64_t classes = 0;
  /// Games whose period the file calls certified. A game that was only observed to be in its class
  /// is none of them.
  std::uint64_t called_certified = 0;
  /// Of these, the games whose period this check has proved again for all heaps, from the values of
  /// the file. All of them, unless the file is of a version before 2.1, or a game is equal to its
  /// class by a period of its own whose proof needs more values than the class keeps.
  std::uint64_t certified = 0;
  std::uint64_t heaps = 0;  ///< heaps that are proved
};

/// What a file of a family holds. Its statistics are counted anew, and nothing is proved: `proved`
/// and `certified` are 0. @throws Error(kCorrupt) for a damaged file
AtlasCheck read_atlas(const std::filesystem::path& file);

/// Proves the values of all games in a file of a family from the definition: each value is the mex
/// of the values of its options. This includes games that do not stand for their class. Statistics
/// are counted anew. Every period that the file calls certified is proved by its theorem, as of a
/// table, and so is every equality that follows from codes.
/// `samples` is of the heaps of each game; unset: 16 of each, of as many games as fit the time. The
/// digest is XXH3-128 of the digests of all classes: 16 numbers each, as 32-bit little-endian
/// integers.
/// @throws Error(kCorrupt) for a damaged file
AtlasCheck check_atlas(const ListCheckRequest& request, const Hooks& hooks = {});

/// Whether files of this kind are such lists: P-positions, misère play, censuses, families.
bool is_list(FileKind kind) noexcept;

/// Proves a list of any kind by the check of its kind, which grundy/list_check.hpp names. It uses
/// the hooks `stop` and `progress`.
/// @throws Error as that check, Error(kUsage) for a file of another kind
ListCheck check_list(const ListCheckRequest& request, const Hooks& hooks = {});

/// What a list of any kind holds. Its statistics are counted anew, and nothing is proved.
/// @throws Error as check_list()
ListCheck read_list(const std::filesystem::path& file);

/// The certificate of a check. It states the entries of ListCheck::proved_range. That of
/// read_list() says which file it is of, and proves nothing.
Certificate certificate_of(const ListCheck& check);

}  // namespace grundy
