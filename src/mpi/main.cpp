// SPDX-License-Identifier: MIT
#include <csignal>

#include "cli/app.hpp"
#include "cli/console.hpp"
#include "mpi/mpi_team.hpp"

int main(int argc, char** argv) {
  grundy::mpi::MpiTeam team;
  const int code = grundy::cli::run(argc, argv, &team);
  // Rank 0 may still write the file. A rank that died meanwhile would take it along.
  if (code == 0 && team.rank() != 0) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  }
  // Other ranks would wait for a rank that has failed. A rank that was stopped is not alone: all
  // ranks stop.
  if (code != 0 && code != grundy::cli::kExitStopped && team.size() > 1) team.abort(code);
  return code;
}
