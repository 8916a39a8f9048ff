// SPDX-License-Identifier: MIT
#include "cli/part.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "cli/run_options.hpp"
#include "core/names.hpp"
#include "core/text.hpp"

namespace grundy::cli {
namespace {

/// The value of a variable that Slurm sets in every job of an array.
std::uint64_t slurm_variable(const char* name) {
  const char* const text = std::getenv(name);
  if (text == nullptr) {
    throw Error(ErrorCode::kUsage,
                fmt::format("--part auto reads the variables of a job of a Slurm array, and {} is "
                            "not set; give the part as i/N",
                            name));
  }
  return count_option(name, text);
}

/// Jobs MIN, MIN + STEP, .. of an array are parts 1, 2, ..
WorkPart part_of_slurm_job() {
  const std::uint64_t id = slurm_variable("SLURM_ARRAY_TASK_ID");
  const std::uint64_t least = slurm_variable("SLURM_ARRAY_TASK_MIN");
  const std::uint64_t most = slurm_variable("SLURM_ARRAY_TASK_MAX");
  const std::uint64_t step = slurm_variable("SLURM_ARRAY_TASK_STEP");
  const std::uint64_t jobs = slurm_variable("SLURM_ARRAY_TASK_COUNT");
  const bool is_row = step > 0 && least <= id && id <= most && (id - least) % step == 0 &&
                      jobs == (most - least) / step + 1;
  if (!is_row) {
    throw Error(ErrorCode::kUsage,
                fmt::format("--part auto: job {} of an array of {} jobs from {} to {} has no place "
                            "in a row of equal steps; give its part as i/N",
                            id, jobs, least, most));
  }
  return {(id - least) / step + 1, jobs};
}

}  // namespace

WorkPart parse_part(const std::string& text) {
  if (same_name(text, "auto")) return part_of_slurm_job();
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) {
    throw Error(ErrorCode::kUsage,
                fmt::format("--part: {} is neither of the form i/N nor auto", in_quotes(text)));
  }
  const WorkPart part{count_option("--part", text.substr(0, slash)),
                      count_option("--part", text.substr(slash + 1))};
  if (part.number < 1 || part.number > part.of) {
    throw Error(ErrorCode::kUsage,
                fmt::format("--part: there is no part {} of {}", part.number, part.of));
  }
  return part;
}

}  // namespace grundy::cli
