// SPDX-License-Identifier: MIT
#include "cli/console.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>

#include <nlohmann/json.hpp>
#include <sys/uio.h>
#include <unistd.h>

#include "core/advice.hpp"

namespace grundy::cli {
namespace {

void write_error(std::string_view before, std::string_view line) noexcept {
  // Allocates nothing, because this may be the last message of a process without memory.
  const auto part = [](std::string_view text) {
    return iovec{const_cast<char*>(text.data()), text.size()};
  };
  const std::array parts{part(before), part(line), part("\n")};
  [[maybe_unused]] const ssize_t written =
      ::writev(STDERR_FILENO, parts.data(), static_cast<int>(parts.size()));
}

/// A message as one line.
std::string one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::ranges::replace_if(
      text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

template <class T>
Json value_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

}  // namespace

Json or_null(const std::optional<std::uint64_t>& value) {
  return value_or_null(value);
}
Json or_null(const std::optional<double>& value) {
  return value_or_null(value);
}

int exit_code(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::kFailure:
      return 1;
    case ErrorCode::kUsage:
      return 2;
    case ErrorCode::kMismatch:
      return 3;
    case ErrorCode::kCorrupt:
      break;
  }
  return 4;
}

void Console::field(std::string_view name, std::string_view text) {
  print("  {:<12} {}\n", name, text);
}

void Console::print_json(const Json& object) {
  out_.write(json_text(object, JsonForm::kLines) + '\n');
}

void Console::note(const std::string& sentence) const noexcept {
  if (!quiet) write_error_line(sentence);
}

int Console::fail(int code, std::string sentence) const {
  sentence = one_line(std::move(sentence));
  if (!is_first()) {
    if (code == kExitStopped) return code;
    // If a request is wrong, it is wrong on all ranks. Rank 0 reports it and ends the others, which
    // takes more than a second on a busy machine.
    std::this_thread::sleep_for(std::chrono::seconds(5));
  }
  // A wrong request, a wrong value and a stop are those of all ranks, for which rank 0 speaks.
  const bool is_own = !is_first() || code == exit_code(ErrorCode::kFailure) ||
                      code == exit_code(ErrorCode::kCorrupt);
  if (team != nullptr && is_own) {
    sentence = fmt::format("rank {}: {}", team->rank(), sentence);
  }
  if (json) {
    write_error("", json_text({{"code", code}, {"message", sentence}}));
  } else {
    write_error_line(sentence);
  }
  return code;
}

int Console::fail(const Error& error) const {
  return fail(exit_code(error.code()),
              with_options(error.what(), {{kAllowReplacement, "--force"},
                                          {kTakeOver, "--force"},
                                          {kFindGenera, "--misere alone"},
                                          {kZerosOfValues, "export FILE --format csv --value 0"},
                                          {kAskWhatItHolds, "grundy info, query or export"},
                                          {kResumeToAnotherHeap, "grundy resume --to N"},
                                          {kCanGoOn, "grundy resume"},
                                          {kProveSealed, "grundy verify --range 0:"},
                                          {kLongTest, "grundy selftest --soak 60min"},
                                          {kMergeParts, "grundy merge"},
                                          {kPeriodTells, "grundy query"},
                                          {kCatalogueLists, "grundy games"},
                                          {kTryAnyway, "--force"},
                                          {kAllowMoreMemory, "--memory"},
                                          {kProveAll, "--full"},
                                          {kSortTable, "--sorted"},
                                          {kNameCreator, "--creator \"Family, Given\""}}));
}

void write_error_line(std::string_view line) noexcept {
  write_error("grundy: ", line);
}

}  // namespace grundy::cli
