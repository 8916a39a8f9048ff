// SPDX-License-Identifier: MIT
#include "cli/app.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <grundy/error.hpp>

#include "cli/commands.hpp"
#include "session/build_info.hpp"

namespace grundy::cli {
namespace {

constexpr std::array kCommands{add_compute,  add_resume,  add_info,     add_query,  add_period,
                               add_atlas,    add_stats,   add_generate, add_export, add_verify,
                               add_sum,      add_equal,   add_count,    add_nim,    add_games,
                               add_cpu_info, add_selftest};

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
                     build_info::kVersion, note);
}

constexpr const char* kFooter =
    R"(GAME is a name (`grundy games` lists them), a take-and-break code (0.77, .007, 4.3, 4!.0) or a
subtraction set (S{1,2,5}, AllBut{2,4}, S{squares}). N is 1000, 1e9, 2^32 or 10^6-1.
Tables start at heap 0.

Exit codes: 0 done, 1 failure, 2 usage, 3 values do not match, 4 corrupt or foreign file,
75 stopped by a signal, with nothing half-written and what was finished sealed.

Examples:
  grundy compute kayles --to 1e9 -o kayles.h5
  grundy query kayles.h5 10^18
  grundy period 0.156
)";

/// A file opened by this program must never get the number of a standard stream that the caller has
/// closed, or messages would end up in it.
void occupy_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1) continue;
    if (::open("/dev/null", O_RDWR) != descriptor) return;
  }
}

/// One line, whatever a message holds.
std::string one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

int fail(ErrorCode code, const std::string& message) {
  write_error_line(one_line(message));
  return static_cast<int>(code);
}

/// Help and version are results; everything else the parser throws is a usage error.
int finish_parsing(const CLI::App& app, const CLI::ParseError& error, Console& console) {
  if (error.get_exit_code() != 0) {
    return fail(ErrorCode::kUsage, one_line(error.what()) + "; --help shows what is expected");
  }
  std::ostringstream text;
  app.exit(error, text, text);
  console.print("{}", text.str());
  console.out().commit();
  return 0;
}

int parse_and_run(int argc, char** argv) {
  Console console;
  CLI::App app("Grundy values of impartial games: very large tables, in parallel, into HDF5.",
               "grundy");
  app.set_version_flag("--version",
                       fmt::format("grundy {}{}{}", build_info::kVersion,
                                   build_info::kCommit.empty() ? "" : " ", build_info::kCommit));
  bool citation = false;
  app.add_flag("--citation", citation, "How to cite this program, as BibTeX");
  app.footer(kFooter);
  app.require_subcommand(0, 1);
  std::vector<Command> commands;
  for (const auto add : kCommands) commands.push_back(add(app, console));
  console.command_line = fmt::format("grundy {}", fmt::join(argv + 1, argv + argc, " "));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return finish_parsing(app, error, console);
  }
  if (citation) {
    console.print("{}", citation_text());
    console.out().commit();
    return 0;
  }
  const auto chosen = std::find_if(commands.begin(), commands.end(),
                                   [](const Command& c) { return c.parser->parsed(); });
  if (chosen == commands.end()) {
    throw Error(ErrorCode::kUsage, "no command was given; `grundy --help` lists them");
  }
  const int code = chosen->run();
  console.out().commit();
  return code;
}

/// The last word about an exception that is none of ours. Allocates nothing.
[[noreturn]] void give_up() noexcept {
  const char* reason = "an unknown error has occurred";
  try {
    if (const auto error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    reason = "the system has no more memory for this";
  } catch (...) {
  }
  write_error_line(reason);
  ::_exit(static_cast<int>(ErrorCode::kFailure));
}

}  // namespace

void add_common_options(CLI::App& command, Console& console) {
  command.add_flag("--json", console.json, "Print one JSON object");
  command.add_flag("-q,--quiet", console.quiet, "No narration and no progress on standard error");
}

int run(int argc, char** argv) noexcept {
  try {
    try {
      // Some destructors allocate (those of JSON objects), and nothing unwinds out of them.
      std::set_terminate(give_up);
      occupy_standard_streams();
      ::signal(SIGPIPE, SIG_IGN);
      ::signal(SIGXFSZ, SIG_IGN);
      return parse_and_run(argc, argv);
    } catch (const Error& error) {
      return fail(error.code(), error.what());
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      return fail(ErrorCode::kFailure, error.what());
    }
  } catch (...) {
    give_up();
  }
}

}  // namespace grundy::cli
