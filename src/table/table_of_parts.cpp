// SPDX-License-Identifier: MIT
#include "table/table_of_parts.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/machine.hpp>

#include "core/advice.hpp"
#include "core/atomic_file.hpp"
#include "core/value_copy.hpp"
#include "table/file_checks.hpp"
#include "table/h5_columns.hpp"
#include "table/parts_statistics.hpp"
#include "table/seal.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

/// Opens a part. A failure is a fault of the table.
std::unique_ptr<const TableFile> open_part(const fs::path& path) {
  try {
    return std::make_unique<const TableFile>(path, FileKind::kPart);
  } catch (const Error& error) {
    throw Error(ErrorCode::kCorrupt, error.what());
  }
}

/// Refuses parts that are not the parts of one table, in their order.
void check_parts(const ValuesOfFiles::Files& parts, const TableInfo& about) {
  std::uint64_t slab = 0;
  const Layout& layout = parts.front()->info().layout;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const TableInfo& info = parts[i]->info();
    const TablePart& part = *parts[i]->metadata().part;
    if (info.canonical != about.canonical) {
      refuse(ErrorCode::kCorrupt, parts[i]->path(),
             fmt::format("is a part of a table of {}, and one of {} is wanted", info.canonical,
                         about.canonical));
    }
    if (info.layout != layout || part.number != i || part.parts != parts.size() ||
        part.first_slab != slab) {
      refuse(ErrorCode::kCorrupt, parts[i]->path(),
             "is a part of another table than those before it");
    }
    slab = part.end_slab;
  }
  if (slab != layout.extent[0]) {
    refuse(ErrorCode::kCorrupt, parts.back()->path(),
           "is the last part, but not the end of its table");
  }
}

ValuesOfFiles::Files open_all_parts(const fs::path& table, const TableInfo& about) {
  ValuesOfFiles::Files parts;
  for (std::uint64_t number = 0, count = 1; number < count; ++number) {
    const fs::path path = part_path(table, number);
    if (!fs::exists(path)) {
      refuse(ErrorCode::kUsage, path,
             fmt::format("is missing; '{}' can be made when all of its parts are finished",
                         table.string()));
    }
    parts.push_back(open_part(path));
    if (number == 0) count = parts.front()->metadata().part->parts;
  }
  check_parts(parts, about);
  return parts;
}

std::vector<h5::Source> sources_of(const std::string& directory,
                                   const ValuesOfFiles::Files& parts) {
  std::vector<h5::Source> sources;
  for (const auto& file : parts) {
    const TablePart& part = *file->metadata().part;
    const Layout& layout = file->info().layout;
    sources.push_back({.file = directory + "/" + part_name(part.number),
                       .first = array_begin(layout, part),
                       .count = array_extent(layout, part)[0]});
  }
  return sources;
}

ValueWidth width_of(const ValuesOfFiles::Files& parts) {
  ValueWidth width = ValueWidth::kU8;
  for (const auto& part : parts) width = std::max(width, part->width());
  return width;
}

/// The seal of a master covers everything in it.
void write_master(const fs::path& path, const Metadata& metadata, ValueWidth width,
                  const std::vector<h5::Source>& sources) {
  h5::File file = h5::File::create(path);
  h5::Object root = file.root();
  h5::Object integrity = create_seal(root);
  file.flush_without_gaps();
  const std::uint64_t begin = fs::file_size(path);
  h5::Dataset values = h5::Dataset::create_virtual(root, kValuesName, width,
                                                   array_extent(metadata.info.layout), sources);
  Frame frame{std::move(root), std::move(integrity), std::move(values)};
  write_metadata(frame, metadata);
  close_frame(file, frame, path, begin);
}

/// Whether a file is a part of some table under the name of one.
bool is_part(const fs::path& path) {
  const std::string name = path.filename().string();
  if (!fs::is_regular_file(fs::symlink_status(path)) || !is_part_name(name)) return false;
  try {
    return grundy::kind_of(path) == FileKind::kPart;
  } catch (const Error&) {
    return false;  // this program wrote no such file
  }
}

/// Refuses to write a table over what it is read from, or beside it.
void check_is_outside(const fs::path& output, const ValuesOfFiles::Files& parts) {
  const fs::path place = fs::weakly_canonical(output);
  const fs::path directory = fs::canonical(directory_of(parts.front()->path()));
  const auto is_same = [&](const auto& part) {
    std::error_code error;  // none exists under this name
    return fs::equivalent(output, part->path(), error);
  };
  const auto differs =
      std::mismatch(directory.begin(), directory.end(), place.begin(), place.end()).first;
  if (differs == directory.end() || std::ranges::any_of(parts, is_same)) {
    refuse(ErrorCode::kUsage, output,
           "is among the parts of the table that is merged; choose another place");
  }
}

/// Whether `name` is the name of a directory beside the master.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

}  // namespace

std::unique_ptr<TableWriter> create_part_writer(const fs::path& table, const Layout& layout,
                                                const TablePart& part, Executor& executor,
                                                TableWriterOptions options) {
  options.part = part;
  std::error_code error;  // if it cannot be made, the writer of the part's file reports it
  fs::create_directory(parts_directory(table), error);
  return TableWriter::create(part_path(table, part.number), layout, executor, options);
}

std::optional<TableInfo> find_part(const fs::path& table, const Layout& layout,
                                   const TablePart& part) {
  const fs::path path = part_path(table, part.number);
  if (!fs::exists(path)) return std::nullopt;
  const TableFile file(path, FileKind::kPart);
  if (file.info().layout != layout || file.metadata().part != part) {
    refuse(ErrorCode::kUsage, path,
           "is a part of another table; remove it, or choose another name for the table");
  }
  return file.info();
}

void check_place_of_parts(const fs::path& table, bool overwrite) {
  const fs::path directory = parts_directory(table);
  const fs::file_status status = fs::symlink_status(directory);
  if (!fs::exists(status)) return;
  if (!fs::is_directory(status)) {
    refuse(ErrorCode::kUsage, directory,
           fmt::format("is a {}, where the directory for the parts of the table is to be; move it "
                       "or choose another name for the table",
                       fs::is_symlink(status) ? "link" : "file"));
  }
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (is_part(entry.path())) continue;
    refuse(ErrorCode::kUsage, entry.path(),
           "is no part of a table, and lies where the parts of the table are to be; move it or "
           "choose another name for the table");
  }
  if (overwrite) return;
  refuse(ErrorCode::kUsage, directory,
         fmt::format("exists, the directory for the parts of the table; choose another name or {}",
                     kAllowReplacement));
}

void move_parts(const fs::path& from, const fs::path& to, bool overwrite) {
  const fs::path directory = parts_directory(to);
  check_place_of_parts(to, overwrite);
  if (fs::exists(directory)) {
    const std::vector<fs::directory_entry> parts(fs::directory_iterator(directory), {});
    for (const auto& part : parts) fs::remove(part.path());
    fs::remove(directory);
  }
  fs::rename(parts_directory(from), directory);
}

TableInfo make_table_of_parts(const fs::path& table, const TableInfo& about,
                              const WholeTableOptions& options) {
  AtomicFile place(table, options.overwrite);
  const ValuesOfFiles values(open_all_parts(table, about));
  const ValuesOfFiles::Files& parts = values.files();
  TableInfo info = about;
  info.layout = parts.front()->info().layout;
  info.stats = statistics_of(values);
  info.computed = info.stats.count;

  Metadata metadata = describe(info, {}, options.reproducible);
  metadata.p_positions = p_positions_of(parts);
  metadata.parts = {
      .directory = parts_directory(table).filename().string(), .end_slab = {}, .seal = {}};
  for (const auto& part : parts) {
    metadata.parts->end_slab.push_back(part->metadata().part->end_slab);
    metadata.parts->seal.push_back(part->seal());
  }
  write_master(place.path(), metadata, width_of(parts),
               sources_of(metadata.parts->directory, parts));
  place.publish_if([&] {
    const MasterFile read = open_master(place.path());
    return read.info == info && read.p_positions == metadata.p_positions;
  });
  return info;
}

MasterFile open_master(const fs::path& path) {
  SealedFile sealed = open_sealed(path, FileKind::kMaster);
  const h5::Object list = sealed.root.open_group(kPartsName);
  const std::size_t count = h5::column_rows<std::uint64_t>(list, "tail_xxh3");
  h5::Dataset values = h5::Dataset::open_virtual(sealed.root, kValuesName, count);
  Frame frame{std::move(sealed.root), std::move(sealed.integrity), std::move(values)};
  Metadata metadata = read_metadata(frame, FileKind::kMaster);
  const PartsOfTable& parts = *metadata.parts;
  if (parts.end_slab.size() != count || count == 0 || count > kMostPartsOfTable ||
      !is_plain_name(parts.directory)) {
    refuse(ErrorCode::kCorrupt, path, "is damaged: its list of parts is no such list");
  }

  // The library looks for the parts beside the file to which a link leads.
  const fs::path file_itself = fs::is_symlink(path) ? fs::canonical(path) : path;
  const fs::path directory = file_itself.parent_path() / parts.directory;
  MasterFile master{.info = std::move(metadata.info),
                    .width = frame.values.width(),
                    .p_positions = {},
                    .parts = {}};
  master.p_positions = read_p_positions(frame.root, master.info.layout);
  TablePart expected{.number = 0, .parts = count, .first_slab = 0, .end_slab = 0};
  for (; expected.number < count; ++expected.number) {
    const fs::path file = directory / part_name(expected.number);
    if (!fs::exists(file)) {
      refuse(ErrorCode::kCorrupt, path,
             fmt::format("is a table in parts, and its part '{}' is missing", file.string()));
    }
    master.parts.push_back(open_part(file));
    const TableFile& part = *master.parts.back();
    expected.first_slab = std::exchange(expected.end_slab, parts.end_slab[expected.number]);
    if (part.seal() != parts.seal[expected.number] || part.info().layout != master.info.layout ||
        part.metadata().part != expected || part.width() > master.width) {
      refuse(ErrorCode::kCorrupt, path,
             fmt::format("is a table in parts, and '{}' is not the part that belongs to it: it was "
                         "exchanged or written anew",
                         file.string()));
    }
  }
  if (expected.end_slab != master.info.layout.extent[0]) {
    refuse(ErrorCode::kCorrupt, path, "is damaged: its parts are not the whole table");
  }
  return master;
}

bool is_table_of_parts(const fs::path& path) {
  return kind_of(path) == FileKind::kMaster;
}

std::vector<fs::path> files_of_parts(const fs::path& master) {
  std::vector<fs::path> files;
  for (const auto& part : open_master(master).parts) files.emplace_back(part->path());
  return files;
}

std::uint64_t bytes_of_table(const fs::path& path) {
  std::uint64_t bytes = fs::file_size(path);
  if (!is_table_of_parts(path)) return bytes;
  for (const fs::path& part : files_of_parts(path)) bytes += fs::file_size(part);
  return bytes;
}

std::optional<TableInfo> merge_table(const fs::path& master, const fs::path& output,
                                     Executor& executor, const WholeTableOptions& options,
                                     const std::stop_token& stop, ProgressSink* progress) {
  constexpr HeapSize kStep = HeapSize{1} << 20;
  MasterFile table = open_master(master);
  check_is_outside(output, table.parts);
  const ValuesOfFiles stored(std::move(table.parts));
  const auto writer = TableWriter::create(
      output, table.info.layout, executor,
      {.width = table.width, .overwrite = options.overwrite, .reproducible = options.reproducible});
  std::vector<Nimber> values;
  Bytes narrow;
  for (HeapSize begin = 0; begin < stored.count(); begin += values.size()) {
    if (stop.stop_requested()) return std::nullopt;
    values.resize(std::min(kStep, stored.count() - begin));
    stored.read(begin, values);
    narrow.resize(values.size() * byte_count(table.width));
    copy_to_width(std::span<const Nimber>(values), table.width, narrow.data());
    writer->put(
        {.begin = begin, .values = Values(narrow.data(), values.size(), table.width), .table = {}});
    if (progress == nullptr) continue;
    const HeapSize done = begin + values.size();
    progress->report({.done = done,
                      .total = stored.count(),
                      .work_done = static_cast<double>(done),
                      .work_total = static_cast<double>(stored.count())});
  }
  writer->finish(table.info, table.p_positions);
  return table.info;
}

}  // namespace grundy
