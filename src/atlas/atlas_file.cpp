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
#include "table/fields.hpp"
#include "table/file_kind.hpp"
#include "table/seal.hpp"

namespace grundy::atlas {
namespace {

namespace fs = std::filesystem;

std::string members_text(const AtlasClass& c) {
  std::string text;
  for (const AtlasMember& member : c.members) {
    text += fmt::format("{}{}", text.empty() ? "" : " ", member.code);
  }
  return text;
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

/// What of a file does not stand in the report as it is.
struct StoredForms {
  std::string summary, members, run_json;

  friend bool operator==(const StoredForms&, const StoredForms&) = default;
};

StoredForms stored_forms(const AtlasReport& report) {
  return {.summary = summarize(report, SummaryFormat::kCsv),
          .members = members_table(report),
          .run_json = provenance_json({}, true, 1, {})};
}

/// Shows every field of a class but its values to `io`. All of them follow from the report: whoever
/// reads compares.
template <class Io>
void traverse_class(Io& io, h5::Object& group, const AtlasClass& c) {
  const auto number = [&](const char* name, std::uint64_t value) {
    io.implied(group, name, value);
  };
  const auto text = [&](const char* name, const std::string& value) {
    io.implied(group, name, value);
  };
  text("members", members_text(c));
  text("engine", c.engine);
  text("status", std::string(to_string(c.period.status)));
  if (c.period.status != PeriodStatus::kNone) {
    number("preperiod", c.period.preperiod);
    number("period", c.period.period);
    number("saltus", c.period.saltus);
    text("theorem", c.period.theorem);
  }
  number("max_value", c.stats.max_value);
  number("argmax", c.stats.argmax);
  number("last_zero", c.last_zero);
  if (c.sparse) {
    number("mask", c.sparse->mask);
    number("mask_parity", c.sparse->position ? 1 : 0);
    number("rare", c.sparse->rare);
    number("last_rare", c.sparse->last_rare);
  }
  if (c.literature != Literature::kUnlisted) {
    text("literature", std::string(to_string(c.literature)));
    text("reference", c.reference);
  }
  text("xxh3_128", to_hex(c.stats.digest));
}

/// The columns of a class.
template <class Io, class Values, class Counts>
void traverse_columns(Io& io, h5::Object& group, Values& values, Counts& counts) {
  io.narrow_column(group, "grundy", values);
  io.column(group, "value_counts", counts);
}

/// Shows every field of the root to `io`.
template <class Io, class Stored>
void traverse(Io& io, h5::Object& root, const AtlasReport& report, Stored& stored) {
  io.implied(root, "source", fmt::format("grundy {}", build_info::kVersion));
  io.implied(root, "index_convention",
             std::string("entry n of a class is the value of a heap of n tokens"));
  io.implied(root, "classes", std::uint64_t{report.classes.size()});
  io.implied(root, "games", std::uint64_t{report.games});
  io.implied(root, "last_heap", std::uint64_t{report.last});
  io.document(root, "summary_csv", stored.summary);
  io.document(root, "members_csv", stored.members);
  h5::Object provenance = io.group(root, "provenance");
  io.document(provenance, "run_json", stored.run_json);
}

void put_atlas(h5::Object& root, const AtlasReport& report,
               const std::function<StoredValues(std::size_t)>& values) {
  put_format(root, FileKind::kAtlas);
  FieldWriter writer;
  const StoredForms stored = stored_forms(report);
  traverse(writer, root, report, stored);
  h5::Object classes = writer.group(root, "class");
  for (std::size_t i = 0; i < report.classes.size(); ++i) {
    const AtlasClass& c = report.classes[i];
    h5::Object group = writer.group(classes, c.code.c_str());
    traverse_class(writer, group, c);
    std::vector<Nimber> wide;
    values(i).view().visit([&](auto run) { wide.assign(run.begin(), run.end()); });
    traverse_columns(writer, group, wide, c.stats.histogram);
    group.close();
  }
}

/// Reads everything back and compares it with the report. @throws Error(kCorrupt)
void compare(const fs::path& path, const AtlasReport& report) {
  SealedFile sealed = open_sealed(path, FileKind::kAtlas);
  const h5::Context& context = sealed.root.context();
  FieldReader reader;
  StoredForms stored;
  traverse(reader, sealed.root, report, stored);
  if (stored != stored_forms(report)) context.corrupt("its texts differ from the report");
  h5::Object classes = reader.group(sealed.root, "class");
  for (const AtlasClass& c : report.classes) {
    h5::Object group = reader.group(classes, c.code.c_str());
    traverse_class(reader, group, c);
    std::vector<Nimber> values;
    std::vector<std::uint64_t> counts;
    traverse_columns(reader, group, values, counts);
    ValueDigest digest;
    digest.update(std::span<const Nimber>(values));
    if (digest.value() != c.stats.digest || counts != c.stats.histogram) {
      context.corrupt(fmt::format("the values of {} differ from the report", c.code));
    }
  }
}

void check(const fs::path& path, const AtlasReport& report) {
  try {
    compare(path, report);
  } catch (const Error& error) {
    throw Error(ErrorCode::kFailure, fmt::format("'{}' was not written: it does not read back: {}",
                                                 path.string(), error.what()));
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
