// SPDX-License-Identifier: MIT
#include "session/provenance.hpp"

#include <ctime>
#include <optional>

#include <fmt/format.h>
#include <libdeflate.h>
#include <nlohmann/json.hpp>
#include <oneapi/tbb/version.h>

#include <grundy/version.hpp>

#include "core/json.hpp"
#include "core/process.hpp"
#include "session/build_info.hpp"
#include "session/machine.hpp"
#include "table/table_writer.hpp"

namespace grundy {
std::string provenance_json(const std::string& command_line, bool reproducible, std::size_t threads,
                            const Life& life, const std::vector<EngineChoice>& engines) {
  Json json;
  json["program"] = "grundy";
  json["version"] = GRUNDY_VERSION;
  if (!build_info::kCommit.empty()) json["commit"] = build_info::kCommit;
  json["compiler"] = build_info::kCompiler;
  json["flags"] = build_info::kFlags;
  json["libraries"] = {{"onetbb", TBB_runtime_version()},
                       {"hdf5", hdf5_version()},
                       {"libdeflate", LIBDEFLATE_VERSION_STRING}};
  if (reproducible) {
    if (const auto time = source_date()) json["created"] = utc_text(*time);
    return json_text(json);
  }
  json["command"] = command_line;
  json["threads"] = threads;
  if (life.ranks > 1) json["ranks"] = life.ranks;
  for (const EngineChoice& choice : engines) {
    json["engines"].push_back(
        {{"from", choice.from}, {"engine", choice.engine}, {"reason", choice.reason}});
  }
  json["host"] = host_name();
  json["cpu"] = cpu_model();
  if (life.resumed_at > 0) {
    json["begun"] = life.begun;
    json["resumed_at"] = life.resumed_at;
  }
  json["started"] = life.started;
  json["ended"] = utc_now();
  json["seconds"] = life.time.seconds();
  return json_text(json);
}

}  // namespace grundy
