// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/machine.hpp>

#include "core/names.hpp"
#include "parallel/backends.hpp"

namespace grundy {
namespace {

#ifdef GRUNDY_PLAIN_THREADS
constexpr auto make_default_executor = make_thread_executor;
#else
constexpr auto make_default_executor = make_tbb_executor;
#endif

}  // namespace

std::vector<std::string> backend_names() {
  return {kAutoName, "tbb", "threads"};
}

std::unique_ptr<Executor> make_executor(std::optional<std::size_t> threads,
                                        std::string_view backend) {
  constexpr std::size_t kMostThreads = 4096;
  if (threads && (*threads == 0 || *threads > kMostThreads)) {
    throw Error(ErrorCode::kUsage, std::to_string(*threads) + " threads were asked for; 1 to " +
                                       std::to_string(kMostThreads) + " are possible");
  }
  const std::size_t count = threads.value_or(allowed_cpus());
  if (leaves_choice(backend) || same_name(backend, "tbb")) return make_default_executor(count);
  if (same_name(backend, "threads")) return make_thread_executor(count);
  const std::vector<std::string> names = backend_names();
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "there are: " : ", ") + name;
  throw Error(ErrorCode::kUsage, no_such_name("threading back end", backend, names, all));
}

}  // namespace grundy
