// SPDX-License-Identifier: MIT
#include "cli/run_grundy.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace grundy::testing {
namespace {

namespace fs = std::filesystem;

fs::path make_directory() {
  std::string name = (fs::temp_directory_path() / "grundy-cli-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  return name;
}

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

CommandTest::CommandTest() : directory_(make_directory()), streams_(make_directory()) {}

CommandTest::~CommandTest() {
  for (const auto& entry : fs::recursive_directory_iterator(directory_)) {
    if (entry.is_directory()) fs::permissions(entry.path(), fs::perms::owner_all);
  }
  fs::remove_all(directory_);
  fs::remove_all(streams_);
}

pid_t CommandTest::spawn(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const fs::path out = streams_ / "out";
  const fs::path err = streams_ / "err";
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is killed leaves no run behind
    constexpr int kFlags = O_WRONLY | O_CREAT | O_TRUNC;
    ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
    ::dup2(::open(out.c_str(), kFlags, 0600), STDOUT_FILENO);
    ::dup2(::open(err.c_str(), kFlags, 0600), STDERR_FILENO);
    if (::chdir(directory_.c_str()) == 0) ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  return child;
}

pid_t CommandTest::start(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{GRUNDY_BINARY};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return spawn(words);
}

Outcome CommandTest::finish(pid_t child) {
  int status = 0;
  rusage used{};
  if (::wait4(child, &status, 0, &used) != child) throw std::runtime_error("wait4 failed");
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          content(streams_ / "out"), content(streams_ / "err"),
          static_cast<std::uint64_t>(used.ru_maxrss) * 1024};
}

Outcome CommandTest::run(const std::vector<std::string>& arguments) {
  return finish(start(arguments));
}

std::string CommandTest::output(std::vector<std::string> arguments) {
  arguments.emplace_back("-q");
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return outcome.out;
}

nlohmann::json CommandTest::output_json(std::vector<std::string> arguments) {
  arguments.emplace_back("--json");
  return nlohmann::json::parse(output(std::move(arguments)));
}

std::string CommandTest::refusal(const std::vector<std::string>& arguments, int code) {
  const auto before = files();
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.code, code) << outcome.out << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(files() == before) << "a file was created, changed or lost";
  return outcome.err;
}

Outcome CommandTest::shell(const std::string& line) {
  return finish(spawn({"/bin/sh", "-c", "GRUNDY='" GRUNDY_BINARY "'; " + line}));
}

std::map<std::string, std::string> CommandTest::files() const {
  std::map<std::string, std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(directory_)) {
    // A program that is at work may remove the file meanwhile, so the path is not looked up.
    found[entry.path().lexically_relative(directory_).string()] =
        entry.is_regular_file() ? content(entry.path()) : std::string("no regular file");
  }
  return found;
}

std::string CommandTest::read(const std::string& name) const {
  return content(directory_ / name);
}

void CommandTest::write(const std::string& name, const std::string& text) const {
  std::ofstream(directory_ / name, std::ios::binary) << text;
}

}  // namespace grundy::testing
