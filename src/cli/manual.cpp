// SPDX-License-Identifier: MIT
#include "cli/manual.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <grundy/version.hpp>

namespace grundy::cli {
namespace {

/// The sections that are not made from descriptions of options.
constexpr std::string_view kLastSections = R"(.SH EXIT STATUS
.TP
.B 0
The command did what was asked.
.TP
.B 1
The work could not be done: memory, disk or operating system.
.TP
.B 2
The arguments are malformed or ask for something impossible.
.TP
.B 3
Values do not match the definition of the game, or two ways to compute them differ.
.TP
.B 4
A file is damaged, foreign or of another format.
.TP
.B 75
A signal stopped the command. Nothing is half\-written, and what was finished is sealed.
.PP
Every failure is one sentence on standard error. With \fB\-\-json\fR it is one object on one line,
the last one of standard error: \fIcode\fR is the exit status, \fImessage\fR the sentence. Standard
output holds results only.
.SH SIGNALS
.TP
.BR SIGINT ", " SIGTERM ", " SIGHUP ", " SIGALRM ", " SIGXCPU
End the computation after the block at work: seal what is finished and exit with 75. The second one
ends the process at once; what was sealed before stays.
.TP
.B SIGUSR1
Seal what is finished and go on.
.TP
.B SIGUSR2
Print progress, remaining time (of a search, memory) and what is sealed on standard error.
.TP
.B SIGPIPE
Is ignored: a command whose reader goes away ends quietly.
.SH ENVIRONMENT
.TP
.B GRUNDY_KERNEL
The kernel that is used unless \fB\-\-kernel\fR names one; \fBgrundy cpu\-info\fR lists them.
.TP
.B NO_COLOR
If it is set, the progress bar has no colours.
.TP
.B SOURCE_DATE_EPOCH
The time that tables record instead of the present one, in seconds since 1970.
.TP
.BR SLURM_ARRAY_TASK_ID ", " SLURM_ARRAY_TASK_MIN ", " SLURM_ARRAY_TASK_MAX ", " \
SLURM_ARRAY_TASK_STEP ", " SLURM_ARRAY_TASK_COUNT
Which share of the work \fB\-\-part auto\fR is: Slurm sets them in the jobs of an array.
.TP
.BR SLURM_JOB_ID ", " SLURM_RESTART_COUNT
Tell that a run which a job holds was started again by Slurm.
.TP
.B TMPDIR
Where \fBgrundy period\fR and \fBgrundy compute --stats-only\fR seal the states of long runs without an
output; /tmp if it is not set.
.SH FILES
.TP
.I FILE
The table that \fB\-o\fR names: HDF5, readable by any HDF5 library. It appears under this name when
it is complete and has been read back.
.TP
.IR FILE .run/
What a computation has sealed so far, its record and its lock. \fBgrundy resume\fR goes on from it;
it is removed when the table is in its place.
.TP
.IR FILE .stripes/
The same of a table that several ranks compute: a directory such as \fIFILE\fR.run/ for each stripe.
.TP
.IR STEM .parts/
The files with the values of a table in parts (\fB\-\-parts\fR); \fISTEM\fR is \fIFILE\fR
without its suffix.
.TP
.IR FILE .atlas/
The tables of games that \fBgrundy atlas \-o\fR \fIFILE\fR has finished; it is removed when
\fIFILE\fR is there.
.TP
.IR FILE . A \- B .json
The certificate of \fBgrundy verify \-\-range\fR \fIA\fR:\fIB\fR.
.TP
.IR RULES .toml
A rule of one heap or of several, in place of the name of a game.
)";

/// Escapes running text: keeps backslashes and dashes, and lets no line look like a request.
std::string escaped(std::string_view text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    line_start = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

/// `-o, --output` in bold.
std::string bold_names(std::string_view names) {
  std::string text;
  for (std::size_t begin = 0; begin < names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    text += fmt::format("{}\\fB{}\\fR", text.empty() ? "" : ", ",
                        escaped(names.substr(begin, end - begin)));
    begin = end + 1;
  }
  return text;
}

void add_options(std::string& page, const Command& command) {
  for (const bool positional : {true, false}) {
    for (const Option& option : command.options) {
      if (option.positional() != positional) continue;
      std::string head =
          positional ? fmt::format("\\fI{}\\fR", escaped(option.names)) : bold_names(option.names);
      if (!option.value.empty()) head += fmt::format(" \\fI{}\\fR", escaped(option.value));
      page += fmt::format(".TP\n{}\n{}\n", head, escaped(option.help));
    }
  }
  page += fmt::format(".TP\n{}\n{}\n", bold_names(kHelpFlag), kHelpText);
}

/// Adds a footer with its line breaks, because it holds examples.
void add_footer(std::string& page, const Command& command) {
  if (command.footer.empty()) return;
  page += ".PP\n.nf\n" + escaped(command.footer);
  if (page.back() != '\n') page += '\n';
  page += ".fi\n";
}

std::string synopsis(const Command& command) {
  std::string text = fmt::format("\\fBgrundy {}\\fR", escaped(command.name));
  for (const Option& option : command.options) {
    if (option.positional()) text += fmt::format(" \\fI{}\\fR", escaped(option.names));
  }
  return text + " [options]";
}

}  // namespace

std::string manual_page(const Program& program) {
  std::string page = fmt::format(
      ".TH GRUNDY 1 \"\" \"grundy {}\" \"User Commands\"\n"
      ".SH NAME\ngrundy \\- Grundy values of impartial games\n"
      ".SH SYNOPSIS\n\\fBgrundy\\fR \\fIcommand\\fR [options]\n"
      ".SH DESCRIPTION\n{}\n",
      GRUNDY_VERSION, escaped(program.self.help));
  add_footer(page, program.self);
  page += ".SH OPTIONS\n";
  add_options(page, program.self);
  page += ".SH COMMANDS\n";
  for (const Command& command : program.commands) {
    page += fmt::format(".SS {}\n{}.\n.PP\n", synopsis(command), escaped(command.help));
    add_options(page, command);
    add_footer(page, command);
  }
  page += kLastSections;
  return page;
}

}  // namespace grundy::cli
