// SPDX-License-Identifier: MIT
#include "table/table_writer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/machine.hpp>

#include "core/digest.hpp"
#include "core/value_copy.hpp"
#include "table/chunk_assembler.hpp"
#include "table/chunk_file.hpp"
#include "table/schema.hpp"
#include "table/table_file.hpp"
#include "table/tile_scatter.hpp"
#include "table/written_check.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

const TableWriterOptions& checked(const TableWriterOptions& options, const Layout& layout) {
  if (!std::has_single_bit(options.chunk_size) || options.chunk_size > kLargestChunk) {
    throw Error(ErrorCode::kUsage,
                fmt::format("a chunk has a power of two of values, at most {}, not {}",
                            kLargestChunk, options.chunk_size));
  }
  if (!options.part) return options;
  if (const std::string clause = contradiction(*options.part, layout); !clause.empty()) {
    throw Error(ErrorCode::kUsage, clause);
  }
  if (options.sorted_tiles && !layout.sorted) {
    throw Error(ErrorCode::kUsage,
                "the values of sorted positions belong into several parts of a table that is not "
                "sorted; a table in parts of a symmetric game is to be sorted");
  }
  return options;
}

/// Moves the entries of a part to the beginning of the array.
class PartSink final : public EntrySink {
 public:
  /// @param first, end coordinates of the part along the first axis: first .. end - 1
  PartSink(std::uint64_t first, std::uint64_t end, unsigned planes, EntrySink& out)
      : first_(first), end_(end), planes_(planes), out_(out) {}

  void put(ChunkGrid::Axes at, unsigned axis, Values values) override {
    const std::uint64_t places = axis == 0 ? values.size() / planes_ : 1;
    if (at[0] < first_ || at[0] >= end_ || places > end_ - at[0]) {
      throw Error(ErrorCode::kFailure,
                  fmt::format("entries from {} on along the first axis were handed to the part of "
                              "a table that has {} to {}",
                              at[0], first_, end_ - 1));
    }
    at[0] -= first_;
    out_.put(at, axis, values);
  }

 private:
  std::uint64_t first_;
  std::uint64_t end_;
  unsigned planes_;
  EntrySink& out_;
};

class Writer final : public TableWriter {
 public:
  Writer(fs::path path, const Layout& layout, Executor& executor, const TableWriterOptions& options)
      : path_(std::move(path)),
        layout_(layout),
        executor_(executor),
        options_(checked(options, layout)),
        begin_(options.part ? options.part->begin(layout) : 0),
        end_(options.part ? options.part->end(layout) : layout.entries()),
        grid_(options.part ? grid_of(layout, *options.part) : grid_of(layout, options.chunk_size)),
        file_(make_file(options.width)),
        assembler_(
            grid_, layout.planes, options.width,
            [this](std::size_t /*bytes*/) { return file_->take_buffer(); },
            [this](std::uint64_t chunk, Bytes bytes) { file_->put(chunk, std::move(bytes)); }),
        part_(make_part_sink()),
        scatter_(layout, options.sorted_tiles,
                 part_ ? static_cast<EntrySink&>(*part_) : assembler_),
        count_(begin_) {}

  [[nodiscard]] ValueWidth width() const override { return assembler_.width(); }

  Flow put(const Stretch& stretch) override {
    run_step([&] {
      if (stretch.tile == nullptr) expect_next(stretch);
      make_room_for(stretch.values);
      scatter_.put(stretch);
    });
    return Flow::kContinue;
  }

  void put_chunk(std::uint64_t begin, std::uint64_t digest, const Bytes& encoded) override {
    run_step([&] {
      expect_next({.begin = begin, .values = {nullptr, grid_.chunk_size(), width()}, .table = {}});
      file_->put_encoded(begin / grid_.chunk_size(), digest, encoded);
    });
  }

  Flow read_back(ValueSink& census, const WrittenCheck& expected) override {
    Flow flow = Flow::kContinue;
    run_step([&] {
      WrittenCheck read(layout_);
      SinkOf of_table([&](const Stretch& entries) {
        read.put({.begin = begin_ + entries.begin, .values = entries.values, .table = {}});
      });
      flow = hand_out({&of_table, &census});
      if (flow == Flow::kContinue) expected.compare(read, path_);
      read_ = flow == Flow::kContinue;
    });
    return flow;
  }

  void finish(const TableInfo& info, std::span<const std::uint64_t> p_positions,
              const std::string& extension_state) override {
    run_step([&] {
      if (const std::string clause = contradiction(info, end_ - begin_); !clause.empty()) {
        throw Error(ErrorCode::kFailure, fmt::format("the table for '{}' contradicts itself: {}",
                                                     path_.string(), clause));
      }
      if (info.layout != layout_) not_written("it has other entries than its description");
      if (!read_) compare_digest(info);
      Metadata metadata = describe(info, file_->digests(), options_.reproducible);
      metadata.p_positions.assign(p_positions.begin(), p_positions.end());
      metadata.extension_state = extension_state;
      if (options_.part) {
        for (std::uint64_t& entry : metadata.p_positions) entry += begin_;
        metadata.part = options_.part;
        metadata.sections = sections_;
        metadata.summary =
            fmt::format("One of {} parts. {}", options_.part->parts, metadata.summary);
      }
      file_->complete(metadata);
      check_metadata(metadata);
      file_->publish();
    });
    file_.reset();
  }

 private:
  /// Checks that entries in their order leave none out.
  void expect_next(const Stretch& entries) {
    if (entries.begin != count_ || entries.values.size() > end_ - count_) {
      throw Error(ErrorCode::kFailure,
                  fmt::format("entries {} to {} were handed to a table of {} that goes on at {}",
                              entries.begin, entries.end(), end_, count_));
    }
    count_ = entries.end();
  }
  /// Runs a step. If it fails, the temporary file is removed at once and the writer is dead.
  /// @throws Error(kFailure), and what `step` throws
  template <class F>
  void run_step(F&& step) {
    if (file_ == nullptr) {
      throw Error(ErrorCode::kFailure, fmt::format("the writer of '{}' has ended", path_.string()));
    }
    try {
      step();
    } catch (...) {
      file_.reset();
      throw;
    }
  }

  [[noreturn]] void not_written(std::string_view why) const {
    throw Error(ErrorCode::kFailure, fmt::format("'{}' was not written: {}", path_.string(), why));
  }

  [[nodiscard]] std::optional<PartSink> make_part_sink() {
    if (!options_.part) return std::nullopt;
    const std::uint64_t first = array_begin(layout_, *options_.part);
    return PartSink(first, first + grid_.extent()[0], layout_.planes, assembler_);
  }

  [[nodiscard]] std::unique_ptr<ChunkFile> make_file(ValueWidth width) const {
    return std::make_unique<ChunkFile>(AtomicFile(path_, options_.overwrite, options_.workplace),
                                       width, grid_, executor_);
  }

  /// As make_file(), in the middle of a run, where it is a device that fails and not the user.
  [[nodiscard]] std::unique_ptr<ChunkFile> make_wider_file(ValueWidth width) const {
    try {
      return make_file(width);
    } catch (const Error& error) {
      throw Error(ErrorCode::kFailure, error.what());
    }
  }

  /// If `values` are wider than the file, begins a file of their width, and copies the complete
  /// chunks to it.
  void make_room_for(Values values) {
    const ValueWidth width = storable_width(values);
    if (width <= assembler_.width()) return;
    std::unique_ptr<ChunkFile> wide = make_wider_file(width);
    file_->replay([&](std::uint64_t chunk, const Bytes& narrow) {
      Bytes out(wide->chunk_bytes());
      copy_with_gaps_to_width(Values(narrow.data(), grid_.chunk_size(), file_->width()), width,
                              out.data());
      wide->put(chunk, std::move(out));
      return Flow::kContinue;
    });
    assembler_.widen(width);
    file_ = std::move(wide);
  }

  /// Hands all entries to `sinks`, in their order and numbered from 0, until one of the sinks
  /// returns kStop. Takes the digests of the sections that lie in a part.
  Flow hand_out(std::vector<ValueSink*> sinks) {
    if (file_->taken() != grid_.chunk_count()) {
      throw Error(ErrorCode::kFailure,
                  fmt::format("the table for '{}' is not complete: {} of {} chunks are",
                              path_.string(), file_->taken(), grid_.chunk_count()));
    }
    file_->sync();
    SectionDigests sections(begin_, end_, layout_.entries());
    SinkOf of_table([&](const Stretch& entries) {
      sections.put({.begin = begin_ + entries.begin, .values = entries.values, .table = {}});
    });
    if (options_.part) sinks.push_back(&of_table);
    const std::size_t bytes = byte_count(width());
    // The sinks work on one band while the next one is read and decoded.
    std::array<Bytes, 2> bands{Bytes(grid_.band_size() * bytes), Bytes(grid_.band_size() * bytes)};
    Flow flow = Flow::kContinue;
    HeapSize begin = 0;  // of the band
    HeapSize size = 0;
    const auto looking = executor_.make_group();
    const Flow read = file_->read([&](std::uint64_t chunk, const Bytes& raw) {
      grid_.for_each_row(chunk, [&](std::uint64_t entry, const ChunkGrid::Run& run) {
        std::memcpy(bands[0].data() + (entry - begin) * bytes, raw.data() + run.offset * bytes,
                    run.length * bytes);
      });
      size += grid_.entries_in(chunk);
      if ((chunk + 1) % grid_.chunks_per_band() != 0) return Flow::kContinue;
      looking->wait();
      if (flow == Flow::kStop) return flow;
      std::swap(bands[0], bands[1]);
      const Values values(bands[1].data(), size, width());
      looking->spawn([&sinks, &flow, begin, values] {
        for (ValueSink* const sink : sinks) {
          if (sink->put({begin, values, {}}) == Flow::kStop) flow = Flow::kStop;
        }
      });
      begin += std::exchange(size, 0);
      return Flow::kContinue;
    });
    if (read == Flow::kStop) return read;
    looking->wait();
    sections_ = sections.digests();
    return flow;
  }

  void compare_digest(const TableInfo& info) {
    ValueDigest digest;
    SinkOf sink([&digest](const Stretch& block) { digest.update(block.values); });
    hand_out({&sink});
    if (digest.value() != info.stats.digest) {
      not_written("reading it back failed: the values do not match the digest of the table");
    }
  }

  /// Opens the file on disk like any reader, and compares it with what was written.
  void check_metadata(const Metadata& written) const {
    bool same = false;
    try {
      const TableFile file(file_->path(), written.part ? FileKind::kPart : FileKind::kTable);
      const Metadata& read = file.metadata();
      same = read.info == written.info && read.chunk_digests == written.chunk_digests &&
             read.part == written.part && read.sections == written.sections &&
             file.extension_state() == written.extension_state;
    } catch (const Error& error) {
      not_written(fmt::format("reading it back failed: {}", error.what()));
    }
    if (!same) not_written("reading it back failed: the metadata differ from what was written");
  }

  const fs::path path_;
  const Layout layout_;
  Executor& executor_;
  const TableWriterOptions options_;
  const std::uint64_t begin_, end_;  ///< entries of the file, as numbered in the table
  const ChunkGrid grid_;
  std::unique_ptr<ChunkFile> file_;  ///< null once finished or failed
  ChunkAssembler assembler_;
  std::optional<PartSink> part_;  ///< for a part: before the assembler
  TileScatter scatter_;
  HeapSize count_;                   ///< entries before this one have come, if they come in blocks
  bool read_ = false;                ///< all entries were read back, and are the expected ones
  std::vector<Digest128> sections_;  ///< of a part that was read back
};

}  // namespace

std::unique_ptr<TableWriter> TableWriter::create(const fs::path& path, const Layout& layout,
                                                 Executor& executor,
                                                 const TableWriterOptions& options) {
  return std::make_unique<Writer>(path, layout, executor, options);
}

std::uint64_t TableWriter::memory_bytes(const Layout& layout, bool sorted_tiles, Nimber max_value,
                                        std::size_t threads) {
  const ChunkGrid grid = grid_of(layout);
  const std::uint64_t bytes = byte_count(width_for(max_value));
  // Open chunks lie in as many bands as there are heaps, and in the same number of neighbours.
  // Sorted tiles of two heaps come by antidiagonals: on that of the largest heap, the slabs of all
  // heaps from its half on are open, which are three quarters of the table.
  const std::uint64_t bands = 2 * layout.heaps * grid.band_size();
  const std::uint64_t open =
      layout.sorted && sorted_tiles && layout.heaps == 2 ? grid.size() / 4 * 3 + bands : bands;
  return (std::min(grid.size(), open) + 2 * grid.band_size()) * bytes +
         ChunkPipeline::memory_bytes(grid.chunk_size() * bytes, threads) +
         grid.chunk_count() * 2 * sizeof(std::uint64_t);
}

std::string hdf5_version() {
  const h5::Guard guard;
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

}  // namespace grundy
