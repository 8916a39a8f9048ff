// SPDX-License-Identifier: MIT
#include "run/run_directory.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>

#include "core/advice.hpp"
#include "core/text_file.hpp"
#include "table/file_checks.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSuffix = ".run";
constexpr const char* kFinishedName = "finished";
constexpr const char* kSegmentSuffix = ".gseg";
constexpr const char* kSuspectSuffix = ".suspect";
/// A record is a page of text, for every game.
constexpr std::uintmax_t kLargestRecord = 1u << 24;

/// The files of a directory, by name.
std::vector<fs::path> files_in(const fs::path& directory) {
  std::error_code error;
  fs::directory_iterator entries(directory, error);
  if (error) {
    throw Error(ErrorCode::kFailure,
                fmt::format("cannot list '{}': {}", directory.string(), error.message()));
  }
  std::vector<fs::path> files;
  for (const auto& entry : entries) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

bool is_ours(const fs::path& file) {
  return file.extension() == kSegmentSuffix || file.extension() == kTemporarySuffix ||
         file.extension() == kSuspectSuffix || file.filename() == kRunRecordName ||
         file.filename() == kFinishedName;
}

std::string difference(const Segment& segment, const SegmentHeader& expected) {
  const SegmentHeader& header = segment.header;
  if (header.fingerprint != expected.fingerprint) return "holds values of another game";
  if (header.index != expected.index) {
    return fmt::format("is segment {} under the name of segment {}", header.index, expected.index);
  }
  if (header.begin != expected.begin) {
    return fmt::format("begins at value {} where value {} is due", header.begin, expected.begin);
  }
  return header.previous == expected.previous
             ? std::string()
             : "does not continue the segment before it; it belongs to another run";
}

}  // namespace

fs::path run_directory_for(const fs::path& output) {
  // The new file lies beside the old one, so that a rename can replace it. Other names stay as they
  // were typed.
  std::error_code error;
  if (!fs::is_symlink(output, error)) return output.string() + kSuffix;
  const fs::path real = fs::canonical(output, error);
  return (error ? output : real).string() + kSuffix;
}

fs::path output_of(const fs::path& directory) {
  const fs::path plain = directory.has_filename() ? directory : directory.parent_path();
  if (plain.extension() != kSuffix || plain.stem().empty()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("'{}' is no run directory: its name does not end in {}",
                            directory.string(), kSuffix));
  }
  return plain.parent_path() / plain.stem();
}

RunContents read_run(const fs::path& directory, const RunRecord* lost) {
  RunContents contents;
  std::vector<fs::path> names;
  for (const fs::path& file : files_in(directory)) {
    if (file.extension() == kSegmentSuffix) names.push_back(file);
  }
  const fs::path record = directory / kRunRecordName;
  std::error_code error;
  if (names.empty() && !fs::exists(record, error)) return contents;
  const std::optional<std::string> text = read_text_file(record, kLargestRecord);
  contents.was_lost = !names.empty() && !(text && is_whole_record(*text));
  if (contents.was_lost && lost == nullptr) {
    refuse(ErrorCode::kCorrupt, record,
           "is damaged or missing; the command that began the run writes it anew, and goes "
           "on from the segments beside it");
  }
  if (!contents.was_lost && !text) {
    refuse(ErrorCode::kCorrupt, record,
           "does not describe a run: it is no file that can be read, or a very large one");
  }
  contents.record = contents.was_lost ? *lost : parse_run_record(*text, record);

  SegmentHeader expected;
  expected.fingerprint = expected.previous = fingerprint_of(contents.record->identity());
  for (const fs::path& name : names) {
    const fs::path path = directory / segment_name(expected.index);
    if (name != path) {
      refuse(ErrorCode::kCorrupt, path,
             fmt::format("is missing, but later segments are there; without them the run can "
                         "be resumed from value {}",
                         expected.begin));
    }
    Segment segment = open_segment(path);
    if (const std::string what = difference(segment, expected); !what.empty())
      refuse(ErrorCode::kCorrupt, path, what);
    ++expected.index;
    expected.begin = segment.header.end();
    expected.previous = segment.chain;
    contents.segments.push_back(std::move(segment));
  }
  const auto keeps = [](const Segment& segment) { return segment.header.has_values(); };
  if (contents.was_lost && !lost->stats_only && !std::ranges::all_of(contents.segments, keeps)) {
    refuse(ErrorCode::kCorrupt, record,
           "is damaged or missing, and the segments beside it have statistics only");
  }
  return contents;
}

Flow replay(const std::vector<Segment>& segments, HeapSize from, HeapSize to, ValueSink& sink) {
  for (const Segment& segment : segments) {
    if (segment.header.end() <= from || segment.header.first() >= to) continue;
    if (replay_segment(segment, from, to, sink) == Flow::kStop) return Flow::kStop;
  }
  return Flow::kContinue;
}

Flow replay_chunks(const std::vector<Segment>& segments, HeapSize to, ValueWidth width,
                   HeapSize chunk, const ChunkTaker& take, ValueSink& sink) {
  for (const Segment& segment : segments) {
    const SegmentHeader& header = segment.header;
    if (header.begin >= to) break;
    const HeapSize end = std::min(header.end(), to);
    if (header.chunk != chunk || header.width != width) {
      if (replay_segment(segment, header.begin, end, sink) == Flow::kStop) return Flow::kStop;
      continue;
    }
    SegmentReader reader(segment);
    for (HeapSize begin = header.begin; begin < end;) {
      const HeapSize last = std::min(reader.end_of_chunk(begin), end);
      if (last - begin == chunk) {
        if (take(begin, reader.encoded_at(begin)) == Flow::kStop) return Flow::kStop;
      } else {
        const Values values = reader.piece_with(begin).values.subspan(0, last - begin);
        const Stretch block{.begin = begin, .values = values, .table = {}};
        if (sink.put(block) == Flow::kStop) return Flow::kStop;
      }
      begin = last;
    }
  }
  return Flow::kContinue;
}

std::vector<std::string> makers_of(const std::vector<Segment>& segments,
                                   std::string SegmentHeader::*maker) {
  std::vector<std::string> names;
  for (const Segment& segment : segments) {
    // A segment with the values of a shorter table names all makers of that table.
    std::istringstream all(segment.header.*maker);
    for (std::string name; std::getline(all >> std::ws, name, ',');) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

std::string makers(const std::vector<Segment>& segments, std::string SegmentHeader::*maker,
                   std::string_view current) {
  std::vector<std::string> names = makers_of(segments, maker);
  if (std::ranges::find(names, current) == names.end()) names.emplace_back(current);
  return fmt::format("{}", fmt::join(names, ", "));
}

RunDirectory::RunDirectory(const fs::path& path, bool force, const RunRecord* lost)
    : path_(path), lock_(std::in_place, path, force) {
  std::error_code ignored;
  if (fs::exists(path_ / kLearntName, ignored)) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("'{}' is the directory of a search for one value, which {}; finish or remove "
                    "it, or name another output",
                    path_.string(), kCanGoOn));
  }
  was_finished_ = fs::exists(path_ / kFinishedName, ignored);
  if (was_finished_) {
    for (const fs::path& file : files_in(path_)) {
      if (is_ours(file) && file.filename() != kFinishedName) fs::remove(file, ignored);
    }
    fs::remove(path_ / kFinishedName, ignored);
  }
  contents_ = read_run(path_, lost);
}

RunDirectory::~RunDirectory() {
  // Without its lock the directory may already be that of another process.
  if (lock_ && segments().empty()) remove_all();
}

void RunDirectory::write_record(const RunRecord& record) {
  write_whole_file(path_ / kRunRecordName, true, to_json(record));
  sync_directory(directory_of(path_));
  contents_.record = record;
  contents_.was_lost = false;
}

void RunDirectory::seal(SegmentWriter& segment) {
  Segment sealed = segment.seal(previous_of(segment));
  auto& segments = contents_.segments;
  segments.erase(segments.begin() + static_cast<std::ptrdiff_t>(sealed.header.index),
                 segments.end());
  segments.push_back(std::move(sealed));
}

void RunDirectory::seal_whole_chunks(SegmentWriter& segment) {
  std::optional<Segment> sealed = segment.seal_whole_chunks(previous_of(segment));
  if (sealed) contents_.segments.push_back(std::move(*sealed));
}

const Digest128& RunDirectory::previous_of(const SegmentWriter& segment) const noexcept {
  const std::uint64_t index = segment.header().index;
  return index == 0 ? segment.header().fingerprint : segments()[index - 1].chain;
}

void RunDirectory::set_aside(std::size_t first) {
  // The last segment goes first, so that the others form a chain at every moment.
  while (contents_.segments.size() > first) {
    const fs::path path = segments().back().path;
    const std::string suspect = path.string() + kSuspectSuffix;
    if (::rename(path.c_str(), suspect.c_str()) != 0) throw_errno("rename", path.string());
    contents_.segments.pop_back();
  }
  sync_directory(path_);
}

void RunDirectory::finish() {
  fs::rename(path_ / kRunRecordName, path_ / kFinishedName);
  // A run that has sealed nothing has promised nothing to outlive the machine.
  if (!segments().empty()) sync_directory(path_);
  remove_all();
  contents_ = {};
}

void RunDirectory::remove_all() noexcept {
  // A file that cannot be removed stays. It is worthless, and the next run removes it.
  try {
    std::error_code ignored;
    for (const fs::path& file : files_in(path_)) {
      if (is_ours(file) && file.filename() != kFinishedName) fs::remove(file, ignored);
    }
    fs::remove(path_ / kFinishedName, ignored);
    lock_.reset();
    fs::remove(path_, ignored);
  } catch (...) {
  }
}

}  // namespace grundy
