// SPDX-License-Identifier: MIT
#include "atlas/atlas_file.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/version.hpp>

#include "atlas/classes.hpp"
#include "core/atomic_file.hpp"
#include "core/digest.hpp"
#include "core/enum_words.hpp"
#include "session/provenance.hpp"
#include "table/fields.hpp"
#include "table/file_kind.hpp"
#include "table/info_fields.hpp"
#include "table/schema.hpp"
#include "table/seal.hpp"

namespace grundy::atlas {
namespace {

namespace fs = std::filesystem;

/// The largest distance between the first nonzero values of a game and of its class.
constexpr HeapSize kMostShift = HeapSize{1} << 20;

constexpr EnumWord<AtlasEvidence> kEvidenceWords[] = {
    {AtlasEvidence::kItself, "itself"},
    {AtlasEvidence::kStandardForm, "standard form"},
    {AtlasEvidence::kRedundantMoves, "redundant moves"},
    {AtlasEvidence::kPeriods, "periods"},
    {AtlasEvidence::kObserved, "observed"}};

constexpr EnumWord<LiteratureStatus> kLiteratureWords[] = {
    {LiteratureStatus::kUnlisted, ""},
    {LiteratureStatus::kSolved, "solved"},
    {LiteratureStatus::kUnsolved, "unsolved"}};

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

/// The parts of a file that are not in the report in the same form.
struct StoredForms {
  std::string summary, members, run_json;

  friend bool operator==(const StoredForms&, const StoredForms&) = default;
};

StoredForms stored_forms(const AtlasReport& report) {
  return {.summary = summarize(report, SummaryFormat::kCsv),
          .members = members_table(report),
          .run_json = provenance_json({}, true, 1, {})};
}

/// Fields of a class that have other types in memory.
struct StoredClass {
  std::string status, literature;
  bool proof = true;  ///< the file keeps what proves a period again
};

StoredClass stored_forms(const AtlasClass& c) {
  return {.status = std::string(to_string(c.period.status)),
          .literature = std::string(to_string(c.literature)),
          .proof = true};
}

/// Shows every field of a class except its values to `io`. What follows from the members and the
/// values is compared where it is read.
template <class Io, class Class, class Stored>
void traverse_class(Io& io, h5::Object& group, Class& c, Stored& stored) {
  io.implied(group, "members", members_text(c));
  io.text(group, "engine", c.engine);
  io.text(group, "status", stored.status);
  if (stored.status != to_string(PeriodStatus::kNone)) {
    traverse_pattern(io, group, c.period, stored.proof);
    if (stored.proof) traverse_window(io, group, c.period);
  }
  io.implied(group, "max_value", std::uint64_t{c.stats.max_value});
  io.implied(group, "argmax", std::uint64_t{c.stats.argmax});
  io.implied(group, "last_zero", std::uint64_t{c.last_zero});
  if (c.sparse) {
    io.number(group, "mask", c.sparse->mask);
    io.number(group, "mask_parity", c.sparse->parity);
    io.number(group, "rare", c.sparse->rare);
    io.number(group, "last_rare", c.sparse->last_rare);
  }
  io.optional_text(group, "literature", stored.literature);
  if (!stored.literature.empty()) io.text(group, "reference", c.reference);
  io.implied(group, "xxh3_128", to_hex(c.stats.digest));
}

/// The columns of a class.
template <class Io, class Values, class Counts>
void traverse_columns(Io& io, h5::Object& group, Values& values, Counts& counts) {
  io.narrow_column(group, "grundy", values);
  io.column(group, "value_counts", counts);
}

/// Passes every field of the root to `io`.
template <class Io, class Stored>
void traverse(Io& io, h5::Object& root, const AtlasReport& report, Stored& stored) {
  io.implied(root, "source", std::string("grundy " GRUNDY_VERSION));
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
               const std::function<KeptValues(std::size_t)>& values) {
  put_format(root, FileKind::kAtlas);
  FieldWriter writer;
  const StoredForms stored = stored_forms(report);
  traverse(writer, root, report, stored);
  h5::Object classes = writer.group(root, "class");
  for (std::size_t i = 0; i < report.classes.size(); ++i) {
    const AtlasClass& c = report.classes[i];
    h5::Object group = writer.group(classes, c.code.c_str());
    const StoredClass facts = stored_forms(c);
    traverse_class(writer, group, c, facts);
    std::vector<Nimber> wide;
    values(i).view().visit([&](auto run) { wide.assign(run.begin(), run.end()); });
    traverse_columns(writer, group, wide, c.stats.histogram);
    group.close();
  }
}

/// Reads every field of a class whose members and values are known. @throws Error(kCorrupt)
/// @param proof whether the file keeps what proves a period again
void read_class(FieldReader& reader, h5::Object& group, AtlasClass& c, bool proof) {
  if (!group.has_attribute("mask")) {
    c.sparse.reset();
  } else if (!c.sparse) {
    c.sparse.emplace();
  }
  StoredClass stored;
  stored.proof = proof;
  traverse_class(reader, group, c, stored);
  c.period.status = stored_status(group, stored.status);
  if (!proof) c.period.verified_to = c.stats.count;  // every kept value obeys the period
  if (const std::string clause = contradiction(c.period, c.stats.count); !clause.empty()) {
    group.context().corrupt(fmt::format("of {} it tells {}", c.code, clause));
  }
  const auto literature = value_with(stored.literature, kLiteratureWords);
  if (!literature) {
    group.context().corrupt(fmt::format("'{}' is no status in the literature", stored.literature));
  }
  c.literature = *literature;
}

/// Reads the whole file back and compares it with the report. @throws Error(kCorrupt)
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
    AtlasClass back = c;
    read_class(reader, group, back, true);
    if (back != c) context.corrupt(fmt::format("the facts of {} differ from the report", c.code));
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

/// Takes the field at the beginning of `text` and the comma after it. Codes are in quotes.
std::string next_field(std::string_view& text) {
  const bool quoted = text.starts_with('"');
  if (quoted) text.remove_prefix(1);
  const std::size_t end = std::min(text.find(quoted ? '"' : ','), text.size());
  std::string field(text.substr(0, end));
  text.remove_prefix(std::min(text.size(), end + (quoted ? 2 : 1)));
  return field;
}

/// A whole number; nothing if the text is not one.
std::optional<std::int64_t> number_of(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// The classes that are listed in a table of members. Leads are shifts, as numbers of 64 bits.
std::vector<AtlasClass> classes_of(const std::string& members, const h5::Context& context) {
  std::vector<AtlasClass> classes;
  std::istringstream lines(members);
  std::string line;
  std::getline(lines, line);  // the head
  while (std::getline(lines, line)) {
    std::string_view rest(line);
    const std::string game = next_field(rest), stands = next_field(rest);
    const auto shift = number_of(next_field(rest));
    const auto evidence = value_with(next_field(rest), kEvidenceWords);
    const auto compared = number_of(next_field(rest));
    if (!shift || !evidence || !compared || *compared < 0) {
      context.corrupt(fmt::format("its table of members has a line that is none: {}", line));
    }
    if (classes.empty() || classes.back().code != stands) {
      classes.emplace_back().code = stands;
      if (game != stands) context.corrupt(fmt::format("{} does not stand for its class", stands));
    }
    classes.back().members.push_back(
        {game, static_cast<HeapSize>(*shift), *evidence, static_cast<HeapSize>(*compared)});
  }
  return classes;
}

}  // namespace

AtlasReader::AtlasReader(const fs::path& path) : sealed_(open_sealed(path, FileKind::kAtlas)) {
  const h5::Object& root = sealed_.root;
  classes_ = classes_of(root.document("members_csv"), root.context());
  games_ = root.number("games");
  last_ = root.number("last_heap");
  const std::uint64_t major = root.number("format_major");
  is_format_1_ = major == 1;
  keeps_proofs_ = major > 2 || (major == 2 && root.number("format_minor") >= 1);
  std::uint64_t members = 0;
  for (const AtlasClass& c : classes_) members += c.members.size();
  if (members != games_ || classes_.size() != root.number("classes")) {
    root.context().corrupt("its table of members has not as many games and classes as it says");
  }
}

std::optional<AtlasReader::Place> AtlasReader::find(std::string_view code) const noexcept {
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    const std::vector<AtlasMember>& members = classes_[i].members;
    const auto found = std::ranges::find(members, code, &AtlasMember::code);
    if (found != members.end()) {
      return Place{i, static_cast<std::size_t>(found - members.begin())};
    }
  }
  return std::nullopt;
}

AtlasClass AtlasReader::read(std::size_t i, std::vector<Nimber>& values) {
  AtlasClass c = classes_[i];
  const h5::Object all = sealed_.root.open_group("class");
  if (!all.has_member(c.code)) all.context().corrupt(fmt::format("class {} is missing", c.code));
  h5::Object group = all.open_group(c.code);
  FieldReader reader;
  std::vector<std::uint64_t> counts;
  traverse_columns(reader, group, values, counts);
  const auto table = Values(std::span<const Nimber>(values));
  c.stats = stats_of(table, select_kernels("auto"));
  c.last_zero = last_zero_of(table);
  if (is_format_1_ && values.size() > kDigestSection) {
    SequentialDigest whole;  // the digest that tables of format 1 have
    whole.update(table);
    c.stats.digest = whole.value();
  }
  if (counts != c.stats.histogram) {
    group.context().corrupt(fmt::format("the histogram of {} is another one", c.code));
  }
  const HeapSize lead = lead_of(table);
  for (AtlasMember& member : c.members) {
    member.lead += lead;  // modulo 2^64, since shifts may be negative
    if (member.lead > std::max<HeapSize>(values.size(), last_ + 1) + kMostShift) {
      group.context().corrupt(fmt::format("the shift of {} is none", member.code));
    }
  }
  read_class(reader, group, c, keeps_proofs_);
  return c;
}

void write_atlas_file(const fs::path& path, const AtlasReport& report,
                      const std::function<KeptValues(std::size_t)>& values, bool overwrite) {
  AtomicFile place(path, overwrite);
  write_sealed(place.path(), [&](h5::Object& root) { put_atlas(root, report, values); });
  place.publish_if([&] {
    compare(place.path(), report);
    return true;
  });
}

}  // namespace grundy::atlas

namespace grundy {

std::string_view to_string(AtlasEvidence evidence) noexcept {
  return word_for(evidence, atlas::kEvidenceWords);
}

std::string_view to_string(LiteratureStatus literature) noexcept {
  return word_for(literature, atlas::kLiteratureWords);
}

}  // namespace grundy
