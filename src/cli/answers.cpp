// SPDX-License-Identifier: MIT
#include "cli/answers.hpp"

#include <utility>

namespace grundy::cli {

void Answers::write(std::string_view answer) {
  if (as_json()) console_.out().write(std::exchange(first_, false) ? "[" : ",\n ");
  console_.out().write(answer);
}

int Answers::end() {
  // Where no question has an answer there is an error in the place of the array.
  const bool failed = first_ && !failures_.empty();
  if (as_json() && !failed) console_.out().write(first_ ? "[]\n" : "]\n");
  for (const Error& error : failures_) console_.fail(error);
  return failures_.empty() ? 0 : exit_code(failures_.front().code());
}

}  // namespace grundy::cli
