/// @file
/// The manual and the completions, compared with the help texts of the commands.
// SPDX-License-Identifier: MIT
#include <cctype>
#include <regex>
#include <set>
#include <sstream>

#include <gmock/gmock.h>

#include "cli/run_grundy.hpp"

namespace grundy::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Generate : public CommandTest {
 protected:
  std::string out(const std::vector<std::string>& words) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  }

  /// The words of the list below "Subcommands:".
  std::vector<std::string> commands() {
    std::istringstream help(out({"--help"}));
    std::vector<std::string> names;
    bool listed = false;
    for (std::string line; std::getline(help, line);) {
      if (listed && line.empty()) break;
      if (listed && line.starts_with("  ") && line[2] != ' ') {
        names.push_back(line.substr(2, line.find(' ', 2) - 2));
      }
      if (line.starts_with("Subcommands:")) listed = true;
    }
    return names;
  }

  /// All options, long and short, that a help text lists at the beginning of lines.
  static std::set<std::string> options(const std::string& help) {
    std::set<std::string> found;
    std::istringstream lines(help);
    const std::regex head("^  (-[-A-Za-z,]+)");
    const std::regex option("--?[A-Za-z][-A-Za-z]*");
    for (std::string line; std::getline(lines, line);) {
      std::smatch match;
      if (!std::regex_search(line, match, head)) continue;
      const std::string names = match[1];
      for (std::sregex_iterator i(names.begin(), names.end(), option), end; i != end; ++i) {
        found.insert(i->str());
      }
    }
    return found;
  }
};

/// The page as a reader sees it: without font changes and escapes.
std::string rendered(std::string page) {
  page = std::regex_replace(page, std::regex("\\\\f[BIR]"), "");
  return std::regex_replace(page, std::regex("\\\\-"), "-");
}

TEST_F(Generate, EveryOptionOfEveryHelpIsInTheManual) {
  const std::string page = rendered(out({"generate", "man"}));
  EXPECT_THAT(page, StartsWith(".TH GRUNDY 1 "));
  const auto names = commands();
  ASSERT_GT(names.size(), 12u);
  for (const std::string& command : names) {
    const auto begin = page.find("\n.SS grundy " + command);
    ASSERT_NE(begin, std::string::npos) << command;
    const std::string section = page.substr(begin, page.find("\n.SS ", begin + 1) - begin);
    const auto wanted = options(out({command, "--help"}));
    EXPECT_TRUE(wanted.contains("--help")) << command;
    for (const std::string& option : wanted) {
      EXPECT_TRUE(std::regex_search(section, std::regex("\n([^\n]*, )?" + option + "[ ,\n]")))
          << command << ' ' << option;
    }
  }
  for (const std::string& option : options(out({"--help"}))) EXPECT_THAT(page, HasSubstr(option));
}

// CTest reports the suite of a skipped case as skipped: each of these is a suite.
using Groff = Generate;
using Zsh = Generate;

TEST_F(Groff, ReadsTheManualWithoutWarnings) {
  const Outcome outcome = shell(
      "command -v groff >/dev/null || exit 77; "
      "$GRUNDY generate man | groff -man -Tutf8 -ww -z");
  if (outcome.code == 77) GTEST_SKIP() << "no groff";
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Generate, BashCompletes) {
  const auto completed = [&](const std::string& words, int at) {
    return shell("export GRUNDY; bash -c 'source <($GRUNDY generate bash); COMP_WORDS=(" + words +
                 "); COMP_CWORD=" + std::to_string(at) + "; _grundy; echo ${COMPREPLY[@]}'")
        .out;
  };
  EXPECT_EQ(completed("grundy comp", 1), "compute\n");
  EXPECT_EQ(completed("grundy compute --thr", 2), "--threads\n");
  EXPECT_EQ(completed("grundy atlas 0.dd --su", 3), "--summary\n");
  EXPECT_EQ(completed("grundy info ker", 2), "\n");  // left to the names of files
  EXPECT_EQ(completed("grundy compute kayle", 2), "kayles\n");
  EXPECT_EQ(completed("grundy compute wythoff-b", 2), "wythoff-balanced\n");
  EXPECT_EQ(completed("grundy sum cra", 2), "cram\n");
  EXPECT_EQ(completed("grundy compute nim --engine spa", 4), "sparse\n");
  EXPECT_EQ(completed("grundy compute nim --kernel sca", 4), "scalar\n");
  EXPECT_EQ(completed("grundy compute nim --backend ", 4), "auto tbb threads\n");
  EXPECT_EQ(completed("grundy compute nim -o ka", 4), "\n");
  EXPECT_EQ(completed("grundy export t.h5 --format b", 4), "bfile\n");
  EXPECT_EQ(completed("grundy help equ", 2), "equal\n");
  EXPECT_EQ(completed("grundy equal wythoff-a", 2), "wythoff-all wythoff-any\n");
  EXPECT_EQ(completed("grundy -q compute kayle", 3), "kayles\n");
  EXPECT_EQ(completed("grundy -q comp", 2), "compute\n");
  EXPECT_EQ(completed("grundy genus cra", 2), "\n");
  EXPECT_EQ(completed("grundy period wythoff-b", 2), "wythoff-balanced\n");
  EXPECT_EQ(completed("grundy generate ", 2), "bash man\n");
}

TEST_F(Generate, BashNamesEveryCommandAndOption) {
  const std::string text = out({"generate", "bash"});
  for (const std::string& command : commands()) {
    const auto begin = text.find("\n    " + command + ")\n");
    ASSERT_NE(begin, std::string::npos) << command;
    const std::string arm = text.substr(begin, text.find("esac", begin) - begin);
    for (const std::string& option : options(out({command, "--help"}))) {
      EXPECT_TRUE(std::regex_search(arm, std::regex("[ ']" + option + "[ ']")))
          << command << ' ' << option;
    }
  }
  for (const char* shell : {"tcsh", "zsh"}) EXPECT_EQ(run({"generate", shell}).code, 2) << shell;
}

TEST_F(Zsh, ReadsTheCompletionOfBash) {
  const Outcome outcome = shell(
      "command -v zsh >/dev/null || exit 77; "
      "$GRUNDY generate bash > completion; "
      "zsh -fc 'autoload -U compinit bashcompinit; compinit -u; bashcompinit; source completion'");
  if (outcome.code == 77) GTEST_SKIP() << "no zsh";
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Generate, TheManualSaysWhatNoOptionSays) {
  const std::string page = rendered(out({"generate", "man"}));
  for (const char* section : {"EXIT STATUS", "SIGNALS", "ENVIRONMENT", "FILES"}) {
    EXPECT_THAT(page, HasSubstr(std::string("\n.SH ") + section + "\n"));
  }
  for (const char* word :
       {"75", "SIGUSR1", "SIGUSR2", "GRUNDY_KERNEL", "SOURCE_DATE_EPOCH", "NO_COLOR",
        "SLURM_ARRAY_TASK_ID", ".run/", ".stripes/", ".parts/", ".atlas/"}) {
    EXPECT_THAT(page, HasSubstr(word));
  }
}

TEST_F(Generate, CitationAgreesWithTheFile) {
  const std::string bibtex = out({"--citation"});
  EXPECT_THAT(bibtex, StartsWith("@software{grundy,"));
  const std::string version = out({"--version"});
  const std::string number = version.substr(7, version.find_first_of(" \n", 7) - 7);
  EXPECT_THAT(bibtex, HasSubstr("version = {" + number + "}"));
}

}  // namespace
}  // namespace grundy::testing
