// SPDX-License-Identifier: MIT
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <grundy/machine.hpp>

#include "cli/commands.hpp"
#include "core/text.hpp"
#include "kernels/kernels.hpp"
#include "session/machine.hpp"

namespace grundy::cli {
namespace {

int run_cpu_info(Console& console) {
  const std::size_t threads = make_executor()->threads();
  const std::string_view chosen = select_kernels("auto").name;
  if (console.json) {
    Json kernels = Json::array();
    for (const KernelSet& set : available_kernels()) {
      kernels.push_back({{"name", set.name}, {"needs", set.description}});
    }
    Json skipped = Json::array();
    for (const SkippedTarget& target : skipped_kernels()) {
      skipped.push_back({{"name", target.name}, {"reason", target.reason}});
    }
    Json caches = Json::array();
    for (const Cache& cache : cpu_caches()) {
      caches.push_back({{"level", cache.level}, {"type", cache.type}, {"size", cache.size}});
    }
    console.print_json({{"cpu", cpu_model()},
                        {"threads", threads},
                        {"memory_available", memory_available()},
                        {"caches", caches},
                        {"kernel", chosen},
                        {"kernels", kernels},
                        {"skipped", skipped}});
    return 0;
  }
  console.field("cpu", cpu_model());
  console.field("threads", fmt::format("{} for this process", threads));
  console.field("memory", fmt::format("{} available", format_bytes(memory_available())));
  for (const Cache& cache : cpu_caches()) {
    console.field(fmt::format("L{} cache", cache.level),
                  fmt::format("{} {}", cache.size, cache.type));
  }
  console.print("\nkernels (the last is the fastest; * is used unless another is forced)\n");
  for (const KernelSet& set : available_kernels()) {
    console.print("{} {:<12} {}\n", set.name == chosen ? '*' : ' ', set.name, set.description);
  }
  console.print("\nskipped\n");
  for (const SkippedTarget& target : skipped_kernels()) {
    console.field(target.name, target.reason);
  }
  return 0;
}

}  // namespace

Command cpu_info_command(Console& console) {
  Command command{.name = "cpu-info", .help = "List kernels, threads and caches"};
  command.footer = R"(A kernel is forced with --kernel or the environment variable GRUNDY_KERNEL.

Example:
  grundy cpu-info
)";
  command.run = [&console](const Command&) { return run_cpu_info(console); };
  return command;
}

}  // namespace grundy::cli
