/// @file
/// The command line of a bench, and what it does about wrong results.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/process.hpp"
#include "core/text.hpp"

namespace grundy {

/// The words behind the name of a bench.
class Arguments {
 public:
  Arguments(int argc, char** argv) : words_(argv + 1, argv + argc) {}

  [[nodiscard]] const std::vector<std::string>& words() const noexcept { return words_; }
  /// @throws Error(kUsage) if there are more words than `most`
  void expect_at_most(std::size_t most) const {
    if (words_.size() <= most) return;
    throw Error(ErrorCode::kUsage,
                fmt::format("the argument {} is one too many", in_quotes(words_[most])));
  }
  /// Word i, or `usual` if there are fewer words.
  [[nodiscard]] std::string text(std::size_t i, std::string usual) const {
    return i < words_.size() ? words_[i] : std::move(usual);
  }
  /// Word i as a count from `least` to `most`, or `usual`. @throws Error(kUsage) that says `name`
  [[nodiscard]] std::uint64_t count(std::size_t i, const char* name, std::uint64_t usual,
                                    std::uint64_t least = 1,
                                    std::uint64_t most = std::uint64_t{1} << 48) const {
    return i < words_.size() ? count_of(words_[i], name, least, most) : usual;
  }
  /// The same of a word that must not be left out.
  [[nodiscard]] std::uint64_t required(std::size_t i, const char* name, std::uint64_t least,
                                       std::uint64_t most) const {
    return count_of(text(i, ""), name, least, most);
  }

 private:
  static std::uint64_t count_of(const std::string& word, const char* name, std::uint64_t least,
                                std::uint64_t most) {
    std::optional<std::uint64_t> count;
    try {
      count = parse_count(word);
    } catch (const Error&) {
    }
    if (count && *count >= least && *count <= most) return *count;
    throw Error(ErrorCode::kUsage, fmt::format("{} is a number from {} to {}, not {}", name, least,
                                               most, in_quotes(word)));
  }

  std::vector<std::string> words_;
};

/// @throws Error(kMismatch) that says `what`, if two results differ
void expect_same(std::string_view what, const auto& found, const auto& expected) {
  if (found == expected) return;
  throw Error(ErrorCode::kMismatch, fmt::format("{}: the results differ", what));
}

/// Runs `bench` with its arguments. An Error ends it with one sentence, and the exit code of the
/// command: 2 usage, 3 results that differ, otherwise 1.
int run_bench(const char* name, int argc, char** argv, const auto& bench) {
  keep_freed_memory();  // as the command does
  try {
    bench(Arguments(argc, argv));
    return 0;
  } catch (const Error& error) {
    fmt::print(stderr, "{}: {}\n", name, error.what());
    if (error.code() == ErrorCode::kUsage) return 2;
    return error.code() == ErrorCode::kMismatch ? 3 : 1;
  }
}

}  // namespace grundy
