/// @file
/// The answers of a query, one after the other, as they come.
// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include <grundy/error.hpp>

#include "cli/console.hpp"

namespace grundy::cli {

/// Lines of text, or with --json one array with an answer on each line. Questions without an answer
/// are reported after all answers; a damaged file ends the query.
class Answers {
 public:
  explicit Answers(Console& console) : console_(console) {}

  [[nodiscard]] bool as_json() const noexcept { return console_.json; }
  /// Whether nobody reads further answers.
  [[nodiscard]] bool closed() const noexcept { return console_.out().closed(); }

  /// Writes whole lines, or with --json the text of one value.
  void write(std::string_view answer);
  void write_json(const Json& answer) { write(json_text(answer)); }

  /// Runs `answer`, which writes an answer, and keeps its Error for end(). A damaged file ends the
  /// query: the array is closed, and earlier failures are reported.
  /// @throws Error(kCorrupt)
  template <class Answer>
  void attempt(Answer answer) {
    try {
      answer();
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kCorrupt) {
        end();
        console_.out().flush();
        throw;
      }
      failures_.push_back(error);
    }
  }

  /// Reports the failures. Returns the exit code of the first failure.
  int end();

 private:
  Console& console_;
  bool first_ = true;
  std::vector<Error> failures_;
};

}  // namespace grundy::cli
