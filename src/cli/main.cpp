// SPDX-License-Identifier: MIT
#include <cstdlib>

#include <fmt/format.h>

#include "cli/app.hpp"
#include "cli/console.hpp"

namespace {

/// The number of processes that a launcher of MPI has started; 0 if none has started this process.
int launched_processes() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    if (const char* const size = std::getenv(name)) return std::atoi(size);
  }
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (const int processes = launched_processes(); processes > 1) {
    return grundy::cli::Console().fail(
        grundy::cli::exit_code(grundy::ErrorCode::kUsage),
        fmt::format("this is one of {} processes, which would all do the same; ranks that share a "
                    "work are those of `grundy-mpi`",
                    processes));
  }
  return grundy::cli::run(argc, argv);
}
