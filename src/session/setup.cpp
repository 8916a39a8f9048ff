// SPDX-License-Identifier: MIT
#include "session/setup.hpp"

#include <bit>

#include <fmt/format.h>

#include <grundy/error.hpp>

namespace grundy {
namespace {

HeapSize checked_count(const ComputeRequest& request) {
  const std::string clause = size_refusal(request.last, request.chunk);
  if (!clause.empty()) throw Error(ErrorCode::kUsage, clause);
  if (request.stats_only && !request.output.empty()) {
    throw Error(ErrorCode::kUsage, "a run that keeps only statistics has no values for a file");
  }
  return request.last + 1;
}

}  // namespace

std::string size_refusal(HeapSize last, HeapSize chunk) {
  if (last >= kMaxCount) {
    return fmt::format("heap {} is too large for a table; the limit is 2^48-1", last);
  }
  if (!std::has_single_bit(chunk) || chunk > (1u << 18)) {
    return fmt::format("a chunk of {} values is not a power of two up to 2^18", chunk);
  }
  return {};
}

Setup::Setup(const ComputeRequest& r)
    : request(r),
      count(checked_count(r)),
      engine(select_heap_engine(r.engine, r.rule, count)),
      kernels(select_kernels(r.kernel)),
      executor(make_executor(r.threads, r.backend)) {}

RunStatus Setup::run(HeapSize heaps, BlockSink& sink, std::stop_token stop, ProgressSink* progress,
                     const KnownValues* known,
                     const std::function<void(const EngineChoice&)>& on_choice) const {
  const HeapTask task{.rule = request.rule,
                      .count = heaps,
                      .kernels = kernels,
                      .executor = *executor,
                      .stop = std::move(stop),
                      .progress = progress,
                      .block = request.block,
                      .keep_table = !request.stats_only,
                      .known = known,
                      .on_choice = on_choice};
  if (on_choice && !chooses()) {
    on_choice({known != nullptr ? known->count() : 0, std::string(engine.name()),
               request.engine == "auto" ? reason_of_selection(engine, request.rule)
                                        : "it was asked for"});
  }
  return engine.run(task, sink);
}

}  // namespace grundy
