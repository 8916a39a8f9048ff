// SPDX-License-Identifier: MIT
#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <grundy/error.hpp>
#include <grundy/release.hpp>

#include "cli/attended_run.hpp"
#include "cli/commands.hpp"
#include "cli/run_options.hpp"
#include "core/text.hpp"
#include "table/file_kind.hpp"

namespace grundy::cli {
namespace {

namespace fs = std::filesystem;

/// The directory of the scripts: beside the directory of the command, wherever both are installed.
fs::path scripts_directory() {
  std::error_code error;
  const fs::path command = fs::read_symlink("/proc/self/exe", error);
  return command.parent_path().parent_path() / "share" / "grundy";
}

/// Runs a program of PATH without output. Returns whether it succeeded.
bool run_silently(std::array<const char*, 6> words) {
  posix_spawn_file_actions_t actions;
  if (::posix_spawn_file_actions_init(&actions) != 0) return false;
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
  }
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, words[0], &actions, nullptr,
                                    const_cast<char* const*>(words.data()), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  return failed == 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

/// The script that draws a table of one or several heaps, or a list of P-positions.
const char* script_for(const TableInfo& info, const fs::path& file) {
  const FileKind kind = kind_of(file);
  if (kind == FileKind::kOutcomes || kind == FileKind::kPPositions) return "plot_p_positions.py";
  return info.layout.is_lattice() ? "plot_lattice.py" : "plot_table.py";
}

/// Draws a file into a new file with the Python scripts that are installed with the command.
/// Returns whether it could: the scripts, Python or the modules that they import may be missing.
bool draw_table(const TableInfo& info, const fs::path& table, const fs::path& picture) {
  const fs::path script = scripts_directory() / script_for(info, table);
  std::error_code error;
  if (!fs::exists(script, error)) return false;
  // The first Python of PATH may lack Debian's modules.
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    if (run_silently({python, script.c_str(), table.c_str(), "-o", picture.c_str(), nullptr})) {
      return fs::exists(picture, error);
    }
  }
  return false;
}

struct ReleaseOptions {
  std::string directory;
  std::vector<std::string> tables;
  std::vector<std::string> creators;
  std::string title;
  std::string licence = ReleaseRequest().licence;
  std::string doi;
  std::string stamp;
  std::string entries;
  double seconds = ReleaseRequest().seconds;
  std::string threads;
  bool no_figures = false;
  bool force = false;
};

ReleaseRequest make_release_request(const ReleaseOptions& options) {
  ReleaseRequest request;
  request.directory = options.directory;
  request.tables.assign(options.tables.begin(), options.tables.end());
  for (const std::string& text : options.creators) {
    request.creators.push_back(parse_creator(text));
  }
  request.title = options.title;
  request.licence = options.licence;
  request.doi = options.doi;
  if (!options.entries.empty()) request.entries = count_option("--entries", options.entries);
  request.seconds = options.seconds;
  if (!options.threads.empty()) {
    request.machine.threads = count_option("--threads", options.threads);
  }
  request.force = options.force;
  if (!options.no_figures) request.draw = draw_table;
  return request;
}

Json release_json(const std::string& directory, const ReleaseReport& report) {
  Json tables = Json::array();
  for (const ReleasedTable& table : report.tables) {
    tables.push_back({{"file", table.file},
                      {"digest", table.digest},
                      {"unit", table.unit},
                      {"entries", table.entries},
                      {"proved", table.proved}});
  }
  return {{"directory", directory},
          {"doi", report.doi},
          {"tables", tables},
          {"undrawn", report.undrawn},
          {"files", report.files}};
}

int tell(Console& console, const ReleaseOptions& options, const ReleaseReport& report) {
  if (console.json) {
    console.print_json(release_json(options.directory, report));
    return 0;
  }
  for (const ReleasedTable& table : report.tables) {
    console.field("table", table.file);
    console.field("proved",
                  table.proved == table.entries
                      ? fmt::format("all {} {}", format_count(table.entries), table.unit)
                      : fmt::format("a sample, and {} of {} {}", format_count(table.proved),
                                    format_count(table.entries), table.unit));
    console.field("digest", fmt::format("XXH3-128 {}", table.digest));
  }
  if (!report.undrawn.empty()) {
    console.field("figures",
                  fmt::format("none of {}: the scripts, Python or Matplotlib are missing",
                              fmt::join(report.undrawn, ", ")));
  }
  console.field("DOI",
                report.doi == kDoiPlaceholder
                    ? fmt::format("none yet: grundy release --stamp-doi DOI {}", options.directory)
                    : report.doi);
  console.field("directory", fmt::format("{}, {} files", options.directory, report.files.size()));
  console.field("check with", fmt::format("sh {}", shell_word(options.directory + "/verify.sh")));
  return 0;
}

int run_release(Console& console, const ReleaseOptions& options) {
  const ReleaseRequest request = make_release_request(options);
  AttendedRun run(console, "entries");
  const ReleaseReport report = make_release(request, run.hooks());
  run.end();
  if (!report.complete) return console.fail(kExitStopped, "stopped; no directory was made");
  return tell(console, options, report);
}

}  // namespace

Command release_command(Console& console) {
  auto options = std::make_shared<ReleaseOptions>();
  Command command{.name = "release",
                  .help = "Make a data set of tables and lists that can be published"};
  command.add({
      {.names = "DIR",
       .target = &options->directory,
       .help = "The directory of the data set, which is made",
       .required = true,
       .writes = Writes::kOther},
      {.names = "TABLE",
       .target = &options->tables,
       .help = "Tables, lists of P-positions and misère play of one heap, written by `grundy "
               "compute`, censuses, families"},
      {.names = "--creator",
       .value = "NAME",
       .target = &options->creators,
       .help = "Who made the data set: \"Family, Given\" or an organisation; behind semicolons an "
               "ORCID, an e-mail address, an affiliation. Several times for several creators",
       .one_a_time = true},
      {.names = "--title",
       .value = "TEXT",
       .target = &options->title,
       .help = "Title of the data set; made from the games by default"},
      {.names = "--license",
       .value = "ID",
       .target = &options->licence,
       .help = "CC0-1.0, CC-BY-4.0 or CC-BY-SA-4.0",
       .offers = {"CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0"}},
      {.names = "--doi",
       .value = "DOI",
       .target = &options->doi,
       .help = "DOI of the data set, if it has one; else a placeholder"},
      {.names = "--stamp-doi",
       .value = "DOI",
       .target = &options->stamp,
       .help = "Put a DOI in the place of the placeholder, in all files of DIR",
       .excludes = {"TABLE", "--creator", "--title", "--license", "--doi"}},
      {.names = "--entries",
       .value = "N",
       .target = &options->entries,
       .help = "Most values of a table in its b-file and CSV file; 100000 by default, 0: no such "
               "files"},
      {.names = "--seconds",
       .value = "S",
       .target = &options->seconds,
       .help = "Time for the proofs of a table, twice: random values, and a range"},
      {.names = "--threads",
       .value = "N",
       .target = &options->threads,
       .help = "Threads of the proofs"},
      {.names = "--no-figures", .target = &options->no_figures, .help = "Draw no pictures"},
      force_option(options->force, "Replace a release, or the DOI of one; nothing else"),
  });
  command.footer =
      R"(The directory gets copies of the tables with the attributes of ACDD 1.3, their certificates, the
first values as b-file and CSV, pictures, README.md, LICENSE, CITATION.cff, .zenodo.json,
ro-crate-metadata.json, SHA256SUMS and verify.sh, which checks everything from the directory alone.
It is made whole or not at all. Each table is verified first. Lists of P-positions, censuses and
families of games get certificates that state all of it, if --seconds are enough to prove that, or
nothing; misère play of one heap is proved from heap 0 on. Certificates that lie beside a table or a
list (*.json, of `grundy verify --certificate`) are joined. If there are none, values of a table are
proved from the first on as long as --seconds allows. Values are facts: the licence is CC0-1.0 unless
you choose another one.
--stamp-doi changes attributes and texts; the digests of the values stay. README.md and the other
texts may be changed by hand before that.

Examples:
  grundy release kayles-data kayles.h5 --creator "Lovelace, Ada"
  grundy release data kayles.h5 wythoff.h5 cram.h5 --creator "Lovelace, Ada; 0000-0002-1825-0097"
  grundy release lost-data outcomes.h5 sets.h5 --creator "The Club"
  grundy release --stamp-doi 10.5281/zenodo.1234567 kayles-data
  sh kayles-data/verify.sh
)";
  command.run = [&console, options](const Command& given) {
    if (options->stamp.empty()) return run_release(console, *options);
    refuse_ignored(given, {"--entries", "--seconds", "--threads", "--no-figures"}, "--stamp-doi");
    return tell(console, *options, stamp_doi(options->directory, options->stamp, options->force));
  };
  return command;
}

}  // namespace grundy::cli
