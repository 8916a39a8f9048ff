// SPDX-License-Identifier: MIT
#include "table/lattice_writer.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/machine.hpp>

#include "core/value_copy.hpp"
#include "table/chunk_assembler.hpp"
#include "table/chunk_file.hpp"
#include "table/schema.hpp"
#include "table/table_file.hpp"
#include "table/tile_scatter.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

class Writer final : public LatticeWriter {
 public:
  Writer(fs::path path, const LatticeLayout& layout, Executor& executor,
         const LatticeWriterOptions& options)
      : path_(std::move(path)),
        layout_(layout),
        executor_(executor),
        options_(options),
        grid_(lattice_grid(layout)),
        assembler_(
            grid_, layout.planes, ValueWidth::kU8,
            [this](std::uint64_t chunk, Bytes bytes) { file_->put(chunk, std::move(bytes)); }),
        scatter_(layout, options.sorted_tiles, assembler_) {
    file_ = make_file(ValueWidth::kU8);
  }

  Flow put(const Tile& tile) override {
    run_step(file_, path_, [&] {
      const ValueWidth needed = storable_width(tile.values);
      if (needed > assembler_.width()) promote(needed);
      scatter_.put(tile);
    });
    return Flow::kContinue;
  }

  Flow read_back(BlockSink& census) override {
    Flow flow = Flow::kContinue;
    run_step(file_, path_, [&] { flow = hand_out(census); });
    return flow;
  }

  void finish(const TableInfo& info, std::span<const std::uint64_t> p_positions) override {
    run_step(file_, path_, [&] {
      if (const std::string clause = contradiction(info); !clause.empty()) {
        throw Error(ErrorCode::kFailure, fmt::format("the table for '{}' contradicts itself: {}",
                                                     path_.string(), clause));
      }
      Metadata metadata = describe(info, file_->digests(), options_.reproducible);
      metadata.p_positions.assign(p_positions.begin(), p_positions.end());
      file_->complete(metadata);
      check_metadata(info);
      file_->publish();
    });
    file_.reset();
  }

 private:
  [[nodiscard]] std::unique_ptr<ChunkFile> make_file(ValueWidth width) const {
    return std::make_unique<ChunkFile>(AtomicFile(path_, options_.overwrite, options_.workplace),
                                       width, grid_, executor_);
  }

  /// Rewrites the chunks that are whole, and goes on with the others, at a larger width.
  void promote(ValueWidth width) {
    std::unique_ptr<ChunkFile> wide = make_file(width);
    file_->replay([&](std::uint64_t chunk, const Bytes& narrow) {
      Bytes out(wide->chunk_bytes());
      copy_with_gaps_to_width(Values(narrow.data(), grid_.chunk_size(), file_->width()), width,
                              out.data());
      wide->put(chunk, std::move(out));
    });
    assembler_.widen(width);
    file_ = std::move(wide);
  }

  Flow hand_out(BlockSink& census) {
    if (file_->taken() != grid_.chunk_count()) {
      throw Error(ErrorCode::kFailure,
                  fmt::format("the table for '{}' is not complete: {} of {} chunks are",
                              path_.string(), file_->taken(), grid_.chunk_count()));
    }
    file_->sync();
    const std::size_t bytes = byte_count(file_->width());
    // One band is looked at while the next one is read and decoded.
    std::array<Bytes, 2> bands{Bytes(grid_.band_size() * bytes), Bytes(grid_.band_size() * bytes)};
    Flow flow = Flow::kContinue;
    const auto census_of = executor_.make_group();
    HeapSize begin = 0;
    for (std::uint64_t chunk = 0; chunk < grid_.chunk_count(); chunk += grid_.chunks_per_band()) {
      HeapSize size = 0;
      file_->read(chunk, grid_.chunks_per_band(), [&](std::uint64_t i, const Bytes& raw) {
        grid_.for_each_row(i, [&](std::uint64_t entry, const ChunkGrid::Run& run) {
          std::memcpy(bands[0].data() + (entry - begin) * bytes, raw.data() + run.offset * bytes,
                      run.length * bytes);
        });
        size += grid_.entries_in(i);
      });
      census_of->wait();
      if (flow == Flow::kStop) return flow;
      std::swap(bands[0], bands[1]);
      census_of->spawn(
          [&census, &flow, begin, values = Values(bands[1].data(), size, file_->width())] {
            flow = census.put({.begin = begin, .values = values, .table = {}});
          });
      begin += size;
    }
    census_of->wait();
    return flow;
  }

  /// Opens what is on disk like any reader.
  void check_metadata(const TableInfo& info) const {
    try {
      if (TableFile(file_->path()).info() == info) return;
    } catch (const Error& error) {
      throw Error(ErrorCode::kFailure,
                  fmt::format("'{}' was not written: reading it back failed: {}", path_.string(),
                              error.what()));
    }
    throw Error(ErrorCode::kFailure,
                fmt::format("'{}' was not written: the metadata differ from what was handed in",
                            path_.string()));
  }

  fs::path path_;
  LatticeLayout layout_;
  Executor& executor_;
  LatticeWriterOptions options_;
  ChunkGrid grid_;
  ChunkAssembler assembler_;
  TileScatter scatter_;
  std::unique_ptr<ChunkFile> file_;  ///< none once finished or failed
};

}  // namespace

std::unique_ptr<LatticeWriter> LatticeWriter::create(const fs::path& path,
                                                     const LatticeLayout& layout,
                                                     Executor& executor,
                                                     const LatticeWriterOptions& options) {
  return std::make_unique<Writer>(path, layout, executor, options);
}

std::uint64_t LatticeWriter::memory_bytes(const LatticeLayout& layout, bool sorted_tiles,
                                          Nimber max_value, std::size_t threads) {
  const ChunkGrid grid = lattice_grid(layout);
  const std::uint64_t bytes = byte_count(width_for(max_value));
  // Chunks that are begun lie in as many bands as there are heaps, twice that for neighbours; those
  // of ranks of two heaps, which come in squares, take a quarter of the table.
  const std::uint64_t bands = 2 * layout.shape.heaps * grid.band_size();
  const std::uint64_t open = layout.shape.sorted && sorted_tiles && layout.shape.heaps == 2
                                 ? grid.size() / 4 + bands
                                 : bands;
  return (std::min(grid.size(), open) + 2 * grid.band_size()) * bytes +
         ChunkPipeline::memory_bytes(grid.chunk_size() * bytes, threads) +
         grid.chunk_count() * 2 * sizeof(std::uint64_t);
}

}  // namespace grundy
