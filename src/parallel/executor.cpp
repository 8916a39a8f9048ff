// SPDX-License-Identifier: MIT
#include "parallel/executor.hpp"

#include <string>

#include <grundy/error.hpp>

#include "parallel/backends.hpp"

namespace grundy {
namespace {

#ifdef GRUNDY_PLAIN_THREADS
constexpr auto make_default_executor = make_thread_executor;
#else
constexpr auto make_default_executor = make_tbb_executor;
#endif

}  // namespace

std::unique_ptr<Executor> make_executor(std::size_t threads, std::string_view backend) {
  constexpr std::size_t kMostThreads = 4096;
  if (threads > kMostThreads) {
    throw Error(ErrorCode::kUsage, std::to_string(threads) + " threads were asked for, at most " +
                                       std::to_string(kMostThreads) + " are possible");
  }
  const std::size_t count = threads == 0 ? allowed_cpus() : threads;
  if (backend == "tbb") return make_default_executor(count);
  if (backend == "threads") return make_thread_executor(count);
  throw Error(ErrorCode::kUsage, "there is no threading back end '" + std::string(backend) +
                                     "'; there are 'tbb' and 'threads'");
}

}  // namespace grundy
