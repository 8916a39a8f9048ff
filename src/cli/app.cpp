// SPDX-License-Identifier: MIT
#include "cli/app.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <unistd.h>

#include <grundy/error.hpp>
#include <grundy/version.hpp>

#include "cli/commands.hpp"
#include "cli/idle_cores.hpp"
#include "cli/parser.hpp"
#include "core/process.hpp"
#include "core/text.hpp"
#include "session/build_info.hpp"

namespace grundy::cli {
namespace {

/// CITATION.cff as an entry of BibTeX.
std::string citation_text() {
  std::string note = "the digest of a table identifies its values";
  if (!build_info::kCommit.empty()) note = fmt::format("source {}; {}", build_info::kCommit, note);
  return fmt::format(R"(@software{{grundy,
  author  = {{{{The grundy developers}}}},
  title   = {{{{grundy: Grundy tables of impartial games, in parallel, into HDF5}}}},
  version = {{{}}},
  note    = {{{}}}
}}
)",
                     GRUNDY_VERSION, note);
}

std::string version_text() {
  return fmt::format("grundy {}{}{}\n", GRUNDY_VERSION, build_info::kCommit.empty() ? "" : " ",
                     build_info::kCommit);
}

constexpr const char* kNoMemory = "the system has no more memory for this";

constexpr const char* kFooter =
    R"(GAME is a name (`grundy games` lists them), a take-and-break code (0.77, .007, 4.3, 4!.0), also
with a pass in one heap ('4.3646 pass 4'), a subtraction set (S{1,2,5}, AllBut{2,4}, S{squares}) or
formulas for what n tokens may become ('n -> n - d : d | n, d < n'). N is 1000, 1e9, 2^32 or 10^6-1.
Tables start at heap 0. `-` in place of a file to write means standard output for `grundy export -o`
alone; other options refuse it.

Ranks that MPI has started with `grundy-mpi` share the work of `atlas`, `verify` and `compute`.

Exit codes: 0 done, 1 failure, 2 usage, 3 values do not match, 4 corrupt or foreign file,
75 stopped by a signal, with nothing half-written and what was finished sealed (`verify` of a range: 1 if
it was stopped before it proved anything more). A second signal n ends at once with 128 + n, and seals
nothing.

Examples:
  grundy compute kayles --to 1e9 -o kayles.h5
  grundy query kayles.h5 10^18
  grundy period 0.156
)";

/// A file that this program opens must never get the number of a standard stream that the caller
/// has closed, or messages would be written into the file.
void occupy_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1) continue;
    // What is written to standard output must fail there, for it is lost.
    const int access = descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR;
    if (::open("/dev/null", access) != descriptor) return;
  }
}

Option quiet_option(Console& console) {
  return {.names = "-q,--quiet",
          .target = &console.quiet,
          .help = "No narration and no progress on standard error"};
}

/// The options of every command but `generate`, which prints nothing else.
std::vector<Option> common_options(Console& console) {
  return {
      {.names = "--json",
       .target = &console.json,
       .help = "Print one JSON object; a failure is one on standard error"},
      quiet_option(console),
  };
}

/// Adds the commands in the order of the help.
void add_commands(Program& program, Console& console) {
  for (const auto describe :
       {compute_command, resume_command,  info_command,  query_command,    period_command,
        atlas_command,   census_command,  stats_command, export_command,   merge_command,
        verify_command,  release_command, sum_command,   equal_command,    genus_command,
        count_command,   nim_command,     games_command, cpu_info_command, selftest_command}) {
    std::vector<Option>& options = program.commands.emplace_back(describe(console)).options;
    // Behind those of the command, and before those that stand under a heading.
    const auto headed =
        std::ranges::find_if(options, [](const Option& o) { return !o.group.empty(); });
    const std::vector<Option> common = common_options(console);
    options.insert(headed, common.begin(), common.end());
  }
  program.commands.push_back(generate_command(console, program));
}

/// @param launched the team that MPI has started, even if it is one rank; null: there is none
int parse_and_run(int argc, char** argv, Console& console, Team* launched) {
  bool version = false;
  bool citation = false;
  Program program;
  program.self.name = launched != nullptr ? "grundy-mpi" : "grundy";
  program.self.help =
      "Grundy values of impartial games: very large tables, in parallel, into HDF5.";
  program.self.add({
      {.names = "--version", .target = &version, .help = "Print the version and exit"},
      quiet_option(console),
      {.names = "--citation", .target = &citation, .help = "How to cite this program, as BibTeX"},
  });
  program.self.footer = kFooter;
  add_commands(program, console);
  console.command_line = program.self.name;
  for (int i = 1; i < argc; ++i) console.command_line += " " + shell_word(argv[i]);
  Parsed parsed;
  try {
    parsed = parse(program, argc, argv);
  } catch (const Error&) {
    console.json = std::find(argv, argv + argc, std::string_view("--json")) != argv + argc;
    throw;
  }
  int code = 0;
  if (!console.is_first() && parsed.command == nullptr) return 0;
  if (!parsed.help.empty()) {
    console.out().write(parsed.help);
  } else if (version) {
    console.out().write(version_text());
  } else if (citation) {
    console.out().write(citation_text());
  } else if (parsed.command != nullptr) {
    if (!console.is_first()) console.quiet = true;
    if (console.team != nullptr && !parsed.command->is_shared) {
      throw Error(
          ErrorCode::kUsage,
          fmt::format(
              "`{}` runs on one rank, not on {}; several share `atlas`, `verify` and `compute`",
              parsed.command->name, console.team->size()));
    }
    if (launched != nullptr && parsed.command->is_shared) {
      if (const auto sentence = idle_cores(*launched)) console.note(*sentence);
    }
    code = parsed.command->run(*parsed.command);
  } else {
    throw Error(ErrorCode::kUsage, "no command was given; `grundy --help` lists them");
  }
  console.out().commit();
  return code;
}

/// The last message, about an exception that is not an Error. Allocates nothing.
[[noreturn]] void give_up() noexcept {
  const char* reason = "an unknown error has occurred";
  try {
    if (const auto error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    reason = kNoMemory;
  } catch (...) {
  }
  write_error_line(reason);
  ::_exit(exit_code(ErrorCode::kFailure));
}

}  // namespace

int run(int argc, char** argv, Team* team) noexcept {
  try {
    // Some destructors allocate (those of JSON objects), and nothing can be thrown out of them.
    std::set_terminate(give_up);
    occupy_standard_streams();
    keep_freed_memory();
    ::signal(SIGPIPE, SIG_IGN);
    ::signal(SIGXFSZ, SIG_IGN);
    Console console;
    // One rank is not a team.
    if (team != nullptr && team->size() > 1) console.team = team;
    try {
      return parse_and_run(argc, argv, console, team);
    } catch (const Error& error) {
      return console.fail(error);
    } catch (const std::bad_alloc&) {
      return console.fail(exit_code(ErrorCode::kFailure), kNoMemory);
    } catch (const std::exception& error) {
      return console.fail(exit_code(ErrorCode::kFailure), error.what());
    }
  } catch (...) {
    give_up();
  }
}

}  // namespace grundy::cli
