// SPDX-License-Identifier: MIT
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>

#include "core/text.hpp"
#include "run/run_directory.hpp"
#include "session/sealed_tiles.hpp"
#include "session/setup.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

HeapGame heap_game(const RunRecord& record, const fs::path& directory) {
  const auto refuse = [&directory](const std::string& what) {
    throw Error(ErrorCode::kCorrupt, fmt::format("'{}' does not describe a run of one heap: {}",
                                                 directory.string(), what));
  };
  if (const auto clause = size_refusal(record.count - 1, record.chunk); !clause.empty()) {
    refuse(clause);
  }
  try {
    return {
        .rule = HeapRule::parse(record.rule), .last = record.count - 1, .extend = record.extend};
  } catch (const Error& bad) {
    refuse(fmt::format("{} is no rule: {}", in_quotes(record.rule), bad.what()));
    throw;
  }
}

}  // namespace

Request request_of_run(const fs::path& directory) {
  const fs::path file = output_of(directory);
  std::error_code error;
  if (!fs::is_directory(directory, error)) {
    throw Error(ErrorCode::kUsage,
                fmt::format("there is no directory '{}'{}", directory.string(),
                            fs::exists(file, error)
                                ? fmt::format(", but '{}' is there: perhaps the run is finished",
                                              file.string())
                                : ""));
  }
  const RunContents contents = read_run(directory);
  if (!contents.record) {
    throw Error(ErrorCode::kUsage,
                fmt::format("'{}' holds nothing to resume; begin anew with `grundy compute`",
                            directory.string()));
  }
  const RunRecord& record = *contents.record;
  const auto game = [&]() -> decltype(Request::game) {
    if (!record.lattice) return heap_game(record, directory);
    return LatticeGame{rule_of(record), table_layout(record).shape};
  };
  Request request{.game = game(), .about = {.game = record.game, .title = record.title}};
  request.machine.engine = record.engine;
  request.machine.kernel = record.kernel;
  request.output.path = file;
  request.output.overwrite = record.overwrite;
  request.output.reproducible = record.reproducible;
  if (record.lattice) {
    request.about.rules = record.lattice->rules;
    request.about.reference = record.lattice->reference;
    if (record.lattice->tile != 0) request.machine.block = record.lattice->tile;
  } else {
    request.output.chunk = record.chunk;
  }
  return request;
}

}  // namespace grundy
