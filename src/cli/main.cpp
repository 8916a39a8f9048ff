// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <thread>

#include <fmt/format.h>

#include "cli/app.hpp"
#include "cli/console.hpp"

namespace {

/// A variable of the environment as a number; `otherwise` if it is not set.
int variable(const char* name, int otherwise) {
  const char* const text = std::getenv(name);
  return text != nullptr ? std::atoi(text) : otherwise;
}

/// Where this process stands among those that a launcher of MPI has started.
struct Launch {
  int rank = 0, processes = 1;
};

Launch launched() {
  if (std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr) {
    return {variable("OMPI_COMM_WORLD_RANK", 0), variable("OMPI_COMM_WORLD_SIZE", 1)};
  }
  if (std::getenv("PMI_SIZE") != nullptr) return {variable("PMI_RANK", 0), variable("PMI_SIZE", 1)};
  // srun with PMIx; the script of a batch job has no step, and so no PMIx.
  if (std::getenv("PMIX_RANK") != nullptr) {
    return {variable("PMIX_RANK", 0), variable("SLURM_STEP_NUM_TASKS", 1)};
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const Launch launch = launched();
  if (launch.processes <= 1) return grundy::cli::run(argc, argv);
  constexpr auto kCode = grundy::ErrorCode::kUsage;
  if (launch.rank > 0) {  // the first process speaks for all, and launchers end the others then
    std::this_thread::sleep_for(std::chrono::seconds(5));
    return grundy::cli::exit_code(kCode);
  }
  grundy::cli::Console console;
  console.json = std::find(argv, argv + argc, std::string_view("--json")) != argv + argc;
  return console.fail(
      grundy::cli::exit_code(kCode),
      fmt::format("this is one of {} processes, which would all do the same; ranks that share a "
                  "work are those of `grundy-mpi`",
                  launch.processes));
}
