// SPDX-License-Identifier: MIT
#include "atlas/atlas_file.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/atomic_file.hpp"
#include "core/digest.hpp"
#include "session/build_info.hpp"
#include "session/provenance.hpp"
#include "table/file_kind.hpp"
#include "table/h5_columns.hpp"
#include "table/seal.hpp"

namespace grundy::atlas {
namespace {

namespace fs = std::filesystem;

void put_values(const h5::Object& group, Values values) {
  values.visit([&](auto table) {
    const std::vector<Nimber> wide(table.begin(), table.end());
    h5::put_narrow_column(group, "grundy", wide);
  });
}

std::string members_text(const AtlasClass& c) {
  std::string text;
  for (const AtlasMember& member : c.members) {
    text += fmt::format("{}{}", text.empty() ? "" : " ", member.code);
  }
  return text;
}

void put_class(h5::Object& classes, const AtlasClass& c, Values values) {
  h5::Object group = classes.create_group(c.code);
  group.put_text("members", members_text(c));
  group.put_text("engine", c.engine);
  group.put_text("status", std::string(to_string(c.period.status)));
  if (c.period.status != PeriodStatus::kNone) {
    group.put_number("preperiod", c.period.preperiod);
    group.put_number("period", c.period.period);
    group.put_number("saltus", c.period.saltus);
    group.put_text("theorem", c.period.theorem);
  }
  group.put_number("max_value", c.stats.max_value);
  group.put_number("argmax", c.stats.argmax);
  group.put_number("last_zero", c.last_zero);
  if (c.sparse) {
    group.put_number("mask", c.sparse->mask);
    group.put_number("mask_parity", c.sparse->position ? 1 : 0);
    group.put_number("rare", c.sparse->rare);
    group.put_number("last_rare", c.sparse->last_rare);
  }
  if (c.literature != Literature::kUnlisted) {
    group.put_text("literature", std::string(to_string(c.literature)));
    group.put_text("reference", c.reference);
  }
  group.put_text("xxh3_128", to_hex(c.stats.digest));
  put_values(group, values);
  h5::put_column<std::uint64_t>(group, "value_counts", c.stats.histogram);
  group.close();
}

std::string members_table(const AtlasReport& report) {
  std::string text = "game,class,shift,evidence,compared\n";
  for (const AtlasClass& c : report.classes) {
    const auto lead = static_cast<std::int64_t>(c.members.front().lead);
    for (const AtlasMember& member : c.members) {
      text += fmt::format("\"{}\",\"{}\",{},{},{}\n", member.code, c.code,
                          static_cast<std::int64_t>(member.lead) - lead, to_string(member.evidence),
                          member.compared);
    }
  }
  return text;
}

void put_atlas(h5::Object& root, const AtlasReport& report,
               const std::function<StoredValues(std::size_t)>& values) {
  put_format(root, FileKind::kAtlas);
  root.put_text("source", fmt::format("grundy {}", build_info::kVersion));
  root.put_text("index_convention", "entry n of a class is the value of a heap of n tokens");
  root.put_number("classes", report.classes.size());
  root.put_number("games", report.games);
  root.put_number("last_heap", report.last);
  root.put_document("summary_csv", summarize(report, SummaryFormat::kCsv));
  root.put_document("members_csv", members_table(report));
  h5::Object provenance = root.create_group("provenance");
  provenance.put_document("run_json", provenance_json({}, true, 1, {}));
  h5::Object classes = root.create_group("class");
  for (std::size_t i = 0; i < report.classes.size(); ++i) {
    put_class(classes, report.classes[i], values(i).view());
  }
}

/// Reads the values back and compares them with their digests.
void check(const fs::path& path, const AtlasReport& report) {
  const SealedFile sealed = open_sealed(path, FileKind::kAtlas);
  const h5::Object classes = sealed.root.open_group("class");
  for (const AtlasClass& c : report.classes) {
    const auto values = h5::read_column<std::uint32_t>(classes.open_group(c.code), "grundy");
    ValueDigest digest;
    digest.update(std::span<const std::uint32_t>(values));
    if (digest.value() != c.stats.digest) {
      throw Error(ErrorCode::kFailure,
                  fmt::format("'{}' was not written: {} does not read back as it was",
                              path.string(), c.code));
    }
  }
}

}  // namespace

void write_atlas_file(const fs::path& path, const AtlasReport& report,
                      const std::function<StoredValues(std::size_t)>& values, bool overwrite) {
  AtomicFile place(path, overwrite);
  write_sealed(place.path(), [&](h5::Object& root) { put_atlas(root, report, values); });
  place.sync();
  check(place.path(), report);
  place.publish();
}

}  // namespace grundy::atlas
