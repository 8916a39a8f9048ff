// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <grundy/error.hpp>
#include <grundy/file_kind.hpp>
#include <grundy/statistics.hpp>
#include <grundy/verify.hpp>

#include "cli/attended_run.hpp"
#include "cli/census_report.hpp"
#include "cli/certificate_output.hpp"
#include "cli/commands.hpp"
#include "cli/genera_report.hpp"
#include "cli/lattice_statistics_report.hpp"
#include "cli/outcomes_report.hpp"
#include "cli/p_positions_report.hpp"
#include "cli/part.hpp"
#include "cli/prediction_report.hpp"
#include "cli/run_options.hpp"
#include "cli/table_report.hpp"
#include "core/digest.hpp"
#include "core/names.hpp"
#include "core/text.hpp"
#include "table/file_kind.hpp"
#include "table/layout_text.hpp"

namespace grundy::cli {
namespace {

struct VerifyOptions {
  std::string file;
  std::string range;
  std::string part;
  std::vector<std::string> merge;
  std::string certificate;
  std::string samples;
  double seconds = 10;
  std::string seed;
  bool full = false;
  bool force = false;
  bool dry_run = false;
  RunOptions run;
};

/// Reads `A:B`, both included; a missing end is that of the table in `file`.
EntryRange parse_entries(const std::string& text, const std::string& file) {
  const auto colon = text.find(':');
  if (colon == std::string::npos) {
    throw Error(ErrorCode::kUsage,
                fmt::format("--range: {} is not of the form A:B", in_quotes(text)));
  }
  const std::string from = text.substr(0, colon);
  const std::string to = text.substr(colon + 1);
  EntryRange range;
  if (!from.empty()) range.first = count_option("--range", from);
  if (!to.empty()) {
    range.last = count_option("--range", to);
  } else {
    const HeapSize count = stored_entries(file);
    if (count == 0) throw Error(ErrorCode::kUsage, fmt::format("'{}' holds no values", file));
    range.last = count - 1;
  }
  return range;
}

/// The entries that --range or --part asks for.
std::optional<EntryRange> wanted_range(const VerifyOptions& options) {
  if (!options.part.empty()) return share_of_proof(options.file, parse_part(options.part));
  if (!options.range.empty()) return parse_entries(options.range, options.file);
  return std::nullopt;
}

/// Where the certificate is written; that of a range has a name of its own.
std::string certificate_path(const VerifyOptions& options, const std::optional<EntryRange>& range) {
  if (!options.certificate.empty() || !range) return options.certificate;
  return fmt::format("{}.{}-{}.json", options.file, range->first, range->last);
}

VerifyRequest make_verify_request(const Console& console, const VerifyOptions& options) {
  VerifyRequest request;
  request.table = options.file;
  set_machine_options(options.run, request.machine);
  request.force = options.force;
  if (!options.samples.empty()) request.samples = count_option("--samples", options.samples);
  if (!options.seed.empty()) request.seed = count_option("--seed", options.seed);
  if (!(options.seconds >= 0)) throw Error(ErrorCode::kUsage, "--seconds: less than 0");
  request.seconds = options.seconds;
  if (options.full) request.proof = ProofKind::kFull;
  request.team = console.team;
  std::optional<EntryRange> range = wanted_range(options);
  if (!range && request.team != nullptr) range = parse_entries(":", options.file);
  if (range) {
    request.proof = ProofKind::kRange;
    request.range = *range;
  }
  return request;
}

Json range_json(const EntryRange& range) {
  return {{"first", range.first}, {"last", range.last}};
}

Json ranges_json(const std::vector<EntryRange>& ranges) {
  Json list = Json::array();
  for (const EntryRange& range : ranges) list.push_back(range_json(range));
  return list;
}

void print_report_json(Console& console, const VerifyOptions& options, const VerifyReport& report,
                       const CertificateOutput& certificate) {
  const TableInfo& info = report.info;
  console.print_json({{"file", options.file},
                      {"ok", report.complete && !report.wrong},
                      {"complete", report.complete},
                      {"notation", info.canonical},
                      {"unit", report.unit},
                      {"entries", info.stats.count},
                      {"digest", to_hex(info.stats.digest)},
                      {"period", period_json(info.period)},
                      {"periodic_from", report.periodic_from},
                      {"period_proved", !report.period_proof.empty()},
                      {"method", report.method},
                      {"conspicuous", report.conspicuous},
                      {"random", report.random},
                      {"proved", report.proved ? range_json(*report.proved) : Json()},
                      {"wrong", report.wrong ? Json{{"entry", report.wrong->entry},
                                                    {"fault", report.wrong->sentence}}
                                             : Json()},
                      {"certificate", certificate.json()},
                      {"seconds", report.seconds}});
}

/// What was proved of the values.
std::string values_sentence(const VerifyReport& report) {
  if (report.proved) {
    return fmt::format("{} {} to {} are proved: {}", report.unit,
                       format_count(report.proved->first), format_count(report.proved->last),
                       report.method);
  }
  if (report.conspicuous + report.random == 0) return "nothing is proved: " + report.method;
  const std::string random = format_count(report.random);
  // A run of states is proved in whole intervals, and has no conspicuous heaps.
  if (!report.statement.empty()) {
    return fmt::format("{} {} of random intervals between seals are proved: {}", random,
                       report.unit, report.method);
  }
  return fmt::format("{} conspicuous and {} random {} are proved: {}",
                     format_count(report.conspicuous), random, report.unit, report.method);
}

void print_report(Console& console, const VerifyOptions& options, const VerifyReport& report) {
  const TableInfo& info = report.info;
  print_game(console, info.title, info.canonical, info.description);
  const bool is_run = std::filesystem::is_directory(options.file);
  const std::string count = format_count(info.stats.count);
  if (info.layout.is_lattice()) {
    console.field("shape", shape_text(info.layout));
    if (is_run) console.field("sealed", fmt::format("{} values", count));
  } else if (report.unit == "heaps" && info.stats.count > 0) {
    console.field(
        "heaps", fmt::format("0 to {} ({})", format_count(info.stats.count - 1), kIndexConvention));
  } else {
    console.field(report.unit, count);
  }
  const char* content = "all chunks, the digest of the table, histogram and records are right";
  if (is_run) content = "the record, the chain of segments and all their digests are right";
  if (report.unit == "positions") content = "the digest of the table and all counts are right";
  console.field("content", content);
  console.field("values", values_sentence(report));
  if (info.period.status == PeriodStatus::kCertified) {
    console.field(
        "period",
        report.period_proof.empty()
            ? fmt::format("proved by the part that has heap {}",
                          format_count(std::min(info.period.verified_to, info.stats.count) - 1))
            : report.period_proof);
  } else if (info.period.status == PeriodStatus::kCandidate) {
    console.field("period", "the candidate was seen as it says; it is not proved");
  }
  console.field("digest", digest_text(info));
  console.field("time", format_duration(std::chrono::duration<double>(report.seconds)));
}

/// Prints what the proof of a table or a run would need. Only the first of several ranks does so.
int print_proof_prediction(Console& console, const VerifyOptions& options,
                           const VerifyRequest& request) {
  if (!console.is_first()) return 0;
  AttendedRun run(console);
  const std::optional<Prediction> needs = predict(request, run.hooks());
  run.end();
  if (!needs) return console.fail(kExitStopped, "stopped before anything was known");
  if (console.json) {
    Json json = needs_json(console, *needs);
    json["file"] = options.file;
    if (request.proof == ProofKind::kRange) json["range"] = range_json(request.range);
    console.print_json(json);
    return 0;
  }
  if (request.proof == ProofKind::kRange) {
    console.field("range", fmt::format("{} to {}", format_count(request.range.first),
                                       format_count(request.range.last)));
  }
  console.field("method", needs->engine);
  print_needs(console, *needs);
  print_ranks(console, *needs);
  return 0;
}

/// The certificate that states nothing of what is in the file.
Certificate nothing_proved(const std::string& file) {
  if (std::filesystem::is_regular_file(file) && is_list(kind_of(file))) {
    return certificate_of(read_list(file));
  }
  VerifyReport report;
  report.info = stored_info(file);
  return certificate_of(report);
}

bool of_one_table(const Certificate& a, const Certificate& b) {
  return a.rule == b.rule && a.count == b.count && a.table_digest == b.table_digest;
}

/// @param file where the certificate is; empty: nowhere
int print_merged(Console& console, const Certificate& all, std::size_t certificates,
                 const std::string& file) {
  const std::vector<EntryRange> gaps = all.gaps();
  if (console.json) {
    console.print_json({{"ok", true},
                        {"complete", all.complete()},
                        {"notation", all.rule},
                        {"unit", all.unit},
                        {"entries", all.count},
                        {"digest", all.table_digest},
                        {"periodic_from", all.periodic_from},
                        {"period_proved", all.period_proved},
                        {"certificates", certificates},
                        {"proved", ranges_json(all.proved)},
                        {"gaps", ranges_json(gaps)},
                        {"certificate", file.empty() ? Json() : Json(file)}});
    return 0;
  }
  console.field("game", all.rule);
  console.field(all.unit, fmt::format("0 to {}", format_count(all.count - 1)));
  console.field("proved", gaps.empty()         ? fmt::format("every one, by {} certificates",
                                                             format_count(certificates))
                          : all.proved.empty() ? "none"
                                               : ranges_text(all.proved));
  if (!gaps.empty()) console.field("not proved", ranges_text(gaps));
  if (all.period.status == PeriodStatus::kCertified) {
    console.field("period", fmt::format("{}; {}", period_sentence(all.period),
                                        all.period_proved ? "proved again" : "not proved again"));
  }
  console.field("digest", fmt::format("XXH3-128 {}", all.table_digest));
  if (!file.empty()) console.field("certificate", file);
  return 0;
}

/// What a proof of the same table has left under this name; nothing if there is no file, another
/// one, or one that is to be replaced.
std::optional<Certificate> earlier_proof(const VerifyOptions& options, const std::string& name) {
  if (options.force || name.empty() || !std::filesystem::is_regular_file(name)) return {};
  std::optional<Certificate> earlier;
  try {
    earlier = Certificate::read(name);
  } catch (const Error&) {
    return {};  // no certificate
  }
  const Certificate table = nothing_proved(options.file);
  // They could not be merged otherwise.
  if (!of_one_table(*earlier, table) || earlier->period != table.period) earlier.reset();
  return earlier;
}

/// What a certificate leaves open of a range; nothing if it states all of it.
std::optional<EntryRange> rest_of(const EntryRange& range, const Certificate& certificate) {
  std::optional<EntryRange> rest;
  for (const EntryRange& gap : certificate.gaps()) {
    const EntryRange open{std::max(gap.first, range.first), std::min(gap.last, range.last)};
    if (open.first > open.last) continue;
    rest = EntryRange{rest.value_or(open).first, open.last};
  }
  return rest;
}

/// Proves a range into the certificate `name`. Goes on where a proof was stopped that has left one.
/// @param prove takes the range that is left, and where its certificate goes
template <class Prove>
int prove_range(Console& console, const VerifyOptions& options, const std::string& name,
                const EntryRange& range, const Prove& prove) {
  const std::string own = console.is_first() ? name : std::string();
  std::optional<Certificate> earlier = earlier_proof(options, name);
  if (!earlier) return prove(range, CertificateOutput(own, options.force, {}));
  const std::optional<EntryRange> rest = rest_of(range, *earlier);
  console.note(fmt::format(
      "'{}' states {}; {}", name,
      earlier->proved.empty() ? "nothing" : earlier->unit + " " + ranges_text(earlier->proved),
      rest ? "the rest is proved now" : "nothing is left to prove"));
  if (!rest) return console.is_first() ? print_merged(console, *earlier, 1, name) : 0;
  return prove(*rest, CertificateOutput(own, true, std::move(earlier)));
}

int prove(Console& console, const VerifyOptions& options, const VerifyRequest& request,
          CertificateOutput certificate) {
  AttendedRun run(console);
  const VerifyReport report = verify(request, run.hooks());
  run.end();
  if (!console.is_first()) return report.complete ? 0 : kExitStopped;
  // A part of a run without a table may have nothing to prove, but a merge needs its certificate
  // all the same.
  const bool is_part = report.complete && request.proof == ProofKind::kRange;
  if ((report.proved || is_part) && !report.wrong) certificate.write(certificate_of(report));
  if (console.json) print_report_json(console, options, report, certificate);
  if (report.wrong) {
    console.out().flush();
    throw Error(ErrorCode::kMismatch,
                fmt::format("'{}': {}", options.file, report.wrong->sentence));
  }
  if (!report.complete) {
    return console.fail(console.team != nullptr ? kExitStopped : certificate.exit_code_if_stopped(),
                        report.proved ? fmt::format("stopped; {}", values_sentence(report))
                                      : "stopped before anything was proved");
  }
  if (!console.json) print_report(console, options, report);
  constexpr const char* kReason =
      "a certificate states nothing of entries that were drawn; --range and --full prove all";
  if (console.json) {
    certificate.note(console, kReason);
  } else {
    certificate.print(console, kReason);
  }
  return 0;
}

int run_proof(Console& console, const VerifyOptions& options) {
  VerifyRequest request = make_verify_request(console, options);
  if (options.dry_run) return print_proof_prediction(console, options, request);
  if (request.proof != ProofKind::kRange) {
    return prove(console, options, request, {options.certificate, options.force});
  }
  return prove_range(console, options, certificate_path(options, request.range), request.range,
                     [&](const EntryRange& range, CertificateOutput certificate) {
                       request.range = range;
                       return prove(console, options, request, std::move(certificate));
                     });
}

/// The request to prove a list: random entries, a range, or all of them.
/// @param computes all values are computed again, which may take more memory than there is
ListCheckRequest list_proof(const Command& given, const VerifyOptions& options,
                            std::initializer_list<const char*> ignored, const char* what,
                            bool computes = false) {
  refuse_ignored(given, {"--engine", "--kernel", "--dry-run"}, what);
  refuse_ignored(given, ignored, what);
  const bool certifies =
      given.given("--certificate") || given.given("--range") || given.given("--part");
  if (!certifies && !computes) refuse_ignored(given, {"--force"}, what);
  if (!(options.seconds >= 0)) throw Error(ErrorCode::kUsage, "--seconds: less than 0");
  ListCheckRequest request;
  request.file = options.file;
  request.full = options.full;
  request.seconds = options.seconds;
  set_machine_options(options.run, request.machine);
  if (!options.samples.empty()) request.samples = count_option("--samples", options.samples);
  if (!options.seed.empty()) request.seed = count_option("--seed", options.seed);
  request.range = wanted_range(options);
  request.force = options.force;
  return request;
}

/// Proves misère play of one heap, from heap 0 on.
int run_genera_proof(Console& console, const Command& given, const VerifyOptions& options) {
  const ListCheckRequest request =
      list_proof(given, options, {"--part", "--samples", "--seed", "--threads", "--backend"},
                 "misère play of one heap");
  return verify_genera(console, request, {certificate_path(options, request.range), options.force});
}

int run_merge(Console& console, const VerifyOptions& options) {
  const std::string& first = options.merge.front();
  if (first.starts_with("--")) {
    throw Error(ErrorCode::kUsage,
                fmt::format("--merge: there are no certificates before {}", in_quotes(first)));
  }
  std::optional<Certificate> table;
  if (!options.file.empty()) table = nothing_proved(options.file);
  std::optional<Certificate> all;
  for (const std::string& name : options.merge) {
    const Certificate one = Certificate::read(name);
    if (table && !of_one_table(one, *table)) {
      throw Error(ErrorCode::kMismatch,
                  fmt::format("'{}' is of another table than '{}'", name, options.file));
    }
    try {
      all = all ? merge({*all, one}) : merge({one});
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("'{}' and '{}': {}", first, name, error.what()));
    }
  }
  if (!options.certificate.empty()) {
    ByteOutput out = ByteOutput::file(options.certificate, options.force);
    out.write(all->to_json());
    out.commit();
  }
  return print_merged(console, *all, options.merge.size(), options.certificate);
}

}  // namespace

Command verify_command(Console& console) {
  auto options = std::make_shared<VerifyOptions>();
  Command command{.name = "verify", .help = "Check a table and prove its values"};
  command.add({
      {.names = "FILE",
       .target = &options->file,
       .help = "A table or list written by `grundy compute`, a census, a family of games, or the "
               "directory of a run; for statistics, that of theirs"},
      {.names = "--range",
       .value = "A:B",
       .target = &options->range,
       .help =
           "Prove heaps A to B from the stored table alone; rows of a census, games of a family",
       .excludes = {"--full", "--merge", "--part"}},
      {.names = "--part",
       .value = "i/N",
       .target = &options->part,
       .help = "Prove the i-th of N ranges that take equally long, on one of N machines; auto: as "
               "the job of a Slurm array",
       .excludes = {"--full", "--merge"}},
      {.names = "--full",
       .target = &options->full,
       .help =
           "Compute every value again with another engine and compare; in a table of positions, "
           "prove every row",
       .excludes = {"--merge"}},
      {.names = "--merge",
       .value = "CERTIFICATE",
       .target = &options->merge,
       .help = "Join certificates of ranges of one table"},
      {.names = "--certificate",
       .value = "CERTIFICATE",
       .target = &options->certificate,
       .help = "Where to write what was proved; without it, --range and --part write "
               "FILE.A-B.json, named after the table. Entries that were drawn are not stated",
       .writes = Writes::kOther},
      {.names = "--samples",
       .value = "K",
       .target = &options->samples,
       .help = "Random heaps; as many as fit by default",
       .excludes = {"--range", "--part", "--full", "--merge"}},
      {.names = "--seconds",
       .value = "S",
       .target = &options->seconds,
       .help = "Time for single heaps",
       .excludes = {"--range", "--part", "--full", "--merge"}},
      {.names = "--seed",
       .value = "N",
       .target = &options->seed,
       .help = "Seed for the choice of random heaps",
       .excludes = {"--range", "--part", "--full", "--merge"}},
      {.names = "--dry-run",
       .target = &options->dry_run,
       .help = "Predict time and memory, and prove nothing: of tables and runs, not of lists of "
               "P-positions, censuses, families and misère play of one heap. The time of "
               "--samples K is not known, nor that of positions that --engine computes anew",
       .excludes = {"--merge", "--certificate"}},
      force_option(options->force, "Replace a certificate, and run although memory is short"),
  });
  command.add(machine_options(options->run));
  command.footer = R"(Always: structure, the digest of every chunk and of the table, histogram and
records counted anew, no unwritten values, the period. Then values are proved from the definition:
single heaps by default, every heap of a range with --range, every heap by another engine with
--full. Ranges may be proved on different machines and their certificates merged; a merge says what
is not proved yet, and ends with 0 all the same: scripts ask for `complete` in the certificate or in
--json. A range of which a certificate was left by a proof that was stopped is proved from there on,
with --force anew; the code is 1 if it is stopped before it has proved anything more. Of a run directory
FILE.run, the heaps that are sealed are verified in the same ways. Of a run with --stats-only the
intervals between seals are computed again: --full all of them, --range and --part those that end
there, otherwise random ones, K with --samples, by the engine `sparse`, the only one that goes on
from a state, with any --kernel and --threads; the period is proved from the seals, of several parts by one. The
statistics of such a run are compared with its directory, which is verified then. Statistics of several heaps are
counted again as a whole, with another kernel. Of several heaps, a range is one of
entries: of a table in its order, of a run in the order in which they were sealed. Of a game on
positions it is one of rows; --full proves every row from its moves and the stored rows they lead to,
and that the start position reaches it; with --engine it computes the table anew as well. Options of
positions that the table records are compared with the moves. Of a census, rows are proved: random ones,
or all with --full; of a family of games, periods by their theorems and random heaps of each game, or all; of a file of outcomes,
positions, by their moves and the list; of misère play of one heap, the first heaps with all positions
that are reached from them, with --range 0:B however long that takes, and --full finds all genera again. Rows of a census
and games of a family, in the order of the file, are proved in ranges and parts, too. A certificate states ranges or the whole, nothing that was
drawn; of misère play of one heap, the heaps that were proved. A range A:B of several heaps keeps all
values up to B in memory and is refused with the figure if they do not fit; samples keep what fits.
Under MPI the ranks of `grundy-mpi verify` share all values of FILE, or a range.

Exit codes: 3 if a value is wrong (the first such heap is named), 4 if the file is damaged.

Examples:
  grundy verify kayles.h5
  grundy verify kayles.h5 --full
  grundy verify grundy.h5 --range 0:500000 --dry-run
  grundy verify grundy.h5 --range 0:500000 --certificate a.json
  grundy verify grundy.h5 --range 500000:10^6 --certificate b.json
  grundy verify officers.h5.run --part 2/8 --threads 4 --certificate p2.json
  grundy verify sets.h5 --part 1/4 --certificate c1.json
  grundy verify grundy.h5 --merge a.json b.json --certificate all.json
)";
  command.is_shared = true;
  command.run = [&console, options](const Command& given) {
    if (console.team != nullptr) {
      refuse_ignored(given, {"--part", "--full", "--merge", "--samples", "--seed", "--seconds"},
                     "ranks, which share a proof of all values or of --range");
    }
    if (!options->merge.empty()) {
      refuse_ignored(given, {"--engine", "--kernel", "--threads", "--backend", "--memory"},
                     "certificates, which are joined");
      return run_merge(console, *options);
    }
    if (options->file.empty()) {
      throw Error(ErrorCode::kUsage, "FILE is required; --help shows what is expected");
    }
    // Certificates are named after the file.
    while (options->file.size() > 1 && options->file.back() == '/') options->file.pop_back();
    if (!std::filesystem::is_regular_file(options->file)) return run_proof(console, *options);
    const FileKind kind = kind_of(options->file);
    if (console.team == nullptr) {
      const auto list = [&](const char* what, std::initializer_list<const char*> ignored,
                            const auto& prove) {
        ListCheckRequest request =
            list_proof(given, *options, ignored, what, kind == FileKind::kLatticeStatistics);
        if (!request.range) return prove(console, request, {options->certificate, options->force});
        return prove_range(console, *options, certificate_path(*options, request.range),
                           *request.range,
                           [&](const EntryRange& range, CertificateOutput certificate) {
                             request.range = range;
                             return prove(console, request, std::move(certificate));
                           });
      };
      const auto outcomes = [&](const auto& prove) {
        return list("outcomes", {"--range", "--part"}, prove);
      };
      switch (kind) {
        case FileKind::kCensus:
        case FileKind::kRuleCensus:
          return list("a census", {"--memory"}, verify_census);
        case FileKind::kAtlas:
          return list("a family of games", {"--memory"}, verify_atlas);
        case FileKind::kGenera:
          return run_genera_proof(console, given, *options);
        case FileKind::kOutcomes:
          return outcomes(verify_outcomes);
        case FileKind::kPPositions:
          return outcomes(verify_list);
        case FileKind::kLatticeStatistics:
          return list("statistics of several heaps, which are counted again as a whole",
                      {"--range", "--part", "--samples", "--seed", "--seconds"},
                      verify_lattice_statistics);
        default:
          break;  // a table, or statistics
      }
    }
    if (kind == FileKind::kStatistics) {
      const std::string run = run_of_statistics(options->file).string();
      console.note(
          fmt::format("'{}' agrees with itself and with what is sealed in '{}', from which its "
                      "values are proved",
                      options->file, run));
      options->file = run;
    }
    return run_proof(console, *options);
  };
  return command;
}

}  // namespace grundy::cli
